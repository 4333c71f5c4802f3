/**
 * The answer of a teaching.
 *
 * @typedef {import("./words.js").Report} Report
 */
import { el } from "../dom.js";
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
  return el(
    "section",
    { class: `report is-${verdictOf(report)}`, "data-test": "teach-report", "aria-labelledby": "verdict" },
    el("h2", { id: "verdict" }, text.better),
    el(
      "div",
      { class: "figures" },
      figure("By how much", changed ? `${gained(report.gain)} points` : "0 points", text.much),
      figure("How sure", changed ? `${Math.round(report.sure * 100)}%` : "–", text.sure),
      figure("Worse on", report.worse.length ? `${report.worse.length} of ${report.pages}` : "none", text.worse),
    ),
    changed && chart("The gain, and where it lies in 95 of 100 draws", gainChart(report, width), `${text.muchText} ${text.basis}`),
    changed && report.curve.length > 0 && chart("What more pages bring", curveChart(report, width), text.curve),
    report.warnings.length > 0 &&
      el("div", { class: "warnings" }, el("h3", {}, "Mind"), el("ul", {}, ...report.warnings.map((warning) => el("li", {}, sentence(warning))))),
    report.worse.length > 0 && worsePages(report),
    el(
      "footer",
      { class: "report-actions" },
      accept &&
        el(
          "button",
          { type: "button", class: "primary", disabled: accepted, "data-test": "teach-accept", onclick: accept },
          accepted ? "In use" : "Use these weights",
        ),
      download && el("button", { type: "button", "data-test": "teach-download", onclick: () => download("weights") }, "Download weights"),
      download && el("button", { type: "button", onclick: () => download("card") }, "Download card"),
    ),
  );
}

/** @param {string} name @param {string} value @param {string} text */
function figure(name, value, text) {
  return el("div", { class: "figure" }, el("h3", {}, name), el("p", { class: "value" }, value), el("p", { class: "faint" }, text));
}

/** @param {string} title @param {Element} drawing @param {string} text */
function chart(title, drawing, text) {
  return el("figure", {}, el("h3", {}, title), drawing, el("figcaption", {}, text));
}

/** @param {Report} report */
function worsePages({ worse }) {
  const rows = worse.map((page) =>
    el(
      "li",
      {},
      el("a", { href: `#/label/${encodeURIComponent(page.id)}` }, page.id),
      changeChart(page),
      el("span", { class: "faint" }, `${points(page.before)} → ${points(page.after)}`),
    ),
  );
  const rest = rows.splice(SHOWN);
  return el(
    "div",
    { class: "worse" },
    el("h3", {}, "Pages that came out worse"),
    el("ul", {}, ...rows),
    rest.length > 0 && el("details", {}, el("summary", {}, `${rest.length} more`), el("ul", {}, ...rest)),
  );
}

/** @param {string} text */
function sentence(text) {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}${/[.!?]$/.test(text) ? "" : "."}`;
}
