/** What comes out: to read, to copy, to download, in every form. */

import { messageOf } from "./api.js";
import { download, fill, h, icon } from "./dom.js";
import { FORMS, empty } from "./forms.js";
import { optionsNote } from "./settings.js";

/** @typedef {import("./app.js").App} App */

const COPY = "M9 9h11v11H9zM5 15H4V4h11v1";
const SAVE = "M12 4v11M7 10l5 5 5-5M5 20h14";

/**
 * @param {HTMLElement} main
 * @param {import("./app.js").Route} route
 * @param {App} app
 * @returns {Promise<() => void>}
 */
export async function show(main, route, app) {
  const look = new ResultLook(main, app);
  const [first = "markdown"] = route.parts;
  await look.choose(FORMS[first] ? first : "markdown");
  return () => look.end();
}

class ResultLook {
  /** @type {App} */
  app;
  /** @type {Map<string, Promise<any>>} */
  #answers = new Map();
  #tabs = h("div", { class: "result-tabs segmented", role: "tablist", "aria-label": "Forms of the result" });
  #place = h("div", { class: "result-place", role: "tabpanel", id: "result-panel", tabindex: "0" });
  #copy = h("button", { test: "copy", on: { click: () => void this.#copied() } }, icon(COPY), "Copy");
  #download = h("button", { test: "download", on: { click: () => this.#saved() } }, icon(SAVE), "Download");
  /** @type {import("./forms.js").Made | null} */
  #made = null;
  #current = "markdown";
  /** @type {(() => void)[]} */
  #cleanup = [];
  /** Whether pictures are loaded; asked for by a click. */
  pictures = false;

  /** @param {HTMLElement} main @param {App} app */
  constructor(main, app) {
    this.app = app;
    fill(
      this.#tabs,
      Object.entries(FORMS).map(([name, { label }]) =>
        h(
          "button",
          {
            role: "tab",
            id: `result-tab-${name}`,
            test: `result-tab-${name}`,
            "aria-controls": "result-panel",
            on: { click: () => void this.choose(name) },
          },
          label,
        ),
      ),
    );
    this.#tabs.addEventListener("keydown", (event) => this.#arrows(event));
    fill(
      main,
      h("h1", { class: "visually-hidden" }, "Result"),
      h(
        "div",
        { class: "result" },
        h("div", { class: "result-bar" }, this.#tabs, h("div", { class: "result-actions" }, this.#copy, this.#download)),
        optionsNote(app),
        this.#place,
      ),
    );
    const again = () => void this.choose(this.#current);
    document.addEventListener("tamis-theme", again);
    this.#cleanup.push(
      () => document.removeEventListener("tamis-theme", again),
      app.keys(
        {
          c: { label: "Copy", run: () => this.#copied() },
          s: { label: "Download", run: () => this.#saved() },
          ArrowRight: { label: "Next form", run: () => this.#step(1) },
          ArrowLeft: { label: "Previous form", run: () => this.#step(-1) },
        },
        "Result",
      ),
    );
  }

  end() {
    for (const clean of this.#cleanup) clean();
  }

  /**
   * The result in a form, asked for once.
   * @param {string} name
   * @returns {Promise<any>}
   */
  format(name) {
    let answer = this.#answers.get(name);
    if (!answer) {
      answer = this.app.api.post("/v1/extract", { ...this.request, formats: [name] }).then((all) => all[name]);
      this.#answers.set(name, answer);
      answer.catch(() => this.#answers.delete(name));
    }
    return answer;
  }

  /** @returns {Record<string, unknown>} */
  get request() {
    const { html, url, options } = this.app.state;
    return { html, base_url: url, options };
  }

  /** @param {string} name */
  async choose(name) {
    this.#current = name;
    history.replaceState(null, "", `#/result/${name}`);
    for (const tab of this.#tabs.children) {
      const chosen = tab.id === `result-tab-${name}`;
      tab.setAttribute("aria-selected", String(chosen));
      /** @type {HTMLElement} */ (tab).tabIndex = chosen ? 0 : -1;
      if (chosen) {
        this.#place.setAttribute("aria-labelledby", tab.id);
        tab.scrollIntoView({ block: "nearest", inline: "nearest" });
      }
    }
    const waiting = setTimeout(() => fill(this.#place, h("p", { class: "loading" }, "Extracting…")), 150);
    try {
      const made = await /** @type {import("./forms.js").Form} */ (FORMS[name]).make(this);
      if (this.#current !== name) return;
      clearTimeout(waiting);
      this.#made = made;
      fill(this.#place, made.node);
      made.placed?.();
    } catch (error) {
      this.#made = null;
      fill(this.#place, empty("That did not work", messageOf(error)));
    } finally {
      clearTimeout(waiting);
      const usable = Boolean(this.#made?.text);
      this.#copy.disabled = this.#download.disabled = !usable;
    }
  }

  /** @param {number} step */
  #step(step) {
    const names = Object.keys(FORMS);
    const next = names[(names.indexOf(this.#current) + step + names.length) % names.length];
    if (next) void this.choose(next);
  }

  /** @param {KeyboardEvent} event */
  #arrows(event) {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!step) return;
    event.preventDefault();
    this.#step(step);
    document.getElementById(`result-tab-${this.#current}`)?.focus();
  }

  async #copied() {
    if (!this.#made?.text) return;
    await navigator.clipboard.writeText(this.#made.text);
    this.app.say("Copied.", "success");
  }

  #saved() {
    const { text, type = "text/plain", ending = "txt" } = this.#made ?? {};
    if (!text) return;
    const name = this.app.state.name.replace(/\.html?$/i, "").replace(/[^\p{L}\p{N}]+/gu, "-").slice(0, 60) || "page";
    download(`${name}.${ending}`, text, type);
  }
}
