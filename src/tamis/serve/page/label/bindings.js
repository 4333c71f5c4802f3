/**
 * The keys of the view Label.
 *
 * @typedef {import("../keys.js").Bindings} Bindings
 * @typedef {import("./editor.js").Editor} Editor
 */
import { BRUSHES } from "./kinds.js";

/**
 * @param {Editor} editor
 * @param {object} actions
 * @param {() => void} actions.alike
 * @param {() => boolean} actions.takeLevel
 * @param {() => void} actions.pictures
 * @param {(state: "done" | "skipped") => void} actions.settle
 * @returns {Bindings}
 */
export function bindings(editor, { alike, takeLevel, pictures, settle }) {
  const brushes = BRUSHES.map(({ kind, name }, index) => [
    String(index + 1),
    { label: `Brush: ${name}`, run: () => editor.choose(kind) },
  ]);
  /** @type {(label: string, steps: number, extend: boolean) => Bindings[string]} */
  const step = (label, steps, extend) => ({ label, run: () => editor.step(steps, extend) });
  return {
    ...Object.fromEntries(brushes),
    0: { label: "Brush: as proposed", run: () => editor.choose(null) },
    j: step("Next block", 1, false),
    k: step("Previous block", -1, false),
    ArrowDown: step("Next block", 1, false),
    ArrowUp: step("Previous block", -1, false),
    J: step("Also pick the next block", 1, true),
    K: step("Also pick the previous block", -1, true),
    "Shift+ArrowDown": step("Also pick the next block", 1, true),
    "Shift+ArrowUp": step("Also pick the previous block", -1, true),
    " ": { label: "Paint what is picked", run: () => editor.paintPicked() },
    a: { label: "This element and all like it", run: alike },
    c: { label: "Next close call", run: () => editor.stepToClose(1) },
    C: { label: "Previous close call", run: () => editor.stepToClose(-1) },
    i: { label: "Pictures and styles from the web", run: pictures },
    "Ctrl+z": { label: "Undo", run: () => editor.undo() },
    "Ctrl+Z": { label: "Redo", run: () => editor.redo() },
    "Ctrl+y": { label: "Redo", run: () => editor.redo() },
    Enter: { label: "Accept and next page", run: () => takeLevel() || settle("done") },
    s: { label: "Skip this page", run: () => settle("skipped") },
  };
}
