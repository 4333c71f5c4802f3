/**
 * All weights that the project has, with the shipped ones, and the labels that they come from.
 *
 * @typedef {import("../label/project.js").ProjectInfo} ProjectInfo
 * @typedef {import("../label/project.js").Weights} Weights
 */
import { h, plural } from "../dom.js";
import { points } from "./words.js";

/**
 * @param {ProjectInfo} info
 * @param {object} actions
 * @param {(name: string | null) => void} actions.accept
 * @param {(name: string, what: "weights" | "card") => void} actions.download
 * @param {(format: "jsonl" | "label-studio" | "web-main-bench") => void} actions.labels
 */
export function weightsTable(info, { accept, download, labels }) {
  return h(
    "section",
    { class: "weights", "aria-labelledby": "weights-title" },
    h("h2", { id: "weights-title" }, "In this project"),
    h(
      "ul",
      {},
      info.weights.length > 0 && [...[...info.weights].reverse().map(row), shipped()],
      info.labelled > 0 && labelled(),
    ),
  );

  function labelled() {
    /** @param {"jsonl" | "label-studio" | "web-main-bench"} format @param {string} name */
    const button = (format, name) =>
      h(
        "button",
        {
          type: "button",
          class: "quiet",
          "aria-label": `Download the labels: ${name}`,
          on: { click: () => labels(format) },
        },
        name,
      );
    return h(
      "li",
      {},
      h(
        "div",
        {},
        h("strong", {}, "Labels"),
        h("span", { class: "hint" }, `Of ${plural(info.labelled, "page")}, to take elsewhere`),
      ),
      h(
        "div",
        { class: "row" },
        button("jsonl", "JSON lines"),
        button("label-studio", "Label Studio"),
        button("web-main-bench", "WebMainBench"),
      ),
    );
  }

  /** @param {Weights} weights */
  function row(weights) {
    return h(
      "li",
      {},
      h("div", {}, h("strong", {}, weights.name), h("span", { class: "hint" }, about(weights))),
      h(
        "div",
        { class: "row" },
        h(
          "button",
          {
            type: "button",
            class: "quiet",
            "aria-label": `Weights ${weights.name}, download`,
            on: { click: () => download(weights.name, "weights") },
          },
          "Weights",
        ),
        h(
          "button",
          {
            type: "button",
            class: "quiet",
            "aria-label": `Card of ${weights.name}, download`,
            on: { click: () => download(weights.name, "card") },
          },
          "Card",
        ),
        use(weights.name, weights.name, info.accepted === weights.name),
      ),
    );
  }

  function shipped() {
    return h(
      "li",
      {},
      h(
        "div",
        {},
        h("strong", {}, "Shipped"),
        h("span", { class: "hint" }, "What tamis comes with"),
      ),
      h("div", { class: "row" }, use(null, "the shipped weights", info.accepted === null)),
    );
  }

  /** @param {string | null} name @param {string} words @param {boolean} used */
  function use(name, words, used) {
    if (used) return h("span", { class: "in-use" }, "In use");
    return h(
      "button",
      {
        type: "button",
        "aria-label": name === null ? `Go back to these, ${words}` : `Use ${words}`,
        test: name === null ? "teach-shipped" : "teach-use",
        on: { click: () => accept(name) },
      },
      name === null ? "Go back to these" : "Use",
    );
  }
}

/** @param {Weights} weights */
function about(weights) {
  const date = new Date(weights.created);
  const when = Number.isNaN(date.getTime())
    ? weights.created
    : date.toLocaleString(undefined, { dateStyle: "medium", timeStyle: "short" });
  return `${when} · ${weights.pages} pages · ${points(weights.before)} → ${points(weights.after)}`;
}
