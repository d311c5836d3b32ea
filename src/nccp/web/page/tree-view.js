/** A tree whose nodes can be folded and inspected, by mouse or by keys. */

import { s } from "./dom.js";
import { drawTree, describe } from "./tree-drawing.js";
import { meaningOf } from "./labels.js";
import { measureIn } from "./measure.js";
import { Stage } from "./stage.js";

export class TreeView {
  #folded = new Set();
  #shown = null; // {parse, marks, scores, language, labels, name}
  #drawing = null;
  #nodes = new WeakMap(); // from groups to what they show
  #current = null; // the node that has the keyboard
  #onLook;

  /** `onLook(description or null)` is told what the user points at. */
  constructor({ onLook = () => {} } = {}) {
    this.#onLook = onLook;
    this.stage = new Stage();
    this.element = this.stage.element;
    this.#listen();
  }

  /** Whether it is too wide to be read well. */
  get crowded() {
    return Boolean(this.#drawing) && this.stage.crowded;
  }

  get drawing() {
    return this.#drawing;
  }

  /** `language` is that of the words, `labels` that of the labels' meanings. */
  show(parse, { marks = new Map(), scores = false, language = "en", labels = null, name = "Tree" } = {}) {
    const same = this.#shown?.parse === parse;
    if (!same) {
      this.#folded.clear();
      this.#current = parse.root;
    }
    this.#shown = { parse, marks, scores, language, labels, name };
    this.element.lang = language;
    this.#draw(same);
  }

  clear() {
    this.#shown = null;
    this.#drawing = null;
    this.stage.clear();
  }

  #draw(keep) {
    const { parse, marks, scores, language, labels, name } = this.#shown;
    const measure = measureIn(this.element);
    this.#drawing = drawTree(parse, { folded: this.#folded, marks, scores, measure, language });
    const { svg } = this.stage;
    svg.removeAttribute("aria-hidden");
    svg.setAttribute("role", "tree");
    svg.setAttribute("aria-label", `${name}: ${parse.tree ?? parse.words.join(" ")}`);
    for (const box of this.#drawing.boxes) {
      const group = this.#drawing.groups.get(box.node);
      const said = describe(box.node, parse.words, { language, labels, mark: marks.get(box.node) });
      this.#nodes.set(group, box.node);
      group.setAttribute("role", "treeitem");
      group.setAttribute("aria-level", box.level);
      group.setAttribute("aria-label", `${said.parts.join(", ")}: ${said.words}`);
      if (!box.node.word) group.setAttribute("aria-expanded", String(!box.folded));
      group.setAttribute("tabindex", box.node === this.#current ? "0" : "-1");
    }
    if (!this.#drawing.groups.has(this.#current)) {
      this.#current = parse.root;
      this.#drawing.groups.get(this.#current).setAttribute("tabindex", "0");
    }
    this.stage.show(this.#drawing.element, this.#drawing.width, this.#drawing.height, { keep });
  }

  #nodeAt(target) {
    const group = target.closest?.(".node");
    return group && this.#nodes.get(group);
  }

  #toggle(node) {
    if (node.word) return;
    if (!this.#folded.delete(node)) this.#folded.add(node);
    this.#current = node;
    this.#draw(true);
    this.#drawing.groups.get(node).focus({ preventScroll: true });
  }

  #look(node) {
    const { content } = this.stage;
    for (const word of content.querySelectorAll(".in-span")) word.classList.remove("in-span");
    if (!node) return this.#onLook(null);
    const { parse, language, labels, marks } = this.#shown;
    this.#explain(node, meaningOf(node.label, labels));
    for (const word of content.querySelectorAll(".word")) {
      const place = Number(word.dataset.place);
      word.classList.toggle("in-span", place >= node.start && place < node.end);
    }
    return this.#onLook(describe(node, parse.words, { language, labels, mark: marks.get(node) }));
  }

  /** A tooltip on the label. */
  #explain(node, meaning) {
    const group = this.#drawing.groups.get(node);
    if (meaning && group && !group.querySelector("title")) group.prepend(s("title", {}, `${node.label}: ${meaning}`));
  }

  #focus(box) {
    if (!box) return;
    this.#drawing.groups.get(this.#current)?.setAttribute("tabindex", "-1");
    this.#current = box.node;
    const group = this.#drawing.groups.get(box.node);
    group.setAttribute("tabindex", "0");
    group.focus({ preventScroll: true });
    const { x, y, width, height } = group.getBBox();
    this.stage.reveal(x, y, width, height);
  }

  #listen() {
    const { svg } = this.stage;
    svg.addEventListener("click", (event) => {
      const node = this.#nodeAt(event.target);
      if (node) this.#toggle(node);
    });
    svg.addEventListener("pointerover", (event) => this.#look(this.#nodeAt(event.target)));
    svg.addEventListener("pointerleave", () => this.#look(null));
    svg.addEventListener("focusin", (event) => {
      const node = this.#nodeAt(event.target);
      if (node) this.#look(node);
    });
    svg.addEventListener("focusout", () => this.#look(null));
    this.element.addEventListener("keydown", (event) => {
      if (this.#shown && !this.stage.key(event)) this.#key(event);
    });
  }

  /** Keys while nothing has the focus: zoom and pan; the arrows go to the tree. True if this was one. */
  key(event) {
    if (!this.#shown || event.ctrlKey || event.metaKey || event.altKey) return false;
    if (this.stage.key(event)) return true;
    if (!["ArrowUp", "ArrowDown", "ArrowLeft", "ArrowRight", "Home", "End"].includes(event.key)) return false;
    this.#focus(this.#drawing.boxes.find(({ node }) => node === this.#current));
    return true;
  }

  #key(event) {
    const box = this.#drawing.boxes.find(({ node }) => node === this.#current);
    if (!box || !this.stage.svg.contains(event.target) || event.ctrlKey || event.metaKey || event.altKey) return;
    const row = box.parent?.children ?? [box];
    const place = row.indexOf(box);
    const leaves = this.#drawing.boxes.filter(({ children }) => !children.length);
    const moves = {
      ArrowUp: () => box.parent,
      ArrowDown: () => box.children[0],
      ArrowLeft: () => row[place - 1] ?? (box.children.length ? null : leaves[leaves.indexOf(box) - 1]),
      ArrowRight: () => row[place + 1] ?? (box.children.length ? null : leaves[leaves.indexOf(box) + 1]),
      Home: () => this.#drawing.boxes[0],
      End: () => leaves.at(-1),
    };
    if (event.key === "Enter" || event.key === " ") this.#toggle(this.#current);
    else if (moves[event.key]) this.#focus(moves[event.key]());
    else return;
    event.preventDefault();
  }
}
