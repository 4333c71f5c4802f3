/** The forms of a result: what each shows, and what it copies and saves. */

import { count, h, plural } from "./dom.js";
import { PageFrame } from "./frame.js";

/** @typedef {import("./app.js").App} App */

/**
 * What a form shows, and what it copies and saves.
 * @typedef {object} Made
 * @property {Node} node
 * @property {string} [text]
 * @property {string} [type]
 * @property {string} [ending]
 * @property {() => void} [placed] called when it is in the page
 */

/**
 * Where a form gets what it shows.
 * @typedef {object} Source
 * @property {App} app
 * @property {Record<string, unknown>} request the page, for a request of one's own
 * @property {boolean} pictures whether pictures are loaded; asked for by a click
 * @property {(name: string) => Promise<any>} format the result in a form of `/v1/extract`
 * @property {(name: string) => Promise<void>} choose shows a form
 */

const MOST_LETTERS = 400_000;

/**
 * What stands there instead of nothing.
 * @param {string} title
 * @param {string} text
 */
export function empty(title, text) {
  return h("div", { class: "empty" }, h("h2", {}, title), h("p", {}, text));
}

const NOTHING = "Nothing was kept of this page. The Page view shows why, and has sliders to keep more.";

/**
 * @param {string} text
 * @param {string} type
 * @param {string} ending
 * @returns {Made}
 */
function plain(text, type, ending) {
  if (!text) return { node: empty("Empty", NOTHING) };
  const cut = text.length > MOST_LETTERS;
  const shown = h("pre", { class: "code card", dir: "auto" }, text.slice(0, MOST_LETTERS));
  const note = `Only the first ${count(MOST_LETTERS)} characters are shown; copy or download the text to get all ${count(text.length)}.`;
  return { node: cut ? h("div", {}, h("p", { class: "hint" }, note), shown) : shown, text, type, ending };
}

/**
 * @param {string} text
 * @returns {Made}
 */
function lines(text) {
  if (!text) return { node: empty("Empty", NOTHING) };
  const shown = text.slice(0, MOST_LETTERS).split("\n");
  return {
    node: h("div", { class: "lines card" }, shown.map((line) => h("p", { dir: "auto" }, line))),
    text,
    type: "text/plain",
    ending: "txt",
  };
}

/** The style of the reading frame, in the colours of the page around it. */
function readingStyle() {
  const style = getComputedStyle(document.documentElement);
  /** @param {string} name */
  const colour = (name) => style.getPropertyValue(name).trim();
  return `
    html { background: ${colour("--card")}; color: ${colour("--ink")}; color-scheme: ${style.colorScheme};
      font: 18px/1.65 ${colour("--serif")}; overflow-wrap: break-word; }
    body { max-width: 42em; margin: 0 auto; padding: 32px 24px 64px; }
    h1, h2, h3, h4, h5, h6 { line-height: 1.22; letter-spacing: -.01em; margin: 1.6em 0 .5em; text-wrap: balance; }
    h1 { font-size: 1.9em; margin-top: 0; } h2 { font-size: 1.4em; } h3 { font-size: 1.15em; }
    p, ul, ol, dl, table, pre, blockquote, figure { margin: 0 0 1em; }
    a { color: ${colour("--accent")}; text-underline-offset: 3px; }
    blockquote { padding-inline-start: 1em; border-inline-start: 3px solid ${colour("--line")}; color: ${colour("--soft")}; margin-inline: 0; }
    pre, code { font-family: ${colour("--mono")}; font-size: .86em; background: ${colour("--sunk")}; border-radius: 4px; }
    code { padding: .1em .3em; } pre { padding: 1em; overflow: auto; } pre code { padding: 0; }
    table { border-collapse: collapse; font: .85em/1.45 ${colour("--sans")}; display: block; overflow-x: auto; }
    td, th { border: 1px solid ${colour("--line")}; padding: .4em .7em; text-align: start; vertical-align: top; }
    th { background: ${colour("--sunk")}; }
    img { max-width: 100%; height: auto; border-radius: 6px; }
    figure { margin-inline: 0; } figcaption { color: ${colour("--soft")}; font-size: .88em; }
    hr { border: 0; border-top: 1px solid ${colour("--line")}; margin: 2em 0; }
    @media (max-width: 600px) { html { font-size: 16px; } body { padding: 20px 16px 48px; } }`;
}

