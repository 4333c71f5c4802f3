/** The page as it is, painted with what tamis decided, and every decision to be asked for. */

import { messageOf } from "./api.js";
import { count, fill, h, icon, lastWins, plural } from "./dom.js";
import { PageFrame } from "./frame.js";
import { Minimap } from "./minimap.js";
import { blockPanel, noBlock } from "./panel.js";
import { settings } from "./settings.js";

/** @typedef {import("./app.js").App} App */
/** @typedef {import("./frame.js").View} View */
/** @typedef {import("./frame.js").ViewBlock} ViewBlock */

/** Scores this near to the cut were close, unless the method was sure of them. */
const NEAR = 0.15;
const SURE = 0.9;
/** Milliseconds after which a block is explained again while a slider moves. */
const EXPLAIN_LATER = 250;
const PICTURE = "M4 5h16v14H4zM4 16l5-5 4 4 3-3 4 4M15.5 9.5h.01";

/**
 * @param {HTMLElement} main
 * @param {import("./app.js").Route} _route
 * @param {App} app
 * @returns {Promise<() => void>}
 */
export async function show(main, _route, app) {
  const looked = new PageLook(main, app);
  await looked.begin();
  return () => looked.end();
}

class PageLook {
  /** @type {App} */
  #app;
  /** @type {HTMLElement} */
  #main;
  /** @type {PageFrame} */
  #frame;
  /** @type {Minimap} */
  #map;
  /** @type {View | null} */
  #view = null;
  /** @type {number | null} */
  #chosen = null;
  /** @type {Map<number, import("./panel.js").Explained>} */
  #reasons = new Map();
  #pictures = false;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #waiting = undefined;
  /** @type {(() => void)[]} */
  #cleanup = [];
  /** @type {Awaited<ReturnType<typeof settings>> | null} */
  #settings = null;

  #stage = h("div", { class: "stage" });
  #summary = h("section", { class: "summary", "aria-label": "Summary" });
  #closeOnes = h("section", { class: "close-ones", "aria-label": "Close decisions" });
  #panel = h("div", { class: "panel-place", "aria-live": "polite" }, noBlock());
  #button = h("button", { class: "pictures", test: "show-pictures", on: { click: () => void this.#loadPictures() } });
  #hovered = h("p", { class: "hovered number", "aria-hidden": "true", hidden: true });
  #cover = h("div", { class: "cover" }, h("p", { class: "loading" }, "Reading the page…"));

  /** @param {HTMLElement} main @param {App} app */
  constructor(main, app) {
    this.#app = app;
    this.#main = main;
    this.#frame = new PageFrame(this.#stage);
    this.#frame.drags = false;
    // Room for the button over the page, at its end.
    this.#frame.addStyle("body { padding-bottom: 72px !important }");
    this.#map = new Minimap(this.#frame);
    this.#stage.append(this.#map.element, this.#button, this.#hovered, this.#cover);
    this.#drawPictures();
  }

