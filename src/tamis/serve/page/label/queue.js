/**
 * The pages of a project at the side: how far it is, which are left, in which order.
 *
 * @typedef {import("./project.js").Project} Project
 * @typedef {import("./project.js").ProjectInfo} ProjectInfo
 * @typedef {import("./project.js").ListedPage} ListedPage
 * @typedef {import("./project.js").Filter} Filter
 * @typedef {import("./project.js").Order} Order
 */
import { el } from "../dom.js";

const AT_A_TIME = 100;
const SETTINGS_KEY = "tamis.label.queue";

/** @type {readonly (readonly [Filter, string])[]} */
const FILTERS = [["open", "Open"], ["done", "Done"], ["skipped", "Skipped"], ["all", "All"]];

/** Events: "add" when pages are to be added, "open" {id} when one is to be shown. */
export class Queue extends EventTarget {
  /** @type {ListedPage[]} */
  #pages = [];
  #total = 0;
  /** @type {string | null} */
  #current = null;
  /** @type {{state: Filter, order: Order}} */
  #settings = { state: "open", order: "added", ...JSON.parse(localStorage.getItem(SETTINGS_KEY) ?? "{}") };
  #project;
  #request = 0;
  #progress = el("progress", { max: 1, value: 0, "aria-label": "Labelled pages" });
  #progressText = el("p", { class: "progress-text" });
  #list = el("ol", { class: "queue-list", "data-test": "label-queue", "aria-label": "Pages" });
  #more = el("button", { class: "quiet more", type: "button", hidden: true, onclick: () => void this.#load(this.#pages.length) }, "Show more");
  #note = el("p", { class: "queue-note" });
  #filters = FILTERS.map(([state, name]) =>
    el("button", { type: "button", "aria-pressed": "false", onclick: () => this.#set({ state }) }, name),
  );
  element;

  /** @param {Project} project */
  constructor(project) {
    super();
    this.#project = project;
    const order = el(
      "select",
      {
        "aria-label": "Order of the pages",
        onchange: () => this.#set({ order: /** @type {Order} */ (order.value) }),
      },
      el("option", { value: "added" }, "As added"),
      el("option", { value: "teaching" }, "Those that teach most first"),
    );
    order.value = this.#settings.order;
    this.element = el(
      "div",
      { class: "queue" },
      el("div", { class: "queue-progress", "data-test": "label-progress" }, this.#progressText, this.#progress),
      el("div", { class: "segments", role: "group", "aria-label": "Which pages" }, ...this.#filters),
      el(
        "div",
        { class: "queue-tools" },
        order,
        el("button", { type: "button", class: "add", "data-test": "label-add", onclick: () => this.dispatchEvent(new Event("add")) }, "Add pages"),
      ),
      this.#list,
      this.#note,
      this.#more,
    );
  }

  /** @returns {Order} */
  get order() {
    return this.#settings.order;
  }

  /** Reads the list again. */
  load() {
    return this.#load(0);
  }

  /** @param {ProjectInfo} info */
  showProgress(info) {
    const settled = info.labelled + info.skipped;
    this.#progress.max = Math.max(1, info.pages);
    this.#progress.value = settled;
    this.#progressText.replaceChildren(
      el("strong", {}, String(info.labelled)),
      ` of ${info.pages} labelled`,
      info.skipped ? el("span", { class: "faint" }, ` · ${info.skipped} skipped`) : "",
    );
  }

  /** Marks the page that is shown. @param {string | null} id */
  setCurrent(id) {
    this.#current = id;
    this.#render();
    this.#list.querySelector("[aria-current]")?.scrollIntoView({ block: "nearest" });
  }

  /** A page has another state now. @param {string} id @param {Partial<ListedPage>} change */
  update(id, change) {
    this.#pages = this.#pages.map((page) => (String(page.id) === id ? { ...page, ...change } : page));
    this.#render();
  }

  /** @param {Partial<{state: Filter, order: Order}>} change */
  #set(change) {
    this.#settings = { ...this.#settings, ...change };
    localStorage.setItem(SETTINGS_KEY, JSON.stringify(this.#settings));
    void this.#load(0);
  }

  /** @param {number} offset */
  async #load(offset) {
    const request = ++this.#request;
    this.#filters.forEach((button, index) =>
      button.setAttribute("aria-pressed", String(FILTERS[index]?.[0] === this.#settings.state)),
    );
    try {
      const { total, pages } = await this.#project.pages({ ...this.#settings, limit: AT_A_TIME, offset });
      if (request !== this.#request) return;
      this.#total = total;
      this.#pages = offset ? [...this.#pages, ...pages] : pages;
      this.#render();
    } catch (error) {
      if (request === this.#request) this.#note.textContent = error instanceof Error ? error.message : String(error);
    }
  }

  #render() {
    this.#list.replaceChildren(...this.#pages.map((page) => this.#row(page)));
    this.#more.hidden = this.#pages.length >= this.#total;
    this.#note.textContent = this.#pages.length ? "" : EMPTY[this.#settings.state];
  }

  /** Here, unless it is wanted in another window. @param {MouseEvent} event @param {string} id */
  #open(event, id) {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    this.dispatchEvent(new CustomEvent("open", { detail: { id } }));
  }

  /** @param {ListedPage} page */
  #row(page) {
    const current = String(page.id) === this.#current;
    return el(
      "li",
      {},
      el(
        "a",
        {
          href: `#/label/${encodeURIComponent(page.id)}`,
          class: `queue-page is-${page.state}`,
          ...(current && { "aria-current": "page" }),
          onclick: (/** @type {MouseEvent} */ event) => this.#open(event, String(page.id)),
        },
        el("span", { class: "queue-title" }, titleOf(page)),
        el("span", { class: "queue-about" }, aboutPage(page)),
      ),
    );
  }
}

/** @type {Record<Filter, string>} */
const EMPTY = {
  open: "No page is left to label here.",
  done: "No page is labelled yet.",
  skipped: "No page was skipped.",
  all: "This project has no pages yet.",
};

/** @param {{title?: string | null, name: string | null, url: string | null, id: string}} page */
export function titleOf(page) {
  return page.title || page.name || page.url || `Page ${page.id}`;
}

/** @param {ListedPage} page */
function aboutPage(page) {
  const parts = [hostOf(page.url) ?? page.name ?? ""];
  if (page.state === "done") parts.push(page.by ? `by ${page.by}` : "done");
  else if (page.state === "skipped") parts.push("skipped");
  else if (page.claimed_by) parts.push(`${page.claimed_by} is at it`);
  else if (page.close) parts.push(`${page.close} close`);
  return parts.filter(Boolean).join(" · ");
}

/** @param {string | null} url */
export function hostOf(url) {
  try {
    return url ? new URL(url).host.replace(/^www\./, "") : null;
  } catch {
    return null;
  }
}
