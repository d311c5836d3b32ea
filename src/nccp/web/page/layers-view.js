/** The layers of a parse or a tree, step by step or played, by mouse or keys. */

import { fill, h } from "./dom.js";
import { drawLayers, headOf } from "./layers-drawing.js";
import { measureIn } from "./measure.js";
import { Stage } from "./stage.js";
import { icon } from "./icons.js";
import { FORMS } from "./layer-forms.js";
import { meaningOf } from "./labels.js";
import { excerpt } from "./languages.js";
import { percent, plural, share, spanName } from "./words.js";

const PACE = 1100; // milliseconds per layer

export class LayersView {
  #parse = null;
  #drawing = null;
  #language = "en";
  #at = 0;
  #node = -1; // the place in layer #at that the keys are on
  #timer = 0;
  #onLook;
  #onStep;
  #labels = null;

  /** `onLook(description or null)`; `onStep(layer, isLast)` when the layer changes; `onForm(form)`. */
  constructor({ onLook = () => {}, onStep = () => {}, onForm = () => {} } = {}) {
    this.#onLook = onLook;
    this.#onStep = onStep;
    this.stage = new Stage({ align: "bottom" });
    this.stage.svg.setAttribute("tabindex", "0");
    this.stage.svg.setAttribute("role", "img");
    this.stage.svg.removeAttribute("aria-hidden");
    const button = (sign, label, act) =>
      h("button", { type: "button", title: label, "aria-label": label, onclick: act }, sign);
    this.playing = button(icon("play"), "Play (space)", () => this.toggle());
    this.slider = h("input", { type: "range", min: 0, max: 0, value: 0, "aria-label": "Layer" });
    this.slider.addEventListener("input", () => (this.pause(), this.step(Number(this.slider.value))));
    this.caption = h("output", { class: "caption" });
    const forms = Object.entries(FORMS).map(([value, name]) => h("option", { value }, name));
    this.form = h("select", { "aria-label": "Form of the layers", class: "form" }, ...forms);
    this.form.addEventListener("change", () => onForm(this.form.value));
    this.controls = h(
      "div",
      { class: "player", role: "group", "aria-label": "Layers" },
      button(icon("first"), "Words only (Home)", () => (this.pause(), this.step(0))),
      button(icon("down"), "One layer down (↓)", () => (this.pause(), this.step(this.#at - 1))),
      this.playing,
      button(icon("up"), "One layer up (↑)", () => (this.pause(), this.step(this.#at + 1))),
      button(icon("last"), "All layers (End)", () => (this.pause(), this.step(Infinity))),
      this.slider,
      this.caption,
      this.form,
    );
    this.text = h("ol", { class: "layer-text", start: 0 });
    this.inWords = h("details", { class: "in-words" }, h("summary", {}, "The layers in words"), this.text);
    this.element = h("div", { class: "layers-view" }, this.controls, this.stage.element);
    this.#listen();
  }

  get drawing() {
    return this.#drawing;
  }

  /** `parse` has words and layers; `at` is the layer to stop at, the last one unless given. */
  show(parse, { language = "en", labels = null, at = Infinity } = {}) {
    const same = this.#parse === parse;
    this.#labels = labels;
    if (!same) {
      this.pause();
      this.#parse = parse;
      this.#language = language;
      this.stage.element.lang = language;
      this.text.lang = language;
      this.#drawing = drawLayers(parse, measureIn(this.stage.element));
      this.stage.show(this.#drawing.element, this.#drawing.width, this.#drawing.height);
      this.slider.max = parse.layers.length - 1;
      const said = parse.layers.map((layer, number) => inWords(layer, number, parse.words, language));
      fill(this.text, ...said.map((line) => h("li", {}, line)));
    }
    this.#go(at);
  }

  clear() {
    this.pause();
    this.#parse = null;
    this.#drawing = null;
    this.stage.clear();
  }

  step(layer) {
    if (!this.#parse) return;
    this.#go(layer);
    this.#reveal();
    this.#onStep(this.#at, this.#at === this.#parse.layers.length - 1);
  }

  toggle() {
    if (this.#timer) this.pause();
    else this.play();
  }

  play() {
    if (!this.#parse || this.#parse.layers.length < 2) return;
    if (this.#at === this.#parse.layers.length - 1) this.step(0);
    this.#label("pause", "Pause (space)");
    this.#timer = setInterval(() => {
      this.step(this.#at + 1);
      if (this.#at === this.#parse.layers.length - 1) this.pause();
    }, PACE);
  }

  pause() {
    clearInterval(this.#timer);
    this.#timer = 0;
    this.#label("play", "Play (space)");
  }

  /** Keys: ↑ ↓ layers, ← → nodes, space plays; true if this was one. */
  key(event) {
    if (!this.#parse || event.ctrlKey || event.metaKey || event.altKey) return false;
    if (this.stage.key(event)) return true;
    const keys = {
      ArrowUp: () => this.step(this.#at + 1),
      ArrowDown: () => this.step(this.#at - 1),
      ArrowRight: () => this.#walk(1),
      ArrowLeft: () => this.#walk(-1),
      Home: () => this.step(0),
      End: () => this.step(Infinity),
    };
    if (event.key === " ") this.toggle();
    else if (keys[event.key]) {
      this.pause();
      keys[event.key]();
    } else return false;
    event.preventDefault();
    return true;
  }

  #label(sign, name) {
    fill(this.playing, icon(sign));
    this.playing.title = name;
    this.playing.setAttribute("aria-label", name);
  }

  #go(layer) {
    const { layers, words } = this.#parse;
    this.#at = Math.max(0, Math.min(layers.length - 1, layer));
    this.#node = -1;
    this.#drawing.layers.forEach(({ group }, number) => {
      group.classList.toggle("later", number > this.#at);
      group.classList.toggle("current", number === this.#at);
    });
    this.slider.value = this.#at;
    const count = plural(layers[this.#at].nodes.length, this.#at ? "node" : "word");
    this.caption.textContent = `Layer ${this.#at} of ${layers.length - 1} · ${count}`;
    this.slider.setAttribute("aria-valuetext", this.caption.textContent);
    const said = inWords(layers[this.#at], this.#at, words, this.#language);
    this.stage.svg.setAttribute("aria-label", `Layers of: ${words.join(" ")}. ${said}`);
  }

  /** The layer's height, and at least one of its nodes. */
  #reveal() {
    const { row } = this.#drawing.layers[this.#at];
    this.stage.reveal(row.some(({ x }) => this.stage.holds(x)) ? null : row[0].x - 40, row[0].y - 30, 80, 60);
  }

  #walk(way) {
    const { row } = this.#drawing.layers[this.#at];
    const from = this.#node < 0 && way < 0 ? row.length : this.#node;
    this.#node = Math.max(0, Math.min(row.length - 1, from + way));
    const { x, y, width } = row[this.#node];
    this.stage.reveal(x - width / 2 - 30, y - 40, width + 60, 80);
    this.#look(this.#at, this.#node);
  }

  #look(layer, place) {
    const { element, layers } = this.#drawing;
    for (const old of element.querySelectorAll(".looked-at, .in-span")) old.classList.remove("looked-at", "in-span");
    if (layer === null) return this.#onLook(null);
    layers[layer].nodes[place].classList.add("looked-at");
    const { node } = layers[layer].row[place];
    for (const word of element.querySelectorAll(".word")) {
      const at = Number(word.dataset.place);
      word.classList.toggle("in-span", at >= node.start && at < node.end);
    }
    return this.#onLook(describe(this.#parse, layer, place, this.#language, this.#labels));
  }

  #listen() {
    const { svg } = this.stage;
    svg.addEventListener("pointerover", (event) => {
      const pill = event.target.closest?.(".pill");
      if (!pill) return this.#drawing && this.#look(null);
      const layer = Number(pill.closest(".layer").dataset.layer);
      return this.#look(layer, this.#drawing.layers[layer].nodes.indexOf(pill));
    });
    svg.addEventListener("pointerleave", () => this.#drawing && this.#look(null));
    this.element.addEventListener("keydown", (event) => {
      if (event.target === svg || event.target === this.element) this.key(event);
    });
  }
}

/** A description of one node, as in tree-drawing.js. */
function describe(parse, layer, place, language, labels) {
  const node = parse.layers[layer].nodes[place];
  const parts = [node.label, meaningOf(node.label, labels), spanName(node.start, node.end)].filter(Boolean);
  if (typeof node.score === "number") parts.push(`label ${share(node.score)}`);
  if (node.how === "relay") parts.push("relayed unchanged");
  if (node.how === "empty") parts.push("an empty cell");
  if ("lambda" in node) parts.push(`combined, λ ${share(node.lambda)} of the left child`);
  if (node.weights) {
    const below = parse.layers[layer - 1].nodes;
    const head = headOf(node);
    const shares = node.children.map((child, at) => {
      return `${below[child].label} ${percent(node.weights[at])}${at === head ? " (head)" : ""}`;
    });
    parts.push(`combined from ${shares.join(", ")}`);
  }
  const sure = typeof node.sure === "number" ? `, ${percent(node.sure)} sure` : "";
  if ("right" in node) parts.push(`points ${node.right ? "right" : "left"}${sure}`);
  if ("begins" in node) {
    parts.push((node.begins ? "a chunk begins here" : "in the same chunk as its left neighbour") + (place ? sure : ""));
  }
  return { parts, words: excerpt(parse.words, node.start, node.end, language) };
}

/** "Layer 1, 2 nodes: NP [the dog] → ← #VBZ [barks]". */
function inWords({ nodes }, number, words, language) {
  const said = nodes.map((node, place) => {
    const text = `${node.label} [${excerpt(words, node.start, node.end, language, 6)}]`;
    if ("right" in node) return node.right ? `${text} →` : `← ${text}`;
    return "begins" in node && node.begins && place ? `| ${text}` : text;
  });
  return `${number ? `Layer ${number}` : "Words"}, ${plural(nodes.length, "node")}: ${said.join("  ")}`;
}
