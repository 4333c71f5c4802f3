/** Elements made by hand: text stays text, whatever a page or the service says. */

/**
 * @typedef {Node | string | number | false | null | undefined} Child
 * @typedef {Child | Child[]} Children
 */

/**
 * What an element is made with: attributes by their names, `on` with listeners, `test` for tests,
 * `class`, and properties that have no attribute (`value`, `checked`, ...).
 * @typedef {Record<string, unknown> & {
 *   class?: string, test?: string, on?: Record<string, (event: any) => unknown>
 * }} Props
 */

const PROPERTIES = new Set(["value", "checked", "disabled", "selected", "indeterminate", "open"]);

/**
 * An element with its attributes and what is in it.
 * @template {keyof HTMLElementTagNameMap} K
 * @param {K} name
 * @param {Props} [props]
 * @param {...Children} children
 * @returns {HTMLElementTagNameMap[K]}
 */
export function h(name, props = {}, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(props)) {
    if (value === undefined || value === null || value === false) continue;
    if (key === "on") {
      for (const [type, listener] of Object.entries(/** @type {object} */ (value)))
        element.addEventListener(type, listener);
    } else if (key === "test") element.dataset["test"] = String(value);
    else if (key === "class") element.className = String(value);
    else if (PROPERTIES.has(key)) /** @type {any} */ (element)[key] = value;
    else element.setAttribute(key, value === true ? "" : String(value));
  }
  append(element, children);
  return element;
}

const SVG = "http://www.w3.org/2000/svg";

/**
 * A drawing.
 * @param {string} name
 * @param {Record<string, string | number>} [attributes]
 * @param {...SVGElement} children
 * @returns {SVGElement}
 */
export function svg(name, attributes = {}, ...children) {
  const element = /** @type {SVGElement} */ (document.createElementNS(SVG, name));
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, String(value));
  element.append(...children);
  return element;
}

/**
 * A sign of 24 by 24, drawn by lines.
 * @param {string} path
 * @returns {SVGElement}
 */
export function icon(path) {
  return svg(
    "svg",
    { viewBox: "0 0 24 24", class: "icon", "aria-hidden": "true", focusable: "false" },
    svg("path", { d: path }),
  );
}

/**
 * @param {Element} element
 * @param {Children[]} children
 */
function append(element, children) {
  for (const child of children.flat()) {
    if (child === false || child === null || child === undefined) continue;
    element.append(child instanceof Node ? child : String(child));
  }
}

/**
 * Puts other things into an element.
 * @template {Element} E
 * @param {E} element
 * @param {...Children} children
 * @returns {E}
 */
export function fill(element, ...children) {
  element.replaceChildren();
  append(element, children);
  return element;
}

/**
 * A number as people read it.
 * @param {number} value
 * @param {number} [digits]
 */
export function count(value, digits = 0) {
  return value.toLocaleString("en", { minimumFractionDigits: digits, maximumFractionDigits: digits });
}

/**
 * A number of things: "1 block", "2 blocks".
 * @param {number} value
 * @param {string} thing
 */
export function plural(value, thing) {
  return `${count(value)} ${thing}${value === 1 ? "" : "s"}`;
}

/**
 * Calls a function once, when it was not asked for again for a while.
 * @template {unknown[]} A
 * @param {(...args: A) => void} run
 * @param {number} milliseconds
 * @returns {(...args: A) => void}
 */
export function later(run, milliseconds) {
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer;
  return (...args) => {
    clearTimeout(timer);
    timer = setTimeout(() => run(...args), milliseconds);
  };
}

/**
 * A function of which one call runs at a time; of those that come meanwhile the last is made then.
 * @template A
 * @param {(argument: A) => Promise<void>} run
 * @returns {(argument: A) => Promise<void>}
 */
export function lastWins(run) {
  let running = false;
  /** @type {{argument: A} | null} */
  let waiting = null;
  return async (argument) => {
    waiting = { argument };
    if (running) return;
    running = true;
    try {
      while (waiting) {
        const next = /** @type {{argument: A}} */ (waiting);
        waiting = null;
        await run(next.argument);
      }
    } finally {
      running = false;
    }
  };
}

/**
 * Saves a text or a picture as a file.
 * @param {string} name
 * @param {BlobPart} content
 * @param {string} type
 */
export function download(name, content, type) {
  const address = URL.createObjectURL(new Blob([content], { type }));
  h("a", { href: address, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}
