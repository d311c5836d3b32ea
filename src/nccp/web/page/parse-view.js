/** Text in, trees or layers out. */

import { ApiError, Latest, rows, withTree } from "./api.js";
import { showDetails } from "./details.js";
import { byId, fill, h } from "./dom.js";
import { showEmpty } from "./empty.js";
import { exportControls } from "./exporting.js";
import { IndentedView } from "./indented-view.js";
import { learnLabels } from "./labels.js";
import { languageInfo, languageName, languageOf, running } from "./languages.js";
import { LayersPanel } from "./layers-panel.js";
import { about, modelFor, modelOf } from "./models.js";
import { complain, hush, say } from "./notice.js";
import { here, move } from "./place.js";
import { listSentences, markSentence } from "./sentence-list.js";
import { TreeView } from "./tree-view.js";
import { setField, whenTyped } from "./waiting.js";
import { plural, share } from "./words.js";

const HINTS = {
  tree: "Point at a node, or use the arrow keys, to see its words and score. Click or Enter folds it.",
  indented: "Click a label, or Enter, to fold and unfold a phrase.",
  layers: "↑ ↓ go through the layers, ← → through the nodes of one; the space bar plays.",
};

const parsing = new Latest();
let parses = [];
let parsed = ""; // the question that `parses` answer
let tree, indented, layers;

export function startParseView() {
  const look = (said) => showDetails(byId("details"), said && { ...said, language: language() }, hint());
  tree = new TreeView({ onLook: look });
  indented = new IndentedView();
  layers = new LayersPanel(look);
  whenTyped(byId("text"), (text) => move({ text, tree: "", sentence: 0, layer: "" }));
  byId("model").addEventListener("change", (event) => move({ model: event.target.value, layer: "" }));
  byId("scores").addEventListener("change", (event) => move({ scores: event.target.checked ? "1" : "" }));
  byId("indented").addEventListener("change", (event) => setIndented(event.target.checked));
  for (const radio of document.getElementsByName("tokens")) {
    radio.addEventListener("change", () => move({ tokens: radio.value, sentence: 0, layer: "" }));
  }
  byId("text").form.addEventListener("submit", (event) => event.preventDefault());
  fill(byId("export"), ...exportControls(shown));
}

/** Show what the address says. */
export function showParseView() {
  const { text, model, tokens, scores, shape } = here();
  const chosen = modelOf(model);
  setField(byId("text"), text);
  byId("text").lang = languageOf(text, chosen?.language);
  byId("model").value = chosen?.name ?? "";
  byId("scores").checked = scores === "1";
  byId("indented").checked = shape === "indented";
  for (const radio of document.getElementsByName("tokens")) radio.checked = radio.value === tokens;
  byId("tokens-note").hidden = tokens !== "1";
  noteModel(chosen, text, tokens);
  if (question() !== parsed) parseText();
  else draw();
}

export function leaveParseView() {
  layers.pause();
}

/** Keys of this view; true if this was one. */
export function parseViewKey(event) {
  if (here().view === "layers") return layers.key(event);
  return here().shape !== "indented" && tree.key(event);
}

/** To the next or the previous sentence. */
export function stepSentence(way) {
  const to = number() + way;
  if (to < 0 || to >= parses.length) return false;
  move({ sentence: to, layer: "" });
  return true;
}

/** Between the drawing and the indented list. */
export function toggleIndented() {
  if (here().view !== "tree") return false;
  setIndented(here().shape !== "indented");
  return true;
}

function setIndented(is) {
  move({ shape: is ? "indented" : "" });
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
  if (!parses.length && !here().tree) return "";
  const bold = here().view === "tree" && here().shape !== "indented" && parses[number()]?.weights;
  if (here().view === "tree" && here().shape === "indented") return HINTS.indented;
  return `${HINTS[here().view] ?? ""}${bold ? " A bold line leads to the child with the largest weight, the head." : ""}`;
}

async function parseText() {
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
  const found = [];
  try {
    const done = await parsing.run(async (signal) => {
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
    take(found); // never the trees of the request before
    if (parsed === asked) parsed = null; // so that the same text can be tried again
    complain(error, () => parseText());
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

function noteModel(model, text, tokens) {
  const note = byId("model-note");
  if (!model) return fill(note, "No model is installed; see nccp models.");
  note.title = model.description ?? "";
  const badge = (words) => h("span", { class: "badge" }, words);
  const parts = [about(model)];
  const seen = languageOf(text, model.language);
  if (model.language && seen !== model.language) {
    const other = modelFor(seen);
    const use = () => move({ model: other.name, layer: "" });
    parts.push(
      badge(`This text looks ${languageName(seen)}; ${model.name} is for ${languageName(model.language)}.`),
      other
        ? h("button", { type: "button", class: "switch-model", onclick: use }, `Use ${other.name}`)
        : `No model for ${languageName(seen)} is installed.`,
    );
  } else if (languageInfo(model.language)?.missing && tokens !== "1") {
    parts.push(badge(`${languageInfo(model.language).missing}. Or choose “separated by spaces”.`));
  }
  return fill(note, ...parts.flatMap((part) => [part, " "]));
}

function draw() {
  const { view, tree: brackets } = here();
  const other = view === "layers" && Boolean(brackets);
  const any = parses.length > 0;
  const current = parses[number()];
  showEmpty(byId("empty"), !any && !question() && !other);
  byId("drawing").hidden = !any && !other;
  byId("export").hidden = !any && !other;
  // the nodes of a tree are announced themselves
  byId("details").setAttribute("aria-live", view === "layers" ? "polite" : "off");
  for (const id of ["scores-switch", "indented-switch"]) byId(id).hidden = !any || view !== "tree";
  listOnce();
  showDetails(byId("details"), null, hint());
  const labels = modelOf(here().model)?.language ?? null;
  if (other) drawLayers({ tree: brackets }, null);
  else if (!any) clear();
  else if (view === "layers") drawLayers(current, labels);
  else drawTree(current, labels);
  summarise(other ? null : current);
}

function clear() {
  tree.clear();
  indented.clear();
  layers.clear();
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

/** The sentence as it is written in the text, if its words came from there. */
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
  const joined = "The model could not finish this tree; the parts it had were joined under one root.";
  const drawn = here().view === "tree" && here().shape !== "indented";
  const wide = { type: "button", title: "Show the tree as an indented list (i)", onclick: () => setIndented(true) };
  return fill(
    byId("summary"),
    `${facts.join(" · ")} `,
    parse.joined && h("span", { class: "badge", title: joined }, "⚑ joined"),
    drawn && tree.crowded && h("button", wide, "Wide tree: show it indented"),
  );
}

function drawTree(parse, labels) {
  layers.pause();
  const options = { scores: here().scores === "1", language: language(), labels };
  const known = learnLabels(parse.nodes.map(({ label }) => label), labels);
  if (here().shape !== "indented") {
    put(tree.element);
    return tree.show(parse, options);
  }
  put(indented.element);
  indented.show(parse, options);
  return known.then(() => parses[number()] === parse && indented.explain(labels));
}

function drawLayers(parse, labels) {
  put(layers.element);
  layers.show(parse, { language: parse.words ? language() : languageOf(parse.tree), labels });
}

function put(element) {
  if (byId("drawing").firstChild !== element) fill(byId("drawing"), element);
}

/** What is exported: the parse, and its drawing if there is one. */
function shown() {
  if (here().view === "layers") return layers.shown;
  const parse = parses[number()];
  const drawing = here().shape === "indented" ? null : tree.drawing;
  return parse && { parse, drawing, language: language() };
}
