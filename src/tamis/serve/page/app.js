/** The shell: header, views, messages, keys, the page that is looked at. */

import { Api, messageOf } from "./api.js";
import { fill, h, icon, svg } from "./dom.js";
import { Keys } from "./keys.js";
import { PageStore } from "./store.js";

/**
 * The page that is looked at, and how it is extracted.
 * @typedef {object} State
 * @property {string | null} html null as long as no page is open
 * @property {string | null} url
 * @property {string} name
 * @property {Record<string, unknown>} options fields of `tamis.Options`
 * @property {number} [id] of the stored page
 */

/**
 * Where we are: `#/label/12` is the view `label` with the parts `["12"]`.
 * @typedef {{view: string, parts: string[]}} Route
 */

/**
 * What a view gets.
 * @typedef {object} App
 * @property {Api} api
 * @property {State} state
 * @property {(text: string, kind?: "info" | "success" | "error") => void} say a message
 * @property {(bindings: import("./keys.js").Bindings, title?: string) => () => void} keys
 * @property {(pages: NewPage[]) => Promise<void>} open looks at pages, the first of them first
 * @property {(hash: string) => void} go
 * @property {() => void} save keeps the options
 * @property {() => Promise<{id: number, name: string}[]>} pages all that were opened together
 * @property {(id: number) => Promise<void>} choose looks at another of them
 */

/** @typedef {{name: string, html: string, url: string | null}} NewPage */

/** @typedef {{show: (main: HTMLElement, route: Route, app: App) => Promise<() => void>}} ViewModule */

/** @type {Record<string, {label: string, module: string, style?: string, needsPage: boolean}>} */
const VIEWS = {
  "": { label: "Start", module: "./start.js", needsPage: false },
  page: { label: "Page", module: "./page.js", needsPage: true },
  result: { label: "Result", module: "./result.js", needsPage: true },
  compare: { label: "Compare", module: "./compare.js", needsPage: true },
  label: { label: "Label", module: "./label/label.js", style: "/page/label/label.css", needsPage: false },
  teach: { label: "Teach", module: "./teach/teach.js", style: "/page/teach/teach.css", needsPage: false },
};

const OPTIONS = "tamis.options";
const THEME = "tamis.theme";
const SUN = "M12 4V2M12 22v-2M4 12H2M22 12h-2M6 6 4.6 4.6M19.4 19.4 18 18M6 18l-1.4 1.4M19.4 4.6 18 6M12 8a4 4 0 1 0 0 8 4 4 0 0 0 0-8z";
const MOON = "M20 14.5A8.5 8.5 0 0 1 9.5 4a8.5 8.5 0 1 0 10.5 10.5z";
const MESSAGE_SECONDS = { info: 5, success: 4, error: 12 };

const main = h("main", { id: "main", tabindex: "-1" });
const messages = h("div", { class: "messages", role: "status", "aria-live": "polite" });
const tabs = h("nav", { class: "tabs", "aria-label": "Views" });
const chooser = h("div", { class: "chooser" });

/** @type {State} */
const state = { html: null, url: null, name: "", options: savedOptions() };
const store = new PageStore();
const keys = new Keys();

/** @type {App} */
const app = {
  api: new Api(askForToken),
  state,
  say,
  keys: (bindings, title) => keys.add(bindings, title),
  open,
  go: (hash) => {
    if (location.hash === hash) void route();
    else location.hash = hash;
  },
  save: () => localStorage.setItem(OPTIONS, JSON.stringify(state.options)),
  pages: () => store.list(),
  choose,
};

/** @type {() => void} */
let leave = () => {};
let routes = 0;

/** Shows the view that the address names. */
async function route() {
  const own = ++routes;
  const [, view = "", ...parts] = location.hash.split("/").map(decodeURIComponent);
  const known = VIEWS[view] ? view : "";
  const { module, style, needsPage, label } = /** @type {(typeof VIEWS)[string]} */ (VIEWS[known]);
  leave();
  leave = () => {};
  drawTabs(known);
  document.title = known ? `${label} · ${state.name || "tamis"}` : "tamis";
  document.body.dataset["view"] = known || "start";
  if (needsPage && state.html === null) {
    fill(main, nothingOpen());
    return;
  }
  if (style) addStyleSheet(style);
  // Each view has an element of its own: one that is late draws into what is no longer shown.
  const place = h("div", { class: `view view-${known || "start"}` });
  fill(main, place);
  try {
    const { show } = /** @type {ViewModule} */ (await import(module));
    const clean = await show(place, { view: known, parts }, app);
    if (own === routes) leave = clean;
    else clean();
  } catch (error) {
    if (own === routes) fill(place, failure(error));
  }
}

