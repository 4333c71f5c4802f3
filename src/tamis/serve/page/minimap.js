/** The whole page in little, beside it: what is kept, what is close, and which part is seen. */

import { h } from "./dom.js";

/** @typedef {import("./frame.js").PageFrame} PageFrame */
/** @typedef {import("./frame.js").Box} Box */

/**
 * How a block is drawn: in a colour of the style sheet, and how strong.
 * @typedef {{colour: string, strength: number}} Dot
 */

/** A map of what a frame shows. */
export class Minimap {
  /** @type {PageFrame} */
  #frame;
  #canvas = h("canvas", { "aria-hidden": "true" });
  /** @type {Box[]} */
  #boxes = [];
  /** @type {(block: number) => Dot} */
  #dot = () => ({ colour: "--line", strength: 1 });
  #drawing = 0;
  #resized = new ResizeObserver(() => this.draw());

  /** The element to be put beside the frame. */
  element = h("div", { class: "minimap", test: "minimap", title: "Map of the page" }, this.#canvas);

  /** @param {PageFrame} frame */
  constructor(frame) {
    this.#frame = frame;
    frame.addEventListener("scroll", () => this.draw());
    frame.addEventListener("resize", () => this.measure());
    this.#resized.observe(this.element);
    let held = false;
    /** @param {PointerEvent} event */
    const scroll = (event) => {
      const place = this.element.getBoundingClientRect();
      const { height, seen } = frame.extent;
      const share = (event.clientY - place.top) / place.height;
      frame.scrollTo(share * height - seen / 2);
    };
    this.element.addEventListener("pointerdown", (event) => {
      held = true;
      this.element.setPointerCapture(event.pointerId);
      scroll(event);
    });
    this.element.addEventListener("pointermove", (event) => held && scroll(event));
    this.element.addEventListener("pointerup", () => (held = false));
    this.element.addEventListener("pointercancel", () => (held = false));
  }

  /**
   * Draws the blocks in other colours.
   * @param {(block: number) => Dot} dot
   */
  paint(dot) {
    this.#dot = dot;
    this.draw();
  }

  /** Looks again at where the blocks are. */
  measure() {
    this.#boxes = this.#frame.boxes();
    this.draw();
  }

  /** Draws at the next frame of the screen. */
  draw() {
    cancelAnimationFrame(this.#drawing);
    this.#drawing = requestAnimationFrame(() => this.#drawn());
  }

  /** Stops looking. */
  close() {
    cancelAnimationFrame(this.#drawing);
    this.#resized.disconnect();
  }

  #drawn() {
    if (!this.element.isConnected) return;
    const width = this.element.clientWidth;
    const height = this.element.clientHeight;
    const ratio = devicePixelRatio || 1;
    this.#canvas.width = width * ratio;
    this.#canvas.height = height * ratio;
    const pen = this.#canvas.getContext("2d");
    if (!pen) return;
    pen.scale(ratio, ratio);
    const style = getComputedStyle(this.element);
    const { top, seen, height: whole } = this.#frame.extent;
    const scale = height / Math.max(whole, seen);
    for (const { block, top: start, height: own } of this.#boxes) {
      const { colour, strength } = this.#dot(block);
      pen.globalAlpha = strength;
      pen.fillStyle = style.getPropertyValue(colour);
      pen.fillRect(10, start * scale, width - 20, Math.max(own * scale - 0.5, 1));
    }
    pen.globalAlpha = 1;
    pen.strokeStyle = style.getPropertyValue("--accent");
    pen.lineWidth = 1.5;
    pen.beginPath();
    pen.roundRect(3, top * scale + 1, width - 6, Math.max(Math.min(seen * scale, height) - 2, 6), 4);
    pen.stroke();
    pen.globalAlpha = 0.07;
    pen.fillStyle = style.getPropertyValue("--accent");
    pen.fill();
  }
}