/**
 * The result as one reads it, in a frame like that of the original.
 * @param {Source} source
 * @returns {Promise<Made>}
 */
async function reading(source) {
  const [html, markdown, about] = await Promise.all([source.format("html"), source.format("markdown"), source.format("metadata")]);
  if (!html) return { node: empty("Nothing was kept", NOTHING) };
  const holder = h("div", { class: "reading card" });
  const words = markdown.split(/\s+/).filter(Boolean).length;
  const pictures = html.includes("<img")
    ? h(
        "button",
        {
          class: "quiet small",
          "aria-pressed": String(source.pictures),
          on: {
            click: () => {
              source.pictures = !source.pictures;
              void source.choose("markdown");
            },
          },
        },
        source.pictures ? "Pictures are loaded" : "Load pictures",
      )
    : null;
  const placed = async () => {
    const frame = new PageFrame(holder);
    frame.drags = false;
    frame.addStyle(readingStyle());
    const language = /^[\w-]{2,35}$/.test(about.language) ? about.language : "und";
    const direction = /^(ar|ckb|dv|fa|he|ps|sd|ug|ur|yi)\b/.test(language) ? "rtl" : "ltr";
    const shown = source.pictures ? html : html.replace(/<img\b[^>]*>/g, "");
    await frame.load(
      /** @type {any} */ ({
        document: `<!doctype html><html lang="${language}" dir="${direction}"><meta charset="utf-8"><body>${shown}</body></html>`,
        pictures: source.pictures,
        blocks: [],
      }),
    );
    frame.element.title = "The result";
    const shownDocument = frame.document;
    const fit = () => (frame.element.style.height = `${shownDocument.documentElement.scrollHeight + 2}px`);
    fit();
    frame.addEventListener("resize", fit);
    shownDocument.addEventListener("click", (event) => {
      const link = /** @type {Element} */ (event.target).closest?.("a[href]");
      const address = link?.getAttribute("href") ?? "";
      if (/^https?:/.test(address)) window.open(address, "_blank", "noopener,noreferrer");
      else if (address.startsWith("#")) shownDocument.getElementById(address.slice(1))?.scrollIntoView();
    });
  };
  return {
    node: h("div", {}, h("p", { class: "hint reading-note" }, `${plural(words, "word")} `, pictures), holder),
    text: markdown,
    type: "text/markdown",
    ending: "md",
    placed: () => void placed(),
  };
}

const METADATA = ["title", "authors", "published", "modified", "site_name", "language", "canonical", "description", "image", "tags", "product"];

/**
 * @param {Source} source
 * @returns {Promise<Made>}
 */
async function metadata(source) {
  const known = await source.format("metadata");
  const sources = known.sources ?? {};
  const rows = METADATA.map((name) => {
    const value = known[name];
    const given = Array.isArray(value) ? value.length > 0 : Boolean(value);
    return h(
      "tr",
      { class: given ? "" : "missing" },
      h("th", { scope: "row" }, name.replace("_", " ")),
      h("td", { dir: "auto" }, given ? shownValue(value) : "not given"),
      h("td", {}, sources[name] && h("span", { class: "chip" }, sources[name])),
    );
  });
  return {
    node: h(
      "div",
      { class: "card scrolls" },
      h(
        "table",
        { class: "rows" },
        h("thead", {}, h("tr", {}, h("th", { scope: "col" }, "What"), h("th", { scope: "col" }, "Value"), h("th", { scope: "col" }, "From"))),
        h("tbody", {}, rows),
      ),
    ),
    text: JSON.stringify(known, null, 2),
    type: "application/json",
    ending: "metadata.json",
  };
}

/** @param {unknown} value */
function shownValue(value) {
  if (Array.isArray(value)) return value.join(", ");
  if (value && typeof value === "object")
    return h(
      "dl",
      { class: "places" },
      Object.entries(value)
        .filter(([, own]) => own !== null && own !== "")
        .flatMap(([name, own]) => [h("dt", {}, name.replace("_", " ")), h("dd", {}, String(own))]),
    );
  const text = String(value);
  return /^https?:\/\//.test(text) ? link(text, text) : text;
}

