/**
 * What a teaching found, in words.
 *
 * @typedef {{id: string, page?: number | null, before: number, after: number}} ChangedPage
 * @typedef {{pages: number, gain: number}} CurvePoint
 * @typedef {object} Report as `tamis.train.teaching.Taught` has it
 * @property {string} start
 * @property {number} pages
 * @property {number} sites
 * @property {boolean} by_site
 * @property {number} before
 * @property {number} after
 * @property {number} gain
 * @property {number} low
 * @property {number} high
 * @property {number} sure
 * @property {number} strength
 * @property {ChangedPage[]} worse
 * @property {CurvePoint[]} curve
 * @property {string[]} warnings
 * @property {boolean} better
 *
 * @typedef {"yes" | "perhaps" | "no"} Verdict
 */

import { plural } from "../dom.js";

/** Pages with which a report begins to say something about other pages. */
export const ENOUGH = 10;
/** Pages without which there is nothing to teach with. */
export const FEWEST = 2;

/** A share or an F1 in points of 100. @param {number} value */
export function points(value) {
  const rounded = Math.round(value * 1000) / 10;
  return rounded
    .toFixed(Math.abs(rounded) >= 10 || Number.isInteger(rounded) ? 0 : 1)
    .replace("-", "−");
}

/** The same with its sign. @param {number} value */
export function gained(value) {
  return (value > 0 ? "+" : "") + points(value);
}

/** @param {Report} report @returns {Verdict} */
export function verdictOf(report) {
  if (!report.better) return "no";
  return report.low > 0 ? "yes" : "perhaps";
}

/**
 * The answers to: is it better, by how much, how sure, on which pages worse.
 *
 * @param {Report} report
 */
export function answers(report) {
  const start = report.start === "shipped" ? "the shipped weights" : report.start;
  return {
    better: betterText(report, start),
    // With tenths, so that their difference is the gain that stands above.
    much: `${(100 * report.before).toFixed(1)} → ${(100 * report.after).toFixed(1)} of 100`,
    muchText: `F1 of words, the mean of ${plural(report.pages, "page")}: what was missed and what was too much both count.`,
    sure: sureText(report),
    basis: report.by_site
      ? `Every page was read by weights that had not seen its site (${plural(report.sites, "site")}).`
      : "Every page was read by weights that had not seen it. Most pages are of the same few sites: the figures hold for these.",
    worse: worseText(report),
    curve: curveText(report),
  };
}

/** @param {Report} report @param {string} start */
function betterText(report, start) {
  const verdict = verdictOf(report);
  if (verdict === "yes") return `Yes. On pages like yours it is better than ${start}.`;
  if (verdict === "perhaps")
    return `Perhaps. It looks better than ${start}, but that may be chance.`;
  if (report.strength === 0)
    return `No. These pages teach it nothing that improves pages like yours; it stays at ${start}.`;
  return `Not yet. It tells single blocks apart better, but the texts are no better than with ${start}.`;
}

/** @param {Report} report */
function sureText(report) {
  if (report.strength === 0) return "Nothing was changed, so nothing can get worse.";
  const [low, high] = [gained(report.low), gained(report.high)];
  const range = low === high ? `${low} points` : `between ${low} and ${high} points`;
  const draws = `In ${Math.round(report.sure * 100)} of 100 draws of your ${report.by_site ? "sites" : "pages"} it gained`;
  return `${draws}; in 95 of 100 the gain is ${range}.`;
}

/** @param {Report} report */
function worseText(report) {
  if (!report.worse.length) return "No page came out worse by more than a point.";
  const share = `${plural(report.worse.length, "page")} of ${report.pages}`;
  return `${share} came out worse. Look at these first: often their labels are at odds with those of the others.`;
}

/** @param {Report} report */
function curveText(report) {
  const before = report.curve.filter((point) => point.pages < report.pages).at(-1);
  if (!before) return `From ${ENOUGH} pages on, this shows what more pages would bring.`;
  if (report.after > 0.99) return "There is hardly anything left to gain on these pages.";
  if (report.gain - before.gain > 0.005) return "Still rising: more pages will help.";
  return "Flat: more pages like these will change little.";
}

/**
 * What to do before teaching makes sense, null if it does.
 *
 * @param {number} labelled
 */
export function tooFew(labelled) {
  if (labelled < FEWEST) {
    return `Label ${plural(FEWEST - labelled, "more page")} to teach, ${ENOUGH - labelled} to be told how good it is.`;
  }
  if (labelled < ENOUGH) {
    return `You can teach now, but ${plural(labelled, "page")} cannot tell whether others gain: label ${ENOUGH - labelled} more.`;
  }
  return null;
}
