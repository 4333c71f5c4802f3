/**
 * The view Label: people correct what the model proposes, page by page.
 *
 * @typedef {import("../app.js").App} App
 * @typedef {import("./labels.js").Changes} Changes
 * @typedef {import("./project.js").LabelledPage} LabelledPage
 * @typedef {import("./project.js").Project} Project
 * @typedef {import("./project.js").ProjectInfo} ProjectInfo
 * @typedef {import("./unsaved.js").PageState} PageState
 * @typedef {import("./unsaved.js").Stored} Stored
 */
import { fill, h, plural } from "../dom.js";
import { droppedFiles } from "../files.js";
import { AddDialog } from "./add.js";
import { bindings } from "./bindings.js";
import { conflictPanel } from "./conflicts.js";
import { Editor } from "./editor.js";
import { allLabelled, noPages, openProject } from "./empty.js";
import { askName, personName } from "./person.js";
import { problemOf } from "./project.js";
import { Queue, hostOf, titleOf } from "./queue.js";
import { savedState } from "./saved.js";
import { PicturesButton, Tools } from "./tools.js";
import { Unsaved } from "./unsaved.js";

const LAST_KEY = "tamis.label.last";
const LOOK_AGAIN = 5000;

/**
 * @param {HTMLElement} main
 * @param {import("../app.js").Route} route
 * @param {App} app
 * @returns {Promise<() => void>}
 */
export async function show(main, route, app) {
  const opened = await openProject(app, main);
  if (!opened) return () => {};
  const view = new LabelView(main, app, opened.project, opened.info);
  void view.begin(Number(route.parts[0] ?? localStorage.getItem(LAST_KEY)));
  return () => view.close();
}

/**
 * What is unsaved is sent also after the view is left: by one queue for each project, however often it is shown.
 *
 * @type {Map<string, Unsaved>}
 */
const queues = new Map();

/** @param {string} name @param {Project} project */
function unsavedOf(name, project) {
  const known =
    queues.get(name) ??
    new Unsaved({ project: name, storage: localStorage, send: (request) => project.save(request) });
  queues.set(name, known);
  return known;
}

class LabelView {
  /** @type {LabelledPage | null} */
  #page = null;
  #opening = 0;
  #closing = new AbortController();
  #holder = h("div", { class: "label-frame" });
  #heading = h("h1", { dir: "auto" });
  #about = h("p", { class: "page-about" });
  #conflicts = h("div", { class: "label-conflicts" });
  #work = h("div", { class: "label-work" });
  #stage = h("div", { class: "label-stage" });
  #app;
  #project;
  #queue;
  #add;
  #editor = new Editor(this.#holder);
  #pictures = new PicturesButton(() => void this.#showPictures());
  #tools = new Tools(this.#editor);
  #unsaved;
  #hasPages;
  #main;

  /**
   * @param {HTMLElement} main
   * @param {App} app
   * @param {Project} project
   * @param {ProjectInfo} info
   */
  constructor(main, app, project, info) {
    this.#main = main;
    this.#app = app;
    this.#project = project;
    this.#queue = new Queue(project);
    this.#add = new AddDialog(project);
    this.#unsaved = unsavedOf(info.name, project);
    this.#hasPages = info.pages > 0;
    this.#queue.showProgress(info);
    this.#queue.showPerson(personName());
    void this.#queue.load();
    this.#build();
    this.#listen();
  }

