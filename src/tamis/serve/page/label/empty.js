/** What is shown where there is no page to label. */
import { h } from "../dom.js";
import { Project, problemOf } from "./project.js";

/**
 * The project and what is known of it, or null where the server has none, which is said.
 *
 * @param {import("../app.js").App} app
 * @param {HTMLElement} main
 */
export async function openProject(app, main) {
  const project = new Project(app.api);
  try {
    return { project, info: await project.info() };
  } catch (error) {
    if (problemOf(error).status !== 404) throw error;
    main.replaceChildren(noProject());
    return null;
  }
}

function noProject() {
  return h(
    "section",
    { class: "empty" },
    h("h2", {}, "Start with a project"),
    h(
      "p",
      {},
      "Pages, labels and taught weights are kept in a folder of yours. Start the server with one:",
    ),
    h("pre", {}, h("code", {}, "tamis serve --project mine/")),
    h("p", { class: "hint" }, "The folder is made if it is not there. Then reload this page."),
  );
}

/** @param {() => void} add */
export function noPages(add) {
  return h(
    "section",
    { class: "empty" },
    h("h2", {}, "Which pages should it learn from?"),
    h(
      "p",
      {},
      "Add about ten pages that are like those you care about. Each is shown as the model sees it; you correct what is wrong.",
    ),
    h(
      "button",
      { type: "button", class: "primary", test: "label-add-first", on: { click: add } },
      "Add pages",
    ),
    h(
      "p",
      { class: "hint" },
      "You can also drop files or a folder here, or run ",
      h("code", {}, "tamis project add"),
      ".",
    ),
  );
}

/** @param {() => void} add */
export function allLabelled(add) {
  return h(
    "section",
    { class: "empty", test: "label-finished" },
    h("h2", {}, "No page is left to label"),
    h("p", {}, "Teach, and see whether pages like yours come out better."),
    h(
      "p",
      { class: "row" },
      h("a", { class: "button primary", href: "#/teach" }, "Go to Teach"),
      h("button", { type: "button", on: { click: add } }, "Add more pages"),
    ),
  );
}
