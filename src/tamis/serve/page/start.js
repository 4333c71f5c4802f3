/** Where a page comes from: an address, pasted HTML, files or a whole folder, or an example. */

import { messageOf } from "./api.js";
import { count, fill, h, icon, plural } from "./dom.js";
import { decoded, droppedFiles, pagesOf } from "./files.js";

/** @typedef {import("./app.js").App} App */
/** @typedef {import("./app.js").NewPage} NewPage */

const EXAMPLES = [
  { file: "news.html", name: "A news story", about: "English, with a cookie banner, related stories and comments around it" },
  { file: "forum.html", name: "A forum thread", about: "Six posts, signatures, quotes and the buttons between them" },
  { file: "thai.html", name: "A Thai article", about: "A script without spaces between words" },
];
/** Files of a folder that are opened at a time. */
const MOST_FILES = 2000;
const FILE = "M14 3H6v18h12V7zM14 3v4h4";
const FOLDER = "M3 6h6l2 2h10v11H3z";

/**
 * @param {HTMLElement} main
 * @param {import("./app.js").Route} _route
 * @param {App} app
 * @returns {Promise<() => void>}
 */
export async function show(main, _route, app) {
  const url = h("input", {
    type: "text",
    inputmode: "url",
    id: "start-url",
    test: "start-url",
    placeholder: "https://example.org/story",
    autocomplete: "off",
    spellcheck: "false",
    autocapitalize: "none",
  });
  const html = h("textarea", {
    id: "start-html",
    test: "start-html",
    rows: 2,
    title: "With an address above, links and pictures are resolved against it, and nothing is fetched",
    placeholder: "<!doctype html>…",
    spellcheck: "false",
  });
  const open = h("button", { class: "primary", test: "start-open", type: "submit" }, "Open");
  const files = h("input", {
    type: "file",
    multiple: true,
    accept: ".html,.htm,.xhtml,.xht",
    class: "visually-hidden",
    tabindex: "-1",
    "aria-label": "HTML files",
    test: "start-file",
    on: { change: () => void work(() => openFiles(app, [...(files.files ?? [])])) },
  });
  const folder = h("input", {
    type: "file",
    webkitdirectory: true,
    class: "visually-hidden",
    tabindex: "-1",
    "aria-label": "A folder",
    on: { change: () => void work(() => openFiles(app, [...(folder.files ?? [])])) },
  });
  const problem = h("p", { class: "problem", role: "alert", hidden: true });

  /**
   * Runs something that takes time, and says what went wrong.
   * @param {() => Promise<void>} run
   */
  async function work(run) {
    problem.hidden = true;
    open.disabled = true;
    fill(open, "Opening…");
    try {
      await run();
    } catch (error) {
      fill(problem, messageOf(error));
      problem.hidden = false;
    } finally {
      open.disabled = false;
      fill(open, "Open");
    }
  }

  const form = h(
    "form",
    {
      class: "start-form card",
      novalidate: true,
      on: {
        submit: (/** @type {Event} */ event) => {
          event.preventDefault();
          void work(() => openGiven(app, url.value.trim(), html.value));
        },
      },
    },
    h("label", { for: "start-url" }, "Address"),
    h("div", { class: "start-line" }, url, open),
    problem,
    h("label", { for: "start-html" }, "or paste HTML"),
    html,
    h(
      "div",
      { class: "drop" },
      h("p", {}, "Drop files or a whole folder anywhere here"),
      h(
        "div",
        { class: "drop-buttons" },
        h("button", { type: "button", on: { click: () => files.click() } }, icon(FILE), "Files"),
        h("button", { type: "button", on: { click: () => folder.click() } }, icon(FOLDER), "Folder"),
      ),
      files,
      folder,
    ),
  );

  const examples = h(
    "ul",
    { class: "examples" },
    EXAMPLES.map(({ file, name, about }, place) =>
      h(
        "li",
        {},
        h(
          "button",
          { class: "card", test: `start-example-${place + 1}`, on: { click: () => void work(() => openExample(app, file)) } },
          h("strong", {}, name),
          h("span", {}, about),
        ),
      ),
    ),
  );

  fill(
    main,
    h(
      "div",
      { class: "start" },
      h("h1", {}, "Keep what a page is about."),
      h("p", { class: "lead" }, "See what tamis keeps of a page and why, correct it, and teach it pages like yours."),
      form,
      h("h2", {}, "Or look at an example"),
      examples,
      h("p", { class: "hint" }, "Pages are kept in this browser and nowhere else. ", h("kbd", {}, "?"), "lists the keys."),
    ),
  );

  let inside = 0;
  const listening = new AbortController();
  const { signal } = listening;
  addEventListener(
    "paste",
    (event) => {
      // Whoever pastes HTML means it, wherever they do; an address, where nothing else is written.
      const text = event.clipboardData?.getData("text") ?? "";
      const field = /^\s*</.test(text) ? html : event.target === html ? null : url;
      if (!text || !field || event.target === field) return;
      event.preventDefault();
      field.value = field === url ? text.trim() : text;
      field.focus();
    },
    { signal },
  );
  /** @param {boolean} on */
  const lit = (on) => document.body.classList.toggle("dropping", on);
  addEventListener("dragenter", () => lit(++inside > 0), { signal });
  addEventListener("dragleave", () => lit(--inside > 0), { signal });
  addEventListener("dragover", (event) => event.preventDefault(), { signal });
  addEventListener(
    "drop",
    (event) => {
      event.preventDefault();
      inside = 0;
      lit(false);
      const text = event.dataTransfer?.getData("text/uri-list") || event.dataTransfer?.getData("text/plain");
      const hasFiles = event.dataTransfer?.types.includes("Files");
      const files = droppedFiles(event.dataTransfer); // now: what was dropped is gone later
      if (hasFiles) void work(async () => openFiles(app, await files));
      else if (text) void work(() => openGiven(app, /^https?:/.test(text) ? text : "", /^https?:/.test(text) ? "" : text));
    },
    { signal },
  );
  return () => {
    listening.abort();
    lit(false);
  };
}

