/**
 * The labels of one page as one person sees them: what was proposed, what people gave, and the steps
 * that can be undone.
 *
 * @typedef {import("./kinds.js").Kind} Kind
 * @typedef {Map<number, Kind | null>} Changes a kind for each block; null takes the label back
 * @typedef {{block: number, before: Kind | null, after: Kind | null}} Change
 */

export class Labels {
  /** @type {Change[][]} */
  #past = [];
  /** @type {Change[][]} */
  #future = [];
  /** @type {ReadonlyMap<number, Kind>} */
  #proposed;
  /** @type {Map<number, Kind>} */
  #given;

  /**
   * @param {ReadonlyMap<number, Kind>} proposed the kind of every block, by the model
   * @param {ReadonlyMap<number, Kind>} given the labels that people gave
   */
  constructor(proposed, given) {
    this.#proposed = proposed;
    this.#given = new Map(given);
  }

  /** @param {number} block @returns {Kind} */
  kindOf(block) {
    return this.#given.get(block) ?? this.#proposed.get(block) ?? "other";
  }

  /** @param {number} block whether a person said so */
  isGiven(block) {
    return this.#given.has(block);
  }

  /** How many blocks a person has labelled. */
  get count() {
    return this.#given.size;
  }

  get canUndo() {
    return this.#past.length > 0;
  }

  get canRedo() {
    return this.#future.length > 0;
  }

  /**
   * Labels the blocks, as one step; null takes their labels back.
   *
   * @param {Iterable<number>} blocks
   * @param {Kind | null} kind
   * @returns {Changes} what was changed
   */
  paint(blocks, kind) {
    /** @type {Change[]} */
    const step = [];
    for (const block of new Set(blocks)) {
      const before = this.#given.get(block) ?? null;
      if (before !== kind && this.#proposed.has(block)) step.push({ block, before, after: kind });
    }
    if (step.length) {
      this.#past.push(step);
      this.#future = [];
    }
    return this.#apply(step, "after");
  }

  /** Takes the last step back, except where somebody else has changed a block since. */
  undo() {
    return this.#move(this.#past, this.#future, "after", "before");
  }

  redo() {
    return this.#move(this.#future, this.#past, "before", "after");
  }

  /**
   * Takes over what the server has, with what it does not have yet.
   *
   * @param {ReadonlyMap<number, Kind>} stored
   * @param {Changes} unsaved
   * @returns {number[]} the blocks that look different now
   */
  receive(stored, unsaved) {
    const before = this.#given;
    this.#given = overlaid(stored, unsaved);
    return changedBlocks(before, this.#given);
  }

  /**
   * @param {Change[][]} from
   * @param {Change[][]} to
   * @param {"before" | "after"} expected
   * @param {"before" | "after"} wanted
   * @returns {Changes}
   */
  #move(from, to, expected, wanted) {
    const step = from.pop();
    if (!step) return new Map();
    to.push(step);
    const untouched = step.filter(
      (change) => (this.#given.get(change.block) ?? null) === change[expected],
    );
    return this.#apply(untouched, wanted);
  }

  /**
   * @param {Change[]} step
   * @param {"before" | "after"} side
   * @returns {Changes}
   */
  #apply(step, side) {
    /** @type {Changes} */
    const changes = new Map(step.map((change) => [change.block, change[side]]));
    this.#given = overlaid(this.#given, changes);
    return changes;
  }
}

/**
 * The labels with changes made to them.
 *
 * @param {ReadonlyMap<number, Kind>} labels
 * @param {Changes} changes
 */
export function overlaid(labels, changes) {
  const result = new Map(labels);
  for (const [block, kind] of changes) {
    if (kind === null) result.delete(block);
    else result.set(block, kind);
  }
  return result;
}

/**
 * The blocks that have another label, or one more or less, in order.
 *
 * @param {ReadonlyMap<number, Kind>} before
 * @param {ReadonlyMap<number, Kind>} after
 */
export function changedBlocks(before, after) {
  const blocks = new Set([...before.keys(), ...after.keys()]);
  return [...blocks]
    .filter((block) => before.get(block) !== after.get(block))
    .sort((a, b) => a - b);
}

/**
 * Labels or changes as JSON has them, with the blocks as numbers.
 *
 * @template T
 * @param {Record<string, T>} record
 * @returns {Map<number, T>}
 */
export function byBlock(record) {
  return new Map(Object.entries(record).map(([block, value]) => [Number(block), value]));
}
