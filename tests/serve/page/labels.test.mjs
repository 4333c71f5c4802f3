import assert from "node:assert/strict";
import { test } from "node:test";

import { Labels, byBlock, changedBlocks } from "../../../src/tamis/serve/page/label/labels.js";

const PROPOSED = byBlock({ 0: "navigation", 1: "title", 2: "main", 3: "main", 4: "promotion" });

/** @param {Record<string, any>} [given] */
const page = (given = {}) => new Labels(PROPOSED, byBlock(given));

test("a block is what was proposed until a person says otherwise", () => {
  const labels = page({ 4: "main" });
  assert.equal(labels.kindOf(2), "main");
  assert.equal(labels.kindOf(4), "main");
  assert.equal(labels.isGiven(2), false);
  assert.equal(labels.isGiven(4), true);
});

test("painting labels all blocks in one step and gives what was changed", () => {
  const labels = page();
  assert.deepEqual(
    [...labels.paint([2, 3, 3], "comments")],
    [
      [2, "comments"],
      [3, "comments"],
    ],
  );
  assert.equal(labels.count, 2);
  assert.deepEqual(
    [...labels.undo()],
    [
      [2, null],
      [3, null],
    ],
  );
  assert.equal(labels.kindOf(3), "main");
  assert.equal(labels.canUndo, false);
});

test("painting what is already so is no step", () => {
  const labels = page({ 2: "main" });
  assert.equal(labels.paint([2], "main").size, 0);
  assert.equal(labels.canUndo, false);
});

test("confirming a proposal is a label", () => {
  const labels = page();
  assert.deepEqual([...labels.paint([2], "main")], [[2, "main"]]);
  assert.equal(labels.isGiven(2), true);
});

test("a block that the page does not have is not labelled", () => {
  assert.equal(page().paint([99], "main").size, 0);
});

test("redo makes the step again, and a new step forgets what was undone", () => {
  const labels = page();
  labels.paint([2], "other");
  labels.paint([3], "other");
  labels.undo();
  labels.undo();
  assert.deepEqual([...labels.redo()], [[2, "other"]]);
  labels.paint([4], "main");
  assert.equal(labels.canRedo, false);
  assert.equal(labels.redo().size, 0);
});

test("undo leaves blocks alone that somebody else has changed since", () => {
  const labels = page();
  labels.paint([2, 3], "comments");
  const changed = labels.receive(byBlock({ 2: "comments", 3: "promotion" }), new Map());
  assert.deepEqual(changed, [3]);
  assert.deepEqual([...labels.undo()], [[2, null]]);
  assert.equal(labels.kindOf(3), "promotion");
});

test("what the server has does not hide what is not saved yet", () => {
  const labels = page({ 1: "main" });
  labels.paint([2], "other");
  labels.paint([1], null);
  const changed = labels.receive(
    byBlock({ 1: "main", 4: "comments" }),
    byBlock({ 2: "other", 1: null }),
  );
  assert.deepEqual(changed, [4]);
  assert.equal(labels.kindOf(2), "other");
  assert.equal(labels.kindOf(1), "title");
});

test("changed blocks come in the order of the page", () => {
  assert.deepEqual(
    changedBlocks(byBlock({ 10: "main", 9: "main" }), byBlock({ 2: "main", 10: "other" })),
    [2, 9, 10],
  );
});
