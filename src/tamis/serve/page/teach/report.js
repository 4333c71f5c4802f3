/**
 * The answer of a teaching.
 *
 * @typedef {import("./words.js").Report} Report
 */
import { h } from "../dom.js";
import { changeChart, curveChart, gainChart } from "./charts.js";
import { answers, gained, points, verdictOf } from "./words.js";

const SHOWN = 10;

/**
 * @param {Report} report
 * @param {object} actions
 * @param {boolean} actions.accepted
 * @param {(() => void) | null} actions.accept
 * @param {((what: "weights" | "card") => void) | null} actions.download
 */
export function reportSection(report, { accepted, accept, download }) {
  const text = answers(report);
  const changed = report.strength > 0;
  const width = Math.min(660, document.documentElement.clientWidth - 72);
  return h(
    "section",
    { class: `report is-${verdictOf(report)}`, test: "teach-report", "aria-labelledby": "verdict" },
    h("h2", { id: "verdict" }, text.better),
    h(
      "div",
      { class: "figures" },
      figure("By how much", changed ? `${gained(report.gain)} points` : "0 points", text.much),
      figure("How sure", changed ? `${Math.round(report.sure * 100)}%` : "–", text.sure),
      figure(
        "Worse on",
        report.worse.length ? `${report.worse.length} of ${report.pages}` : "none",
        text.worse,
      ),
    ),
    changed &&
      chart(
        "The gain, and where it lies in 95 of 100 draws",
        gainChart(report, width),
        `${text.muchText} ${text.basis}`,
      ),
    changed &&
      report.curve.length > 0 &&
      chart("What more pages bring", curveChart(report, width), text.curve),
    report.warnings.length > 0 &&
      h(
        "div",
        { class: "warnings" },
        h("h3", {}, "Mind"),
        h("ul", {}, ...report.warnings.map((warning) => h("li", {}, sentence(warning)))),
      ),
    report.worse.length > 0 && worsePages(report),
    (changed || accepted) &&
      h(
        "footer",
        { class: "report-actions" },
        accept &&
          h(
            "button",
            {
              type: "button",
              class: "primary",
              disabled: accepted,
              test: "teach-accept",
              on: { click: accept },
            },
            accepted ? "In use" : "Accept: use these weights",
          ),
        download &&
          h(
            "button",
            { type: "button", test: "teach-download", on: { click: () => download("weights") } },
            "Download weights",
          ),
        download &&
          h("button", { type: "button", on: { click: () => download("card") } }, "Download card"),
      ),
  );
}

/** @param {string} name @param {string} value @param {string} text */
function figure(name, value, text) {
  return h(
    "div",
    { class: "figure" },
    h("h3", {}, name),
    h("p", { class: "value" }, value),
    h("p", { class: "hint" }, text),
  );
}

/** @param {string} title @param {Element} drawing @param {string} text */
function chart(title, drawing, text) {
  return h("figure", {}, h("h3", {}, title), drawing, h("figcaption", {}, text));
}

/** @param {Report} report */
function worsePages({ worse }) {
  const rows = worse.map((page) =>
    h(
      "li",
      {},
      page.page
        ? h("a", { href: `#/label/${page.page}`, dir: "auto" }, page.id)
        : h("span", { dir: "auto" }, page.id),
      changeChart(page),
      h("span", { class: "hint" }, `${points(page.before)} → ${points(page.after)}`),
    ),
  );
  const rest = rows.splice(SHOWN);
  return h(
    "div",
    { class: "worse" },
    h("h3", {}, "Pages that came out worse"),
    h("ul", {}, ...rows),
    rest.length > 0 &&
      h("details", {}, h("summary", {}, `${rest.length} more`), h("ul", {}, ...rest)),
  );
}

/** @param {string} text */
function sentence(text) {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}${/[.!?]$/.test(text) ? "" : "."}`;
}