/** @param {unknown} error */
function failure(error) {
  return h(
    "div",
    { class: "empty", role: "alert" },
    h("h2", {}, "That did not work"),
    h("p", {}, messageOf(error)),
    h("button", { class: "primary", on: { click: () => void route() } }, "Try again"),
  );
}

function nothingOpen() {
  return h(
    "div",
    { class: "empty" },
    h("h2", {}, "No page is open"),
    h("p", {}, "Give an address, paste HTML or drop files, and look at what tamis keeps of them."),
    h("a", { class: "button primary", href: "#/" }, "Open a page"),
  );
}

/** @param {string} current */
function drawTabs(current) {
  fill(
    tabs,
    Object.entries(VIEWS)
      .filter(([view]) => view)
      .map(([view, { label, needsPage }]) =>
        h(
          "a",
          {
            href: `#/${view}`,
            test: `tab-${view}`,
            class: needsPage && state.html === null ? "unready" : "",
            "aria-current": view === current && "page",
          },
          label,
        ),
      ),
  );
  tabs.querySelector("[aria-current]")?.scrollIntoView({ block: "nearest", inline: "nearest" });
}

/** The name of the page, and the others that were opened with it. */
async function drawChooser() {
  const pages = await store.list();
  if (state.html === null) {
    fill(chooser);
    return;
  }
  if (pages.length < 2) {
    fill(chooser, h("span", { class: "page-name", title: state.url ?? state.name }, state.name));
    return;
  }
  const place = pages.findIndex(({ id }) => id === state.id);
  const select = h(
    "select",
    {
      "aria-label": "Page",
      on: { change: (/** @type {Event} */ event) => void choose(Number(/** @type {HTMLSelectElement} */ (event.target).value)) },
    },
    pages.map(({ id, name }, number) =>
      h("option", { value: String(id), selected: id === state.id }, `${number + 1}. ${name}`),
    ),
  );
  /** @param {number} step @param {string} label @param {string} sign */
  const button = (step, label, sign) =>
    h(
      "button",
      {
        class: "quiet icon-button",
        "aria-label": label,
        title: label,
        disabled: !pages[place + step],
        on: { click: () => void stepTo(step) },
      },
      icon(sign),
    );
  fill(
    chooser,
    button(-1, "Previous page", "M15 5l-7 7 7 7"),
    select,
    h("span", { class: "of" }, `of ${pages.length}`),
    button(1, "Next page", "M9 5l7 7-7 7"),
  );
}

/** @param {number} step */
async function stepTo(step) {
  const pages = await store.list();
  const next = pages[pages.findIndex(({ id }) => id === state.id) + step];
  if (next) await choose(next.id);
}

/** @param {number} id */
async function choose(id) {
  const page = await store.get(id);
  if (!page) return;
  Object.assign(state, { html: page.html, url: page.url, name: page.name, id });
  store.current = id;
  await drawChooser();
  await route();
}

/** @param {NewPage[]} pages */
async function open(pages) {
  const [first] = await store.add(pages);
  if (first === undefined) return;
  const [page] = pages;
  Object.assign(state, page, { id: first });
  store.current = first;
  await drawChooser();
  app.go("#/page");
}

/**
 * @param {string} text
 * @param {"info" | "success" | "error"} kind
 */
function say(text, kind = "info") {
  /** @type {HTMLElement} */
  const message = h(
    "p",
    { class: `message ${kind}`, test: "message" },
    h("span", {}, text),
    h(
      "button",
      { class: "quiet icon-button", "aria-label": "Close the message", on: { click: () => message.remove() } },
      icon("M6 6l12 12M18 6 6 18"),
    ),
  );
  messages.append(message);
  while (messages.childElementCount > 3) messages.firstElementChild?.remove();
  setTimeout(() => message.remove(), 1000 * MESSAGE_SECONDS[kind]);
}

/** @type {Promise<string | null> | null} */
let asking = null;

/**
 * Asks for the token of the service, once for all requests that want it.
 * @param {boolean} wrong whether the last one was
 */
