/** Who labels: asked once and kept, so that two people can tell who said what. */
import { h } from "../dom.js";

const KEY = "tamis.by";

/** Empty before it was asked for. */
export function personName() {
  return localStorage.getItem(KEY) ?? "";
}

/** Who gives no name is told from others who give none. */
function anonymous() {
  return `anonymous ${100 + Math.floor(Math.random() * 900)}`;
}

/**
 * Asks for the name; who leaves the dialog without one is anonymous.
 *
 * @param {HTMLElement} holder
 * @returns {Promise<void>}
 */
export function askName(holder) {
  return new Promise((resolve) => {
    const input = h("input", {
      name: "by",
      maxlength: 60,
      autocomplete: "nickname",
      value: personName(),
      test: "label-by",
    });
    const form = h(
      "form",
      {
        method: "dialog",
        on: { submit: () => input.value.trim() && localStorage.setItem(KEY, input.value.trim()) },
      },
      h("h2", { id: "by-title" }, "Who is labelling?"),
      h(
        "p",
        { class: "hint" },
        "Your name is kept in this browser and stored with your labels, so that people can tell who said what.",
      ),
      h("label", {}, "Name", input),
      h(
        "div",
        { class: "actions" },
        h(
          "button",
          { type: "button", class: "quiet", on: { click: () => dialog.close() } },
          "Not now",
        ),
        h("button", { class: "primary", test: "label-by-save" }, "Begin"),
      ),
    );
    /** @type {HTMLDialogElement} */
    const dialog = h("dialog", { class: "by-dialog", "aria-labelledby": "by-title" }, form);
    dialog.addEventListener("close", () => {
      dialog.remove();
      if (!personName()) localStorage.setItem(KEY, anonymous());
      resolve();
    });
    holder.append(dialog);
    dialog.showModal();
    input.select();
  });
}
