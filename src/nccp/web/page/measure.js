/** The width of text in the fonts of drawing.css. */

const FONTS = { phrase: "600 13px", tag: "12px", word: "15px", pill: "600 12px", small: "11px" };
const context = document.createElement("canvas").getContext("2d");
const known = new Map();

/** A function that measures text within `element`, whose language decides on the font. */
export function measureIn(element) {
  const family = getComputedStyle(element).fontFamily;
  return (text, kind) => {
    if (!text) return 0;
    const font = `${FONTS[kind]} ${family}`;
    const key = `${font}\n${text}`;
    let width = known.get(key);
    if (width === undefined) {
      context.font = font;
      width = Math.ceil(context.measureText(text).width);
      if (known.size > 20000) known.clear();
      known.set(key, width);
    }
    return width;
  };
}
