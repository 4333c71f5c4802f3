/** What is shown where there is no page to label. */
import { el } from "../dom.js";
import { asProblem } from "./project.js";

/** No project, or it cannot be read. @param {unknown} error */
export function noProject(error) {
  const { status, detail } = asProblem(error);
  return el(
    "section",
    { class: "empty" },
    el("h1", {}, status === 404 ? "Start with a project" : "The project cannot be read"),
    el("p", {}, status === 404 ? "Labels, pages and taught weights are kept in a folder of yours. Start the server with one:" : detail),
    status === 404 && el("pre", {}, el("code", {}, "tamis serve --project mine/")),
    status === 404 && el("p", { class: "faint" }, "The folder is made if it is not there. Then reload this page."),
  );
}

/** @param {() => void} add */
export function noPages(add) {
  return el(
    "section",
    { class: "empty" },
    el("h1", {}, "Which pages should it learn from?"),
    el(
      "p",
      {},
      "Add about ten pages that are like those you care about. Each is shown as the model sees it; you correct what is wrong.",
    ),
    el("button", { type: "button", class: "primary", onclick: add, "data-test": "label-add-first" }, "Add pages"),
    el("p", { class: "faint" }, "You can also drop files or a folder here, or run ", el("code", {}, "tamis project add"), "."),
  );
}

/** @param {() => void} add */
export function allLabelled(add) {
  return el(
    "section",
    { class: "empty", "data-test": "label-finished" },
    el("h1", {}, "Every page is labelled"),
    el("p", {}, "Teach, and see whether pages like yours come out better."),
    el("p", { class: "row" }, el("a", { class: "button primary", href: "#/teach" }, "Go to Teach"), el("button", { type: "button", onclick: add }, "Add more pages")),
  );
}
