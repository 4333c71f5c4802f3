/**
 * The pages of a project at the side: how far it is, which are left, in which order.
 *
 * @typedef {import("./project.js").Project} Project
 * @typedef {import("./project.js").ProjectInfo} ProjectInfo
 * @typedef {import("./project.js").ListedPage} ListedPage
 * @typedef {import("./project.js").Filter} Filter
 * @typedef {import("./project.js").Order} Order
 */
import { count, fill, h } from "../dom.js";
import { personName } from "./person.js";

const AT_A_TIME = 100;
const SETTINGS_KEY = "tamis.label.queue";

/** @type {readonly (readonly [Filter, string])[]} */
const FILTERS = [
  ["open", "Open"],
  ["done", "Done"],
  ["skipped", "Skipped"],
  ["all", "All"],
];

/**
 * Events: "add" when pages are to be added, "open" {id} when one is to be shown,
 * "person" when somebody else labels. */
export class Queue extends EventTarget {
  /** @type {ListedPage[]} */
  #pages = [];
  #total = 0;
  /** @type {number | null} */
  #current = null;
  /** @type {{state: Filter, order: Order}} */
  #settings = {
    state: "open",
    order: "added",
    ...JSON.parse(localStorage.getItem(SETTINGS_KEY) ?? "{}"),
  };
  #project;
  #request = 0;
  #progress = h("progress", { max: 1, value: 0, "aria-label": "Labelled pages" });
  #progressText = h("p", { class: "progress-text" });
  #list = h("ol", { class: "queue-list", test: "label-queue", "aria-label": "Pages" });
  #more = h(
    "button",
    {
      class: "quiet more",
      type: "button",
      hidden: true,
      on: { click: () => void this.#load(this.#pages.length) },
    },
    "Show more",
  );
  #person = h("span", {});
  #note = h("p", { class: "queue-note" });
  #filters = FILTERS.map(([state, name]) =>
    h(
      "button",
      { type: "button", "aria-pressed": "false", on: { click: () => this.#set({ state }) } },
      name,
    ),
  );
  /** On small screens the list is shown when it is asked for. @type {HTMLButtonElement} */
  #toggle = h(
    "button",
    {
      type: "button",
      class: "queue-toggle",
      "aria-expanded": "false",
      "aria-controls": "queue-body",
      on: { click: () => this.#expand() },
    },
    "Pages",
  );
  element;

  /** @param {Project} project */
  constructor(project) {
    super();
    this.#project = project;
    /** @type {HTMLSelectElement} */
    const order = h(
      "select",
      {
        "aria-label": "Order of the pages",
        on: { change: () => this.#set({ order: /** @type {Order} */ (order.value) }) },
      },
      h("option", { value: "added" }, "As added"),
      h("option", { value: "teaching" }, "Those that teach most first"),
    );
    order.value = this.#settings.order;
    this.element = h(
      "div",
      { class: "queue" },
      h(
        "div",
        { class: "queue-progress", test: "label-progress" },
        this.#progressText,
        this.#toggle,
        this.#progress,
      ),
      h(
        "div",
        { class: "queue-body", id: "queue-body" },
        h(
          "div",
          { class: "segmented", role: "group", "aria-label": "Which pages" },
          ...this.#filters,
        ),
        h(
          "div",
          { class: "queue-tools" },
          order,
          h(
            "button",
            {
              type: "button",
              class: "queue-add",
              test: "label-add",
              on: { click: () => this.dispatchEvent(new Event("add")) },
            },
            "Add pages",
          ),
        ),
        h("div", { class: "queue-scroll" }, this.#list, this.#note, this.#more),
        h(
          "p",
          { class: "queue-person" },
          this.#person,
          h(
            "button",
            {
              type: "button",
              class: "quiet",
              test: "label-person",
              on: { click: () => this.dispatchEvent(new Event("person")) },
            },
            "Change",
          ),
        ),
      ),
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

  /** @param {string} name */
  showPerson(name) {
    this.#person.textContent = name ? `Labelling as ${name}` : "";
  }

  /** @param {ProjectInfo} info */
  showProgress(info) {
    const settled = info.labelled + info.skipped;
    this.#progress.max = Math.max(1, info.pages);
    this.#progress.value = settled;
    fill(
      this.#progressText,
      info.pages
        ? [h("strong", {}, count(info.labelled)), ` of ${count(info.pages)} labelled`]
        : "No pages yet",
      info.skipped > 0 && ` · ${count(info.skipped)} skipped`,
    );
  }

  /** Marks the page that is shown. @param {number | null} id */
  setCurrent(id) {
    this.#current = id;
    this.#render();
    this.#list.querySelector("[aria-current]")?.scrollIntoView({ block: "nearest" });
  }

  /** A page has another state now. @param {number} id @param {Partial<ListedPage>} change */
  update(id, change) {
    this.#pages = this.#pages.map((page) => (page.id === id ? { ...page, ...change } : page));
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
      const { total, pages } = await this.#project.pages({
        ...this.#settings,
        limit: AT_A_TIME,
        offset,
      });
      if (request !== this.#request) return;
      this.#total = total;
      this.#pages = offset ? [...this.#pages, ...pages] : pages;
      this.#render();
    } catch (error) {
      if (request === this.#request)
        this.#note.textContent = error instanceof Error ? error.message : String(error);
    }
  }

  #render() {
    this.#list.replaceChildren(...this.#pages.map((page) => this.#row(page)));
    this.#more.hidden = this.#pages.length >= this.#total;
    this.#note.textContent = this.#pages.length ? "" : EMPTY[this.#settings.state];
  }

  #expand(open = this.#toggle.getAttribute("aria-expanded") === "false") {
    this.#toggle.setAttribute("aria-expanded", String(open));
  }

  /** Here, unless it is wanted in another window. @param {MouseEvent} event @param {number} id */
  #open(event, id) {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    this.#expand(false);
    this.dispatchEvent(new CustomEvent("open", { detail: { id } }));
  }

  /** @param {ListedPage} page */
  #row(page) {
    const current = page.id === this.#current;
    return h(
      "li",
      {},
      h(
        "a",
        {
          href: `#/label/${page.id}`,
          class: `queue-page is-${page.state}`,
          ...(current && { "aria-current": "page" }),
          on: { click: (event) => this.#open(event, page.id) },
        },
        h("span", { class: "queue-title", dir: "auto" }, titleOf(page)),
        h("span", { class: "queue-about" }, aboutPage(page)),
      ),
    );
  }
}

/** @type {Record<Filter, string>} */
const EMPTY = {
  open: "No page is left to label.",
  done: "No page is labelled yet.",
  skipped: "No page was skipped.",
  all: "This project has no pages yet.",
};

/** @param {{title?: string | null, name: string | null, url: string | null, id: number}} page */
export function titleOf(page) {
  return page.title || page.name || page.url || `Page ${page.id}`;
}

/** @param {ListedPage} page */
function aboutPage(page) {
  const parts = [hostOf(page.url) ?? page.name ?? ""];
  if (page.state === "done") parts.push(page.by ? `by ${page.by}` : "done");
  else if (page.state === "skipped") parts.push("skipped");
  else if (page.claimed_by && page.claimed_by !== personName())
    parts.push(`${page.claimed_by} is at it`);
  else if (page.close) parts.push(`${page.close} close call${page.close === 1 ? "" : "s"}`);
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
