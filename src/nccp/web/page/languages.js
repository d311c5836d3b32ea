/** The languages that the server knows: how words are joined, and which language a text is written in. */

let known = []; // {code, name, spaced, scripts, examples, missing}
const patterns = new Map(); // from scripts to regular expressions

export function setLanguages(languages) {
  known = languages;
  for (const script of known.flatMap(({ scripts }) => scripts)) {
    patterns.set(script, new RegExp(`\\p{Script=${script}}`, "u"));
  }
}

/** What is known of a language, or undefined. */
export function languageInfo(code) {
  return known.find((language) => language.code === code);
}

export function languageName(code) {
  return languageInfo(code)?.name ?? code;
}

/** Words as running text: without spaces where the language writes none. */
export function running(words, language) {
  return words.join(languageInfo(language)?.spaced === false ? "" : " ");
}

/** The words of a span, with the middle left out where they are many. */
export function excerpt(words, start, end, language, most = 12) {
  const all = words.slice(start, end);
  if (all.length <= most) return running(all, language);
  const part = Math.floor(most / 2);
  return `${running(all.slice(0, part), language)} … ${running(all.slice(-part), language)}`;
}

/** The language of a text by its scripts: that of the model if it can be, else the most characteristic one. */
export function languageOf(text, model = "") {
  const own = languageInfo(model);
  if (model && !own) return model;
  const present = [...patterns].filter(([, pattern]) => pattern.test(text)).map(([script]) => script);
  const telling = present.length > 1 ? present.filter((script) => script !== "Latin") : present;
  const fits = ({ scripts }) => telling.every((script) => scripts.includes(script));
  if (!telling.length || (own && fits(own))) return model || "en";
  const rank = ({ scripts }) => scripts.indexOf(telling[0]);
  return known.filter(fits).sort((a, b) => rank(a) - rank(b))[0]?.code ?? (model || "en");
}
