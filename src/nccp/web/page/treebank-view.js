/** A file of trees: listed, scored with a model, error by error. */

import { ApiError, ask, Latest, rows, withTree } from "./api.js";
import { drawChart } from "./chart.js";
import { byId, fill, h } from "./dom.js";
import { limits, modelOf } from "./models.js";
import { complain, hush, say } from "./notice.js";
import { figures, PairView } from "./pair-view.js";
import { here, move } from "./place.js";
import { TreebankTable } from "./treebank-table.js";
import { plural } from "./words.js";

const opening = new Latest();
const showing = new Latest();
let table, pair, total, chart, walk;
let file = null; // {name, text}
let using = ""; // the model of the rows

export function startTreebankView() {
  pair = new PairView();
  table = new TreebankTable(show);
  total = h("div");
  chart = h("div");
  byId("file").addEventListener("change", (event) => event.target.files[0] && open(event.target.files[0]));
  byId("file-model").addEventListener("change", (event) => {
    move({ model: event.target.value });
    if (file) load();
  });
  walk = h(
    "div",
    { class: "export", role: "group", "aria-label": "Errors" },
    h("b"),
    h("button", { type: "button", title: "Previous error (p)", onclick: () => stepTreebank(-1) }, "◀ previous"),
    h("button", { type: "button", title: "Next error (n)", onclick: () => stepTreebank(1) }, "next ▶"),
  );
  acceptDrops();
  fill(byId("file-work"), invitation());
}

export function showTreebankView() {
  byId("file-model").value = here().model === "-" ? "-" : modelOf(here().model)?.name ?? "-";
}

/** Keys while nothing has the focus; true if this was one. */
export function treebankKey(event) {
  return pair.element.isConnected && pair.key(event);
}

/** To the next or previous error. */
export function stepTreebank(way) {
  if (!file) return false;
  if (!table.step(way)) say(way > 0 ? "That was the last error." : "That was the first error.");
  return true;
}

/** Anywhere on the page: a browser would otherwise leave the page to show a dropped file. */
function acceptDrops() {
  const zone = byId("file").closest(".drop");
  const isFile = (event) => event.dataTransfer.types.includes("Files");
  document.addEventListener("dragover", (event) => {
    if (!isFile(event)) return;
    event.preventDefault();
    zone.classList.add("over");
  });
  document.addEventListener("dragleave", () => zone.classList.remove("over"));
  document.addEventListener("drop", (event) => {
    if (!isFile(event)) return;
    event.preventDefault();
    zone.classList.remove("over");
    move({ view: "treebank" }, { step: true });
    open(event.dataTransfer.files[0]);
  });
}

async function open(picked) {
  try {
    if (picked.size > limits().body * 0.95) {
      const megabytes = Math.round(limits().body / 2 ** 20);
      throw new Error(`${picked.name} is larger than ${megabytes} MB, the limit; nccp evaluate takes files of any size.`);
    }
    file = { name: picked.name, text: decode(await picked.arrayBuffer()) };
    await load();
  } catch (error) {
    complain(error);
  }
}

/** UTF-8, or the encoding of older Chinese treebanks. */
function decode(bytes) {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder("gb18030").decode(bytes);
  }
}

async function load() {
  const model = byId("file-model").value === "-" ? null : byId("file-model").value;
  using = model;
  table.clear();
  fill(total);
  fill(chart);
  fill(byId("file-report"), total, chart, ...table.element);
  const hint = "Choose a tree in the list, or press n for the first error.";
  fill(byId("file-work"), h("div", { class: "empty" }, h("p", {}, hint)));
  say(`Reading ${file.name} …`);
  let last = 0;
  try {
    const done = await opening.run(async (signal) => {
      for await (const row of rows("open", { trees: file.text, model }, signal)) {
        if (row.total) finish(row);
        else if (row.error && row.index === undefined) throw new ApiError(row.error);
        else table.add(row);
        if (performance.now() - last > 400) {
          last = performance.now();
          table.update();
          say(`${file.name}: ${plural(table.rows.length, "tree")} so far …`);
        }
      }
      return true;
    });
    if (!done) return;
    hush();
    table.update();
    const bad = table.rows.filter((row) => row.error).length;
    const parsed = model ? `, parsed with ${model}` : "";
    const unread = bad ? `; ${bad} could not be read` : "";
    say(`${file.name}: ${plural(table.rows.length, "tree")}${parsed}${unread}.`);
    if (!table.rows.length) reject(new Error("It has no trees."));
  } catch (error) {
    reject(error);
  }
}

/** Say that the file could not be used, and show nothing of it. */
function reject(error) {
  complain(new Error(`${file.name}: ${error.message}`), () => load());
  if (table.rows.length) return table.update();
  fill(byId("file-report"));
  return fill(byId("file-work"), invitation());
}

function finish({ total: sums, bins }) {
  if ("f1" in sums) fill(total, figures(sums));
  table.setBins(bins);
  if (bins.length) fill(chart, drawChart(bins, Math.max(260, chart.clientWidth)));
}

async function show(row) {
  if (row.error) {
    const why = h("div", { class: "empty" }, h("h2", {}, "This tree cannot be read"), h("p", {}, row.error));
    return fill(byId("file-work"), why);
  }
  try {
    const single = row.tree === undefined;
    const body = { gold: row.gold, other: row.tree ?? row.gold };
    const answer = await showing.run((signal) => ask("compare", body, signal));
    if (!answer) return undefined;
    const [sentence] = answer.sentences;
    [sentence.left, sentence.right].forEach(withTree);
    if (!pair.element.isConnected) fill(byId("file-work"), pair.element);
    walk.firstChild.textContent = `Tree ${row.index + 1} `;
    return pair.show(sentence, [single ? `tree ${row.index + 1}` : "gold", using ?? ""], { single, before: walk });
  } catch (error) {
    return complain(error, () => show(row));
  }
}

function invitation() {
  return h(
    "div",
    { class: "empty" },
    h("h2", {}, "A treebank, tree by tree"),
    h(
      "p",
      {},
      "Open a file of bracketed trees (.mrg, .ptb, .psd, .txt). With a model, each tree is parsed and scored; ",
      "n and p then go from error to error. Without a model, the trees are only shown.",
    ),
  );
}
