/** Keys that work everywhere on the page, and the list of them. */

import { byId, fill, h } from "./dom.js";

const KEY = "nccp:letters";
const bound = [];

/** `key` as in KeyboardEvent.key; `act` may return false for "not now". */
export function bind(key, what, act) {
  bound.push({ key, what, act });
}

/** Start listening, and list the keys in the help; `more` are those that views handle themselves. */
export function startKeys(more) {
  const letters = byId("letter-keys");
  letters.checked = stored();
  letters.addEventListener("change", () => {
    try {
      localStorage.setItem(KEY, letters.checked ? "on" : "off");
    } catch {
      // not remembered
    }
  });
  const lines = [...bound.filter(({ what }) => what).map(({ key, what }) => [key, what]), ...more];
  fill(byId("keys"), ...lines.flatMap(([key, what]) => [h("dt", {}, h("kbd", {}, key)), h("dd", {}, what)]));
  const dialog = byId("help");
  byId("help-button").addEventListener("click", () => dialog.showModal());
  document.addEventListener("keydown", (event) => {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
    if (!letters.checked || dialog.open || isTyping(event.target)) return;
    for (const { key, act } of bound) {
      if (key === event.key && act(event) !== false) {
        event.preventDefault();
        return;
      }
    }
  });
  bind("?", "", () => dialog.showModal());
}

/** Whether the element with the focus takes text. */
function isTyping(target) {
  return target.matches?.("textarea, select, input:not([type=checkbox], [type=radio], [type=range], [type=file])");
}

function stored() {
  try {
    return localStorage.getItem(KEY) !== "off";
  } catch {
    return true;
  }
}
