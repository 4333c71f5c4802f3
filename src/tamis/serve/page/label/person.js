/** Who labels: asked once and kept, so that two people can tell who said what. */
import { el } from "../dom.js";

const KEY = "tamis.by";

export function personName() {
  return localStorage.getItem(KEY) ?? "";
}

/**
 * Asks for the name; resolves when there is one, or not if the dialog is left without.
 *
 * @param {HTMLElement} holder
 * @returns {Promise<void>}
 */
export function askName(holder) {
  return new Promise((resolve) => {
    const input = el("input", { name: "by", required: true, maxlength: 60, autocomplete: "nickname", value: personName(), "data-test": "label-by" });
    const form = el(
      "form",
      {
        method: "dialog",
        onsubmit: () => localStorage.setItem(KEY, input.value.trim() || "somebody"),
      },
      el("h2", { id: "by-title" }, "Who is labelling?"),
      el("p", { class: "faint" }, "Your name is kept in this browser and stored with your labels, so that people can tell who said what."),
      el("label", {}, "Name", input),
      el("button", { class: "primary", "data-test": "label-by-save" }, "Begin"),
    );
    const dialog = el("dialog", { class: "by-dialog", "aria-labelledby": "by-title" }, form);
    dialog.addEventListener("close", () => {
      dialog.remove();
      resolve();
    });
    holder.append(dialog);
    dialog.showModal();
    input.select();
  });
}
