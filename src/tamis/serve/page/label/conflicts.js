/**
 * Blocks that two people labelled differently, with the choice between both.
 *
 * @typedef {import("./unsaved.js").Conflict} Conflict
 */
import { h } from "../dom.js";
import { nameOf } from "./kinds.js";

const LONGEST = 140;

/**
 * @param {Map<number, Conflict>} conflicts
 * @param {object} parts
 * @param {(block: number) => string} parts.textOf
 * @param {(block: number) => void} parts.reveal
 * @param {(blocks: number[], choice: "mine" | "theirs") => void} parts.resolve
 */
export function conflictPanel(conflicts, { textOf, reveal, resolve }) {
  const blocks = [...conflicts.keys()].sort((a, b) => a - b);
  const people = [
    ...new Set([...conflicts.values()].map((conflict) => conflict.by || "Somebody")),
  ].join(" and ");
  const what = blocks.length === 1 ? "this block" : `these ${blocks.length} blocks`;
  return h(
    "section",
    { class: "conflicts", "aria-label": "Conflicts", test: "label-conflicts" },
    h(
      "header",
      {},
      h(
        "p",
        {},
        h("strong", {}, `${people} and you labelled ${what} differently.`),
        " Everything else is saved.",
      ),
      blocks.length > 1 && button("All mine", () => resolve(blocks, "mine")),
      blocks.length > 1 && button("All theirs", () => resolve(blocks, "theirs")),
    ),
    h(
      "ul",
      {},
      ...blocks.map((block) => row(block, /** @type {Conflict} */ (conflicts.get(block)))),
    ),
  );

  /** @param {number} block @param {Conflict} conflict */
  function row(block, conflict) {
    const text = textOf(block).trim();
    return h(
      "li",
      {},
      h(
        "button",
        {
          type: "button",
          class: "conflict-text",
          dir: "auto",
          title: "Show on the page",
          on: { click: () => reveal(block) },
        },
        text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text,
      ),
      side("Mine", conflict.yours, () => resolve([block], "mine")),
      side(conflict.by || "Theirs", conflict.theirs, () => resolve([block], "theirs")),
    );
  }

  /**
   * @param {string} who
   * @param {import("./kinds.js").Kind | null} kind
   * @param {() => void} choose
   */
  function side(who, kind, choose) {
    const name = kind ? nameOf(kind) : "the proposal";
    return h(
      "button",
      {
        type: "button",
        class: "conflict-side",
        "aria-label": `Keep ${who}: ${name}`,
        on: { click: choose },
      },
      h("span", { class: "hint" }, who),
      h("span", { class: `swatch kind-${kind ?? "none"}` }),
      name,
    );
  }
}

/** @param {string} text @param {() => void} run */
function button(text, run) {
  return h("button", { type: "button", on: { click: run } }, text);
}
