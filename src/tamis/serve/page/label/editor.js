/**
 * A page whose blocks are painted: the proposal first, then what people say.
 *
 * @typedef {import("./kinds.js").Kind} Kind
 * @typedef {import("./labels.js").Changes} Changes
 * @typedef {import("./project.js").LabelledPage} LabelledPage
 * @typedef {import("./unsaved.js").PageState} PageState
 * @typedef {import("./alike.js").Level} Level
 * @typedef {import("../frame.js").View} View
 */
import { PageFrame } from "../frame.js";
import { Alike } from "./alike.js";
import { BRUSHES } from "./kinds.js";
import { Labels, byBlock } from "./labels.js";
import { PAINT } from "./paint.js";
import { between, stepFrom } from "./ranges.js";

const BRUSH_KEY = "tamis.label.brush";
// Pixels that stay between the cursor and the edge.
const MARGIN = 60;
const CURSOR_KEY = "tamis.label.cursor";
/** Scores as near to the cut as that are close calls, as in tamis/project/transfer.py. */
const NEAR = 0.15;

/**
 * Events: "changed" {changes} when the person has changed labels; "picked" when the block at the
 * cursor is another one; "painted" when what is shown has changed.
 */
export class Editor extends EventTarget {
  #page = 0;
  /** @type {Labels} */
  #labels = new Labels(new Map(), new Map());
  /** @type {number[]} the blocks that can be seen */
  #order = [];
  /** @type {Map<number, string>} */
  #texts = new Map();
  /** @type {number[]} the blocks of which the model is not sure */
  #close = [];
  /** @type {Alike | null} */
  #alike = null;
  /** @type {number | null} */
  #cursor = null;
  /** @type {number | null} where a range begins */
  #anchor = null;
  /** @type {Set<number>} */
  #picked = new Set();
  /** @type {Set<number>} */
  #preview = new Set();
  /** @type {Kind | null} null takes labels back */
  brush = /** @type {Kind} */ (localStorage.getItem(BRUSH_KEY) ?? "main");
  #frame;

