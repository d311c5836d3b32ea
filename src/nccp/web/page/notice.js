/** Messages: a status line below, and a bar above for errors. */

import { byId, fill, h } from "./dom.js";

/** Also announced by screen readers. */
export function say(text) {
  byId("status").textContent = text;
}

/** An error stays until it is dismissed or resolved. `again` becomes a button. */
export function complain(error, again = null) {
  const bar = byId("notice");
  fill(
    bar,
    h("p", {}, h("strong", {}, "Error: "), error.message ?? String(error)),
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