  /** @param {number} id the page to begin with, else the next one */
  async begin(id) {
    if (!this.#main.isConnected) return; // left before the project was read
    if (!this.#hasPages) return this.#showEnd();
    await this.#askOnce();
    if (!(id && (await this.open(id)))) await this.next();
  }

  async #askOnce() {
    if (!personName()) await askName(this.#main);
    this.#queue.showPerson(personName());
  }

  close() {
    this.#closing.abort();
    void this.#unsaved.flush();
  }

  #build() {
    const skip = h(
      "button",
      { type: "button", test: "label-skip", on: { click: () => void this.settle("skipped") } },
      "Skip ",
      h("kbd", {}, "s"),
    );
    const done = h(
      "button",
      {
        type: "button",
        class: "primary",
        test: "label-done",
        on: { click: () => void this.settle("done") },
      },
      "Accept and next ",
      h("kbd", {}, "⏎"),
    );
    this.#work.append(
      h(
        "header",
        { class: "label-head" },
        h("div", { class: "label-title" }, this.#heading, this.#about),
        this.#pictures.element,
        savedState(this.#unsaved, this.#closing.signal),
      ),
      this.#tools.element,
      this.#conflicts,
      this.#holder,
      h(
        "footer",
        { class: "label-foot" },
        h(
          "p",
          { class: "hint" },
          "Click or drag to paint · Shift-click a range · Alt-click all like it",
        ),
        skip,
        done,
      ),
    );
    this.#main.replaceChildren(
      h(
        "div",
        { class: "label-view" },
        h("aside", { class: "label-side", "aria-label": "Queue" }, this.#queue.element),
        this.#stage,
      ),
      this.#add.element,
    );
  }

  #listen() {
    const { signal } = this.#closing;
    this.#editor.addEventListener("changed", (event) =>
      this.#save(/** @type {any} */ (event).detail.changes),
    );
    this.#unsaved.addEventListener(
      "stored",
      (event) => this.#stored(/** @type {any} */ (event).detail),
      { signal },
    );
    this.#unsaved.addEventListener("conflict", () => this.#showConflicts(), { signal });
    this.#unsaved.addEventListener("discarded", () => this.#page && void this.open(this.#page.id), {
      signal,
    });
    this.#queue.addEventListener("add", () => this.#add.open());
    this.#queue.addEventListener("person", () => {
      void askName(this.#main).then(() => this.#queue.showPerson(personName()));
    });
    this.#queue.addEventListener(
      "open",
      (event) => void this.open(/** @type {any} */ (event).detail.id),
    );
    this.#add.addEventListener("added", () => void this.#added());
    addEventListener("online", () => this.#unsaved.retry(), { signal });
    addEventListener("visibilitychange", () => document.hidden && void this.#unsaved.flush(), {
      signal,
    });
    this.#acceptDrops(signal);
    const timer = setInterval(() => void this.#lookAgain(), LOOK_AGAIN);
    signal.addEventListener("abort", () => clearInterval(timer));
    signal.addEventListener(
      "abort",
      this.#app.keys(
        bindings(this.#editor, {
          alike: () => this.#tools.toggleLevels(),
          takeLevel: () => this.#tools.takeLevel(),
          pictures: () => this.#pictures.element.click(),
          settle: (state) => void this.settle(state),
        }),
        "Label",
      ),
    );
  }

  /**
   * Shows a page.
   *
   * @param {number} id
   * @returns {Promise<boolean>} whether it is there
   */
  async open(id) {
    const opening = ++this.#opening;
    await this.#unsaved.flush();
    let page;
    if (this.#page) this.#stage.classList.add("is-loading");
    else fill(this.#stage, h("div", { class: "loading" }, "Reading the page"));
    try {
      page = await this.#project.page(id, this.#pictures.isOn);
    } catch (error) {
      const { status, detail } = problemOf(error);
      if (status !== 404) this.#app.say(detail, "error");
      return false;
    } finally {
      this.#stage.classList.remove("is-loading");
    }
    if (opening !== this.#opening) return true;
    this.#page = page;
    this.#remember(id);
    this.#heading.textContent = page.view.title || titleOf(page);
    this.#about.textContent = [hostOf(page.url) ?? page.name, stateText(page)]
      .filter(Boolean)
      .join(" · ");
    this.#stage.replaceChildren(this.#work);
    this.#showConflicts();
    await this.#editor.open(page, this.#unsaved.changesOf(id, page.view.hash));
    return true;
  }

  /** Loads pictures and styles, or not any more; the labels stay as they are. */
  async #showPictures() {
    if (!this.#page) return;
    try {
      const page = await this.#project.page(this.#page.id, this.#pictures.isOn);
      if (page.id === this.#page.id) await this.#editor.show(page.view);
    } catch (error) {
      this.#app.say(problemOf(error).detail, "error");
    }
  }

  /** Shows the next page that is open. */
  async next() {
    const after = this.#page ? { after: this.#page.id } : {};
    try {
      const id = await this.#project.next({
        by: personName(),
        order: this.#queue.order,
        ...after,
      });
      if (id !== null) await this.open(id);
      else await this.#showEnd();
    } catch (error) {
      this.#app.say(problemOf(error).detail, "error");
    }
  }

  /**
   * The page is finished, or nobody can say: stores that and goes on.
   *
   * @param {PageState} state
   */
  async settle(state) {
    const page = this.#page;
    if (!page) return;
    if (this.#unsaved.conflictsOf(page.id).size) {
      this.#app.say("Choose between your labels and theirs first.");
      return;
    }
    this.#unsaved.add(versionOf(page), new Map(), { by: personName(), state });
    await this.#unsaved.flush();
    if (this.#unsaved.has(page.id)) {
      const later = this.#unsaved.status === "later";
      this.#app.say(
        later
          ? "Kept here until the server answers again. Then go on."
          : "Not saved yet: see above.",
      );
      return;
    }
    this.#queue.update(page.id, { state, by: personName() });
    await this.next();
  }

  async #showEnd() {
    const info = await this.#project.info();
    this.#queue.showProgress(info);
    this.#page = null;
    this.#queue.setCurrent(null);
    const add = () => this.#add.open();
    this.#stage.replaceChildren(info.pages ? allLabelled(add) : noPages(add));
  }

  /** @param {number} id */
  #remember(id) {
    localStorage.setItem(LAST_KEY, String(id));
    this.#queue.setCurrent(id);
    const hash = `#/label/${id}`;
    if (location.hash !== hash) history.pushState(null, "", hash);
  }

  /** @param {Changes} changes */
  #save(changes) {
    if (this.#page) this.#unsaved.add(versionOf(this.#page), changes, { by: personName() });
    this.#showConflicts();
  }

  /** @param {{id: number, stored: Stored}} detail */
  #stored({ id, stored }) {
    if (this.#page && id === this.#page.id) this.#receive(stored);
    if (stored.state !== "open")
      void this.#project.info().then(
        (info) => this.#queue.showProgress(info),
        () => {},
      );
  }

  /** @param {Stored} stored @returns {number[]} blocks that look different now */
  #receive(stored) {
    const page = /** @type {LabelledPage} */ (this.#page);
    Object.assign(page, {
      version: stored.version,
      labels: stored.labels,
      state: stored.state,
    });
    return this.#editor.receive(stored.labels, this.#unsaved.changesOf(page.id, page.view.hash));
  }

  /** Takes over what others have saved meanwhile. */
  async #lookAgain() {
    const page = this.#page;
    if (!page || document.hidden || this.#unsaved.status !== "saved") return;
    try {
      const stored = await this.#project.version(page.id);
      if (page !== this.#page || this.#unsaved.status !== "saved" || stored.version <= page.version)
        return;
      const { length } = this.#receive(stored);
      if (length)
        this.#app.say(
          `${stored.by || "Somebody else"} changed ${plural(length, "block")} of this page.`,
        );
    } catch {
      // The next label that is saved will say what is wrong.
    }
  }

  #showConflicts() {
    const page = this.#page;
    const conflicts = page ? this.#unsaved.conflictsOf(page.id) : new Map();
    if (!page || !conflicts.size) return this.#conflicts.replaceChildren();
    this.#conflicts.replaceChildren(
      conflictPanel(conflicts, {
        textOf: (block) => this.#editor.textOf(block),
        reveal: (block) => this.#editor.reveal(block),
        resolve: (blocks, choice) => {
          this.#unsaved.resolve(page.id, blocks, choice);
          this.#editor.receive(page.labels, this.#unsaved.changesOf(page.id, page.view.hash));
          this.#showConflicts();
        },
      }),
    );
  }

  async #added() {
    this.#queue.showProgress(await this.#project.info());
    await this.#queue.load();
    if (this.#page) return;
    await this.#askOnce();
    await this.next();
  }

  /** @param {AbortSignal} signal */
  #acceptDrops(signal) {
    this.#main.addEventListener("dragover", (event) => event.preventDefault(), { signal });
    this.#main.addEventListener(
      "drop",
      (event) => {
        event.preventDefault();
        void droppedFiles(event.dataTransfer).then((files) => this.#add.addFiles(files));
      },
      { signal },
    );
  }
}

/** @param {LabelledPage} page */
function versionOf(page) {
  return { id: page.id, hash: page.view.hash, version: page.version };
}

/** @param {LabelledPage} page */
function stateText(page) {
  if (page.state === "done") return page.by ? `labelled by ${page.by}` : "labelled";
  return page.state === "skipped" ? "skipped" : "";
}
