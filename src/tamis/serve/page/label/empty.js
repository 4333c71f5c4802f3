/** What is shown where there is no page to label. */
import { h } from "../dom.js";
import { problemOf } from "./project.js";

/** No project, or it cannot be read. @param {unknown} error */
export function noProject(error) {
  const { status, detail } = problemOf(error);
  return h(
    "section",
    { class: "empty" },
    h("h1", {}, status === 404 ? "Start with a project" : "The project cannot be read"),
    h("p", {}, status === 404 ? "Labels, pages and taught weights are kept in a folder of yours. Start the server with one:" : detail),
    status === 404 && h("pre", {}, h("code", {}, "tamis serve --project mine/")),
    status === 404 && h("p", { class: "faint" }, "The folder is made if it is not there. Then reload this page."),
  );
}

/** @param {() => void} add */
export function noPages(add) {
  return h(
    "section",
    { class: "empty" },
    h("h1", {}, "Which pages should it learn from?"),
    h(
      "p",
      {},
      "Add about ten pages that are like those you care about. Each is shown as the model sees it; you correct what is wrong.",
    ),
    h("button", { type: "button", class: "primary", test: "label-add-first", on: { click: add } }, "Add pages"),
    h("p", { class: "faint" }, "You can also drop files or a folder here, or run ", h("code", {}, "tamis project add"), "."),
  );
}

/** @param {() => void} add */
export function allLabelled(add) {
  return h(
    "section",
    { class: "empty", test: "label-finished" },
    h("h1", {}, "Every page is labelled"),
    h("p", {}, "Teach, and see whether pages like yours come out better."),
    h("p", { class: "row" }, h("a", { class: "button primary", href: "#/teach" }, "Go to Teach"), h("button", { type: "button", on: { click: add } }, "Add more pages")),
  );
}
