/** The line below a drawing: the node under the pointer or with the focus. */

import { fill, h } from "./dom.js";

export function showDetails(place, said, hint = "") {
  if (!said) return fill(place, hint);
  const [label, ...rest] = said.parts;
  return fill(place, h("b", {}, label), ` · ${rest.join(" · ")} · `, h("q", { lang: said.language }, said.words));
}
