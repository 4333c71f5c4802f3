/** What there is to know of one block: decision, reason, signals, score, place, source. */

import { h, icon } from "./dom.js";

/** @typedef {import("./app.js").App} App */
/** @typedef {import("./frame.js").ViewBlock} ViewBlock */

/**
 * A block as `/v1/explain` has it.
 * @typedef {object} Explained
 * @property {string} decision
 * @property {string} because
 * @property {{name: string, words: string, effect: number}[]} signals
 */

/** Log odds that fill half of the width of a bar. */
const WIDEST = 4;
const MOST_LETTERS = 600;
const encoder = new TextEncoder();
const decoder = new TextDecoder();

/**
 * The source of a block, with a little around it.
 * @param {string} html
 * @param {ViewBlock} block
 */
function sourceOf(html, block) {
  const bytes = encoder.encode(html);
  const before = decoder.decode(bytes.slice(Math.max(0, block.start - 90), block.start));
  const own = decoder.decode(bytes.slice(block.start, Math.min(block.end, block.start + MOST_LETTERS)));
  const line = before.slice(before.lastIndexOf("\n") + 1).replace(/^[\uFFFD\s]+/, "");
  return h("pre", { class: "source" }, line, h("mark", {}, own));
}

/**
 * @param {App} app
 * @param {ViewBlock} block
 * @param {Explained | null} explained null as long as it is asked for
 * @param {{cut: number | null, embedded: string | null, close: () => void}} about
 * @returns {HTMLElement}
 */
export function blockPanel(app, block, explained, { cut, embedded, close }) {
  const verdict = block.kept ? "Kept" : "Dropped";
  return h(
    "section",
    { class: `block-panel ${block.kept ? "is-kept" : "is-dropped"}`, test: "block-panel", "aria-label": `Block ${block.block}` },
    h(
      "header",
      {},
      h("span", { class: "verdict" }, verdict),
      h("span", { class: "kind" }, block.kind),
      h("span", { class: "hint number" }, `block ${block.block}`),
      h(
        "button",
        { class: "quiet icon-button", "aria-label": "Close", on: { click: close } },
        icon("M6 6l12 12M18 6 6 18"),
      ),
    ),
    h("blockquote", { dir: "auto" }, block.text.slice(0, MOST_LETTERS) + (block.text.length > MOST_LETTERS ? "…" : "")),
    score(block.score, cut),
    explained
      ? reason(explained)
      : h("p", { class: "hint", "aria-busy": "true" }, "Asking for the reason…"),
    h(
      "dl",
      { class: "places" },
      h("dt", {}, "XPath"),
      h("dd", {}, copied(app, block.xpath)),
      h("dt", {}, "Line"),
      h("dd", { class: "number" }, `${block.line}, bytes ${block.start} to ${block.end}`),
    ),
    app.state.html !== null && !embedded && sourceOf(app.state.html, block),
  );
}

/**
 * @param {number} value
 * @param {number | null} cut
 */
function score(value, cut) {
  const bar = h("span", { class: "bar" }, h("i"), cut !== null && h("b"));
  /** @type {HTMLElement} */ (bar.firstElementChild).style.width = `${100 * value}%`;
  if (cut !== null) /** @type {HTMLElement} */ (bar.lastElementChild).style.left = `${100 * Math.min(cut, 1)}%`;
  return h(
    "div",
    { class: "score" },
    h("span", { class: "number" }, value.toFixed(2)),
    bar,
    h("span", { class: "hint number" }, cut === null ? "no cut" : `cut ${cut.toFixed(2)}`),
  );
}

/** @param {Explained} explained */
function reason({ decision, because, signals }) {
  return h(
    "div",
    { class: "reason" },
    h("p", {}, decision),
    signals.length
      ? h(
          "ul",
          { class: "signals" },
          signals.map(({ words, effect }) => {
            const bar = h("i", { class: effect > 0 ? "for" : "against" });
            bar.style.width = `${50 * Math.min(Math.abs(effect) / WIDEST, 1)}%`;
            return h(
              "li",
              {},
              h("span", { class: "effect", "aria-hidden": "true" }, bar),
              h("span", { class: "number sign" }, `${effect > 0 ? "+" : "−"}${Math.abs(effect).toFixed(1)}`),
              h("span", {}, h("bdi", {}, words)),
            );
          }),
        )
      : null,
    rest(because, signals.length > 0),
  );
}

/**
 * The sentences that the bars do not say.
 * @param {string} because
 * @param {boolean} listed
 */
function rest(because, listed) {
  const text = listed ? because.replace(/\b(For|Against) it: [^.]*(?:\.\d[^.]*)*\.\s*/g, "") : because;
  return text.trim() ? h("p", { class: "hint" }, text) : null;
}

/**
 * A text with a button that copies it.
 * @param {App} app
 * @param {string} text
 */
function copied(app, text) {
  return h(
    "button",
    {
      class: "copied mono",
      title: "Copy",
      on: {
        click: async () => {
          await navigator.clipboard.writeText(text);
          app.say("Copied.", "success");
        },
      },
    },
    text,
  );
}

/** What stands there while no block is chosen. */
export function noBlock() {
  return h(
    "section",
    { class: "block-panel none", "aria-label": "Block" },
    h("p", { class: "hint" }, "Click a text of the page to see why it was kept or dropped. ", h("kbd", {}, "N"), "goes to the next decision that was close."),
  );
}

