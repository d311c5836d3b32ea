/** Icons for buttons as small drawings, since not every system has a font with such signs. */

import { s } from "./dom.js";

const PATHS = {
  play: "M5 3l8 5-8 5Z",
  pause: "M4 3h3v10H4ZM9 3h3v10H9Z",
  first: "M3 12h10v2H3ZM8 2v8M4.5 6.8 8 10.3l3.5-3.5",
  last: "M3 2h10v2H3ZM8 14V6M4.5 9.2 8 5.7l3.5 3.5",
  up: "M8 14V3M3.5 7.5 8 3l4.5 4.5",
  down: "M8 2v11M3.5 8.5 8 13l4.5-4.5",
  plus: "M8 3v10M3 8h10",
  minus: "M3 8h10",
  fit: "M3 6V3h3M10 3h3v3M13 10v3h-3M6 13H3v-3",
};
const FILLED = new Set(["play", "pause"]);

export function icon(name) {
  const filled = FILLED.has(name);
  return s(
    "svg",
    { class: "icon", viewBox: "0 0 16 16", width: 16, height: 16, "aria-hidden": "true" },
    s("path", {
      d: PATHS[name], fill: filled ? "currentColor" : "none", stroke: filled ? "none" : "currentColor",
      "stroke-width": 1.8, "stroke-linecap": "round", "stroke-linejoin": "round",
    }),
  );
}
