/** A view of a drawing: drag or scroll bars to pan; wheel, pinch, buttons and keys to zoom. */

import { h, s } from "./dom.js";
import { icon } from "./icons.js";
import { ScrollBar } from "./scroll-bar.js";

const LARGEST = 6;
const SMALLEST = 0.05;
const READABLE = 0.7; // a drawing is shown no smaller than this at first
const READABLE_NARROW = 0.85;
const LEAST = 0.5; // or this, if both root and words then fit
const AT_FIRST = 1.35; // and no larger
const DRAG = 4; // pixels before a press becomes a drag
const MARGIN = 14;
const NARROW = 500; // pixels: a phone

export class Stage {
  #scale = 1;
  #x = 0;
  #y = 0;
  #size = [0, 0];
  #moved = false; // by the user; then it is not fitted again when the window changes
  #align = "middle";
  #partner = null;
  #across = new ScrollBar("across", (by) => this.pan(-by, 0));
  #down = new ScrollBar("down", (by) => this.pan(0, -by));

  /** `align`: whether a drawing that is too high shows its top ("middle") or its "bottom" at first. */
  constructor({ align = "middle" } = {}) {
    this.#align = align;
    this.content = s("g");
    this.svg = s("svg", { class: "drawing", "aria-hidden": "true" }, this.content);
    const button = (sign, name, key, act) =>
      h("button", { type: "button", title: `${name} (${key})`, "aria-label": name, onclick: act }, icon(sign));
    this.element = h(
      "div",
      { class: "stage" },
      this.svg,
      h(
        "div",
        { class: "zoom", role: "group", "aria-label": "Zoom" },
        button("plus", "Zoom in", "+", () => this.zoom(1.25)),
        button("minus", "Zoom out", "−", () => this.zoom(0.8)),
        button("fit", "Fit all into view", "0", () => this.fit({ all: true })),
      ),
      this.#across.element,
      this.#down.element,
    );
    this.#listen();
    new ResizeObserver(() => this.#moved || this.fit()).observe(this.element);
  }

  /** Show a drawing of this size; `keep` leaves zoom and place as they are. */
  show(drawing, width, height, { keep = false } = {}) {
    this.content.replaceChildren(drawing);
    this.#size = [width, height];
    if (!keep || !this.#moved) this.fit();
  }

  clear() {
    this.content.replaceChildren();
    this.#size = [0, 0];
    this.#apply();
  }

  /** Two views that move and zoom as one, with the last lines of their drawings at the same height. */
  static pair(one, two) {
    one.#partner = two;
    two.#partner = one;
  }

  /** Whether the drawing is so wide that only a small part of it is in view. */
  get crowded() {
    return this.#size[0] * this.#scale > 1.8 * this.element.clientWidth;
  }

  /** All of it if that is readable; from the start of the sentence if not. */
  fit({ all = false } = {}) {
    const both = this.#both().filter((stage) => stage.#size[0] && stage.element.clientHeight);
    if (!both.includes(this)) return;
    const scale = Math.min(...both.map((stage) => stage.#whole(all)));
    const high = Math.max(...both.map((stage) => stage.#size[1])) * scale;
    for (const stage of both) stage.#center(scale, high, all);
  }

  /** By a factor, about a point of the view or its middle. */
  zoom(factor, x = this.element.clientWidth / 2, y = this.element.clientHeight / 2) {
    for (const stage of this.#both()) stage.#zoom(factor, x, y);
  }

  pan(x, y) {
    for (const stage of this.#both()) stage.#pan(x, y);
  }

  #both() {
    return this.#partner ? [this, this.#partner] : [this];
  }

  #room() {
    return this.element.clientWidth - 2 * MARGIN;
  }

  /** The scale that shows all, or the smallest that is readable. */
  #whole(all) {
    const [width, height] = this.#size;
    const { clientWidth, clientHeight } = this.element;
    const [wide, high] = [this.#room() / width, (clientHeight - 2 * MARGIN) / height];
    if (all) return Math.min(AT_FIRST, wide, high);
    const readable = clientWidth > NARROW ? READABLE : READABLE_NARROW;
    const least = this.#align === "bottom" ? readable : LEAST;
    return Math.min(AT_FIRST, Math.max(least, high), Math.max(readable, wide));
  }

  #center(scale, high, moved) {
    const { clientHeight } = this.element;
    this.#scale = scale;
    this.#x = MARGIN + Math.max(0, (this.#room() - this.#size[0] * scale) / 2);
    if (high <= clientHeight) this.#y = (clientHeight - high) / 2;
    else this.#y = this.#align === "bottom" ? clientHeight - high - MARGIN : MARGIN;
    this.#y += high - this.#size[1] * scale;
    this.#moved = moved;
    this.#apply();
  }

  #zoom(factor, x, y) {
    const scale = Math.min(LARGEST, Math.max(SMALLEST, this.#scale * factor));
    this.#x = x - ((x - this.#x) * scale) / this.#scale;
    this.#y = y - ((y - this.#y) * scale) / this.#scale;
    this.#scale = scale;
    this.#moved = true;
    this.#apply();
  }

  #pan(x, y) {
    this.#x += x;
    this.#y += y;
    this.#moved = true;
    this.#apply();
  }

  /** Whether a place of the drawing is between the left and the right end of the window. */
  holds(x) {
    const at = x * this.#scale + this.#x;
    return at > MARGIN && at < this.element.clientWidth - MARGIN;
  }

  /** Bring a rectangle of the drawing into view; with `x` null, only its height. */
  reveal(x, y, width, height) {
    const { clientWidth, clientHeight } = this.element;
    const axis = (start, length, offset, room) => {
      const from = start * this.#scale + offset;
      const to = from + length * this.#scale;
      if (from < MARGIN) return MARGIN - from;
      return to > room - MARGIN ? Math.max(room - MARGIN - to, MARGIN - from) : 0;
    };
    const right = x === null ? 0 : axis(x, width, this.#x, clientWidth);
    const down = axis(y, height, this.#y, clientHeight);
    if (right || down) this.pan(right, down);
  }

  /** Keys that zoom and pan; true if this was one. */
  key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return false;
    const step = 60;
    const pans = { ArrowLeft: [step, 0], ArrowRight: [-step, 0], ArrowUp: [0, step], ArrowDown: [0, -step] };
    if (event.key === "+" || event.key === "=") this.zoom(1.25);
    else if (event.key === "-" || event.key === "−") this.zoom(0.8);
    else if (event.key === "0") this.fit({ all: true });
    else if (event.shiftKey && pans[event.key]) this.pan(...pans[event.key]);
    else return false;
    event.preventDefault();
    return true;
  }

  #apply() {
    const round = (value) => Math.round(value * 1000) / 1000;
    this.content.setAttribute(
      "transform",
      `translate(${round(this.#x)} ${round(this.#y)}) scale(${round(this.#scale)})`,
    );
    const { clientWidth, clientHeight } = this.element;
    const [width, height] = this.#size.map((size) => size * this.#scale + 2 * MARGIN);
    this.#across.show(MARGIN - this.#x, width, clientWidth);
    this.#down.show(MARGIN - this.#y, height, clientHeight);
  }

  #listen() {
    const fingers = new Map();
    let dragged = false;
    const place = (event) => {
      const box = this.element.getBoundingClientRect();
      return [event.clientX - box.left, event.clientY - box.top];
    };
    this.svg.addEventListener(
      "wheel",
      (event) => {
        event.preventDefault();
        const lines = event.deltaMode === 1 ? 16 : 1;
        const aside = event.shiftKey ? event.deltaY || event.deltaX : event.deltaX;
        if (event.shiftKey || Math.abs(event.deltaX) > Math.abs(event.deltaY)) return this.pan(-aside * lines, 0);
        const speed = event.ctrlKey ? 0.01 : 0.0018;
        return this.zoom(Math.exp(-event.deltaY * lines * speed), ...place(event));
      },
      { passive: false },
    );
    this.svg.addEventListener("pointerdown", (event) => {
      if (event.button) return;
      fingers.set(event.pointerId, { at: place(event), from: place(event) });
      dragged = false;
    });
    this.svg.addEventListener("pointermove", (event) => {
      const finger = fingers.get(event.pointerId);
      if (!finger) return;
      const at = place(event);
      if (fingers.size === 2) this.#pinch(fingers, event.pointerId, at);
      else if (dragged || Math.hypot(at[0] - finger.from[0], at[1] - finger.from[1]) > DRAG) {
        if (!dragged) this.svg.setPointerCapture(event.pointerId);
        this.pan(at[0] - finger.at[0], at[1] - finger.at[1]);
      } else return;
      dragged = true;
      this.element.classList.add("dragged");
      finger.at = at;
    });
    for (const end of ["pointerup", "pointercancel"]) {
      this.svg.addEventListener(end, (event) => {
        fingers.delete(event.pointerId);
        this.element.classList.remove("dragged");
      });
    }
    const swallow = (event) => {
      if (dragged) event.stopPropagation(); // the end of a drag is no click on a node
      dragged = false;
    };
    this.svg.addEventListener("click", swallow, { capture: true });
  }

  #pinch(fingers, moving, at) {
    const [still] = [...fingers].filter(([id]) => id !== moving).map(([, finger]) => finger.at);
    const before = fingers.get(moving).at;
    const length = (point) => Math.max(1, Math.hypot(point[0] - still[0], point[1] - still[1]));
    this.zoom(length(at) / length(before), (at[0] + still[0]) / 2, (at[1] + still[1]) / 2);
  }
}
