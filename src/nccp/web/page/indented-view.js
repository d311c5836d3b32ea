/** A tree as an indented list, like folders and files: for sentences too long to be drawn side by side. */

import { fill, h } from "./dom.js";
import { meaningOf } from "./labels.js";
import { excerpt } from "./languages.js";
import { share } from "./words.js";

export class IndentedView {
  constructor() {
    this.element = h("div", { class: "indented" });
  }

  show({ root, words }, { scores = false, language = "en", labels = null } = {}) {
    const top = h("ul");
    const stack = [[root, top]];
    while (stack.length) {
      const [node, list] = stack.pop();
      const label = h("span", { class: node.word === undefined ? "phrase" : "tag" }, node.label || "·");
      label.title = meaningOf(node.label, labels);
      if (node.word !== undefined) {
        list.append(h("li", {}, label, " ", h("span", { class: "word" }, node.word)));
        continue;
      }
      const inner = h("ul");
      const score = scores && typeof node.score === "number" && h("small", {}, ` ${share(node.score)}`);
      const folded = h("q", {}, excerpt(words, node.start, node.end, language));
      list.append(
        h("li", {}, h("details", { open: true }, fill(h("summary"), label, score, " ", folded), inner)),
      );
      for (const child of node.children.toReversed()) stack.push([child, inner]);
    }
    this.element.lang = language;
    fill(this.element, top);
  }

  /** Add the meanings that have become known. */
  explain(labels) {
    for (const label of this.element.querySelectorAll(".phrase, .tag")) label.title = meaningOf(label.textContent, labels);
  }

  clear() {
    fill(this.element);
  }
}
