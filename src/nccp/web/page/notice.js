/** What is going on, in words: a quiet line below, and a bar above for what went wrong. */

import { byId, fill, h } from "./dom.js";

/** Said politely to screen readers, too. */
export function say(text) {
  byId("status").textContent = text;
}

/** An error stays until it is dismissed or what caused it works. `again` is offered as a button. */
export function complain(error, again = null) {
  const bar = byId("notice");
  fill(
    bar,
    h("p", {}, h("strong", {}, "That did not work. "), error.message ?? String(error)),
    again && h("button", { type: "button", onclick: () => (hush(), again()) }, "Try again"),
    h("button", { type: "button", class: "quiet", "aria-label": "Dismiss this message", onclick: hush }, "✕"),
  );
  bar.hidden = false;
  say("");
}

export function hush() {
  const bar = byId("notice");
  bar.hidden = true;
  fill(bar);
}
