/** A tree as SVG, in the looks of nccp/trees/draw_svg.py, with signs where it differs from another. */

import { s } from "./dom.js";
import { layOut } from "./layout.js";
import { meaningOf } from "./labels.js";
import { excerpt } from "./languages.js";
import { share, spanName } from "./words.js";

const ROW = 44; // from row to row
const BELOW = 23; // from a tag to its word
const MARGIN = 16;
const CORNER = 7;
const GAP = 14;
const LABEL = 13; // sizes of type, as in drawing.css
const WORD = 15;
const SCORE = 22; // the room that a score takes

/** Signs of differences, which are never shown by colour alone. */
export const SIGNS = { missed: "−", extra: "+", tag: "≠" };

/**
 * Draw a parse (its `root` and `words`).
 *
 * `folded`: a set of nodes; `marks`: a map from nodes to "missed", "extra" or "tag"; `scores`: write those of
 * phrases. Gives the drawing, its size, and the group of each node.
 */
export function drawTree(parse, { folded = new Set(), marks = new Map(), scores = false, measure, language }) {
  const label = (node) => (marks.has(node) ? `${SIGNS[marks.get(node)]} ${node.label}` : node.label);
  const hasScore = (node) => scores && !node.word && typeof node.score === "number";
  const small = (node) => (hasScore(node) ? share(node.score).replace(/^0/, "") : "");
  const padding = { word: 0, tag: 6, phrase: scores ? 6 + 2 * SCORE : 6 };
  const boxes = layOut(parse.root, {
    folded, gap: GAP, label,
    wordsOf: (node) => excerpt(parse.words, node.start, node.end, language, 8),
    measure: (text, kind) => measure(text, kind) + padding[kind],
  });
  const top = boxes[0].row;
  const width = boxes[0].width + 2 * MARGIN;
  const height = baseline(top) + BELOW + MARGIN;
  const edges = s("g", { class: "edges" });
  const nodes = s("g", { class: "nodes" });
  const groups = new Map();
  for (const box of boxes) {
    if (box.children.length) edges.append(...lines(box, top));
    if (box.folded) edges.append(triangle(box, top, measure));
    const group = drawNode(box, top, { mark: marks.get(box.node), small: small(box.node), measure });
    groups.set(box.node, group);
    nodes.append(group);
  }
  return { element: s("g", {}, edges, nodes), width, height, boxes, groups };
}

/** "NP, noun phrase, words 1–2, score 0.98" and the words: for screen readers and the line below the drawing. */
export function describe(node, words, { language, labels = null, mark = null }) {
  const parts = [node.label || "root", meaningOf(node.label, labels), spanName(node.start, node.end)].filter(Boolean);
  if (typeof node.score === "number") parts.push(`score ${share(node.score)}`);
  if (typeof node.weight === "number") {
    parts.push(`weight ${Math.round(node.weight * 100)} %${node.head ? ", the head" : ""}`);
  }
  if (mark === "missed" || mark === "extra") parts.push("only in this tree");
  if (mark === "tag") parts.push("the other tree has another tag");
  return { parts, words: excerpt(words, node.start, node.end, language) };
}

function drawNode(box, top, { mark, small, measure }) {
  const { node } = box;
  const [x, y] = [MARGIN + box.center, baseline(top - box.row)];
  const inner = !node.word;
  const kind = inner ? "phrase" : "tag";
  const group = s("g", {
    class: `node ${inner ? "inner" : "leaf"}${mark ? ` ${mark}` : ""}${box.folded ? " folded" : ""}`,
    "data-label": node.label, "data-start": node.start, "data-end": node.end,
    "data-score": typeof node.score === "number" ? node.score : null,
  });
  const width = measure(box.label, kind) + 10;
  const bottom = inner ? y + 6 : y + BELOW + 6;
  const wide = inner ? width : Math.max(width, measure(box.word, "word") + 8);
  group.append(
    s("rect", { class: "hit", x: x - wide / 2, y: y - LABEL - 3, width: wide, height: bottom - y + LABEL + 3, rx: 5 }),
  );
  if (mark) {
    group.append(s("rect", { class: "mark", x: x - width / 2, y: y - LABEL - 1, width, height: LABEL + 6, rx: 4 }));
  }
  if (box.label) group.append(s("text", { class: kind, x, y }, box.label));
  if (small) group.append(s("text", { class: "small", x: x + width / 2 - 3, y: y - 4 }, small));
  if (box.word) {
    const down = inner ? baseline(top) : y;
    group.append(s("text", { class: "word", "data-place": node.start, x, y: down + BELOW }, box.word));
  }
  return group;
}

/** The base line of a row's labels. */
function baseline(rowsDown) {
  return MARGIN + LABEL * 0.8 + rowsDown * ROW;
}

/** From a node to its children, with rounded corners; the line to the head is bold. */
function lines(box, top) {
  const x = MARGIN + box.center;
  const y = baseline(top - box.row) + LABEL * 0.5;
  const bar = y + (ROW - LABEL * 1.6) / 2;
  const at = (child) => MARGIN + child.center;
  const end = (child) => baseline(top - child.row) - (child.label ? LABEL * 1.15 : WORD * 1.1 - BELOW);
  const [first, last] = [at(box.children[0]), at(box.children.at(-1))];
  const corner = Math.min(CORNER, (last - first) / 2);
  let path = `M${x} ${y}V${bar}`;
  if (box.children.length > 1) {
    path += `M${first} ${bar + corner}q0 ${-corner} ${corner} ${-corner}`;
    path += `H${last - corner}q${corner} 0 ${corner} ${corner}`;
  }
  box.children.forEach((child, place) => {
    const outer = place === 0 || place === box.children.length - 1;
    path += `M${at(child)} ${outer ? bar + corner : bar}V${end(child)}`;
  });
  const made = [s("path", { class: "edge", d: path })];
  const head = box.children.length > 1 && box.children.find((child) => child.node.head);
  if (head) {
    const to = at(head);
    const turn = Math.min(corner, Math.abs(to - x)) * Math.sign(to - x);
    const bend = turn ? `H${to - turn}q${turn} 0 ${turn} ${Math.abs(turn)}` : "";
    const why = `Bold: ${head.label || "this child"} has the largest weight of the children`;
    made.push(s("path", { class: "edge head", d: `M${x} ${y}V${bar}${bend}V${end(head)}` }, s("title", {}, why)));
  }
  return made;
}

function triangle(box, top, measure) {
  const x = MARGIN + box.center;
  const y = baseline(top - box.row) + LABEL * 0.5;
  const down = baseline(top) + BELOW - WORD;
  const half = Math.max(14, measure(box.word, "word") / 2);
  return s("path", { class: "edge", d: `M${x} ${y}L${x - half} ${down}H${x + half}Z` });
}
