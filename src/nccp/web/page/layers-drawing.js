/**
 * The layers of a parse as SVG, from the words to the root.
 *
 * Binary: an arrow beside each node is its orientation; the heavier, the surer. Two that point at each other
 * combine above, the thickness of the lines to them being λ and 1 − λ. Multi-branching: bars are the boundaries
 * of chunks, ties hold a chunk together; each child has its weight in percent, the head a lozenge.
 */

import { s } from "./dom.js";
import { layOutLayers, PILL } from "./layers-layout.js";
import { plural } from "./words.js";

const PITCH = { binary: 76, multi: 88 };
const ARROW = 15; // its length

/** Gives the drawing, its size, and for each layer its group and the groups of its nodes. */
export function drawLayers(parse, measure) {
  const { layers, words, triangle = false } = parse;
  const multi = isMulti(layers);
  const placed = layOutLayers(layers, words, measure, multi ? PITCH.multi : PITCH.binary, triangle);
  const made = placed.rows.map((row, layer) => {
    const next = layers[layer + 1];
    const nodes = row.map((place) => drawNode(place, layer === 0 ? words : null, placed.wordsAt));
    const top = placed.y(layer) - PILL / 2 - 6;
    const group = s(
      "g",
      { class: "layer", "data-layer": layer },
      s("rect", { class: "band", x: 0, y: top, width: placed.width, height: PILL + 12, rx: 6 }),
      name(layer, row.length, layers[layer - 1]?.nodes.length, placed.y(layer)),
      s("g", { class: "edges" }, ...row.flatMap((place) => edges(place, multi))),
      s("g", { class: "signs" }, ...(next ? signs(row, multi, next) : [])),
      ...nodes,
    );
    return { group, nodes, row };
  });
  const element = s("g", { class: multi ? "multi" : "binary" }, ...made.map(({ group }) => group));
  return { element, width: placed.width, height: placed.height, layers: made, multi };
}

export function isMulti(layers) {
  return layers.some(({ nodes }) => nodes.some((node) => "begins" in node || "weights" in node));
}

/** Which child of a combined node weighs most. */
export function headOf(node) {
  return node.weights ? node.weights.indexOf(Math.max(...node.weights)) : -1;
}

function drawNode({ node, x, y, width }, words, wordsAt) {
  const kind = node.label.startsWith("#") ? "tag" : node.label.startsWith("_") ? "sub" : "phrase";
  const how = node.how === "word" ? "" : ` ${node.how}`;
  const group = s(
    "g",
    { class: `pill ${kind}${how}`, "data-label": node.label, "data-start": node.start, "data-end": node.end },
    s("rect", { x: x - width / 2, y: y - PILL / 2, width, height: PILL, rx: PILL / 2 }),
    s("text", { x, y: y + 4.2 }, node.label),
  );
  if (words) group.append(s("text", { class: "word", "data-place": node.start, x, y: wordsAt + 2 }, words[node.start]));
  return group;
}

/** In the margin: "Layer 3", its number of nodes, and their ratio to the layer below. */
function name(layer, count, below, y) {
  const ratio = below ? ` · ×${(count / below).toFixed(2)}` : "";
  return s(
    "g",
    { class: "layer-name" },
    s("text", { x: 8, y: y - 2 }, layer ? `Layer ${layer}` : "Words"),
    s("text", { class: "small", x: 8, y: y + 11 }, plural(count, "node") + ratio),
  );
}

/** From a node down to what it came from. */
function edges({ node, x, y, width, below }, multi) {
  const foot = y + PILL / 2;
  if (below.length < 2) {
    return below.map((child) => s("path", { class: "relay-line", d: `M${x} ${foot}L${child.x} ${child.y - PILL / 2}` }));
  }
  const head = headOf(node);
  const even = below.map(() => 1 / below.length); // without weights of a model
  const shares = node.weights ?? ("lambda" in node ? [node.lambda, 1 - node.lambda] : even);
  const made = below.map((child, place) => {
    const top = child.y - PILL / 2;
    const middle = (top + foot) / 2;
    const end = x + (place / (below.length - 1) - 0.5) * (width - 10);
    return s("path", {
      class: `join-line${place === head ? " head" : ""}`,
      d: `M${child.x} ${top}C${child.x} ${middle} ${end} ${middle} ${end} ${foot}`,
      "stroke-width": (1.2 + 4.2 * shares[place]).toFixed(2),
    });
  });
  if (multi && node.weights) {
    below.forEach((child, place) => {
      const sign = `${place === head ? "◆ " : ""}${Math.round(shares[place] * 100)}%`;
      const shown = place === head ? "weight head" : "weight";
      made.push(s("text", { class: shown, x: child.x, y: child.y - PILL / 2 - 9 }, sign));
    });
  } else if ("lambda" in node) {
    made.push(s("text", { class: "weight", x, y: foot + 17 }, `λ ${node.lambda.toFixed(2).replace(/^0/, "")}`));
  }
  return made;
}

/** What the nodes of a layer do on the way to the next. */
function signs(row, multi, next) {
  return multi ? boundaries(row) : arrows(row, next);
}

function arrows(row, next) {
  const meeting = new Set(next.nodes.filter(({ how }) => how === "combined").flatMap(({ children }) => children));
  return row.map(({ node, x, y, width }, place) => {
    if (!("right" in node)) return null;
    const way = node.right ? 1 : -1;
    const start = x + way * (width / 2 + 3);
    const sure = certainty(node.sure);
    const heavy = 1.2 + 2.6 * sure;
    const wing = 3 + heavy;
    const end = start + way * ARROW;
    return s(
      "g",
      { class: `arrow${meeting.has(place) ? " meets" : ""}`, opacity: shade(sure) },
      s("path", { class: "shaft", d: `M${start} ${y}H${end - way * wing}`, "stroke-width": heavy.toFixed(2) }),
      s("path", { class: "tip", d: `M${end} ${y}l${-way * wing * 1.3} ${-wing}v${2 * wing}Z` }),
    );
  });
}

function boundaries(row) {
  const made = [bar(row[0].x - row[0].width / 2 - 12, row[0].y, 1)];
  row.forEach(({ node, x, y, width }, place) => {
    if (!place) return;
    const before = row[place - 1];
    const [from, to] = [before.x + before.width / 2, x - width / 2];
    const sure = certainty(node.sure);
    if (node.begins) made.push(bar((from + to) / 2, y, sure));
    else {
      const d = `M${from + 3} ${y}H${to - 3}`;
      made.push(s("path", { class: "tie", d, "stroke-width": (1 + 2 * sure).toFixed(2), opacity: shade(sure) }));
    }
  });
  const last = row.at(-1);
  made.push(bar(last.x + last.width / 2 + 12, last.y, 1));
  return made;
}

function bar(x, y, sure) {
  const d = `M${x} ${y - PILL / 2 - 4}V${y + PILL / 2 + 4}`;
  return s("path", { class: "boundary", d, "stroke-width": (1 + 2.4 * sure).toFixed(2), opacity: shade(sure) });
}

/** A probability of ½ to 1 as 0 to 1; below that 0, and 1 if it is not known. */
function certainty(sure) {
  return typeof sure === "number" ? Math.min(1, Math.max(0, 2 * sure - 1)) : 1;
}

function shade(certain) {
  return (0.4 + 0.6 * certain).toFixed(2);
}
