/** Requests to the server: responses as values, failures as errors that say what happened. */

import { askForToken, authorization } from "./token.js";

export class ApiError extends Error {}

/** GET without a body, POST with one. */
export async function ask(path, body, signal) {
  const answer = await send(path, body, signal);
  return answer.json();
}

/** The same for a response that is plain text. */
export async function askText(path, body, signal) {
  const answer = await send(path, body, signal);
  return answer.text();
}

/** A parse with its tree: `root` has `children`, made from the list of nodes, parents first. */
export function withTree(parse) {
  const nodes = parse.nodes.map((node) => ({ ...node, children: [] }));
  for (const node of nodes) if (node.parent !== undefined) nodes[node.parent].children.push(node);
  return Object.defineProperty(parse, "root", { value: nodes[0] ?? null }); // not part of exported JSON
}

/** The rows of an NDJSON response, each as soon as it arrives. */
export async function* rows(path, body, signal) {
  const answer = await send(path, body, signal);
  let rest = "";
  for await (const text of chunks(answer.body.pipeThrough(new TextDecoderStream()))) {
    const lines = (rest + text).split("\n");
    rest = lines.pop();
    for (const line of lines) if (line.trim()) yield JSON.parse(line);
  }
  if (rest.trim()) yield JSON.parse(rest);
}

/** Runs one task at a time: a newer one aborts the older. */
export class Latest {
  #running = null;

  /** `task(signal)`; resolves to undefined if a newer task replaced it. */
  async run(task) {
    this.stop();
    const mine = (this.#running = new AbortController());
    try {
      const answer = await task(mine.signal);
      return mine.signal.aborted ? undefined : answer;
    } catch (error) {
      if (mine.signal.aborted) return undefined;
      throw error;
    } finally {
      if (this.#running === mine) this.#running = null;
    }
  }

  stop() {
    this.#running?.abort();
    this.#running = null;
  }
}

async function send(path, body, signal) {
  const answer = await sendOnce(path, body, signal);
  if (answer.status === 401 && (await askForToken())) return send(path, body, signal);
  if (!answer.ok) throw new ApiError(await words(answer));
  return answer;
}

async function sendOnce(path, body, signal) {
  const options = { signal, headers: authorization() };
  if (body !== undefined) {
    options.method = "POST";
    options.headers["Content-Type"] = "application/json";
    options.body = JSON.stringify(body);
  }
  try {
    return await fetch(`api/${path}`, options);
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new ApiError("The server does not respond. Is nccp serve still running? Your text has not been lost.");
  }
}

async function words(answer) {
  try {
    const { error } = await answer.json();
    if (error) return String(error);
  } catch {
    // not JSON: report the status
  }
  return `The server answered ${answer.status} ${answer.statusText}.`;
}

/** A stream as an async iterable, which not all browsers support themselves. */
async function* chunks(stream) {
  const reader = stream.getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      yield value;
    }
  } finally {
    reader.releaseLock();
  }
}
