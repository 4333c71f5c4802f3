/** Which method, which focus, which threshold: controls that several views share. */

import { fill, h } from "./dom.js";

/** @typedef {import("./app.js").App} App */

/**
 * A method as `/v1/methods` describes it.
 * @typedef {object} Method
 * @property {string} name
 * @property {string} summary
 * @property {boolean} default
 * @property {boolean} fitted
 * @property {Record<string, unknown>} parameters
 */

const FOCI = ["precision", "balanced", "recall"];
const FOCUS_NAMES = ["Nothing wrong", "Balanced", "Nothing missing"];

/** @type {Promise<Method[]> | null} */
let known = null;

/**
 * The methods that need no site, the usual one first.
 * @param {App} app
 * @returns {Promise<Method[]>}
 */
export function methods(app) {
  known ??= app.api.get("/v1/methods").then(
    ({ methods }) =>
      /** @type {Method[]} */ (methods)
        .filter(({ fitted }) => !fitted)
        .sort((one, other) => Number(other.default) - Number(one.default)),
    (error) => {
      known = null;
      throw error;
    },
  );
  return known;
}

/**
 * What the options change, with a way back to the usual ones; null if they change nothing.
 * @param {App} app
 * @param {string[]} [without] options that do not count here
 */
export function optionsNote(app, without = []) {
  const changed = Object.entries(app.state.options).filter(([name]) => !without.includes(name));
  if (!changed.length) return null;
  return h(
    "p",
    { class: "hint options-note" },
    `With ${changed.map(([name, value]) => `${name} ${value}`).join(", ")}. `,
    h(
      "button",
      {
        class: "quiet small",
        on: {
          click: () => {
            app.state.options = {};
            app.save();
            app.go(location.hash);
          },
        },
      },
      "Back to the usual options",
    ),
  );
}

/**
 * The controls. `changed` is called with every change of `app.state.options`.
 * @param {App} app
 * @param {() => void} changed
 */
export async function settings(app, changed) {
  const options = app.state.options;
  const all = await methods(app);

  const apply = () => {
    app.save();
    draw();
    changed();
  };
  /** @param {string} name @param {unknown} value */
  const set = (name, value) => {
    if (value === null) delete options[name];
    else options[name] = value;
    apply();
  };

  const summary = h("p", { class: "hint" });
  const method = h(
    "select",
    {
      id: "method",
      on: {
        change: () => {
          set("method", method.value === all[0]?.name ? null : method.value);
        },
      },
    },
    all.map(({ name }) => h("option", { value: name }, name)),
  );
  const focus = h("input", {
    type: "range",
    id: "focus",
    min: 0,
    max: 2,
    step: 1,
    test: "slider-focus",
    on: {
      input: () => {
        delete options["threshold"];
        set("focus", focus.value === "1" ? null : FOCI[Number(focus.value)]);
      },
    },
  });
  const focusName = h("output", { for: "focus" });
  /** @type {HTMLInputElement} */
  const threshold = h("input", {
    type: "range",
    id: "threshold",
    min: 0,
    max: 1,
    step: 0.01,
    test: "slider-threshold",
    on: { input: () => set("threshold", Number(threshold.value)) },
  });
  const thresholdName = h("output", { for: "threshold", class: "number" });
  const automatic = h(
    "button",
    { class: "quiet small", type: "button", on: { click: () => set("threshold", null) } },
    "automatic",
  );

  /** @type {number | null} the cut that the page had last */
  let cut = null;

  function draw() {
    const chosen = typeof options["method"] === "string" ? options["method"] : all[0]?.name;
    method.value = chosen ?? "";
    fill(summary, all.find(({ name }) => name === chosen)?.summary ?? "");
    const place = Math.max(0, FOCI.indexOf(String(options["focus"] ?? "balanced")));
    focus.value = String(place);
    focus.setAttribute("aria-valuetext", FOCUS_NAMES[place] ?? "");
    fill(focusName, FOCUS_NAMES[place]);
    const own = options["threshold"];
    const isOwn = typeof own === "number";
    automatic.setAttribute("aria-pressed", String(!isOwn));
    if (isOwn) threshold.value = String(own);
    else threshold.value = String(cut ?? 1);
    fill(thresholdName, isOwn ? own.toFixed(2) : cut === null ? "nothing kept" : cut.toFixed(2));
    focus.closest(".setting")?.classList.toggle("off", isOwn);
  }

  const element = h(
    "div",
    { class: "settings" },
    h("div", { class: "setting" }, h("label", { for: "method" }, "Method"), method, summary),
    h(
      "div",
      { class: "setting" },
      h("div", { class: "row" }, h("label", { for: "focus" }, "Focus"), focusName),
      focus,
    ),
    h(
      "div",
      { class: "setting" },
      h(
        "div",
        { class: "row" },
        h("label", { for: "threshold" }, "Threshold"),
        h("span", { class: "row" }, automatic, thresholdName),
      ),
      threshold,
    ),
  );
  draw();
  return {
    element,
    /** @param {number | null} value the cut of the page as it is now */
    show(value) {
      cut = value;
      draw();
    },
    /** @param {number} step */
    moveFocus(step) {
      const place = FOCI.indexOf(String(options["focus"] ?? "balanced")) + step;
      if (!FOCI[place]) return;
      delete options["threshold"];
      set("focus", place === 1 ? null : FOCI[place]);
    },
    /** @param {number} step */
    moveThreshold(step) {
      const value = Number(threshold.value) + step;
      set("threshold", Math.round(100 * Math.min(1, Math.max(0, value))) / 100);
    },
    automatic: () => set("threshold", null),
  };
}
