/**
 * The original page in a frame, painted block by block.
 *
 * The document that is shown was made harmless by the service: no script, no handler, no link. The
 * frame is a sandbox without scripts, and the file that the document is written into has a policy of
 * its own that forbids everything but styles (and pictures, after a click). What runs is this module
 * alone, from outside.
 */

/**
 * @typedef {object} ViewBlock
 * @property {number} block
 * @property {boolean} kept
 * @property {number} score
 * @property {string} kind
 * @property {string} label
 * @property {string} text
 * @property {number} words
 * @property {string} xpath
 * @property {number} start
 * @property {number} end
 * @property {number} line
 */

/**
 * What `/v1/view` answers.
 * @typedef {object} View
 * @property {string | null} url
 * @property {string} [title]
 * @property {string} [language]
 * @property {"ltr" | "rtl"} [direction]
 * @property {string} method
 * @property {string} page_type
 * @property {number | null} cut
 * @property {string} focus
 * @property {number | null} threshold
 * @property {string | null} embedded
 * @property {boolean} pictures
 * @property {string | null} document
 * @property {ViewBlock[]} blocks
 * @property {string} hash
 * @property {string} [source]
 */

/**
 * How a block looks: classes that `addStyle` or this module defines, how visible its text is, and
 * how strong its tint, each from 0 to 1.
 * @typedef {{className?: string, opacity?: number, strength?: number}} Paint
 */

/**
 * Where a block is in the frame's document, in its pixels.
 * @typedef {{block: number, top: number, height: number}} Box
 */

const FRAME = "/page/frame.html";
const MARK = "data-tamis";
const OWN_STYLE = "tamis-paint";
/** Pixels that a pointer moves before it drags. */
const DRAG_DISTANCE = 6;
/** Elements that are looked at for what would cover the page. */
const MOST_ELEMENTS = 20000;

const STYLE = `
[data-tamis] { border-radius: 2px; transition: background-color .18s, opacity .18s, box-shadow .18s; cursor: pointer; }
[data-tamis].tamis-kept {
  background-color: rgba(23, 138, 104, calc(.06 + .24 * var(--tamis-strength, 1)));
}
[data-tamis].tamis-close { text-decoration: underline dotted 2px #c26a00; text-underline-offset: 3px; }
[data-tamis].tamis-hover { outline: 2px solid #178a68; outline-offset: 2px; opacity: 1 !important; }
[data-tamis].tamis-selected { outline: 3px solid #c26a00; outline-offset: 2px; opacity: 1 !important; }
[data-tamis].tamis-flash { animation: tamis-flash 1.1s ease-out; }
@keyframes tamis-flash {
  0%, 40% { box-shadow: 0 0 0 6px rgba(194, 106, 0, .55); }
  100% { box-shadow: 0 0 0 3px rgba(194, 106, 0, 0); }
}
.tamis-shown { display: revert !important; visibility: visible !important; opacity: 1 !important;
  max-height: none !important; clip: auto !important; clip-path: none !important; }
tamis-unseen.tamis-shown { display: block !important; }
html, body { overflow: visible !important; height: auto !important; max-height: none !important; }
html { overflow: auto !important; }
@media (prefers-reduced-motion: reduce) {
  [data-tamis] { transition: none; }
  [data-tamis].tamis-flash { animation: none; }
}
`;

/**
 * Shows a sanitised original and paints its blocks.
 *
 * Events, each with its `detail`:
 * - `block` {block, event}: a block was clicked
 * - `hover` {block}: the pointer is on a block, null on none
 * - `dragging` and `drag` {blocks, event}: the pointer was pulled over blocks, and let go
 * - `scroll`: another part is to be seen
 * - `resize`: the boxes of the blocks have changed
 */
export class PageFrame extends EventTarget {
  /** @type {HTMLIFrameElement} */
  #frame;
  /** @type {Map<number, HTMLElement[]>} */
  #elements = new Map();
  /** @type {Map<number, string>} */
  #painted = new Map();
  /** @type {Map<number, Set<string>>} classes that were added beside the paint */
  #marks = new Map();
  /** @type {string[]} */
  #styles = [STYLE];
  /** @type {AbortController} */
  #listening = new AbortController();
  /** @type {number | null} */
  #hovered = null;
  #loads = 0;

  /** Whether pulling the pointer over blocks selects them (`drag`), and no text. */
  drags = true;

