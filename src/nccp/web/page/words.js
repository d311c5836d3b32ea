/** Numbers and spans in words. */

/** 0.9834 as "0.98"; a missing value as a dash. */
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
