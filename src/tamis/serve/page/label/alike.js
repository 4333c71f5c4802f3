/**
 * "This element and all like it": elements are alike when they and all elements around them have the
 * same tags and classes.
 *
 * @typedef {object} Level an element around a block, and the blocks in all elements like it
 * @property {string} name of the element, for people
 * @property {number} elements how many are alike
 * @property {number[]} blocks in all of them
 *
 * @typedef {object} Node the part of `Element` that is used here
 * @property {string} tagName
 * @property {Node | null} parentElement
 * @property {(name: string) => string | null} getAttribute
 */

// Classes that tell the first, every second, the chosen one, or number 17 from the others.
const POSITION = /^(first|last|odd|even|alt|active|current|selected|hidden|show|open)$/;
const NUMBERED = /[-_]\d+$/;
// Columns of a grid are numbered by their width: the main one is not like that at the side.
const GRID = /^(col|column|row|span|grid|large|medium|small|w|size)\b/;
const WIDEST = 6;

/** The tag and the classes, without what numbers or places an element. @param {Node} element */
export function nameOf(element) {
  const tag = element.tagName.toLowerCase();
  const classes = (element.getAttribute("class") ?? "")
    .split(/\s+/)
    .filter((name) => name && !POSITION.test(name) && (!NUMBERED.test(name) || GRID.test(name)));
  return [tag, ...new Set(classes.sort())].join(".");
}

/** Knows which elements of a document are alike. */
export class Alike {
  /** @type {Map<string, number>} */
  #paths = new Map();
  /** @type {Map<Node, number>} */
  #pathOf = new Map();
  /** @type {Map<number, {elements: Set<Node>, blocks: Set<number>}>} */
  #groups = new Map();
  #elementsOf;

  /**
   * @param {Iterable<number>} blocks those of the page
   * @param {(block: number) => readonly Node[]} elementsOf the marks around the texts of a block
   */
  constructor(blocks, elementsOf) {
    this.#elementsOf = elementsOf;
    for (const block of blocks) {
      for (const element of this.#around(block)) {
        const path = this.#path(element);
        let group = this.#groups.get(path);
        if (!group) this.#groups.set(path, (group = { elements: new Set(), blocks: new Set() }));
        group.elements.add(element);
        group.blocks.add(block);
      }
    }
  }

  /**
   * The elements around a block that have others like them, from the narrowest on; at least the
   * narrowest, also if it is alone.
   *
   * @param {number} block
   * @returns {Level[]}
   */
  levels(block) {
    /** @type {Level[]} */
    const levels = [];
    /** @type {Level | null} */
    let alone = null;
    for (const element of this.#around(block)) {
      const group = this.#groups.get(this.#path(element));
      if (!group) continue;
      const blocks = [...group.blocks].sort((a, b) => a - b);
      const level = { name: nameOf(element), elements: group.elements.size, blocks };
      alone ??= level;
      // The same blocks again are not a choice.
      if (level.elements < 2 || levels.at(-1)?.blocks.length === blocks.length) continue;
      levels.push(level);
      if (levels.length === WIDEST) break;
    }
    return levels.length || !alone ? levels : [alone];
  }

  /** The elements around a block, from the narrowest that holds all of it up to the body. @param {number} block */
  #around(block) {
    const marks = this.#elementsOf(block);
    let around = ancestors(marks[0]?.parentElement ?? null);
    for (const mark of marks.slice(1)) {
      const others = new Set(ancestors(mark.parentElement));
      around = around.filter((element) => others.has(element));
    }
    return around;
  }

  /** @param {Node} element @returns {number} */
  #path(element) {
    const known = this.#pathOf.get(element);
    if (known !== undefined) return known;
    const parent = element.parentElement;
    const path = `${parent && !isRoot(parent) ? this.#path(parent) : ""}>${nameOf(element)}`;
    let number = this.#paths.get(path);
    if (number === undefined) this.#paths.set(path, (number = this.#paths.size));
    this.#pathOf.set(element, number);
    return number;
  }
}

/** @param {Node | null} element @returns {Node[]} */
function ancestors(element) {
  const result = [];
  for (let node = element; node && !isRoot(node); node = node.parentElement) result.push(node);
  return result;
}

/** @param {Node} element */
function isRoot(element) {
  return /^(body|html)$/i.test(element.tagName);
}
