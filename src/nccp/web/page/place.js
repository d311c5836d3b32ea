/** What the user looks at: view, text, model and so on are kept in the address, for reload and Back. */

const DEFAULTS = {
  view: "tree", // tree, layers, compare, treebank
  text: "",
  model: "",
  tokens: "", // "1": words are separated by spaces
  sentence: "0",
  layer: "", // "" is the last one
  scores: "",
  shape: "", // of trees: "indented" or drawn
  form: "", // of layers: the model's own, or see layer-forms.js
  tree: "", // a tree in brackets whose layers are shown instead of the text's
  against: "gold", // what is compared: a model with gold trees, two models, or two bracketings
  other: "", // the other model
  gold: "",
  brackets: "", // the other brackets
};
const LONGEST = 6000; // characters; longer texts are kept in this tab's memory
const LONG = "nccp:";

let current = read();
const listeners = new Set();

export function here() {
  return current;
}

/** `listener(here, before)` is told of every change. */
export function onMove(listener) {
  listeners.add(listener);
}

/** Change some of it. `step: true` adds an entry to the history, for the Back button. */
export function move(changes, { step = false } = {}) {
  const before = current;
  current = { ...current };
  for (const [name, value] of Object.entries(changes)) current[name] = String(value);
  if (Object.keys(current).every((name) => current[name] === before[name])) return;
  const address = `#${write(current)}`;
  if (step) history.pushState(null, "", address);
  else history.replaceState(null, "", address);
  tell(before);
}

/** The current address with some of it changed, for links. */
export function addressOf(changes) {
  return `#${write({ ...current, ...changes })}`;
}

function tell(before) {
  for (const listener of listeners) listener(current, before);
}

function read() {
  const found = new URLSearchParams(location.hash.slice(1));
  const place = { ...DEFAULTS };
  for (const name of Object.keys(DEFAULTS)) {
    const value = found.get(name);
    if (value !== null) place[name] = value;
    else if (found.get("long")?.split(",").includes(name)) place[name] = remembered(name);
  }
  return place;
}

function write(place) {
  const made = new URLSearchParams();
  const long = [];
  for (const [name, value] of Object.entries(place)) {
    if (value === DEFAULTS[name]) continue;
    if (value.length > LONGEST && remember(name, value)) long.push(name);
    else made.set(name, value);
  }
  if (long.length) made.set("long", long.join(","));
  return made.toString();
}

function remember(name, value) {
  try {
    sessionStorage.setItem(LONG + name, value);
    return true;
  } catch {
    return false; // no room, or not allowed: it goes into the address
  }
}

function remembered(name) {
  try {
    return sessionStorage.getItem(LONG + name) ?? "";
  } catch {
    return "";
  }
}

addEventListener("popstate", () => {
  const before = current;
  current = read();
  tell(before);
});
