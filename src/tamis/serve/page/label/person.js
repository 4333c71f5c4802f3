/** Who labels: asked once and kept, so that two people can tell who said what. */
import { h } from "../dom.js";

const KEY = "tamis.by";

/** Empty before it was asked for. */
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
    const input = h("input", {
      name: "by",
      required: true,
      maxlength: 60,
      autocomplete: "nickname",
      value: personName(),
      test: "label-by",
    });
    const form = h(
      "form",
      {
        method: "dialog",
        on: { submit: () => localStorage.setItem(KEY, input.value.trim() || "somebody") },
      },
      h("h2", { id: "by-title" }, "Who is labelling?"),
      h(
        "p",
        { class: "hint" },
        "Your name is kept in this browser and stored with your labels, so that people can tell who said what.",
      ),
      h("label", {}, "Name", input),
      h("button", { class: "primary", test: "label-by-save" }, "Begin"),
    );
    const dialog = h("dialog", { class: "by-dialog", "aria-labelledby": "by-title" }, form);
    dialog.addEventListener("close", () => {
      dialog.remove();
      resolve();
    });
    holder.append(dialog);
    dialog.showModal();
    input.select();
  });
}