  /** @param {HTMLElement} holder */
  constructor(holder) {
    super();
    this.#frame = new PageFrame(holder);
    this.#frame.addStyle(PAINT);
    this.#frame.addEventListener("block", (event) =>
      this.#clicked(/** @type {CustomEvent} */ (event).detail),
    );
    this.#frame.addEventListener("dragging", (event) =>
      this.preview(/** @type {CustomEvent} */ (event).detail.blocks),
    );
    this.#frame.addEventListener("drag", (event) =>
      this.#dragged(/** @type {CustomEvent} */ (event).detail.blocks),
    );
  }

  /**
   * @param {LabelledPage} page
   * @param {Changes} unsaved
   */
  async open(page, unsaved) {
    const { blocks } = page.view;
    const proposed = new Map(
      blocks.map(({ block, label }) => [block, /** @type {Kind} */ (label)]),
    );
    this.#labels = new Labels(proposed, new Map());
    this.#labels.receive(byBlock(page.labels), unsaved);
    this.#texts = new Map(blocks.map(({ block, text }) => [block, text]));
    this.#cursor = this.#anchor = null;
    this.#picked.clear();
    this.#preview.clear();
    this.#page = page.id;
    await this.show(page.view);
  }

  /** Shows the document of the page that is open. @param {View} view */
  async show(view) {
    await this.#frame.load(view);
    this.#alike = null;
    this.#order = view.blocks.map(({ block }) => block).filter((block) => this.#isSeen(block));
    const cut = view.cut ?? 0.5;
    this.#close = this.#order.filter(
      (block) => Math.abs((view.blocks[block]?.score ?? 0) - cut) <= NEAR,
    );
    this.#paint();
    this.#goBack();
  }

  get canUndo() {
    return this.#labels.canUndo;
  }

  get canRedo() {
    return this.#labels.canRedo;
  }

  get cursor() {
    return this.#cursor;
  }

  /** How many blocks are of each kind. */
  get counts() {
    const counts = new Map(BRUSHES.map(({ kind }) => [kind, 0]));
    for (const block of this.#texts.keys()) {
      const kind = this.#labels.kindOf(block);
      counts.set(kind, (counts.get(kind) ?? 0) + 1);
    }
    return counts;
  }

  /** How many blocks a person has labelled. */
  get given() {
    return this.#labels.count;
  }

  /** @param {number} block */
  textOf(block) {
    return this.#texts.get(block) ?? "";
  }

  /** @param {Kind | null} kind */
  choose(kind) {
    this.brush = kind;
    if (kind) localStorage.setItem(BRUSH_KEY, kind);
    this.dispatchEvent(new Event("painted"));
  }

  /**
   * Paints the blocks with the brush.
   *
   * @param {Iterable<number>} blocks
   */
  paint(blocks) {
    this.#tell(this.#labels.paint(blocks, this.brush));
  }

  /** Paints what is picked by the keyboard. */
  paintPicked() {
    if (this.#cursor === null) this.step(1, false);
    else this.paint(this.#picked.size ? this.#picked : [this.#cursor]);
  }

  undo() {
    this.#reveal(this.#tell(this.#labels.undo()));
  }

  redo() {
    this.#reveal(this.#tell(this.#labels.redo()));
  }

  /**
   * Goes to the block so many steps away.
   *
   * @param {number} steps
   * @param {boolean} extend whether the blocks on the way are picked, too
   */
  step(steps, extend) {
    const block = stepFrom(this.#order, this.#cursor, steps);
    if (block === null) return;
    this.#moveTo(block, extend);
    this.#bringIntoSight(block);
  }

  /** Goes to the next block of which the model is not sure. @param {number} steps */
  stepToClose(steps) {
    const block = stepFrom(this.#close, this.#cursor, steps);
    if (block !== null) this.reveal(block);
  }

  /** The element at the cursor and all like it, from the narrowest on. @returns {Level[]} */
  levels() {
    if (this.#cursor === null) return [];
    this.#alike ??= new Alike(this.#texts.keys(), (block) => this.#frame.elementsOf(block));
    return this.#alike.levels(this.#cursor);
  }

  /** Marks blocks that would be painted. @param {Iterable<number>} blocks */
  preview(blocks) {
    this.#preview = new Set(blocks);
    this.#paint();
  }

  /** @param {number} block */
  reveal(block) {
    this.#moveTo(block, false);
    this.#frame.reveal(block);
  }

  /**
   * What the server has, with what it does not have yet.
   *
   * @param {Record<string, Kind>} stored
   * @param {Changes} unsaved
   */
  receive(stored, unsaved) {
    const changed = this.#labels.receive(byBlock(stored), unsaved);
    if (changed.length) this.#paint();
    return changed;
  }

  /** @param {{block: number, event: MouseEvent}} detail */
  #clicked({ block, event }) {
    if (event.shiftKey && this.#anchor !== null) {
      const blocks = between(this.#order, this.#anchor, block);
      this.#moveTo(block, false);
      this.paint(blocks);
      return;
    }
    this.#moveTo(block, false);
    if (event.altKey) this.paint(this.levels()[0]?.blocks ?? [block]);
    else this.paint([block]);
  }

  /** The cursor is where it was, also after a reload. */
  #goBack() {
    const [page, block] = (sessionStorage.getItem(CURSOR_KEY) ?? "").split(" ").map(Number);
    if (page !== this.#page || block === undefined || !this.#texts.has(block)) return;
    this.#moveTo(block, false);
    this.#bringIntoSight(block);
  }

  /** @param {number[]} blocks */
  #dragged(blocks) {
    const [first, last] = [blocks[0], blocks.at(-1)];
    this.#preview.clear();
    if (first !== undefined && last !== undefined) this.paint(between(this.#order, first, last));
  }

  /** Scrolls no more than is needed. @param {number} block */
  #bringIntoSight(block) {
    const element = this.#frame.elementsOf(block)[0];
    const box = element?.getBoundingClientRect();
    const { seen } = this.#frame.extent;
    if (box && (box.top < MARGIN || box.bottom > seen - MARGIN))
      element?.scrollIntoView({ block: "center" });
  }

  /** @param {number} block @param {boolean} extend */
  #moveTo(block, extend) {
    if (extend) this.#picked = new Set(between(this.#order, this.#anchor ?? block, block));
    else this.#picked.clear();
    if (!extend) this.#anchor = block;
    this.#cursor = block;
    sessionStorage.setItem(CURSOR_KEY, `${this.#page} ${block}`);
    this.#paint();
    this.dispatchEvent(new Event("picked"));
  }

  /** @param {Changes} changes */
  #tell(changes) {
    if (changes.size) this.dispatchEvent(new CustomEvent("changed", { detail: { changes } }));
    this.#paint();
    return changes;
  }

  /** @param {Changes} changes */
  #reveal(changes) {
    const [first] = [...changes.keys()].sort((a, b) => a - b);
    if (first !== undefined) this.reveal(first);
  }

  #paint() {
    this.#frame.paint((block) => ({ className: this.#classOf(block) }));
    this.dispatchEvent(new Event("painted"));
  }

  /** @param {number} block */
  #classOf(block) {
    let name = `tamis-${this.#labels.kindOf(block)}`;
    if (this.#labels.isGiven(block)) name += " tamis-given";
    if (block === this.#cursor) name += " tamis-cursor";
    if (this.#picked.has(block) || this.#preview.has(block)) name += " tamis-picked";
    return name;
  }

  /** @param {number} block */
  #isSeen(block) {
    return this.#frame.elementsOf(block).some((element) => element.getClientRects().length > 0);
  }
}
