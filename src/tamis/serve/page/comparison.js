/** What is compared, and the rows of the comparison: what needs no browser to be right. */

/** @typedef {import("./settings.js").Method} Method */

/**
 * What a column shows: a method, with parameters of its own or weights of the project.
 * @typedef {{method: string, parameters?: Record<string, unknown>, weights?: string}} Choice
 */

/**
 * What `/v1/compare` answers.
 * @typedef {object} Comparison
 * @property {{name: string, text: string, words: number, blocks: number, kept: number[], embedded: string | null, score?: {precision: number, recall: number, f1: number}}[]} results
 * @property {{names: [string, string], f1: number}[]} agreement
 * @property {{block: number, text: string, kept_by: string[], scores: Record<string, number>}[]} differences
 */

/**
 * A block, and which columns keep it with what scores.
 * @typedef {{block: number, text: string, kept: boolean[], scores: (number | null)[], differs: boolean}} Row
 */

const CHOICES = "tamis.compare";
/** Columns that there are at least and at most. */
export const FEWEST = 2;
export const MOST = 4;
/** How weights of the project are named beside methods. */
export const PROJECT = "project:";
/** The weights that come with tamis. */
export const SHIPPED = "shipped";
/** @type {Choice[]} */
const USUAL = [{ method: "tamis" }, { method: "boilerpipe" }];

/**
 * All blocks, with who keeps each.
 * @param {Comparison} made
 * @param {import("./frame.js").ViewBlock[]} blocks
 * @returns {Row[]}
 */
export function rowsOf(made, blocks) {
  const keepers = made.results.map(({ kept }) => new Set(kept));
  const differences = new Map(made.differences.map((row) => [row.block, row]));
  return blocks.map(({ block, text }) => {
    const row = differences.get(block);
    return {
      block,
      text,
      differs: row !== undefined,
      // The blocks of one that took the text from the data of the page are others.
      kept: keepers.map((kept, place) => kept.has(block) && !made.results[place]?.embedded),
      scores: made.results.map(({ name }) => row?.scores[name] ?? null),
    };
  });
}

/**
 * Whether a name is that of weights, not of a method.
 * @param {string} name
 */
export function isWeights(name) {
  return name === SHIPPED || name.startsWith(PROJECT);
}

/**
 * The value of a parameter from what was typed.
 * @param {string} text
 * @param {unknown} usual what kind of value is wanted
 */
export function parsed(text, usual) {
  if (typeof usual === "string") return text;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/**
 * What was compared the last time, as far as there is still such a thing.
 * @param {Method[]} all
 * @param {string[]} weights of the project
 * @returns {Choice[]}
 */
export function savedChoices(all, weights) {
  try {
    /** @type {Choice[]} */
    const saved = JSON.parse(localStorage.getItem(CHOICES) ?? "[]");
    const known = saved.filter(
      ({ method, weights: own }) =>
        all.some(({ name }) => name === method) &&
        (!own || (weights.length > 0 && own === SHIPPED) || weights.includes(own.slice(PROJECT.length))),
    );
    if (known.length >= FEWEST) return known.slice(0, MOST);
  } catch {
    // What was saved is of another version.
  }
  return USUAL.map((choice) => ({ ...choice }));
}

/** @param {Choice[]} choices */
export function saveChoices(choices) {
  localStorage.setItem(CHOICES, JSON.stringify(choices));
}
