/** Several sentences: a list to choose from, each with a figure. */

import { fill, h } from "./dom.js";

/**
 * `items` are `{text, value, flag, says}` (a figure, whether to flag it, the figure in words).
 * `choose(number)` is called on a click.
 */
export function listSentences(place, items, current, choose, language) {
  place.hidden = items.length < 2;
  if (place.hidden) return fill(place);
  const made = items.map(({ text, value, flag, says }, number) =>
    h(
      "li",
      {},
      h(
        "button",
        { type: "button", "aria-current": number === current ? "true" : null, onclick: () => choose(number) },
        h("span", { class: "number" }, String(number + 1)),
        h("span", { class: "text", lang: language }, text),
        h("span", { class: "value", title: says, "aria-label": says }, `${flag ? "⚑ " : ""}${value}`),
      ),
    ),
  );
  return fill(place, h("ol", { class: "sentences" }, ...made));
}

/** Only move the mark. */
export function markSentence(place, current) {
  place.querySelectorAll("button").forEach((button, number) => {
    if (number !== current) button.removeAttribute("aria-current");
    else {
      button.setAttribute("aria-current", "true");
      button.scrollIntoView({ block: "nearest" });
    }
  });
}
