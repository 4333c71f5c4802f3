/**
 * The bar above the page: the brushes, which are its legend, and what else can be done.
 *
 * @typedef {import("./editor.js").Editor} Editor
 * @typedef {import("./alike.js").Level} Level
 * @typedef {import("./kinds.js").Kind} Kind
 */
import { el } from "../dom.js";
import { BRUSHES } from "./kinds.js";

export class Tools {
  #editor;
  #brushes;
  #proposal;
  #undo;
  #redo;
  #like;
  #levels = el("div", { class: "levels", role: "menu", "aria-label": "This element and all like it", hidden: true });
  element;

  /** @param {Editor} editor */
  constructor(editor) {
    this.#editor = editor;
    this.#brushes = BRUSHES.map(({ kind, name, about }, index) =>
      brushButton(kind, name, about, String(index + 1), () => editor.choose(kind)),
    );
    this.#proposal = brushButton("none", "As proposed", "Takes your label back", "0", () => editor.choose(null));
    this.#undo = tool("Undo", "↶", "Ctrl-Z", "label-undo", () => editor.undo());
    this.#redo = tool("Redo", "↷", "Ctrl-Shift-Z", "label-redo", () => editor.redo());
    this.#like = tool("All like it", "⧉", "a", "label-like", () => this.toggleLevels());
    this.#like.setAttribute("aria-haspopup", "menu");
    this.element = el(
      "div",
      { class: "label-tools" },
      el("div", { class: "brushes", role: "group", "aria-label": "Brushes" }, ...this.#brushes, this.#proposal),
      el("div", { class: "label-steps" }, this.#undo, this.#redo, el("div", { class: "like" }, this.#like, this.#levels)),
    );
    this.#levels.addEventListener("keydown", (event) => this.#moveInLevels(event));
    this.#levels.addEventListener("focusout", (event) => {
      if (!this.#levels.contains(/** @type {Node | null} */ (event.relatedTarget))) this.#closeLevels();
    });
    editor.addEventListener("painted", () => this.#show());
    editor.addEventListener("picked", () => this.#closeLevels());
    this.#show();
  }

  /** Offers the elements around the block at the cursor, each with all like it. */
  toggleLevels() {
    if (!this.#levels.hidden) return this.#closeLevels();
    const levels = this.#editor.levels();
    if (!levels.length) return;
    this.#levels.replaceChildren(...levels.map((level) => this.#levelItem(level)));
    this.#levels.hidden = false;
    this.#like.setAttribute("aria-expanded", "true");
    /** @type {HTMLElement | null} */ (this.#levels.firstElementChild)?.focus();
  }

  /** @param {Level} level */
  #levelItem(level) {
    const preview = () => this.#editor.preview(level.blocks);
    return el(
      "button",
      {
        type: "button",
        role: "menuitem",
        onfocus: preview,
        onpointerenter: preview,
        onclick: () => {
          this.#closeLevels();
          this.#editor.paint(level.blocks);
        },
      },
      el("code", {}, level.name),
      el("span", { class: "faint" }, `${level.elements} alike · ${level.blocks.length} blocks`),
    );
  }

  /** @param {KeyboardEvent} event */
  #moveInLevels(event) {
    const items = /** @type {HTMLElement[]} */ ([...this.#levels.children]);
    const at = items.indexOf(/** @type {HTMLElement} */ (event.target));
    const steps = { ArrowDown: 1, ArrowUp: -1, a: 1 }[event.key];
    if (steps) items[(at + steps + items.length) % items.length]?.focus();
    else if (event.key === "Escape") this.#closeLevels();
    else if (event.key !== "Enter" && event.key !== " ") return;
    if (event.key !== "Enter" && event.key !== " ") event.preventDefault();
    event.stopPropagation();
  }

  #closeLevels() {
    if (this.#levels.hidden) return;
    this.#levels.hidden = true;
    this.#like.setAttribute("aria-expanded", "false");
    this.#editor.preview([]);
  }

  #show() {
    const { counts, brush } = this.#editor;
    BRUSHES.forEach(({ kind }, index) => {
      const button = this.#brushes[index];
      button?.setAttribute("aria-pressed", String(brush === kind));
      const count = button?.querySelector(".count");
      if (count) count.textContent = String(counts.get(kind) ?? 0);
    });
    this.#proposal.setAttribute("aria-pressed", String(brush === null));
    this.#undo.disabled = !this.#editor.canUndo;
    this.#redo.disabled = !this.#editor.canRedo;
    this.#like.disabled = this.#editor.cursor === null;
  }
}

/**
 * @param {Kind | "none"} kind
 * @param {string} name
 * @param {string} about
 * @param {string} key
 * @param {() => void} run
 */
function brushButton(kind, name, about, key, run) {
  return el(
    "button",
    { type: "button", class: `brush kind-${kind}`, title: `${about} (${key})`, "data-test": `label-brush-${kind}`, "aria-pressed": "false", onclick: run },
    el("span", { class: "swatch" }),
    el("span", { class: "brush-name" }, name),
    kind === "none" ? "" : el("span", { class: "count" }),
    el("kbd", {}, key),
  );
}

/**
 * @param {string} name
 * @param {string} sign
 * @param {string} key
 * @param {string} test
 * @param {() => void} run
 */
function tool(name, sign, key, test, run) {
  return el(
    "button",
    { type: "button", class: "tool", title: `${name} (${key})`, "aria-label": name, "data-test": test, onclick: run },
    el("span", { "aria-hidden": "true" }, sign),
    el("span", { class: "tool-name" }, name),
  );
}
