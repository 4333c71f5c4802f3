/**
 * The bar above the page: the brushes, which are its legend, and what else can be done.
 *
 * @typedef {import("./editor.js").Editor} Editor
 * @typedef {import("./alike.js").Level} Level
 * @typedef {import("./kinds.js").Kind} Kind
 */
import { h, icon, plural } from "../dom.js";
import { BRUSHES } from "./kinds.js";

const PICTURES = "M4 5h16v14H4zM4 16l5-5 4 4 3-3 4 4M15 9h.01";
const UNDO = "M9 7H15a5 5 0 0 1 0 10H8M9 7l4-4M9 7l4 4";
const REDO = "M15 7H9a5 5 0 0 0 0 10h7M15 7l-4-4M15 7l-4 4";
const ALIKE = "M4 4h7v7H4zM13 4h7v7h-7zM4 13h7v7H4zM17 14v6M14 17h6";

export class Tools {
  #editor;
  #brushes;
  #proposal;
  #undo;
  #redo;
  #like;
  #levels = h("div", {
    class: "levels",
    role: "menu",
    "aria-label": "This element and all like it",
    hidden: true,
  });
  element;

  /** @param {Editor} editor */
  constructor(editor) {
    this.#editor = editor;
    this.#brushes = BRUSHES.map(({ kind, name, about }, index) =>
      brushButton(kind, name, about, String(index + 1), () => editor.choose(kind)),
    );
    this.#proposal = brushButton("none", "Reset", "Removes a label: back to the proposal", "0", () =>
      editor.choose(null),
    );
    this.#undo = tool("Undo", UNDO, "Ctrl-Z", "label-undo", () => editor.undo());
    this.#redo = tool("Redo", REDO, "Ctrl-Shift-Z", "label-redo", () => editor.redo());
    this.#like = tool("All like it", ALIKE, "a", "label-like", () => this.toggleLevels());
    this.#like.setAttribute("aria-haspopup", "menu");
    this.element = h(
      "div",
      { class: "label-tools" },
      h(
        "div",
        { class: "brushes", role: "group", "aria-label": "Brushes" },
        ...this.#brushes,
        this.#proposal,
      ),
      h(
        "div",
        { class: "label-steps" },
        this.#undo,
        this.#redo,
        h("div", { class: "like" }, this.#like, this.#levels),
      ),
    );
    this.#levels.addEventListener("keydown", (event) => this.#moveInLevels(event));
    this.#levels.addEventListener("focusout", (event) => {
      if (!this.#levels.contains(/** @type {Node | null} */ (event.relatedTarget)))
        this.#closeLevels();
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

  /**
   * Takes what is offered. Keys that were typed in the frame come here late, when the menu is open
   * already and does not see them.
   *
   * @returns {boolean} whether anything was offered
   */
  takeLevel() {
    if (this.#levels.hidden) return false;
    const chosen = this.#levels.querySelector(":focus") ?? this.#levels.firstElementChild;
    /** @type {HTMLElement | null} */ (chosen)?.click();
    return true;
  }

  /** @param {Level} level */
  #levelItem(level) {
    const preview = () => this.#editor.preview(level.blocks);
    return h(
      "button",
      {
        type: "button",
        role: "menuitem",
        on: {
          focus: preview,
          pointerenter: preview,
          click: () => {
            this.#closeLevels();
            this.#editor.paint(level.blocks);
          },
        },
      },
      h("code", {}, level.name),
      h(
        "span",
        { class: "hint" },
        level.elements > 1
          ? `${level.elements} alike · ${plural(level.blocks.length, "block")}`
          : "none is like it",
      ),
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

/** Whether pages load their pictures and styles from the web: only after a click. */
export class PicturesButton {
  element;

  /** @param {() => void} changed */
  constructor(changed) {
    this.element = tool("Load pictures", PICTURES, "i", "label-pictures", () => {
      this.element.setAttribute("aria-pressed", String(!this.isOn));
      changed();
    });
    this.element.classList.add("quiet");
    this.element.title = "Load the pictures and styles of pages from the web (i)";
    this.element.setAttribute("aria-pressed", "false");
  }

  get isOn() {
    return this.element.getAttribute("aria-pressed") === "true";
  }
}

/** A click leaves the focus on the page, so that its keys go on working. @param {Event} event */
function stay(event) {
  event.preventDefault();
}

/**
 * @param {Kind | "none"} kind
 * @param {string} name
 * @param {string} about
 * @param {string} key
 * @param {() => void} run
 */
function brushButton(kind, name, about, key, run) {
  return h(
    "button",
    {
      type: "button",
      class: `brush kind-${kind}`,
      title: `${about} (${key})`,
      test: `label-brush-${kind}`,
      "aria-pressed": "false",
      on: { click: run, mousedown: stay },
    },
    h("span", { class: "swatch", "aria-hidden": "true" }, key),
    h("span", { class: kind === "none" ? "visually-hidden" : "brush-name" }, name),
    kind !== "none" && h("span", { class: "count" }),
  );
}

/**
 * @param {string} name
 * @param {string} sign the path of an icon
 * @param {string} key
 * @param {string} test
 * @param {() => void} run
 */
function tool(name, sign, key, test, run) {
  return h(
    "button",
    {
      type: "button",
      class: "tool",
      title: `${name} (${key})`,
      "aria-label": name,
      test,
      on: { click: run, mousedown: stay },
    },
    icon(sign),
    h("span", { class: "tool-name" }, name),
  );
}
