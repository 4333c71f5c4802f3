import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";

import { parsed, rowsOf, saveChoices, savedChoices } from "../../../src/tamis/serve/page/comparison.js";

const METHODS = ["tamis", "boilerpipe", "cetd"].map((name) => ({ name, summary: "", default: false, fitted: false, parameters: {} }));

beforeEach(() => {
  const kept = new Map();
  globalThis.localStorage = { getItem: (name) => kept.get(name) ?? null, setItem: (name, value) => kept.set(name, value) };
});

test("a row says who keeps the block, also where all agree", () => {
  const made = {
    results: [
      { name: "one", kept: [1, 2], embedded: null },
      { name: "two", kept: [1], embedded: null },
      { name: "three", kept: [0], embedded: "json-ld" },
    ],
    agreement: [],
    differences: [{ block: 2, text: "c", kept_by: ["one"], scores: { one: 0.7, two: 0.2 } }],
  };
  const blocks = ["a", "b", "c"].map((text, block) => ({ block, text }));
  assert.deepEqual(rowsOf(made, blocks), [
    { block: 0, text: "a", differs: false, kept: [false, false, false], scores: [null, null, null] },
    { block: 1, text: "b", differs: false, kept: [true, true, false], scores: [null, null, null] },
    { block: 2, text: "c", differs: true, kept: [true, false, false], scores: [0.7, 0.2, null] },
  ]);
});

test("a parameter has the type of its default, or is text", () => {
  assert.equal(parsed("0.5", 1), 0.5);
  assert.equal(parsed("12", "words"), "12");
  assert.equal(parsed("half", 1), "half");
});

test("what was compared is compared again, without what is no longer there", () => {
  const usual = [{ method: "tamis" }, { method: "boilerpipe" }];
  assert.deepEqual(savedChoices(METHODS, []), usual);
  const chosen = [{ method: "cetd", parameters: { x: 1 } }, { method: "tamis", weights: "project:mine" }];
  saveChoices(chosen);
  assert.deepEqual(savedChoices(METHODS, ["mine"]), chosen);
  assert.deepEqual(savedChoices(METHODS, []), usual);
  localStorage.setItem("tamis.compare", "{");
  assert.deepEqual(savedChoices(METHODS, []), usual);
});
