import assert from "node:assert/strict";
import { test } from "node:test";

import { scale, ticks } from "../../../src/tamis/serve/page/teach/scales.js";
import {
  answers,
  gained,
  points,
  tooFew,
  verdictOf,
} from "../../../src/tamis/serve/page/teach/words.js";

const GOOD = {
  start: "shipped",
  pages: 12,
  sites: 6,
  by_site: true,
  before: 0.584,
  after: 0.947,
  gain: 0.363,
  low: 0.266,
  high: 0.428,
  sure: 1,
  strength: 0.5,
  better: true,
  warnings: [],
  worse: [{ id: "day-2", before: 0.587, after: 0.474 }],
  curve: [{ pages: 5, gain: 0.153 }],
};

test("a gain that is above nothing in nearly all draws is a yes", () => {
  assert.equal(verdictOf(GOOD), "yes");
  const text = answers(GOOD);
  assert.match(text.better, /^Yes\..*better than the shipped weights/);
  assert.equal(text.much, "58.4 → 94.7 of 100");
  assert.match(text.sure, /^In 100 of 100 draws of your sites.* between \+27 and \+43 points/);
  assert.match(text.worse, /^1 page of 12 came out worse/);
  assert.match(text.curve, /^Still rising/);
});

test("a gain that may be chance is a perhaps", () => {
  const report = { ...GOOD, low: -0.01, sure: 0.9 };
  assert.equal(verdictOf(report), "perhaps");
  assert.match(answers(report).better, /^Perhaps\./);
  assert.match(answers(report).sure, /between −1 and \+43 points/);
});

test("weights that were left alone are a no, and nothing is said of draws", () => {
  const report = {
    ...GOOD,
    strength: 0,
    better: false,
    gain: 0,
    low: 0,
    high: 0,
    sure: 0,
    worse: [],
  };
  const text = answers(report);
  assert.match(text.better, /^No\./);
  assert.match(text.sure, /^Nothing was changed/);
  assert.match(text.worse, /^No page/);
});

test("changed weights without better texts are not yet better", () => {
  const report = { ...GOOD, better: false, gain: -0.002 };
  assert.match(answers(report).better, /^Not yet\./);
});

test("pages of the same few sites are said to stand for these alone", () => {
  assert.match(answers({ ...GOOD, by_site: false }).basis, /hold for these/);
});

test("a curve that does not rise anymore says so, and none says what is missing", () => {
  assert.match(answers({ ...GOOD, curve: [{ pages: 5, gain: 0.36 }] }).curve, /^Flat/);
  assert.match(answers({ ...GOOD, curve: [] }).curve, /^From 10 pages on/);
});

test("where nothing is left to gain, more pages are not asked for", () => {
  assert.match(answers({ ...GOOD, after: 1 }).curve, /^There is hardly anything left/);
});

test("a range that is one number is said once", () => {
  assert.match(answers({ ...GOOD, low: 0.4, high: 0.4 }).sure, /the gain is \+40 points/);
});

test("too few pages say how many more", () => {
  assert.match(tooFew(0) ?? "", /^Label 2 more pages/);
  assert.match(tooFew(1) ?? "", /^Label 1 more page to teach, 9 /);
  assert.match(tooFew(7) ?? "", /label 3 more/);
  assert.equal(tooFew(10), null);
});

test("points have a digit behind the point only where they are few", () => {
  assert.equal(points(0.9473), "95");
  assert.equal(points(0.0123), "1.2");
  assert.equal(points(1), "100");
  assert.equal(gained(-0.0041), "−0.4");
  assert.equal(gained(0), "0");
});

test("ticks are round and cover the range", () => {
  assert.deepEqual(ticks(0, 0.428, 6), [0, 0.1, 0.2, 0.3, 0.4, 0.5]);
  assert.deepEqual(ticks(-0.012, 0.03, 4), [-0.02, 0, 0.02, 0.04]);
  assert.deepEqual(ticks(0, 0, 4).at(0), 0);
});

test("a scale of no width is no error", () => {
  assert.equal(scale([1, 1], [0, 10])(1), 0);
  assert.equal(scale([0, 2], [0, 10])(1), 5);
});