  async begin() {
    this.#settings = await settings(this.#app, () => void this.#repaint(null));
    fill(
      this.#main,
      h("h1", { class: "visually-hidden" }, "Page"),
      h(
        "div",
        { class: "look" },
        this.#stage,
        h("aside", { class: "side", "aria-label": "Decisions" }, this.#summary, this.#closeOnes, this.#panel, this.#settings.element),
      ),
    );
    this.#frame.addEventListener("block", (event) => {
      this.#choose(/** @type {CustomEvent} */ (event).detail.block, false);
    });
    this.#frame.addEventListener("hover", (event) => this.#drawHovered(/** @type {CustomEvent} */ (event).detail.block));
    const repaint = () => this.#paint();
    document.addEventListener("tamis-theme", repaint);
    this.#cleanup.push(
      () => document.removeEventListener("tamis-theme", repaint),
      this.#app.keys(
        {
          n: { label: "Next close decision", run: () => this.#jump(1) },
          p: { label: "Previous close decision", run: () => this.#jump(-1) },
          j: { label: "Next block", run: () => this.#step(1) },
          k: { label: "Previous block", run: () => this.#step(-1) },
          Escape: { label: "Close the block", run: () => this.#choose(null, false) },
          ".": { label: "Focus towards nothing missing", run: () => this.#settings?.moveFocus(1) },
          ",": { label: "Focus towards nothing wrong", run: () => this.#settings?.moveFocus(-1) },
          "+": { label: "Higher threshold", run: () => this.#settings?.moveThreshold(0.02) },
          "-": { label: "Lower threshold", run: () => this.#settings?.moveThreshold(-0.02) },
          a: { label: "Automatic threshold", run: () => this.#settings?.automatic() },
          i: { label: "Pictures and styles from the web", run: () => this.#loadPictures() },
        },
        "Page",
      ),
    );
    await this.#load();
  }

  end() {
    clearTimeout(this.#waiting);
    for (const clean of this.#cleanup) clean();
    this.#map.close();
    this.#frame.close();
  }

  /** @returns {Record<string, unknown>} */
  get #request() {
    const { html, url, options } = this.#app.state;
    return { html, base_url: url, options };
  }

  async #load() {
    this.#cover.hidden = false;
    const view = await this.#app.api.post("/v1/view", { ...this.#request, pictures: this.#pictures });
    await this.#frame.load(view);
    this.#shown(view);
    this.#cover.hidden = true;
    this.#map.measure();
  }

  #repaint = lastWins(async () => {
    try {
      const view = await this.#app.api.post("/v1/view", { ...this.#request, document: false });
      // Data of the page instead of what is seen of it: other blocks.
      if (view.hash !== this.#view?.hash) return await this.#load();
      this.#shown(view);
    } catch (error) {
      this.#app.say(messageOf(error), "error");
    }
  });

  /** @param {View} view */
  #shown(view) {
    this.#view = { ...this.#view, ...view };
    this.#reasons.clear();
    this.#settings?.show(view.cut);
    this.#paint();
    this.#drawSummary();
    this.#drawClose();
    if (this.#chosen !== null) this.#choose(this.#chosen, false, EXPLAIN_LATER);
  }

  /** @param {number} block */
  #isClose(block) {
    const { cut, blocks } = /** @type {View} */ (this.#view);
    const score = blocks[block]?.score ?? 0;
    const unsure = 1 - SURE <= score && score <= SURE;
    return cut !== null && unsure && Math.abs(score - cut) <= NEAR;
  }

  #paint() {
    const blocks = this.#view?.blocks;
    if (!blocks) return;
    this.#frame.paint((block) => {
      const { kept, score } = /** @type {ViewBlock} */ (blocks[block]);
      const close = this.#isClose(block) ? " tamis-close" : "";
      return kept
        ? { className: `tamis-kept${close}`, strength: score }
        : { className: close.trim(), opacity: 0.3 + 0.4 * score };
    });
    this.#map.paint((block) => {
      const { kept, score } = /** @type {ViewBlock} */ (blocks[block]);
      if (block === this.#chosen) return { colour: "--close", strength: 1 };
      return kept
        ? { colour: "--accent", strength: 0.3 + 0.6 * score }
        : { colour: "--line-strong", strength: 0.18 + 0.3 * score };
    });
  }

  #drawSummary() {
    const { blocks, page_type, language, method, embedded } = /** @type {View} */ (this.#view);
    const kept = blocks.filter((block) => block.kept);
    /** @param {ViewBlock[]} some */
    const words = (some) => some.reduce((sum, block) => sum + block.words, 0);
    const share = words(blocks) ? words(kept) / words(blocks) : 0;
    const bar = h("span", { class: "bar" }, h("i"));
    /** @type {HTMLElement} */ (bar.firstElementChild).style.width = `${100 * share}%`;
    fill(
      this.#summary,
      h("p", { class: "figure" }, h("strong", { class: "number" }, `${Math.round(100 * share)}%`), ` of the words kept`),
      bar,
      h(
        "p",
        { class: "hint number" },
        `${count(words(kept))} of ${plural(words(blocks), "word")}, ${count(kept.length)} of ${plural(blocks.length, "block")}`,
      ),
      h(
        "p",
        { class: "chips" },
        [page_type, language, method].filter(Boolean).map((chip) => h("span", { class: "chip" }, chip)),
      ),
      embedded && h("p", { class: "notice" }, `This page shows only a shell: the text comes from ${embedded} in it.`),
      kept.length === 0 && h("p", { class: "notice" }, "Nothing was kept: this page seems to have nothing to extract. Move the threshold to the left to keep more."),
    );
  }

  /** @param {number | null} number */
  #drawHovered(number) {
    const block = number === null ? undefined : this.#view?.blocks[number];
    this.#hovered.hidden = !block;
    if (block) fill(this.#hovered, h("strong", {}, block.score.toFixed(2)), ` ${block.kept ? "kept" : "dropped"}, ${block.kind}`);
  }

  #drawPictures() {
    const text = this.#pictures ? "Pictures and styles are loaded" : "Load pictures and styles";
    const title = this.#pictures
      ? "They come from the site of the page"
      : "Nothing is loaded from the site of the page until you ask for it";
    this.#button.setAttribute("aria-pressed", String(this.#pictures));
    this.#button.title = title;
    fill(this.#button, icon(PICTURE), h("span", {}, text));
  }

  #drawClose() {
    const close = this.#closeBlocks();
    const place = close.indexOf(this.#chosen ?? -1);
    fill(
      this.#closeOnes,
      h(
        "h2",
        {},
        close.length ? plural(close.length, "close decision") : "No close decisions",
        place >= 0 && h("span", { class: "hint number" }, ` ${place + 1} of ${close.length}`),
      ),
      h(
        "div",
        { class: "row" },
        h("button", { test: "previous-close", disabled: !close.length, on: { click: () => this.#jump(-1) } }, icon("M15 5l-7 7 7 7"), "Previous"),
        h("button", { test: "next-close", disabled: !close.length, on: { click: () => this.#jump(1) } }, "Next", icon("M9 5l7 7-7 7")),
      ),
    );
  }

  /** @returns {number[]} */
  #closeBlocks() {
    return this.#frame.blocks.filter((block) => this.#isClose(block));
  }

  /** @param {1 | -1} direction */
  #jump(direction) {
    this.#goTo(this.#closeBlocks(), direction);
  }

  /** @param {1 | -1} direction */
  #step(direction) {
    this.#goTo(this.#frame.blocks, direction);
  }

  /**
   * The next of some blocks after the chosen one, round and round.
   * @param {number[]} blocks
   * @param {1 | -1} direction
   */
  #goTo(blocks, direction) {
    if (!blocks.length) return;
    const from = this.#chosen ?? (direction > 0 ? -1 : Infinity);
    const next =
      direction > 0
        ? (blocks.find((block) => block > from) ?? blocks[0])
        : (blocks.findLast((block) => block < from) ?? blocks.at(-1));
    this.#choose(next ?? null, true);
  }

  /**
   * @param {number | null} number
   * @param {boolean} reveal
   * @param {number} [wait] before its reason is asked for
   */
  #choose(number, reveal, wait = 0) {
    clearTimeout(this.#waiting);
    const view = this.#view;
    if (this.#chosen !== null) this.#frame.mark(this.#chosen, "tamis-selected", false);
    this.#chosen = number;
    this.#paint();
    this.#drawClose();
    const block = number === null ? undefined : view?.blocks[number];
    this.#panel.classList.toggle("open", block !== undefined);
    if (!view || !block || number === null) {
      fill(this.#panel, noBlock());
      return;
    }
    this.#frame.mark(number, "tamis-selected", true);
    if (reveal) this.#frame.reveal(number);
    const about = { cut: view.cut, embedded: view.embedded, close: () => this.#choose(null, false) };
    const known = this.#reasons.get(number) ?? null;
    fill(this.#panel, blockPanel(this.#app, block, known, about));
    if (known) return;
    this.#waiting = setTimeout(async () => {
      const explained = await this.#explained(block);
      if (explained && this.#chosen === number) fill(this.#panel, blockPanel(this.#app, block, explained, about));
    }, wait);
  }

  /**
   * The reason for a block, null if the page was painted anew meanwhile.
   * @param {ViewBlock} block
   * @returns {Promise<import("./panel.js").Explained | null>}
   */
  async #explained(block) {
    try {
      const answer = await this.#app.api.post("/v1/explain", { ...this.#request, block: block.block });
      if (this.#view?.blocks[block.block] !== block) return null;
      this.#reasons.set(block.block, answer.blocks[0]);
      return answer.blocks[0];
    } catch (error) {
      this.#app.say(messageOf(error), "error");
      return null;
    }
  }

  async #loadPictures() {
    this.#pictures = !this.#pictures;
    this.#drawPictures();
    try {
      await this.#load();
    } catch (error) {
      this.#app.say(messageOf(error), "error");
    }
  }
}
