/** What stands where there is no tree yet: a word on what to do, and examples in the languages at hand. */

import { fill, h } from "./dom.js";
import { allModels } from "./models.js";
import { move } from "./place.js";

const EXAMPLES = {
  en: [
    "After the storm, the children who live next door found a small boat on the beach.",
    "She saw the man with the telescope. I think that the cat on the roof is watching us.",
  ],
  ja: ["嵐のあと、子供たちは浜辺で小さな舟を見つけた。"],
  zh: ["暴风雨过后，孩子们在海边发现了一条小船。"],
};

export function showEmpty(place, visible) {
  place.hidden = !visible;
  if (!visible) return fill(place);
  const examples = Object.entries(EXAMPLES).flatMap(([language, texts]) => {
    const model = allModels().find((one) => one.language === language);
    return model ? texts.map((text) => ({ text, language, model: model.name })) : [];
  });
  const local = isLocal() ? " Nothing leaves this machine." : "";
  const button = ({ text, language, model }) => {
    const use = () => move({ text, model, tokens: "", sentence: 0 });
    return h("button", { type: "button", lang: language, onclick: use }, text);
  };
  return fill(
    place,
    h("h2", {}, "Sentences into trees"),
    h("p", {}, `Type or paste text; trees appear as you pause.${local} Or try one of these:`),
    h("ul", { class: "examples" }, ...examples.map((example) => h("li", {}, button(example)))),
  );
}

function isLocal() {
  return ["localhost", "127.0.0.1", "[::1]"].includes(location.hostname);
}
