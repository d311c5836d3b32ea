/** Two models over a text, a model against gold trees, or two bracketings. */

import { ask, Latest, withTree } from "./api.js";
import { byId, fill, h } from "./dom.js";
import { modelOf, otherThan } from "./models.js";
import { complain, hush, say } from "./notice.js";
import { figures, PairView } from "./pair-view.js";
import { here, move } from "./place.js";
import { listSentences, markSentence } from "./sentence-list.js";
import { setField, whenTyped } from "./waiting.js";
import { languageOf, running } from "./languages.js";
import { plural, score } from "./words.js";

const comparing = new Latest();
const EXAMPLE =
  "(S (NP (PRP She)) (VP (VBD saw) (NP (NP (DT the) (NN man)) (PP (IN with) (NP (DT the) (NN telescope))))) (. .))";
let pair;
let found = null; // the response
let compared = null; // the request it answers, as text

export function startCompareView() {
  pair = new PairView();
  whenTyped(byId("compare-text"), (text) => move({ text, sentence: 0 }));
  whenTyped(byId("gold"), (gold) => move({ gold, sentence: 0 }));
  whenTyped(byId("brackets"), (brackets) => move({ brackets, sentence: 0 }));
  byId("compare-model").addEventListener("change", (event) => move({ model: event.target.value }));
  byId("other").addEventListener("change", (event) => move({ other: event.target.value }));
  for (const radio of document.getElementsByName("against")) {
    radio.addEventListener("change", () => move({ against: radio.value, sentence: 0 }));
  }
  byId("gold").form.addEventListener("submit", (event) => event.preventDefault());
}

export function showCompareView() {
  const { text, gold, brackets, against } = here();
  const [model, other] = chosen();
  for (const [id, value] of [["compare-text", text], ["gold", gold], ["brackets", brackets]]) {
    setField(byId(id), value);
    byId(id).lang = languageOf(value);
  }
  byId("compare-model").value = model?.name ?? "";
  byId("other").value = other?.name ?? "";
  for (const radio of document.getElementsByName("against")) radio.checked = radio.value === against;
  for (const part of byId("compare-view").querySelectorAll("[data-for]")) {
    part.hidden = !part.dataset.for.split(" ").includes(against);
  }
  byId("one-model").hidden = against !== "model" || model !== other;
  const asked = JSON.stringify(question());
  if (asked !== compared) compare(asked);
  else draw();
}

/** Keys while nothing has the focus; true if this was one. */
export function compareKey(event) {
  return pair.element.isConnected && pair.key(event);
}

export function stepCompared(way) {
  const to = number() + way;
  if (!found || to < 0 || to >= found.sentences.length) return false;
  move({ sentence: to });
  return true;
}

function chosen() {
  const model = modelOf(here().model);
  const { other } = here();
  return [model, other ? modelOf(other) : otherThan(model?.name)];
}

/** The request, or null if something is still missing. */
function question() {
  const { text, gold, brackets, against, tokens } = here();
  const [model, other] = chosen();
  if (against === "model") {
    return text.trim() ? { text, tokenized: tokens === "1", model: model?.name, other_model: other?.name } : null;
  }
  if (!gold.trim()) return null;
  if (against === "gold") return { gold, model: model?.name };
  return brackets.trim() ? { gold, other: brackets } : null;
}

function number() {
  return Math.max(0, Math.min((found?.sentences.length ?? 1) - 1, Number(here().sentence) || 0));
}

async function compare(asked) {
  compared = asked;
  const body = question();
  if (!body) {
    comparing.stop();
    found = null;
    hush();
    say("");
    return draw();
  }
  say("Comparing …");
  try {
    const answer = await comparing.run((signal) => ask("compare", body, signal));
    if (!answer) return undefined;
    for (const { left, right } of answer.sentences) [left, right].forEach(withTree);
    found = answer;
    hush();
    say(`${plural(answer.sentences.length, "sentence")} compared.`);
    return draw();
  } catch (error) {
    compared = null; // so that the same can be tried again
    found = null;
    draw();
    return complain(error, () => compare(asked));
  }
}

let drawn = null;
function draw() {
  const list = byId("compare-sentences");
  if (!found?.sentences.length) {
    drawn = null;
    fill(byId("compare-total"));
    listSentences(list, [], 0, () => {});
    return fill(byId("compare-work"), invitation());
  }
  if (drawn !== found) {
    drawn = found;
    const { sentences, total } = found;
    fill(byId("compare-total"), sentences.length > 1 ? figures(total) : null);
    const items = sentences.map((one) => ({
      text: running(one.left.words.slice(0, 30), languageOf(one.left.words.join(""))),
      value: score(one.score.f1), flag: one.right.joined, says: `F1 ${score(one.score.f1)}`,
    }));
    const language = languageOf(sentences[0].left.words.join(""));
    listSentences(list, items, number(), (sentence) => move({ sentence }), language);
  } else markSentence(list, number());
  if (!pair.element.isConnected) fill(byId("compare-work"), pair.element);
  return pair.show(found.sentences[number()], names());
}

function names() {
  const [model, other] = chosen();
  const sides = { gold: ["gold", model?.name], model: [model?.name, other?.name], brackets: ["gold", "other"] };
  return sides[here().against] ?? sides.gold;
}

function invitation() {
  const { against } = here();
  if (question()) return h("div", { class: "empty" }, h("p", {}, "There is nothing to show."));
  const words = {
    gold: "Paste one or more trees in brackets: the model parses their words, and differences are marked.",
    model: "Type a sentence: both models parse it, and differences are marked. The first model counts as gold.",
    brackets: "Paste trees over the same words into both fields: differences are marked.",
  }[against];
  return h(
    "div",
    { class: "empty" },
    h("h2", {}, "Compare two trees"),
    h("p", {}, words),
    against === "gold" && h("button", { type: "button", onclick: () => move({ gold: EXAMPLE }) }, "Try an example"),
  );
}
