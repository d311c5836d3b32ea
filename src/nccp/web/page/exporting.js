/** Exporting a parse: as a drawing, for a paper, or as data; to the clipboard or into a file. */

import { askText } from "./api.js";
import { h, s } from "./dom.js";
import { complain, hush, say } from "./notice.js";

const FORMATS = {
  svg: { name: "SVG", type: "image/svg+xml", make: (shown) => toSvg(shown) },
  png: { name: "PNG", type: "image/png", make: toPng },
  forest: { name: "LaTeX (forest)", type: "text/plain", ending: "tex", make: latex("forest") },
  qtree: { name: "LaTeX (qtree)", type: "text/plain", ending: "tex", make: latex("qtree") },
  brackets: { name: "Brackets", type: "text/plain", ending: "mrg", make: ({ parse }) => `${parse.tree}\n` },
  json: { name: "JSON", type: "application/json", make: ({ parse }) => `${JSON.stringify(parse, null, 1)}\n` },
};
const LARGEST_PNG = 12000; // pixels per side; browsers refuse much more

/**
 * A choice of formats, Copy and Save. `shown()` gives `{parse, drawing, language}`, or null if there is nothing;
 * without a drawing, the server draws the tree.
 */
export function exportControls(shown) {
  const format = h(
    "select",
    { "aria-label": "Export as" },
    ...Object.entries(FORMATS).map(([key, { name }]) => h("option", { value: key }, name)),
  );
  const run = async (what) => {
    const subject = shown();
    if (!subject) return say("There is no tree to export yet.");
    hush();
    try {
      return await what(format.value, subject);
    } catch (error) {
      return complain(error);
    }
  };
  return [
    format,
    h("button", { type: "button", onclick: () => run(copy) }, "Copy"),
    h("button", { type: "button", onclick: () => run(save) }, "Save"),
  ];
}

async function copy(key, subject) {
  const { name, make, type } = FORMATS[key];
  if (!navigator.clipboard) throw new Error("This browser allows copying only on local and https pages. Saving works.");
  if (key === "png") {
    if (!globalThis.ClipboardItem) throw new Error("This browser cannot copy images. Saving works.");
    await navigator.clipboard.write([new ClipboardItem({ [type]: make(subject) })]);
  } else await navigator.clipboard.writeText(await make(subject));
  say(`${name} copied.`);
}

async function save(key, subject) {
  const { make, type, ending = key } = FORMATS[key];
  const made = await make(subject);
  const blob = made instanceof Blob ? made : new Blob([made], { type: `${type};charset=utf-8` });
  const address = URL.createObjectURL(blob);
  const name = `${fileName(subject.parse.words)}.${ending}`;
  const link = h("a", { href: address, download: name });
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(address), 10000);
  say(`Saved as ${name}.`);
}

function latex(format) {
  return ({ parse }) => askText("draw", { tree: parse.tree, format });
}

function fileName(words) {
  const name = words.slice(0, 5).join("-").replace(/[^\p{L}\p{N}-]+/gu, "").replace(/-+/g, "-").replace(/^-|-$/g, "");
  return name.slice(0, 60) || "tree";
}

/** A drawing as a file of its own: with its style, in light colours, without what only the page needs. */
async function toSvg({ parse, drawing, language }) {
  if (!drawing) return askText("draw", { tree: parse.tree, format: "svg" });
  const { width, height } = drawing;
  const content = drawing.element.cloneNode(true);
  for (const part of content.querySelectorAll(".hit, .band, .later, title")) part.remove();
  for (const part of content.querySelectorAll("*")) {
    for (const name of ["role", "tabindex", "aria-level", "aria-expanded", "aria-label"]) part.removeAttribute(name);
    part.classList.remove("in-span", "looked-at");
  }
  const file = s(
    "svg",
    { class: "drawing", role: "img", width, height, viewBox: `0 0 ${width} ${height}`, lang: language },
    s("title", {}, parse.words.join(" ")),
    s("style", {}, await style()),
    content,
  );
  return `${new XMLSerializer().serializeToString(file)}\n`;
}

/** drawing.css with light colours in place of variables, which drawing programs do not know. */
async function style() {
  const answer = await fetch("page/drawing.css");
  if (!answer.ok) throw new Error("The style of drawings could not be loaded.");
  const light = h("div", { "data-theme": "light", hidden: true });
  document.body.append(light);
  const colours = getComputedStyle(light);
  const css = (await answer.text())
    .replace(/\/\*.*?\*\//gs, "")
    .replace(/var\((--[\w-]+)\)/g, (_, name) => colours.getPropertyValue(name).trim());
  light.remove();
  return css;
}

async function toPng(subject) {
  const address = URL.createObjectURL(new Blob([await toSvg(subject)], { type: "image/svg+xml" }));
  try {
    const image = new Image();
    image.src = address;
    await image.decode();
    const { naturalWidth: width, naturalHeight: height } = image;
    const scale = Math.min(3, LARGEST_PNG / Math.max(width, height));
    const canvas = h("canvas", { width: Math.ceil(width * scale), height: Math.ceil(height * scale) });
    const context = canvas.getContext("2d");
    context.fillStyle = "#fff";
    context.fillRect(0, 0, canvas.width, canvas.height);
    context.drawImage(image, 0, 0, canvas.width, canvas.height);
    return await new Promise((resolve, reject) => {
      const failed = new Error("The tree is too large for a PNG; SVG works.");
      canvas.toBlob((blob) => (blob ? resolve(blob) : reject(failed)));
    });
  } finally {
    URL.revokeObjectURL(address);
  }
}