function askForToken(wrong) {
  asking ??= new Promise((resolve) => {
    const field = h("input", {
      type: "password",
      id: "token",
      autocomplete: "current-password",
      required: true,
    });
    /** @type {HTMLDialogElement} */
    const dialog = h(
      "dialog",
      { class: "token", "aria-labelledby": "token-title", on: { close: () => ended(null) } },
      h(
        "form",
        {
          method: "dialog",
          on: {
            submit: (/** @type {Event} */ event) => {
              event.preventDefault();
              ended(field.value);
            },
          },
        },
        h("h2", { id: "token-title" }, "This service needs its token"),
        h("p", {}, "It is what tamis serve was started with (TAMIS_TOKEN or --token). It is kept until this tab is closed."),
        wrong && h("p", { class: "problem", role: "alert" }, "That is not the token. Try again."),
        h("label", { for: "token" }, "Token"),
        field,
        h(
          "div",
          { class: "actions" },
          h("button", { type: "button", class: "quiet", on: { click: () => dialog.close() } }, "Cancel"),
          h("button", { class: "primary" }, "Go on"),
        ),
      ),
    );
    /** @param {string | null} token */
    const ended = (token) => {
      asking = null;
      dialog.remove();
      resolve(token);
    };
    document.body.append(dialog);
    dialog.showModal();
  });
  return asking;
}

function isDark() {
  const chosen = document.documentElement.dataset["theme"];
  return chosen ? chosen === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
}

function switchTheme() {
  const theme = isDark() ? "light" : "dark";
  document.documentElement.dataset["theme"] = theme;
  localStorage.setItem(THEME, theme);
  drawTheme();
  document.dispatchEvent(new Event("tamis-theme"));
}

const themeButton = h("button", {
  class: "quiet icon-button",
  test: "theme",
  on: { click: switchTheme },
});

function drawTheme() {
  const label = isDark() ? "Light colours" : "Dark colours";
  themeButton.setAttribute("aria-label", label);
  themeButton.title = label;
  fill(themeButton, icon(isDark() ? SUN : MOON));
}

/** @param {string} address */
function addStyleSheet(address) {
  const known = [...document.styleSheets].some((sheet) => sheet.href?.endsWith(address));
  if (!known) document.head.append(h("link", { rel: "stylesheet", href: address }));
}

/** @returns {Record<string, unknown>} */
function savedOptions() {
  try {
    return JSON.parse(localStorage.getItem(OPTIONS) ?? "{}");
  } catch {
    return {};
  }
}

function sieve() {
  return svg(
    "svg",
    { viewBox: "0 0 32 32", class: "sieve", "aria-hidden": "true" },
    svg("circle", { cx: 16, cy: 16, r: 13 }),
    svg("path", { d: "M8 11h16M4 16h24M8 21h16M11 7v18M16 4v24M21 7v18" }),
  );
}

/** Builds the shell and shows the first view. */
async function begin() {
  document.body.append(
    h("a", { class: "skip", href: "#main", on: { click: (/** @type {Event} */ event) => { event.preventDefault(); main.focus(); } } }, "To the content"),
    h(
      "header",
      { class: "top" },
      h("a", { class: "name", href: "#/", "aria-label": "tamis, start" }, sieve(), h("span", {}, "tamis")),
      tabs,
      chooser,
      h(
        "div",
        { class: "tools" },
        h(
          "button",
          { class: "quiet icon-button", "aria-label": "Keyboard", title: "Keyboard (?)", on: { click: () => keys.show() } },
          "?",
        ),
        themeButton,
      ),
    ),
    main,
    messages,
  );
  drawTheme();
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", drawTheme);
  keys.add(
    {
      "?": { label: "These keys", run: () => keys.show() },
      "1": { label: "Page", run: () => app.go("#/page") },
      "2": { label: "Result", run: () => app.go("#/result") },
      "3": { label: "Compare", run: () => app.go("#/compare") },
      "4": { label: "Label", run: () => app.go("#/label") },
      "5": { label: "Teach", run: () => app.go("#/teach") },
      "0": { label: "Start", run: () => app.go("#/") },
      "[": { label: "Previous page", run: () => stepTo(-1) },
      "]": { label: "Next page", run: () => stepTo(1) },
      D: { label: "Light or dark", run: switchTheme },
    },
    "Everywhere",
  );
  await store.open();
  const page = await store.get(store.current);
  if (page) Object.assign(state, { html: page.html, url: page.url, name: page.name, id: page.id });
  await drawChooser();
  addEventListener("hashchange", () => void route());
  await route();
}

void begin();
