/**
 * Adding pages to a project: by address, or files and whole folders.
 *
 * @typedef {import("./project.js").Project} Project
 * @typedef {{name: string, read: () => Promise<{html?: string, url?: string, name?: string}>}} Source
 */
import { h } from "../dom.js";
import { decoded, pagesOf } from "../files.js";

const AT_A_TIME = 3;

/** The dialog; events: "added" {count} when pages were added. */
export class AddDialog extends EventTarget {
  #project;
  #addresses = h("textarea", {
    rows: 5,
    placeholder: "https://example.org/an-article\nhttps://example.org/another",
    spellcheck: false,
    autocapitalize: "off",
    "aria-label": "Addresses, one per line",
    test: "label-addresses",
  });
  #results = h("ul", { class: "add-results", "aria-live": "polite" });
  #bar = h("progress", { hidden: true, "aria-label": "Pages added" });
  /** @type {HTMLDialogElement} */
  element;

  /** @param {Project} project */
  constructor(project) {
    super();
    this.#project = project;
    this.element = h(
      "dialog",
      { class: "add-dialog", "aria-labelledby": "add-title" },
      h(
        "header",
        {},
        h("h2", { id: "add-title" }, "Add pages"),
        h(
          "button",
          {
            type: "button",
            class: "quiet",
            "aria-label": "Close",
            on: { click: () => this.element.close() },
          },
          "✕",
        ),
      ),
      h(
        "p",
        { class: "hint" },
        "Ten pages of the sites you care about are a good start, with the mistakes that annoy you among them.",
      ),
      h("label", {}, "Addresses, one per line", this.#addresses),
      h(
        "div",
        { class: "add-actions" },
        h(
          "button",
          {
            type: "button",
            class: "primary",
            test: "label-add-addresses",
            on: { click: () => this.#addAddresses() },
          },
          "Add addresses",
        ),
        this.#chooser(
          "Choose files",
          { multiple: true, accept: ".html,.htm,.xhtml,text/html" },
          "label-files",
        ),
        this.#chooser("Choose a folder", { multiple: true, webkitdirectory: true }, "label-folder"),
      ),
      this.#bar,
      this.#results,
    );
  }

  open() {
    this.#results.replaceChildren();
    this.element.showModal();
    this.#addresses.focus();
  }

  /** Adds files, those of a folder only if they are pages. @param {Iterable<File>} files */
  addFiles(files) {
    const pages = pagesOf(files);
    if (!this.element.open) this.open();
    this.#results.replaceChildren();
    if (!pages.length)
      this.#results.replaceChildren(
        h("li", { class: "bad" }, "There is no .html or .htm file in it."),
      );
    return this.#addAll(
      pages.map((file) => {
        const name = file.webkitRelativePath || file.name;
        return { name, read: async () => ({ html: decoded(await file.arrayBuffer()), name }) };
      }),
    );
  }

  #addAddresses() {
    const addresses = this.#addresses.value.split(/\s+/).filter(Boolean);
    this.#results.replaceChildren();
    return this.#addAll(addresses.map((url) => ({ name: url, read: async () => ({ url }) })));
  }

  /** @param {Source[]} sources */
  async #addAll(sources) {
    if (!sources.length) return;
    let [next, added] = [0, 0];
    /** @type {string[]} */
    const failed = [];
    this.#bar.max = sources.length;
    this.#bar.value = 0;
    this.#bar.hidden = false;
    const work = async () => {
      for (let source = sources[next++]; source; source = sources[next++]) {
        if (await this.#addOne(source)) added++;
        else failed.push(source.name);
        this.#bar.value = added + failed.length;
      }
    };
    await Promise.all(Array.from({ length: AT_A_TIME }, work));
    this.#bar.hidden = true;
    this.#results.prepend(h("li", { class: "sum" }, `${added} of ${sources.length} added.`));
    this.dispatchEvent(new CustomEvent("added", { detail: { count: added } }));
    // What could not be read can be corrected and tried again.
    this.#addresses.value = failed.filter((name) => /^https?:/i.test(name)).join("\n");
    if (!failed.length) this.element.close();
  }

  /** @param {Source} source @returns {Promise<boolean>} */
  async #addOne(source) {
    try {
      const { replaces, carried, lost } = await this.#project.add(await source.read());
      if (replaces)
        this.#tell(
          source.name,
          `has changed: ${carried ?? 0} labels carried over, ${lost ?? 0} lost`,
        );
      return true;
    } catch (error) {
      this.#tell(source.name, error instanceof Error ? error.message : String(error), "bad");
      return false;
    }
  }

  /** @param {string} name @param {string} text @param {string} kind */
  #tell(name, text, kind = "") {
    // The messages of the service often begin with it.
    this.#results.append(
      h("li", { class: kind }, text.includes(name) ? text : [h("strong", {}, name), ` ${text}`]),
    );
  }

  /** @param {string} text @param {Record<string, unknown>} attributes @param {string} test */
  #chooser(text, attributes, test) {
    const input = h("input", {
      type: "file",
      hidden: true,
      test,
      "aria-label": text,
      on: {
        change: () => {
          void this.addFiles([...(input.files ?? [])]);
          input.value = "";
        },
      },
      ...attributes,
    });
    return h(
      "span",
      {},
      input,
      h("button", { type: "button", on: { click: () => input.click() } }, text),
    );
  }
}