/**
 * A link that leaves nothing behind. Only web addresses become links.
 * @param {string} address
 * @param {string} text
 */
function link(address, text) {
  return /^https?:\/\//.test(address)
    ? h("a", { href: address, target: "_blank", rel: "noopener noreferrer", dir: "auto" }, text)
    : h("span", { dir: "auto" }, text);
}

/**
 * @param {Source} source
 * @returns {Promise<Made>}
 */
async function items(source) {
  /** @type {{title: string, link: string, teaser: string}[]} */
  const all = await source.format("items");
  if (!all.length)
    return { node: empty("No items", "Items are the entries of an overview page: teasers, products, threads. This is not an overview page.") };
  const cards = all.map((item) =>
    h("li", { class: "card" }, h("h3", {}, link(item.link, item.title)), item.teaser && h("p", { dir: "auto" }, item.teaser)),
  );
  return counted(all, "item", h("ol", { class: "cards" }, cards));
}

/**
 * @param {Source} source
 * @returns {Promise<Made>}
 */
async function posts(source) {
  /** @type {{author: string | null, date: string | null, text: string, depth: number, address: string | null, position: number}[]} */
  const all = await source.format("posts");
  if (!all.length)
    return { node: empty("No posts", "Posts are what people wrote in a thread, in answers or in comments. This page has none.") };
  const cards = all.map((post) => {
    const card = h(
      "li",
      { class: "card" },
      h(
        "p",
        { class: "post-head" },
        h("strong", { dir: "auto" }, post.author ?? "Somebody"),
        post.date && h("time", { datetime: post.date, class: "hint number" }, post.date.replace("T", " ").slice(0, 16)),
        h("span", { class: "hint number" }, post.address ? link(post.address, `#${post.position}`) : `#${post.position}`),
      ),
      post.text.split("\n").map((line) => h("p", { dir: "auto" }, line)),
    );
    card.style.marginInlineStart = `${Math.min(post.depth, 6) * 24}px`;
    return card;
  });
  return counted(all, "post", h("ol", { class: "cards posts" }, cards));
}

/**
 * A list below the number of its entries, and the entries as JSON.
 *
 * @param {unknown[]} all
 * @param {string} kind of one entry
 * @param {HTMLElement} list
 * @returns {Made}
 */
function counted(all, kind, list) {
  return {
    node: h("div", {}, h("p", { class: "hint" }, plural(all.length, kind)), list),
    text: JSON.stringify(all, null, 2),
    type: "application/json",
    ending: `${kind}s.json`,
  };
}

/**
 * @param {Source} source
 * @returns {Promise<Made>}
 */
async function cloud(source) {
  const dark = getComputedStyle(document.documentElement).colorScheme === "dark";
  const response = await source.app.api.send("/v1/cloud", { ...source.request, style: { dark } });
  const drawing = await response.text();
  const address = URL.createObjectURL(new Blob([drawing], { type: "image/svg+xml" }));
  const picture = h("img", {
    src: address,
    class: "cloud",
    alt: `The words that matter in ${source.app.state.name}`,
    on: { load: () => URL.revokeObjectURL(address) },
  });
  return { node: h("div", { class: "card cloud-place" }, picture), text: drawing, type: "image/svg+xml", ending: "svg" };
}

/** @typedef {{label: string, make: (source: Source) => Promise<Made>}} Form */

/** @type {Record<string, Form>} all forms by their names, in the order of the tabs */
export const FORMS = {
  markdown: { label: "Read", make: reading },
  source: { label: "Markdown", make: async (source) => plain(await source.format("markdown"), "text/markdown", "md") },
  text: { label: "Text", make: async (source) => lines(await source.format("text")) },
  html: { label: "HTML", make: async (source) => plain(await source.format("html"), "text/html", "html") },
  json: {
    label: "JSON",
    make: async (source) => plain(JSON.stringify(await source.format("json"), null, 2), "application/json", "json"),
  },
  metadata: { label: "Metadata", make: metadata },
  items: { label: "Items", make: items },
  posts: { label: "Posts", make: posts },
  cloud: { label: "Cloud", make: cloud },
};
