/** Numbers and spans in words, and which language a text is in. */

/** 0.9834 as "0.98"; what is not there as a dash. */
export function share(value) {
  return typeof value === "number" ? value.toFixed(2) : "–";
}

/** 0.634 as "63 %". */
export function percent(value) {
  return `${Math.round(value * 100)} %`;
}

/** 93.333 as "93.3", as F1 is written. */
export function score(value) {
  return typeof value === "number" ? value.toFixed(1) : "–";
}

export function plural(count, one, many = `${one}s`) {
  return `${count.toLocaleString("en")} ${count === 1 ? one : many}`;
}

/** "word 3" or "words 1–2": counted from one, the last included. */
export function spanName(start, end) {
  return end - start === 1 ? `word ${end}` : `words ${start + 1}–${end}`;
}

/** Words as running text: without blanks where the language writes none. */
export function running(words, language) {
  return words.join(language === "ja" || language === "zh" ? "" : " ");
}

/** The words of a span, the middle left out where they are many. */
export function excerpt(words, start, end, language, most = 12) {
  const all = words.slice(start, end);
  if (all.length <= most) return running(all, language);
  const part = Math.floor(most / 2);
  return `${running(all.slice(0, part), language)} … ${running(all.slice(-part), language)}`;
}

/** Which language a text is shown as: kana is Japanese; Han alone is the model's guess, else Chinese. */
export function languageOf(text, model = "") {
  if (/[\p{Script=Hiragana}\p{Script=Katakana}]/u.test(text)) return "ja";
  if (/\p{Script=Hangul}/u.test(text)) return "ko";
  if (/\p{Script=Han}/u.test(text)) return model === "ja" ? "ja" : "zh";
  return model || "en";
}

const NAMES = { en: "English", ja: "Japanese", zh: "Chinese", ko: "Korean", de: "German", fr: "French" };

export function languageName(code) {
  return NAMES[code] ?? code;
}
