/** The trees of a file as a table that can be filtered and sorted. */

import { fill, h } from "./dom.js";
import { languageOf } from "./languages.js";
import { plural, score, share } from "./words.js";

const PAGE = 400; // rows in the document at a time
const COLUMNS = [
  { key: "index", name: "#", end: true, show: (row) => String(row.index + 1) },
  { key: "text", name: "Text" },
  { key: "length", name: "Words", end: true, show: (row) => String(row.length ?? "") },
  { key: "f1", name: "F1", end: true, show: (row) => (typeof row.f1 === "number" ? score(row.f1) : "") },
  { key: "score", name: "Score", end: true, show: (row) => (typeof row.score === "number" ? share(row.score) : "") },
];
const KINDS = {
  all: ["all trees", () => true],
  wrong: ["with errors", (row) => typeof row.f1 === "number" && row.f1 < 100],
  joined: ["joined (unfinished)", (row) => row.joined],
  unread: ["unreadable", (row) => row.error],
};

export class TreebankTable {
  #rows = [];
  #shown = []; // after filter and sort
  #sort = { key: "index", down: false };
  #current = null; // a row
  #most = PAGE;
  #choose;

  /** `choose(row)` when the user picks one. */
  constructor(choose) {
    this.#choose = choose;
    this.search = h("input", { type: "search", placeholder: "Find words", "aria-label": "Find words" });
    const kinds = Object.entries(KINDS).map(([key, [name]]) => h("option", { value: key }, name));
    this.kind = h("select", { "aria-label": "Which trees" }, ...kinds);
    this.length = h("select", { "aria-label": "Length" });
    this.body = h("tbody");
    this.head = h("tr");
    this.count = h("p", { class: "note" });
    this.more = h("button", { type: "button", hidden: true, onclick: () => this.#show(4 * PAGE) }, "Show more");
    this.element = [
      h("div", { class: "row filters" }, this.search, this.kind, this.length),
      this.count,
      h(
        "div",
        { class: "table", tabindex: 0, role: "region", "aria-label": "Trees of the file" },
        h("table", {}, h("thead", {}, this.head), this.body),
        this.more,
      ),
    ];
    for (const field of [this.search, this.kind, this.length]) field.addEventListener("input", () => this.update());
    this.setBins([]);
  }

  get rows() {
    return this.#rows;
  }

  get current() {
    return this.#current;
  }

  clear() {
    this.#rows = [];
    this.#current = null;
    this.#most = PAGE;
  }

  add(row) {
    this.#rows.push(row);
  }

  setBins(bins) {
    const before = this.length.value;
    fill(
      this.length,
      h("option", { value: "" }, "any length"),
      ...bins.map(({ from, to }) => h("option", { value: `${from}-${to}` }, `${from}–${to} words`)),
    );
    this.length.value = [...this.length.options].some(({ value }) => value === before) ? before : "";
  }

  /** Filter and sort again. */
  update() {
    const text = this.search.value.trim().toLowerCase();
    const [from, to] = this.length.value ? this.length.value.split("-").map(Number) : [0, Infinity];
    const [, fits] = KINDS[this.kind.value];
    const holds = (row) => !text || `${row.text ?? ""} ${row.gold ?? ""}`.toLowerCase().includes(text);
    const { key, down } = this.#sort;
    const way = down ? -1 : 1;
    const value = (row) => row[key] ?? (key === "text" ? "" : -1);
    this.#shown = this.#rows
      .filter((row) => fits(row) && holds(row) && (row.error || (row.length >= from && row.length <= to)))
      .sort((a, b) => (value(a) < value(b) ? -way : value(a) > value(b) ? way : a.index - b.index));
    this.#fill();
  }

  /** The next or previous tree with an error, in the order shown; without scores, simply the next. */
  step(way) {
    const wrong = (row) => !row.error && (typeof row.f1 !== "number" || row.f1 < 100);
    let at = this.#shown.indexOf(this.#current);
    if (at < 0 && way < 0) at = this.#shown.length;
    for (at += way; at >= 0 && at < this.#shown.length; at += way) {
      if (wrong(this.#shown[at])) {
        if (at >= this.#most) this.#show(at - this.#most + PAGE);
        this.pick(this.#shown[at]);
        return true;
      }
    }
    return false;
  }

  pick(row) {
    this.#current = row;
    for (const line of this.body.children) {
      const is = line.dataset.index === String(row.index);
      if (is) line.setAttribute("aria-current", "true");
      else line.removeAttribute("aria-current");
      if (is) line.scrollIntoView({ block: "nearest" });
    }
    this.#choose(row);
  }

  #show(more) {
    this.#most += more;
    this.#fill();
  }

  #fill() {
    const scored = this.#rows.some((row) => "f1" in row);
    const columns = COLUMNS.filter(({ key }) => scored || !["f1", "score"].includes(key));
    fill(this.head, ...columns.map((column) => this.#header(column)));
    fill(this.body, ...this.#shown.slice(0, this.#most).map((row) => this.#line(row, columns)));
    this.more.hidden = this.#shown.length <= this.#most;
    const all = this.#shown.length === this.#rows.length ? "" : ` of ${this.#rows.length.toLocaleString("en")}`;
    this.count.textContent = plural(this.#shown.length, "tree") + all;
  }

  #header({ key, name, end }) {
    const { key: by, down } = this.#sort;
    const sign = key === by ? (down ? " ▾" : " ▴") : "";
    const sort = () => {
      this.#sort = { key, down: key === this.#sort.key && !this.#sort.down };
      this.update();
      this.head.querySelector(`[data-key=${key}]`).focus();
    };
    return h(
      "th",
      { scope: "col", class: end ? "end" : null, "aria-sort": key === by ? (down ? "descending" : "ascending") : null },
      h("button", { type: "button", "data-key": key, onclick: sort }, name + sign),
    );
  }

  #line(row, columns) {
    const cells = columns.map(({ key, show, end }) => {
      if (key !== "text") return h("td", { class: end ? "end" : null }, show(row));
      const text = row.error ? `✕ ${row.error}` : `${row.joined ? "⚑ " : ""}${row.text}`;
      const says = row.joined ? "joined: the model could not finish this tree" : null;
      return h("td", { class: "text", lang: languageOf(text) }, h("button", { type: "button", title: says }, text));
    });
    const current = row === this.#current ? "true" : null;
    return h("tr", { "data-index": row.index, onclick: () => this.pick(row), "aria-current": current }, ...cells);
  }
}
