/**
 * Whether everything is saved, always in sight.
 *
 * @typedef {import("./unsaved.js").Unsaved} Unsaved
 */
import { h } from "../dom.js";

/**
 * @param {Unsaved} unsaved
 * @param {AbortSignal} signal ends it
 */
export function savedState(unsaved, signal) {
  const text = h("span", { role: "status" });
  const again = h(
    "button",
    { type: "button", class: "quiet", on: { click: () => unsaved.retry() } },
    "Try again",
  );
  const discard = h(
    "button",
    { type: "button", class: "quiet", on: { click: () => unsaved.discardRefused() } },
    "Discard",
  );
  const element = h(
    "div",
    { class: "saved", test: "label-saved" },
    h("span", { class: "saved-dot" }),
    text,
    again,
    discard,
  );
  const show = () => {
    const { status, count } = unsaved;
    const changes = `${count} change${count === 1 ? "" : "s"}`;
    const texts = {
      saved: "Saved",
      saving: "Saving…",
      later: `Offline: ${changes} kept here`,
      conflict: "Saved, except for the conflict",
      refused: `Not saved: ${unsaved.reason}`,
    };
    element.dataset.state = status;
    element.title = status === "later" ? unsaved.reason : "";
    if (text.textContent !== texts[status]) text.textContent = texts[status];
    again.hidden = status !== "later" && status !== "refused";
    discard.hidden = status !== "refused";
  };
  unsaved.addEventListener("status", show, { signal });
  show();
  return element;
}
