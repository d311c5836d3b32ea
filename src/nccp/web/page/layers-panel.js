/** The layers of the shown sentence, or of any tree, in the form that the user chose. */

import { Latest } from "./api.js";
import { fill, h } from "./dom.js";
import { learnLabels } from "./labels.js";
import { layersOf } from "./layer-forms.js";
import { LayersView } from "./layers-view.js";
import { limits } from "./models.js";
import { complain } from "./notice.js";
import { here, move } from "./place.js";

const asking = new Latest();

export class LayersPanel {
  #view;
  #empty = h("div", { class: "empty" });
  #legend = h("ul", { class: "legend", "aria-label": "What the signs mean" });
  #parse = null; // what is exported

  constructor(onLook) {
    this.#view = new LayersView({
      onLook,
      onStep: (layer, last) => move({ layer: last ? "" : layer }),
      onForm: (form) => move({ form, layer: "" }),
    });
    this.#view.element.append(this.#empty, this.#legend, this.#view.inWords);
    const back = h("button", { type: "button", onclick: () => move({ tree: "", form: "" }) }, "Back to the text");
    this.other = h("p", { class: "note other-tree" }, "A tree from another view. ", back);
    this.#view.element.prepend(this.other);
    this.element = this.#view.element;
  }

  /** What can be exported, or null. */
  get shown() {
    return this.#view.drawing && { parse: this.#parse, drawing: this.#view.drawing, language: this.element.lang };
  }

  pause() {
    this.#view.pause();
  }

  key(event) {
    return this.#view.key(event);
  }

  clear() {
    asking.stop();
    this.#view.clear();
  }

  /** A parse with its layers, or only a `tree` in brackets. */
  async show(parse, { language, labels }) {
    const own = parse.words !== undefined;
    const form = here().form || (own ? "" : "left");
    this.other.hidden = own;
    this.element.lang = language;
    this.#view.form.value = form;
    this.#view.form.options[0].disabled = !own;
    let layered = parse;
    try {
      if (form) layered = await asking.run((signal) => layersOf(parse.tree, form, signal));
      else asking.stop();
    } catch (error) {
      this.#nothing("The layers could not be shown; the message above says why.");
      complain(error);
      return;
    }
    if (!layered) return;
    if (!layered.layers) {
      const { layered: most, layered_words: words } = limits();
      this.#nothing(`The model's own layers are kept for the first ${most} sentences, up to ${words} words each.`);
      return;
    }
    this.#parse = own ? parse : { ...layered, tree: parse.tree };
    fill(this.#empty);
    this.#empty.hidden = true;
    const at = here().layer === "" ? Infinity : Number(here().layer) || 0;
    this.#view.show(layered, { language, labels, at });
    fill(this.#legend, ...legendOf(layered, this.#view.drawing.multi).map((sign) => h("li", {}, sign)));
    learnLabels(layered.layers.flatMap(({ nodes }) => nodes.map(({ label }) => label)), labels);
  }

  #nothing(why) {
    this.#view.clear();
    fill(this.#legend);
    this.#empty.hidden = false;
    fill(this.#empty, h("h2", {}, "No layers to show"), h("p", {}, why));
  }
}

/** What the signs of these layers mean. */
function legendOf({ layers, triangle }, multi) {
  const any = (test) => layers.some(({ nodes }) => nodes.some(test));
  const sure = any((node) => "sure" in node) ? "; heavier is surer" : "";
  const signs = multi
    ? [`┃ boundary of a chunk${sure}`, "┄ within a chunk"]
    : [`→ orientation${sure}`, "arrows that meet (orange) combine"];
  if (any((node) => "weights" in node)) signs.push("% weight of a child", "◆ the child with the largest weight (head)");
  if (any((node) => "lambda" in node)) signs.push("λ: share of the left child");
  signs.push("thin line: relayed unchanged");
  if (any(({ label }) => label.startsWith("_"))) signs.push("dashed: part of a larger phrase");
  if (triangle) signs.push("<0>: empty cell");
  return signs;
}
