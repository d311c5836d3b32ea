/**
 * Where the nodes of the layers go. Words stand side by side along the bottom; a relayed node stands right
 * above itself, a combined one above the middle of its children:
 *
 *   layer 2            S
 *                   ╱     ╲
 *   layer 1       NP →   ← #VBZ        (NP combined; #VBZ relayed)
 *                ╱   ╲       │
 *   layer 0   #DT →← #NN → ← #VBZ
 *              the   dog   barks
 *
 * In a triangle, each layer has one cell less than the one below, and a cell stands above the middle of its words.
 */

const GAP = 46; // between neighbours: two arrows that meet have room there
const NARROWEST = 30;
export const PILL = 24; // its height
const PADDING = 9; // within it, at either side
const GUTTER = 112; // for the names of the layers
const MARGIN = 18;
const WORDS = 30; // below the lowest layer

/** The layers' nodes with their places, `{node, x, y, width, below: [places of its children]}`, and the size. */
export function layOutLayers(layers, words, measure, pitch, triangle) {
  const pill = (label) => Math.max(NARROWEST, measure(label, "pill") + 2 * PADDING);
  const height = MARGIN + PILL + pitch * (layers.length - 1) + WORDS + MARGIN;
  const y = (layer) => MARGIN + PILL / 2 + pitch * (layers.length - 1 - layer);
  let edge = GUTTER;
  const rows = [];
  rows.push(
    layers[0].nodes.map((node) => {
      const width = pill(node.label);
      const column = Math.max(width, measure(words[node.start], "word"));
      const x = edge + column / 2;
      edge += column + GAP;
      return { node, x, y: y(0), width, below: [] };
    }),
  );
  for (let layer = 1; layer < layers.length; layer += 1) {
    rows.push(
      layers[layer].nodes.map((node) => {
        const below = node.children.map((child) => rows[layer - 1][child]);
        const ends = triangle ? [rows[0][node.start], rows[0][node.end - 1]] : [below[0], below.at(-1)];
        const x = (ends[0].x + ends[1].x) / 2;
        return { node, x, y: y(layer), width: pill(node.label), below };
      }),
    );
  }
  return { rows, width: edge - GAP + MARGIN + 20, height, wordsAt: y(0) + PILL / 2 + 18, y };
}
