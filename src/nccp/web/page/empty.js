/** What is shown before there is a tree: what to do, and examples in the languages of the models. */

import { fill, h } from "./dom.js";
import { allLanguages, modelFor } from "./models.js";
import { move } from "./place.js";

export function showEmpty(place, visible) {
  place.hidden = !visible;
  if (!visible) return fill(place);
  const languages = allLanguages().filter(({ code }) => modelFor(code));
  const examples = languages.flatMap((language) => language.examples.map((text) => ({ text, language })));
  const local = isLocal() ? " Nothing leaves this machine." : "";
  return fill(
    place,
    h("h2", {}, "Sentences into trees"),
    h("p", {}, `Type or paste text; trees appear when you pause.${local} Or try an example:`),
    h("ul", { class: "examples" }, ...examples.map((example) => h("li", {}, ...offer(example)))),
  );
}

/** A button, and what has to be installed before it works. */
function offer({ text, language: { code, missing } }) {
  const use = () => move({ text, model: modelFor(code).name, tokens: "", sentence: 0 });
  const button = h("button", { type: "button", lang: code, onclick: use, disabled: Boolean(missing) }, text);
  return [button, missing && h("p", { class: "note" }, `Not available: ${missing}`)].filter(Boolean);
}

function isLocal() {
  return ["localhost", "127.0.0.1", "[::1]"].includes(location.hostname);
}
