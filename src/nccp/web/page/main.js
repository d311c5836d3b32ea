/** Starts the page: which view is shown, the keys, and the models. */

import { compareKey, showCompareView, startCompareView, stepCompared } from "./compare-view.js";
import { byId } from "./dom.js";
import { bind, startKeys } from "./keys.js";
import { loadModels } from "./models.js";
import { complain, hush } from "./notice.js";
import {
  leaveParseView, parseViewKey, showParseView, startParseView, stepSentence, toggleIndented,
} from "./parse-view.js";
import { addressOf, here, move, onMove } from "./place.js";
import { themeSwitch } from "./theme.js";
import { showTreebankView, startTreebankView, stepTreebank, treebankKey } from "./treebank-view.js";

const VIEWS = {
  tree: { section: "parse-view", show: showParseView, step: stepSentence, key: parseViewKey, name: "Tree" },
  layers: { section: "parse-view", show: showParseView, step: stepSentence, key: parseViewKey, name: "Layers" },
  compare: { section: "compare-view", show: showCompareView, step: stepCompared, key: compareKey, name: "Compare" },
  treebank: {
    section: "treebank-view", show: showTreebankView, step: stepTreebank, key: treebankKey, name: "Treebank",
  },
};
const FIELDS = ".view:not([hidden]) :is(textarea, input[type=search], input[type=file]):not([hidden] *)";
const MORE_KEYS = [
  ["+ − 0", "zoom in, out, fit all"],
  ["Shift + arrows", "move the drawing"],
  ["arrows, Enter", "in a tree: from node to node, fold or unfold"],
  ["↑ ↓ ← →, space", "in the layers: by layer, by node, play"],
  ["Ctrl + Enter", "in a text field: parse now"],
];

function view() {
  return VIEWS[here().view] ?? VIEWS.tree;
}

function show() {
  const { section, show: bring, name } = view();
  for (const one of document.querySelectorAll(".view")) one.hidden = one.id !== section;
  for (const link of document.querySelectorAll("header nav a")) {
    link.href = addressOf({ view: link.dataset.view, tree: "" });
    if (VIEWS[link.dataset.view] === view()) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
  document.title = `nccp: ${name}`;
  bring();
}

function bindKeys() {
  const go = (key, name) => bind(key, `${name} view`, () => move({ view: name.toLowerCase(), tree: "" }, { step: true }));
  go("t", "Tree");
  go("l", "Layers");
  go("c", "Compare");
  go("b", "Treebank");
  bind("n", "next sentence, or next error", () => view().step(1));
  bind("p", "previous sentence, or previous error", () => view().step(-1));
  bind("/", "to the text field", () => document.querySelector(FIELDS)?.focus());
  bind("i", "tree: drawn or indented", toggleIndented);
  for (const key of ["ArrowUp", "ArrowDown", "ArrowLeft", "ArrowRight", "Home", "End", " ", "+", "=", "-", "0"]) {
    bind(key, "", (event) => isFree(event) && view().key(event));
  }
  startKeys(MORE_KEYS);
}

/** Whether a key means nothing to the element that has the focus. */
function isFree({ target, key }) {
  if (target.closest?.("input, select, textarea, summary, .table, [role=treeitem]")) return false;
  return key !== " " || !target.closest?.("button, a");
}

async function start() {
  themeSwitch(byId("theme-button"));
  startParseView();
  startCompareView();
  startTreebankView();
  bindKeys();
  onMove((now, before) => {
    if (now.view !== before.view) {
      hush();
      leaveParseView();
    }
    show();
  });
  try {
    await loadModels();
  } catch (error) {
    complain(error, () => location.reload());
  }
  show();
}

document.querySelector(".skip").addEventListener("click", (event) => {
  event.preventDefault(); // the address holds the place, not an anchor
  byId("main").focus();
});
document.querySelector("header nav").addEventListener("click", (event) => {
  const link = event.target.closest("a");
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey || event.button) return;
  event.preventDefault();
  move({ view: link.dataset.view, tree: "" }, { step: true });
});
start();
