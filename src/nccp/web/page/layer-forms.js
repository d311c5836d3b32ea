/** The layers of any tree, in the forms that models are trained on. */

import { ask } from "./api.js";

/** The menu's text for each form; "" is the model's own layers. */
export const FORMS = {
  "": "the model's own layers",
  left: "binary, left factor",
  right: "binary, right factor",
  midin: "binary, mid-in factor",
  midout: "binary, mid-out factor",
  multi: "multi-branching",
  group: "multi-branching, grouped",
  triangle: "triangular, left factor",
};

const MOST = 100;
const known = new Map();

/** `{words, layers, triangle}` of a tree in brackets. */
export async function layersOf(tree, form, signal) {
  const key = `${form} ${tree}`;
  if (!known.has(key)) {
    const found = await ask("layers", { tree, form }, signal);
    if (known.size >= MOST) known.clear();
    known.set(key, found);
  }
  return known.get(key);
}
