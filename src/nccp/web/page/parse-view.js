/** Text in, trees or layers out. */

import { ApiError, Latest, rows, withTree } from "./api.js";
import { showDetails } from "./details.js";
import { byId, fill, h } from "./dom.js";
import { showEmpty } from "./empty.js";
import { exportControls } from "./exporting.js";
import { LayersView } from "./layers-view.js";
import { about, limits, modelOf } from "./models.js";
import { complain, hush, say } from "./notice.js";
import { here, move } from "./place.js";
import { listSentences, markSentence } from "./sentence-list.js";
import { TreeView } from "./tree-view.js";
import { setField, whenTyped } from "./waiting.js";
import { languageName, languageOf, plural, running, share } from "./words.js";

const HINTS = {
  tree: "Point at a node, or move with Tab and the arrow keys, to see its words and score. Click or Enter folds it.",
  layers: "↑ ↓ go through the layers, ← → through the nodes of one, space plays.",
};
const LEGENDS = {
  binary: [
    "→ orientation: the heavier, the surer", "arrows that meet (orange) combine", "λ: share of the left child",
    "thin line: relayed", "dashed: part of a larger phrase",
  ],
  multi: [
    "┃ boundary of a chunk: the heavier, the surer", "┄ within a chunk", "◆ the head, by weight",
    "% weight of a child", "thin line: relayed",
  ],
};

const parsing = new Latest();
let parses = [];
let parsed = ""; // the question that `parses` answer
let tree, layers, legend;

export function startParseView() {
  const look = (said) => showDetails(byId("details"), said && { ...said, language: language() }, hint());
  tree = new TreeView({ onLook: look });
  layers = new LayersView({ onLook: look, onStep: (layer, last) => move({ layer: last ? "" : layer }) });
  legend = h("ul", { class: "legend", "aria-label": "What the signs mean" });
  layers.element.append(legend, layers.inWords);
  whenTyped(byId("text"), (text) => move({ text, sentence: 0, layer: "" }));
  byId("model").addEventListener("change", (event) => move({ model: event.target.value, layer: "" }));
  byId("scores").addEventListener("change", (event) => move({ scores: event.target.checked ? "1" : "" }));
  for (const radio of document.getElementsByName("tokens")) {
    radio.addEventListener("change", () => move({ tokens: radio.value, sentence: 0, layer: "" }));
  }
  byId("text").form.addEventListener("submit", (event) => event.preventDefault());
  fill(byId("export"), ...exportControls(shown));
}

/** Bring the view to where the address says. */
export function showParseView() {
  const { text, model, tokens, scores } = here();
  const chosen = modelOf(model);
  setField(byId("text"), text);
  byId("text").lang = languageOf(text, chosen?.language);
  byId("model").value = chosen?.name ?? "";
  byId("scores").checked = scores === "1";
  for (const radio of document.getElementsByName("tokens")) radio.checked = radio.value === tokens;
  byId("tokens-note").hidden = tokens !== "1";
  noteModel(chosen, text);
  if (question() !== parsed) parse();
  else draw();
}

export function leaveParseView() {
  layers.pause();
}

/** Keys of this view; true if this was one. */
export function parseViewKey(event) {
  return here().view === "layers" && layers.key(event);
}

/** To the next or the previous sentence. */
export function stepSentence(way) {
  const to = number() + way;
  if (to < 0 || to >= parses.length) return false;
  move({ sentence: to, layer: "" });
  return true;
}

function question() {
  const { text, model, tokens } = here();
  return text.trim() ? JSON.stringify([text, modelOf(model)?.name, tokens]) : "";
}

function language() {
  const { text, model } = here();
  return languageOf(text, modelOf(model)?.language);
}

function number() {
  return Math.max(0, Math.min(parses.length - 1, Number(here().sentence) || 0));
}

function hint() {
  return parses.length ? HINTS[here().view] ?? "" : "";
}

