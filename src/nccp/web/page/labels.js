/** The meanings of labels and tags; the server is asked once for each. */

import { ask } from "./api.js";

const known = new Map(); // from "language label" to a meaning, "" if there is none

const key = (label, language) => `${language ?? ""} ${label}`;

/** Ask for the meanings of labels; `language` is null where it is not known. */
export async function learnLabels(labels, language = null) {
  const unknown = [...new Set(labels)].filter((label) => !known.has(key(label, language))).slice(0, 1000);
  if (!unknown.length) return;
  for (const label of unknown) known.set(key(label, language), "");
  try {
    const { meanings } = await ask("explain", { labels: unknown, language });
    for (const [label, meaning] of Object.entries(meanings)) known.set(key(label, language), meaning);
  } catch {
    for (const label of unknown) known.delete(key(label, language)); // no error message: only tooltips are missing
  }
}

export function meaningOf(label, language = null) {
  return known.get(key(label, language)) ?? "";
}
