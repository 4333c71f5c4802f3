/**
 * The view Teach: one button, and the answer whether it helped.
 *
 * @typedef {import("../app.js").App} App
 * @typedef {import("../label/project.js").Project} Project
 * @typedef {import("../label/project.js").ProjectInfo} ProjectInfo
 * @typedef {import("../label/project.js").Teaching} Teaching
 * @typedef {import("../label/project.js").Weights} Weights
 */
import { download, fill, h, later, plural } from "../dom.js";
import { openProject } from "../label/empty.js";
import { problemOf } from "../label/project.js";
import { reportSection } from "./report.js";
import { weightsTable } from "./weights.js";
import { FEWEST, tooFew } from "./words.js";

const LOOK_AGAIN = 700;

/**
 * @param {HTMLElement} main
 * @param {import("../app.js").Route} _route
 * @param {App} app
 * @returns {Promise<() => void>}
 */
export async function show(main, _route, app) {
  const opened = await openProject(app, main);
  if (!opened) return () => {};
  const view = new TeachView(main, app, opened.project, opened.info);
  return () => view.close();
}

class TeachView {
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #timer;
  #closing = new AbortController();
  #app;
  #project;
  #about = h("p", { class: "lead" });
  #few = h("p", { class: "few" });
  #comments = h("input", { type: "checkbox" });
  #start = h(
    "button",
    {
      type: "button",
      class: "primary large",
      test: "teach-start",
      on: { click: () => void this.#begin() },
    },
    "Teach",
  );
  #cancel = h(
    "button",
    { type: "button", test: "teach-cancel", on: { click: () => void this.#stop() } },
    "Cancel",
  );
  #bar = h("progress", { max: 1, "aria-label": "Teaching" });
  #step = h("p", { role: "status" });
  #running = h(
    "div",
    { class: "teach-running", test: "teach-progress", hidden: true },
    this.#bar,
    this.#step,
    this.#cancel,
  );
  #ready = h(
    "div",
    { class: "teach-ready" },
    this.#start,
    h("label", { class: "check" }, this.#comments, " Comments are content, too"),
  );
  #failed = h("div", { class: "teach-failed", role: "alert", hidden: true });
  #redraw = () => {};
  #report = h("div", {});
  #weights = h("div", {});

  /**
   * @param {HTMLElement} main
   * @param {App} app
   * @param {Project} project
   * @param {ProjectInfo} info
   */
  constructor(main, app, project, info) {
    this.#app = app;
    this.#project = project;
    main.replaceChildren(
      h(
        "div",
        { class: "teach-view" },
        h("header", {}, h("h1", {}, "Teach"), this.#about),
        h(
          "section",
          { class: "teach-start", "aria-label": "Teach" },
          this.#few,
          this.#ready,
          this.#running,
          this.#failed,
        ),
        this.#report,
        this.#weights,
      ),
    );
    this.#show(info, info.teaching);
    // Drawings are as wide as the window, so that their words stay as large.
    addEventListener(
      "resize",
      later(() => this.#redraw(), 150),
      { signal: this.#closing.signal },
    );
  }

  close() {
    this.#closing.abort();
    clearTimeout(this.#timer);
  }

  async load() {
    const info = await this.#project.info();
    this.#show(info, info.teaching);
  }

  /** @param {ProjectInfo} info @param {Teaching} teaching */
  #show(info, teaching) {
    const running = teaching.state === "running";
    this.#about.textContent =
      `Your labels, of ${plural(info.labelled, "page")} so far, correct the shipped weights. Then each page is read by weights` +
      " that did not see it, which tells whether pages like yours come out better.";
    const few = running ? null : tooFew(info.labelled);
    this.#few.replaceChildren(
      ...(few ? [few, " ", h("a", { href: "#/label" }, "Label pages")] : []),
    );
    this.#few.hidden = !few;
    this.#start.disabled = info.labelled < FEWEST;
    this.#start.textContent = teaching.report ? "Teach again" : "Teach";
    this.#ready.hidden = running;
    this.#running.hidden = !running;
    this.#showStep(teaching);
    this.#showFailure(teaching);
    this.#showReport(info, running ? null : teaching);
    fill(
      this.#weights,
      (info.weights.length > 0 || info.labelled > 0) &&
        weightsTable(info, {
          accept: (name) => void this.#accept(name),
          download: (name, what) => void this.#download(name, what),
          labels: (format) => void this.#downloadLabels(format),
        }),
    );
    if (running) this.#lookLater();
  }

  /** @param {Teaching} teaching */
  #showStep({ share, text }) {
    if (share === null) this.#bar.removeAttribute("value");
    else this.#bar.value = share;
    this.#step.textContent = text ?? "Beginning…";
  }

  /** @param {Teaching} teaching */
  #showFailure({ state, error }) {
    const texts = {
      failed: error ?? "Teaching failed.",
      stopped: "Stopped. Nothing was changed.",
      interrupted: "The server ended while it was teaching. Nothing was changed; teach again.",
    };
    const text = /** @type {Record<string, string>} */ (texts)[state];
    this.#failed.hidden = !text;
    this.#failed.textContent = text ?? "";
  }

  /** @param {ProjectInfo} info @param {Teaching | null} teaching */
  #showReport(info, teaching) {
    this.#redraw = () => {};
    if (!teaching?.report) return this.#report.replaceChildren();
    const name = teaching.weights ?? info.weights.at(-1)?.name ?? null;
    this.#redraw = () => this.#showReport(info, teaching);
    this.#report.replaceChildren(
      reportSection(teaching.report, {
        accepted: name !== null && info.accepted === name,
        accept: name === null ? null : () => void this.#accept(name),
        download: name === null ? null : (what) => void this.#download(name, what),
      }),
    );
  }

  async #begin() {
    await this.#guarded(async () => {
      await this.#project.startTeaching({ comments: this.#comments.checked });
      await this.load();
    });
  }

  async #stop() {
    this.#step.textContent = "Stopping…";
    await this.#guarded(async () => {
      await this.#project.stopTeaching();
      await this.load();
    });
  }

  #lookLater() {
    clearTimeout(this.#timer);
    if (!this.#closing.signal.aborted)
      this.#timer = setTimeout(() => void this.#look(), LOOK_AGAIN);
  }

  async #look() {
    try {
      const teaching = await this.#project.teaching();
      if (this.#closing.signal.aborted) return;
      if (teaching.state !== "running") return await this.load();
      this.#showStep(teaching);
    } catch (error) {
      this.#step.textContent = problemOf(error).detail;
    }
    this.#lookLater();
  }

  /** @param {string | null} name */
  async #accept(name) {
    await this.#guarded(async () => {
      await this.#project.accept(name);
      await this.load();
      this.#app.say(
        name === null
          ? "The shipped weights are used again, everywhere in this project."
          : `“${name}” is now used by the service, by commands and by corpus runs with this project.`,
        "success",
      );
    });
  }

  /** @param {string} name @param {"weights" | "card"} what */
  async #download(name, what) {
    await this.#guarded(async () => {
      const file = await this.#project.download(name, what);
      download(`${name}.${what === "card" ? "json" : "npz"}`, file, file.type);
    });
  }

  /** @param {"jsonl" | "label-studio" | "web-main-bench"} format */
  async #downloadLabels(format) {
    await this.#guarded(async () => {
      const file = await this.#project.labels(format);
      download(`labels.${format === "label-studio" ? "json" : "jsonl"}`, file, file.type);
    });
  }

  /** @param {() => Promise<void>} run */
  async #guarded(run) {
    try {
      await run();
    } catch (error) {
      this.#app.say(problemOf(error).detail, "error");
    }
  }
}