  /** @param {HTMLElement} holder */
  constructor(holder) {
    super();
    this.#frame = document.createElement("iframe");
    this.#frame.className = "page-frame";
    this.#frame.title = "The original page";
    this.#frame.setAttribute("sandbox", "allow-same-origin");
    this.#frame.setAttribute("referrerpolicy", "no-referrer");
    this.#frame.dataset["test"] = "frame";
    holder.append(this.#frame);
  }

  /** The element that shows the page. */
  get element() {
    return this.#frame;
  }

  /** The document of the page. */
  get document() {
    const shown = this.#frame.contentDocument;
    if (!shown) throw new Error("the frame shows nothing");
    return shown;
  }

  /** Blocks that are in the document, in its order. */
  get blocks() {
    return [...this.#elements.keys()];
  }

  /**
   * Shows a page; a later call wins over one that is not finished.
   * @param {View} view as `/v1/view` answers it, with its document
   * @returns {Promise<void>}
   */
  async load(view) {
    if (view.document === null) throw new Error("the view has no document");
    const load = ++this.#loads;
    this.#listening.abort();
    this.#listening = new AbortController();
    this.#elements.clear();
    this.#painted.clear();
    this.#marks.clear();
    this.#hovered = null;
    await this.#navigate(view.pictures ? `${FRAME}?pictures` : FRAME);
    if (load !== this.#loads) return;
    const shown = this.document;
    shown.open();
    shown.write(view.document);
    shown.close();
    // Without the styles of its site a page does not know where its lines begin.
    if (view.direction === "rtl" && !shown.documentElement.dir && !shown.body.dir)
      shown.documentElement.dir = "rtl";
    this.#addStyles();
    for (const element of shown.querySelectorAll(`[${MARK}]`)) {
      const block = Number(element.getAttribute(MARK));
      const known = this.#elements.get(block);
      if (known) known.push(/** @type {HTMLElement} */ (element));
      else this.#elements.set(block, [/** @type {HTMLElement} */ (element)]);
    }
    this.#uncover();
    this.#listen();
  }

  /**
   * Paints every block; null takes the paint off.
   * @param {(block: number) => Paint | null} style
   */
  paint(style) {
    for (const [block, elements] of this.#elements) {
      const paint = style(block) ?? {};
      const classes = [paint.className ?? "", ...(this.#marks.get(block) ?? [])].join(" ").trim();
      const opacity = paint.opacity === undefined ? "" : String(paint.opacity);
      const strength = paint.strength === undefined ? "" : paint.strength.toFixed(3);
      const key = `${classes}|${opacity}|${strength}`;
      if (this.#painted.get(block) === key) continue;
      this.#painted.set(block, key);
      for (const element of elements) {
        element.className = classes;
        element.style.opacity = opacity;
        element.style.setProperty("--tamis-strength", strength);
      }
    }
  }

  /**
   * Adds or takes a class of all elements of a block, whatever it is painted with.
   * @param {number} block
   * @param {string} name
   * @param {boolean} on
   */
  mark(block, name, on) {
    const marks = this.#marks.get(block) ?? new Set();
    if (on) marks.add(name);
    else marks.delete(name);
    this.#marks.set(block, marks);
    this.#painted.delete(block);
    for (const element of this.elementsOf(block)) element.classList.toggle(name, on);
  }

  /**
   * Styles for the classes of a paint, in all documents that are shown.
   * @param {string} css
   */
  addStyle(css) {
    this.#styles.push(css);
    if (this.#elements.size) this.#addStyles();
  }

  /**
   * Scrolls to a block and flashes it; one that is hidden is made visible.
   * @param {number} block
   */
  reveal(block) {
    const elements = /** @type {HTMLElement[]} */ (this.elementsOf(block));
    const first = elements[0];
    if (!first) return;
    if (!elements.some((element) => element.getClientRects().length)) this.#unhide(first);
    const calm = matchMedia("(prefers-reduced-motion: reduce)").matches;
    first.scrollIntoView({ block: "center", inline: "nearest", behavior: calm ? "auto" : "smooth" });
    for (const element of elements) {
      element.classList.remove("tamis-flash");
      void element.offsetWidth; // or the animation would not start again
      element.classList.add("tamis-flash");
      setTimeout(() => element.classList.remove("tamis-flash"), 1200);
    }
  }

  /**
   * The block that an element is part of, or the only one inside it.
   * @param {Element} element
   * @returns {number | null}
   */
  blockAt(element) {
    const around = element.closest(`[${MARK}]`);
    if (around) return Number(around.getAttribute(MARK));
    const inside = element.querySelectorAll(`[${MARK}]`);
    const blocks = new Set([...inside].slice(0, 50).map((span) => span.getAttribute(MARK)));
    return blocks.size === 1 ? Number([...blocks][0]) : null;
  }

  /**
   * The elements with the texts of a block.
   * @param {number} block
   * @returns {Element[]}
   */
  elementsOf(block) {
    return this.#elements.get(block) ?? [];
  }

  /**
   * Where the blocks are that can be seen.
   * @returns {Box[]}
   */
  boxes() {
    const offset = this.document.defaultView?.scrollY ?? 0;
    const boxes = [];
    for (const [block, elements] of this.#elements) {
      const rects = elements
        .map((element) => element.getBoundingClientRect())
        .filter((rect) => rect.width && rect.height);
      if (!rects.length) continue;
      const top = Math.min(...rects.map((rect) => rect.top));
      const bottom = Math.max(...rects.map((rect) => rect.bottom));
      boxes.push({ block, top: top + offset, height: bottom - top });
    }
    return boxes;
  }

  /** How far the page is scrolled, how much of it is seen, and how long it is, in pixels. */
  get extent() {
    const shown = this.#frame.contentDocument;
    // There is none while one document takes the place of another.
    const root = /** @type {Element | null} */ (shown?.scrollingElement ?? shown?.documentElement ?? null);
    return {
      top: root?.scrollTop ?? 0,
      seen: this.#frame.clientHeight,
      height: Math.max(root?.scrollHeight ?? 0, 1),
    };
  }

  /** @param {number} top */
  scrollTo(top) {
    this.document.defaultView?.scrollTo({ top, behavior: "auto" });
  }

  /** Takes the frame away. */
  close() {
    this.#loads += 1;
    this.#listening.abort();
    this.#frame.remove();
  }

  /**
   * @param {string} address
   * @returns {Promise<void>}
   */
  #navigate(address) {
    return new Promise((resolve) => {
      this.#frame.addEventListener("load", () => resolve(), { once: true });
      // The same address again is a reload, which takes the old document away.
      this.#frame.src = address;
    });
  }

  #addStyles() {
    const shown = this.document;
    shown.getElementById(OWN_STYLE)?.remove();
    const style = shown.createElement("style");
    style.id = OWN_STYLE;
    style.textContent = this.#styles.join("\n");
    (shown.head ?? shown.documentElement).append(style);
  }

  /**
   * What stays in place while the page is scrolled would cover it for ever; what is faint until a
   * script fades it in would never be read.
   */
  #uncover() {
    const seen = this.document.defaultView;
    if (!seen) return;
    let left = MOST_ELEMENTS;
    for (const element of this.document.body?.querySelectorAll("*") ?? []) {
      if (left-- === 0) return;
      const { position, opacity } = seen.getComputedStyle(element);
      const { style } = /** @type {HTMLElement} */ (element);
      if (position === "fixed" || position === "sticky")
        style.setProperty("position", "static", "important");
      else if (position !== "absolute" && Number(opacity) < 1)
        style.setProperty("opacity", "1", "important");
    }
  }

  /** @param {Element} element */
  #unhide(element) {
    const seen = this.document.defaultView;
    for (let up = element.parentElement; up && seen; up = up.parentElement) {
      const style = seen.getComputedStyle(up);
      if (
        style.display === "none" ||
        style.visibility === "hidden" ||
        style.opacity === "0" ||
        style.maxHeight === "0px"
      )
        up.classList.add("tamis-shown");
    }
    this.dispatchEvent(new Event("resize"));
  }

  /**
   * Whoever comes into the frame by a key sees that; browsers outline a frame for nobody.
   * @param {AddEventListenerOptions} options
   */
  #outline(options) {
    const seen = this.document.defaultView;
    let pointed = false;
    const by = (/** @type {boolean} */ key) => this.#frame.classList.toggle("by-key", key);
    seen?.addEventListener("focus", () => by(!pointed), options);
    seen?.addEventListener("pointerdown", () => by(!(pointed = true)), { ...options, capture: true });
    seen?.addEventListener("blur", () => by((pointed = false)), options);
  }

  #listen() {
    const shown = this.document;
    const options = { signal: this.#listening.signal };
    /** @param {Event} event */
    const blockOf = (event) =>
      event.target instanceof (/** @type {any} */ (shown.defaultView).Element)
        ? this.blockAt(/** @type {Element} */ (event.target))
        : null;
    /** @type {{block: number, x: number, y: number, pulled: boolean} | null} */
    let drag = null;
    let swallowed = false;

    shown.addEventListener(
      "click",
      (event) => {
        event.preventDefault();
        if (swallowed) {
          swallowed = false;
          return;
        }
        const block = blockOf(event);
        if (block !== null) this.#tell("block", { block, event });
      },
      options,
    );
    this.#outline(options);
    shown.addEventListener("auxclick", (event) => event.preventDefault(), options);
    shown.addEventListener(
      "pointerover",
      (event) => {
        const block = blockOf(event);
        if (block === this.#hovered) return;
        if (this.#hovered !== null) this.mark(this.#hovered, "tamis-hover", false);
        this.#hovered = block;
        if (block !== null) this.mark(block, "tamis-hover", true);
        this.#tell("hover", { block });
      },
      options,
    );
    shown.documentElement.addEventListener(
      "pointerleave",
      () => {
        if (this.#hovered === null) return;
        this.mark(this.#hovered, "tamis-hover", false);
        this.#hovered = null;
        this.#tell("hover", { block: null });
      },
      options,
    );
    shown.addEventListener(
      "pointerdown",
      (event) => {
        const block = blockOf(event);
        // A finger scrolls.
        if (!this.drags || block === null || event.button || event.pointerType === "touch") return;
        drag = { block, x: event.clientX, y: event.clientY, pulled: false };
        event.preventDefault();
        this.#frame.focus();
      },
      options,
    );
    shown.addEventListener(
      "pointermove",
      (event) => {
        if (!drag) return;
        const far = Math.hypot(event.clientX - drag.x, event.clientY - drag.y) > DRAG_DISTANCE;
        if (!drag.pulled && !far) return;
        drag.pulled = true;
        const blocks = this.#between(drag.block, event);
        if (blocks) this.#tell("dragging", { blocks, event });
      },
      options,
    );
    shown.addEventListener(
      "pointerup",
      (event) => {
        const ended = drag;
        drag = null;
        if (!ended?.pulled) return;
        const blocks = this.#between(ended.block, event);
        if (!blocks || blocks.length < 2) return;
        swallowed = true;
        setTimeout(() => (swallowed = false), 50);
        this.#tell("drag", { blocks, event });
      },
      options,
    );
    shown.addEventListener("pointercancel", () => (drag = null), options);
    // The keys of the page around work wherever the focus is.
    shown.addEventListener(
      "keydown",
      (event) => {
        const copy = new KeyboardEvent("keydown", {
          key: event.key,
          code: event.code,
          ctrlKey: event.ctrlKey,
          metaKey: event.metaKey,
          altKey: event.altKey,
          shiftKey: event.shiftKey,
          repeat: event.repeat,
          bubbles: true,
          cancelable: true,
        });
        if (!this.#frame.dispatchEvent(copy)) event.preventDefault();
      },
      options,
    );
    shown.addEventListener("scroll", () => this.dispatchEvent(new Event("scroll")), options);
    // Pictures that come later move what is below them.
    shown.addEventListener("load", () => this.dispatchEvent(new Event("resize")), {
      ...options,
      capture: true,
    });
    const resized = new ResizeObserver(() => this.dispatchEvent(new Event("resize")));
    resized.observe(shown.documentElement);
    this.#listening.signal.addEventListener("abort", () => resized.disconnect());
  }

  /**
   * The blocks from one to the one under the pointer, in the order of the page.
   * @param {number} from
   * @param {PointerEvent} event
   * @returns {number[] | null}
   */
  #between(from, event) {
    const under = this.document.elementFromPoint(event.clientX, event.clientY);
    const to = under ? this.blockAt(under) : null;
    if (to === null) return null;
    const [low, high] = from < to ? [from, to] : [to, from];
    return this.blocks.filter((block) => low <= block && block <= high);
  }

  /**
   * @param {string} type
   * @param {object} detail
   */
  #tell(type, detail) {
    this.dispatchEvent(new CustomEvent(type, { detail }));
  }
}
