/** Two trees over one sentence, with differences marked by sign, outline and colour. */

import { showDetails } from "./details.js";
import { fill, h } from "./dom.js";
import { exportControls } from "./exporting.js";
import { Stage } from "./stage.js";
import { SIGNS } from "./tree-drawing.js";
import { TreeView } from "./tree-view.js";
import { learnLabels } from "./labels.js";
import { excerpt, languageOf, running } from "./languages.js";
import { move } from "./place.js";
import { score, spanName } from "./words.js";


export class PairView {
  #language = "en";
  #pair = null;
  #names = ["", ""];
  #single = false;

  constructor() {
    const look = (said) => showDetails(this.details, said && { ...said, language: this.#language }, this.#hint());
    this.left = new TreeView({ onLook: look });
    this.right = new TreeView({ onLook: look });
    Stage.pair(this.left.stage, this.right.stage);
    this.leftName = h("span");
    this.rightName = h("span");
    this.heading = h("div", { class: "toolbar" });
    this.differences = h("details", { class: "differences" });
    this.details = h("p", { class: "details" });
    this.trees = h(
      "div",
      { class: "trees" },
      this.#figure(this.leftName, this.left, "left"),
      (this.rightFigure = this.#figure(this.rightName, this.right, "right")),
    );
    this.element = h("div", { class: "pair" }, this.heading, this.trees, this.differences, this.details);
    new ResizeObserver(() => this.#pair && this.#sayPlaces()).observe(this.trees);
  }

  /** A sentence of /api/compare; `names` of both sides; `before` stands beside the figures. */
  show(pair, names, { single = false, before = null } = {}) {
    const { left, right } = pair;
    const language = (this.#language = languageOf(running(left.words, "ja")));
    const [ours, theirs] = [marksOf(left, pair, "missed"), marksOf(right, pair, "extra")];
    [this.#names, this.#single] = [names, single];
    learnLabels([...left.nodes, ...right.nodes].map(({ label }) => label));
    this.rightFigure.hidden = single;
    this.differences.hidden = single;
    fill(this.heading, single ? null : figures(pair.score, names), before);
    this.left.show(left, { marks: ours, language, name: names[0] });
    if (single) this.right.clear();
    else this.right.show(right, { marks: theirs, language, name: names[1] });
    this.#stack();
    this.#listDifferences(pair, names, language);
    this.#pair = pair;
    this.#sayPlaces();
    showDetails(this.details, null, this.#hint());
  }

  /** Keys while nothing has the focus; true if this was one. */
  key(event) {
    return this.left.key(event);
  }

  #hint() {
    const [left, right] = this.#names;
    return this.#single ? "" : `− dashed: only in ${left}. + solid: only in ${right}. ≠ dotted: the tags differ.`;
  }

  /** The names of the trees, and where they are: beside each other, or one above the other. */
  #sayPlaces() {
    const stacked = getComputedStyle(this.trees).flexDirection === "column";
    const places = stacked ? ["above", "below"] : ["left", "right"];
    [this.leftName, this.rightName].forEach((name, side) => {
      name.textContent = this.#single ? this.#names[side] : `${this.#names[side]} (${places[side]})`;
    });
  }

  /** Wide trees stand one above the other, where the window is high enough. */
  #stack() {
    const width = Math.max(this.left.drawing.width, this.right.drawing?.width ?? 0) * 0.85;
    const { clientWidth, clientHeight } = this.trees;
    this.trees.classList.toggle("stacked", width > clientWidth / 2 && clientHeight > 560);
  }

  #figure(name, view, side) {
    const shown = () => this.#pair && { parse: this.#pair[side], drawing: view.drawing, language: this.#language };
    const layers = () => this.#pair && move({ view: "layers", tree: this.#pair[side].tree, layer: "" }, { step: true });
    const button = { type: "button", title: "The layers of this tree", onclick: layers };
    const controls = h("div", { class: "export" }, h("button", button, "Layers"), ...exportControls(shown));
    return h("figure", {}, h("figcaption", {}, name, controls), view.element);
  }

  #listDifferences({ left, right, only_left, only_right, tags_wrong }, names, language) {
    const count = only_left.length + only_right.length + tags_wrong.length;
    const item = (sign, kind, text, words) =>
      h("li", { class: kind }, h("b", {}, `${sign} `), `${text} `, h("q", { lang: language }, words));
    const bracket = (kind, side) => ([label, start, end]) => {
      const words = excerpt(left.words, start, end, language, 6);
      return item(SIGNS[kind], kind, `${label} (${side}, ${spanName(start, end)})`, words);
    };
    const tag = (at) =>
      item(SIGNS.tag, "missed", `${left.tags[at]} / ${right.tags[at]} (word ${at + 1})`, left.words[at]);
    fill(
      this.differences,
      h("summary", {}, count ? `${count} ${count === 1 ? "difference" : "differences"} as a list` : "No differences"),
      h(
        "ul",
        {},
        ...only_left.map(bracket("missed", names[0])),
        ...only_right.map(bracket("extra", names[1])),
        ...tags_wrong.map(tag),
      ),
    );
  }
}

/** F1 and other figures, of a sentence or in total. */
export function figures(values, [left, right] = ["left", "right"]) {
  const parts = [
    ["F1", score(values.f1)],
    ["precision", score(values.precision)],
    ["recall", score(values.recall)],
  ];
  if (typeof values.exact === "boolean") parts.push(["exact", values.exact ? "yes" : "no"]);
  else if (typeof values.exact === "number") parts.push(["exact", `${score(values.exact)} %`]);
  if ("matched" in values) {
    parts.push(["brackets", `${values.matched} in common, ${values.gold} in ${left}, ${values.predicted} in ${right}`]);
  }
  if ("sentences" in values) parts.push(["sentences", values.sentences.toLocaleString("en")]);
  if ("joined" in values) parts.push(["joined", values.joined.toLocaleString("en")]);
  const made = parts.map(([name, value]) => h("div", {}, h("dt", {}, name), h("dd", {}, value)));
  if (values.message) made.push(h("div", {}, h("dt", {}, "not scored:"), h("dd", {}, values.message)));
  return h("dl", { class: "numbers" }, ...made);
}

/** Which nodes of one side differ. A bracket that occurs twice is marked once for each time it is listed. */
function marksOf(side, pair, kind) {
  const wanted = new Map();
  for (const bracket of kind === "missed" ? pair.only_left : pair.only_right) {
    wanted.set(bracket.join("\t"), (wanted.get(bracket.join("\t")) ?? 0) + 1);
  }
  const wrong = new Set(pair.tags_wrong);
  const marks = new Map();
  const stack = [side.root];
  while (stack.length) {
    const node = stack.pop();
    const key = [node.label, node.start, node.end].join("\t");
    if (node.word !== undefined) {
      if (wrong.has(node.start)) marks.set(node, "tag");
    } else if (wanted.get(key)) {
      marks.set(node, kind);
      wanted.set(key, wanted.get(key) - 1);
    }
    stack.push(...node.children.toReversed());
  }
  return marks;
}