/**
 * @param {App} app
 * @param {string} address
 * @param {string} html
 */
async function openGiven(app, address, html) {
  if (html.trim()) {
    await app.open([{ name: titleOf(html) || address || "Pasted HTML", html, url: webAddress(address) }]);
    return;
  }
  if (!address) throw new Error("Enter the address of a page, or paste its HTML.");
  const view = await app.api.post("/v1/view", { url: webAddress(address) ?? address, document: false, source: true });
  const name = titleOf(view.source) || view.url;
  await app.open([{ name, html: view.source, url: view.url }]);
}

/** @param {string} address */
function webAddress(address) {
  if (!address) return null;
  return /^[a-z][a-z0-9+.-]*:/i.test(address) && !/^[^/]+:\d+(\/|$)/.test(address) ? address : `https://${address}`;
}

/**
 * @param {App} app
 * @param {string} file
 */
async function openExample(app, file) {
  const html = await (await app.api.fetch(`/page/examples/${file}`)).text();
  await app.open([{ name: titleOf(html) || file, html, url: null }]);
}

/**
 * @param {App} app
 * @param {File[]} files
 */
async function openFiles(app, files) {
  const pages = pagesOf(files);
  if (!pages.length)
    throw new Error(
      files.length
        ? "None of these files is an HTML page; choose files that end in .html, .htm or .xhtml."
        : "This folder is empty; choose one with HTML pages.",
    );
  const chosen = pages.sort((one, other) => pathOf(one).localeCompare(pathOf(other))).slice(0, MOST_FILES);
  if (chosen.length < pages.length)
    app.say(`Only the first ${count(MOST_FILES)} of ${count(pages.length)} pages are opened; tamis corpus extracts all of them.`);
  /** @type {NewPage[]} */
  const read = [];
  for (const file of chosen) {
    const html = decoded(await file.arrayBuffer());
    read.push({ name: pathOf(file), html, url: null });
  }
  await app.open(read);
  if (read.length > 1) app.say(`${plural(read.length, "page")} opened; [ and ] go from one to the next.`, "success");
}

/** @param {File} file */
function pathOf(file) {
  return file.webkitRelativePath || file.name;
}

/** @param {string} html */
function titleOf(html) {
  const title = /<title[^>]*>([^<]{1,300})/i.exec(html.slice(0, 200_000))?.[1] ?? "";
  const parsed = new DOMParser().parseFromString(`<title>${title}</title>`, "text/html").title;
  return parsed.replace(/\s+/g, " ").trim();
}
