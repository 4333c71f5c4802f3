/**
 * The drawings of a report. All of them are SVG made element by element; colours are the page's.
 *
 * @typedef {import("./words.js").Report} Report
 * @typedef {import("./words.js").ChangedPage} ChangedPage
 */
import { svg } from "../dom.js";
import { scale, ticks } from "./scales.js";
import { gained, points } from "./words.js";

/**
 * @param {number} width
 * @param {number} height
 * @param {string} text what is to be seen, in words
 * @param {SVGElement[]} children
 */
function drawing(width, height, text, children) {
  return svg(
    "svg",
    { viewBox: `0 0 ${width} ${height}`, class: "chart", role: "img", "aria-label": text },
    ...children,
  );
}

/** @param {number} x @param {number} y @param {string} text @param {string} name */
function label(x, y, text, name = "tick", anchor = "middle") {
  const element = svg("text", { x, y, class: name, "text-anchor": anchor });
  element.textContent = text;
  return element;
}

/** @param {number} x1 @param {number} y1 @param {number} x2 @param {number} y2 @param {string} name */
function line(x1, y1, x2, y2, name) {
  return svg("line", { x1, y1, x2, y2, class: name });
}

/**
 * The gain, with the range in which it is in 95 of 100 draws, beside nothing gained.
 *
 * @param {Report} report
 * @param {number} width
 */
export function gainChart(report, width = 560) {
  const height = 96;
  const marks = ticks(Math.min(0, report.low), Math.max(0, report.high, 0.01), width < 420 ? 3 : 6);
  const x = scale([marks[0] ?? 0, marks.at(-1) ?? 1], [40, width - 28]);
  const middle = 40;
  const text = `Gain ${gained(report.gain)} points, between ${gained(report.low)} and ${gained(report.high)}`;
  return drawing(width, height, text, [
    ...marks.flatMap((mark) => [
      line(x(mark), 16, x(mark), 64, mark === 0 ? "zero" : "grid"),
      label(x(mark), 82, mark === 0 ? "0, as before" : gained(mark)),
    ]),
    svg("rect", {
      x: x(report.low),
      y: middle - 7,
      width: Math.max(2, x(report.high) - x(report.low)),
      height: 14,
      rx: 7,
      class: report.low > 0 ? "interval sure" : "interval",
    }),
    svg("circle", { cx: x(report.gain), cy: middle, r: 7, class: "point" }),
    label(x(report.gain), 18, gained(report.gain), "value"),
  ]);
}

/**
 * What fewer pages gained; nothing for no page.
 *
 * @param {Report} report
 * @param {number} width
 */
export function curveChart(report, width = 560) {
  const height = 220;
  const values = [
    { pages: 0, gain: 0 },
    ...report.curve.filter((point) => point.pages < report.pages),
  ];
  values.push({ pages: report.pages, gain: report.gain });
  const gains = values.map((point) => point.gain);
  const marks = ticks(Math.min(0, ...gains), Math.max(0.01, ...gains), 4);
  const x = scale([0, report.pages], [52, width - 24]);
  const y = scale([marks[0] ?? 0, marks.at(-1) ?? 1], [height - 44, 24]);
  const path = values.map(
    (point, index) => `${index ? "L" : "M"}${x(point.pages)} ${y(point.gain)}`,
  );
  const text = `Gain by number of pages: ${values.map((point) => `${point.pages}: ${gained(point.gain)}`).join(", ")}`;
  const shown = values.filter(
    (point, index) => index === values.length - 1 || x(report.pages) - x(point.pages) > 28,
  );
  return drawing(width, height, text, [
    ...marks.flatMap((mark) => [
      line(52, y(mark), width - 24, y(mark), mark === 0 ? "zero" : "grid"),
      label(44, y(mark) + 4, gained(mark), "tick", "end"),
    ]),
    svg("path", { d: path.join(""), class: "curve" }),
    ...values
      .slice(1)
      .map((point) =>
        svg("circle", { cx: x(point.pages), cy: y(point.gain), r: 5, class: "point" }),
      ),
    label(x(report.pages), y(report.gain) - 12, gained(report.gain), "value", "end"),
    ...shown.map((point) => label(x(point.pages), height - 22, String(point.pages))),
    label((52 + width - 24) / 2, height - 4, "labelled pages"),
  ]);
}

/**
 * A page before and after, on the scale of F1.
 *
 * @param {ChangedPage} page
 * @param {number} width
 */
export function changeChart(page, width = 200) {
  const x = scale([0, 1], [8, width - 8]);
  const [before, after] = [x(page.before), x(page.after)];
  return drawing(width, 20, `${points(page.before)} to ${points(page.after)}`, [
    line(8, 10, width - 8, 10, "grid"),
    line(before, 10, after, 10, "loss"),
    svg("circle", { cx: before, cy: 10, r: 5, class: "was" }),
    svg("circle", { cx: after, cy: 10, r: 5, class: "point worse" }),
  ]);
}