async function parse() {
  const { text, model, tokens } = here();
  const asked = question();
  parsed = asked;
  if (!asked) {
    parsing.stop();
    parses = [];
    say("");
    hush();
    return draw();
  }
  busy(true);
  say("Parsing …");
  const body = { text, model: modelOf(model)?.name, tokenized: tokens === "1", layers: true };
  try {
    const done = await parsing.run(async (signal) => {
      const found = [];
      for await (const row of rows("parse/stream", body, signal)) {
        if (row.error) throw new ApiError(row.error);
        if (row.nodes.length) found.push(withTree(row));
        if (signal.aborted) return null;
        if (found.length === 1 || found.length % 50 === 0) take(found);
      }
      return take(found);
    });
    if (done === undefined) return undefined;
    hush();
    const count = plural(parses.length, "sentence");
    say(parses.length ? `${count} parsed with ${body.model}.` : "There are no words in this text.");
  } catch (error) {
    if (parsed === asked) parsed = null; // so that the same text can be tried again
    complain(error, () => parse());
  }
  return busy(false);
}

function take(found) {
  parses = [...found];
  draw();
  return true;
}

function busy(is) {
  byId("drawing").setAttribute("aria-busy", String(is));
}

function noteModel(model, text) {
  const note = byId("model-note");
  if (!model) return fill(note, "No model is installed; see nccp models.");
  const seen = languageOf(text, model.language);
  const strange = Boolean(model.language) && seen !== model.language;
  note.title = model.description ?? "";
  const warning = `This model knows ${languageName(model.language)}, not ${languageName(seen)}`;
  return fill(note, about(model), strange && " ", strange && h("span", { class: "badge" }, warning));
}

function draw() {
  const { view } = here();
  const any = parses.length > 0;
  const parse = parses[number()];
  showEmpty(byId("empty"), !any && !question());
  byId("drawing").hidden = !any;
  byId("export").hidden = !any;
  // the nodes of a tree speak for themselves
  byId("details").setAttribute("aria-live", view === "layers" ? "polite" : "off");
  byId("scores-switch").hidden = !any || view !== "tree";
  listOnce();
  summarise(parse);
  showDetails(byId("details"), null, hint());
  if (!any) {
    tree.clear();
    layers.clear();
  } else if (view === "layers") drawLayers(parse);
  else drawTree(parse);
}

let listed = null;
function listOnce() {
  if (listed !== parses) {
    listed = parses;
    const items = parses.map(({ words, offsets, score, joined }) => ({
      text: original(words, offsets), value: share(score), flag: joined,
      says: `score ${share(score)}${joined ? ", joined" : ""}`,
    }));
    listSentences(byId("sentences"), items, number(), (sentence) => move({ sentence, layer: "" }), language());
  } else markSentence(byId("sentences"), number());
}

/** As it stands in the text, if the words came from there. */
function original(words, offsets) {
  if (!offsets?.length) return running(words.slice(0, 30), language());
  const letters = [...here().text]; // offsets count characters, not halves of surrogate pairs
  return letters.slice(offsets[0][0], offsets.at(-1)[1]).join("").slice(0, 200);
}

function summarise(parse) {
  if (!parse) return fill(byId("summary"));
  const facts = [plural(parse.words.length, "word")];
  if (typeof parse.score === "number") facts.push(`score ${share(parse.score)}`);
  if (parses.length > 1) facts.unshift(`Sentence ${number() + 1} of ${parses.length}`);
  const joined = "The parser found no way on here, and joined the pieces it had under one root.";
  const badge = parse.joined && h("span", { class: "badge", title: joined }, "⚑ joined");
  return fill(byId("summary"), `${facts.join(" · ")} `, badge);
}

function drawTree(parse) {
  layers.pause();
  put(tree.element);
  tree.show(parse, { scores: here().scores === "1", language: language() });
}

function drawLayers(parse) {
  if (!parse.layers) {
    layers.clear();
    const { layered, layered_words: words } = limits();
    const why = `Layers are kept for the first ${layered} sentences of a text, up to ${words} words each.`;
    return put(h("div", { class: "empty" }, h("h2", {}, "No layers for this sentence"), h("p", {}, why)));
  }
  put(layers.element);
  layers.show(parse, { language: language(), at: here().layer === "" ? Infinity : Number(here().layer) || 0 });
  const signs = LEGENDS[layers.drawing.multi ? "multi" : "binary"];
  return fill(legend, ...signs.map((sign) => h("li", {}, sign)));
}

function put(element) {
  if (byId("drawing").firstChild !== element) fill(byId("drawing"), element);
}

function shown() {
  const view = here().view === "layers" ? layers : tree;
  return view.drawing && { parse: parses[number()], drawing: view.drawing, language: language() };
}
