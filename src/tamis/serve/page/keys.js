/** Keyboard commands, and the list of them that `?` shows. */

import { fill, h } from "./dom.js";

/**
 * What a key does. The key is written as it is typed: `j`, `J` (with shift), `Ctrl+z` (Ctrl or
 * Command), `Shift+ArrowDown`, `?`.
 * @typedef {{label: string, run: (event: KeyboardEvent) => unknown}} Binding
 * @typedef {Record<string, Binding>} Bindings
 */

const NAMES = /** @type {Record<string, string>} */ ({
  ArrowUp: "↑",
  ArrowDown: "↓",
  ArrowLeft: "←",
  ArrowRight: "→",
  Escape: "Esc",
  " ": "Space",
});

/** The commands that there are now; those that came last are looked at first. */
export class Keys {
  /** @type {{title: string, bindings: Bindings}[]} */
  #sets = [];
  /** @type {HTMLDialogElement} */
  #help;

  constructor() {
    this.#help = h("dialog", { class: "keys", test: "keys-help", "aria-label": "Keyboard" });
    this.#help.addEventListener("click", (event) => {
      if (event.target === this.#help) this.#help.close();
    });
    document.body.append(this.#help);
    document.addEventListener("keydown", (event) => this.#pressed(event));
  }

  /**
   * @param {Bindings} bindings
   * @param {string} [title] of the group in the list
   * @returns {() => void} takes them away
   */
  add(bindings, title = "Here") {
    const own = { title, bindings };
    this.#sets.push(own);
    return () => {
      this.#sets = this.#sets.filter((set) => set !== own);
    };
  }

  /** Shows the list. */
  show() {
    if (this.#help.open) return;
    const groups = [...this.#sets].reverse().map(({ title, bindings }) =>
      h(
        "section",
        {},
        h("h3", {}, title),
        h(
          "dl",
          {},
          Object.entries(bindings).flatMap(([key, { label }]) => [
            h("dt", {}, ...shown(key)),
            h("dd", {}, label),
          ]),
        ),
      ),
    );
    const close = h(
      "button",
      { class: "quiet", on: { click: () => this.#help.close() } },
      "Close",
    );
    fill(this.#help, h("header", {}, h("h2", {}, "Keyboard"), close), h("div", { class: "groups" }, groups));
    this.#help.showModal();
  }

  /** @param {KeyboardEvent} event */
  #pressed(event) {
    if (event.defaultPrevented || event.isComposing) return;
    const key = nameOf(event);
    if (isTyped(event.target, key)) return;
    if (document.querySelector("dialog[open]")) return;
    for (const { bindings } of [...this.#sets].reverse()) {
      const binding = bindings[key];
      if (!binding) continue;
      event.preventDefault();
      binding.run(event);
      return;
    }
  }
}

/** @param {KeyboardEvent} event */
function nameOf(event) {
  const parts = [];
  if (event.ctrlKey || event.metaKey) parts.push("Ctrl");
  if (event.altKey) parts.push("Alt");
  if (event.shiftKey && event.key.length > 1) parts.push("Shift");
  return [...parts, event.key].join("+");
}

/** Keys that a button and a slider have themselves. */
const OF_BUTTON = new Set(["Enter", " "]);
const OF_SLIDER = /^(Shift\+)?(Arrow|Home|End|Page)/;

/**
 * Whether a key belongs to what has the focus.
 * @param {EventTarget | null} target
 * @param {string} key
 */
function isTyped(target, key) {
  if (!(target instanceof HTMLElement) || key.startsWith("Ctrl+")) return false;
  if (target instanceof HTMLInputElement) {
    if (target.type === "range") return OF_SLIDER.test(key);
    return target.type === "checkbox" ? OF_BUTTON.has(key) : true;
  }
  if (target.closest("button, summary, a[href], [role^=menuitem]")) return OF_BUTTON.has(key);
  if (target.getAttribute("role") === "tab") return key.startsWith("Arrow");
  return Boolean(target.closest("textarea, select")) || target.isContentEditable;
}

/** @param {string} key */
function shown(key) {
  const parts = key === "+" ? ["+"] : key.split("+");
  const upper = parts.at(-1)?.length === 1 && /[A-Z]/.test(parts.at(-1) ?? "");
  const names = parts.map((part) => NAMES[part] ?? part.toUpperCase());
  if (names.length > 1) names.splice(0, names.length - 1, ...parts.slice(0, -1));
  return (upper ? ["Shift", ...names] : names).map((name) => h("kbd", {}, name));
}
