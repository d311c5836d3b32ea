/** The models of the server, and the menus to choose one. */

import { ask } from "./api.js";
import { fill, h } from "./dom.js";
import { languageName, setLanguages } from "./languages.js";
import { score } from "./words.js";

let known = { default: "", models: [], languages: [], limits: {} };

export async function loadModels() {
  known = await ask("models");
  setLanguages(known.languages);
  for (const menu of document.querySelectorAll("select.models")) {
    const none = menu.dataset.none;
    fill(
      menu,
      ...known.models.map(({ name }) => h("option", { value: name }, name)),
      none && h("option", { value: "-" }, none),
    );
  }
}

/** What the server takes: bytes of a request (`body`), sentences and words with layers, and so on. */
export function limits() {
  return known.limits;
}

export function allModels() {
  return known.models;
}

/** The model of that name, or the default one. */
export function modelOf(name) {
  const find = (wanted) => known.models.find((model) => model.name === wanted);
  return find(name) ?? find(known.default) ?? known.models[0] ?? null;
}

/** A different model, if there is one. */
export function otherThan(name) {
  return known.models.find((model) => model.name !== name) ?? modelOf(name);
}

/** A model for a language, if there is one. */
export function modelFor(language) {
  return known.models.find((model) => model.language === language) ?? null;
}

/** The languages that the server knows, those of its models first. */
export function allLanguages() {
  return known.languages;
}

/** "English · binary · 15 MB · F1 80.2 on its development set". */
export function about({ language, kind, megabytes, scores }) {
  const facts = [languageName(language), kind === "multi" ? "multi-branching" : kind];
  if (megabytes) facts.push(`${Math.round(megabytes)} MB`);
  if (typeof scores?.f1 === "number") facts.push(`F1 ${score(scores.f1)} on its development set`);
  return facts.filter(Boolean).join(" · ");
}
