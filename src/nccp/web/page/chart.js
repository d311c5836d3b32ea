/** F1 by length of sentence, as bars; without a model, how many sentences there are of each length. */

import { s } from "./dom.js";
import { plural, score } from "./words.js";

const HEIGHT = 150;
const [LEFT, RIGHT, TOP, BOTTOM] = [34, 6, 18, 36];

/** `bins` as the last row of /api/open has them; `width` in pixels. */
export function drawChart(bins, width) {
  const scored = bins.some(({ f1 }) => typeof f1 === "number");
  const value = (bin) => (scored ? bin.f1 ?? 0 : bin.sentences);
  const most = scored ? 100 : Math.max(...bins.map(value), 1);
  const floor = HEIGHT - BOTTOM;
  const y = (at) => floor - (at / most) * (floor - TOP);
  const step = (width - LEFT - RIGHT) / bins.length;
  const name = ({ from, to }) => `${from}–${to}`;
  const said = bins.map((bin) => {
    const f1 = scored ? `F1 ${score(bin.f1)} over ` : "";
    return `${name(bin)} words: ${f1}${plural(bin.sentences, "sentence")}`;
  });
  const ticks = scored ? [0, 50, 100] : [0, most];
  return s(
    "svg",
    {
      class: "drawing chart", role: "img", viewBox: `0 0 ${width} ${HEIGHT}`,
      "aria-label": `${scored ? "F1" : "Sentences"} by length. ${said.join("; ")}.`,
    },
    ...ticks.flatMap((tick) => [
      s("path", { class: tick ? "grid" : "axis", d: `M${LEFT} ${y(tick)}H${width - RIGHT}` }),
      s("text", { class: "tick", x: LEFT - 16, y: y(tick) + 4 }, String(tick)),
    ]),
    ...bins.flatMap((bin, place) => {
      const middle = LEFT + step * (place + 0.5);
      const wide = Math.min(56, step * 0.72);
      return [
        s(
          "rect",
          { class: "bar", x: middle - wide / 2, y: y(value(bin)), width: wide, height: floor - y(value(bin)), rx: 2 },
          s("title", {}, said[place]),
        ),
        s("text", { class: "figure", x: middle, y: y(value(bin)) - 4 }, scored ? score(bin.f1) : String(bin.sentences)),
        s("text", { class: "tick", x: middle, y: floor + 14 }, name(bin)),
        scored ? s("text", { class: "tick", x: middle, y: floor + 28 }, `n ${bin.sentences}`) : null,
      ].filter(Boolean);
    }),
  );
}
