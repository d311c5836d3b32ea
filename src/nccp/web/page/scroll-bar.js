/** A scroll bar that is visible whenever there is more than the view shows: systems hide their own. */

import { h } from "./dom.js";

const SHORTEST = 28; // pixels of the thumb

export class ScrollBar {
  #across;
  #scale = 1; // from pixels of the bar to pixels of the drawing

  /** `way` is "across" or "down"; `scrolled(pixels)` moves the drawing. */
  constructor(way, scrolled) {
    this.#across = way === "across";
    this.thumb = h("div");
    this.element = h("div", { class: `scroll ${way}`, "aria-hidden": "true", hidden: true }, this.thumb);
    const at = (event) => (this.#across ? event.clientX : event.clientY);
    let last = null;
    this.thumb.addEventListener("pointerdown", (event) => {
      last = at(event);
      this.thumb.setPointerCapture(event.pointerId);
      event.preventDefault();
    });
    this.thumb.addEventListener("pointermove", (event) => {
      if (last === null) return;
      scrolled((at(event) - last) * this.#scale);
      last = at(event);
    });
    for (const end of ["pointerup", "pointercancel"]) this.thumb.addEventListener(end, () => (last = null));
    this.element.addEventListener("click", (event) => {
      if (event.target !== this.element) return;
      const box = this.thumb.getBoundingClientRect();
      const before = at(event) < (this.#across ? box.left : box.top);
      scrolled((before ? -0.8 : 0.8) * this.#room);
    });
  }

  /** Of a drawing of this `size`, the view of `room` pixels begins at `from`. */
  show(from, size, room) {
    this.element.hidden = size <= room + 1;
    if (this.element.hidden) return;
    const length = Math.max(SHORTEST, (this.#room * room) / size);
    this.#scale = (size - room) / Math.max(1, this.#room - length);
    const start = Math.max(0, Math.min(size - room, from)) / this.#scale;
    this.thumb.style[this.#across ? "width" : "height"] = `${length}px`;
    this.thumb.style.transform = this.#across ? `translateX(${start}px)` : `translateY(${start}px)`;
  }

  get #room() {
    return this.#across ? this.element.clientWidth : this.element.clientHeight;
  }
}
