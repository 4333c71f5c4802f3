import assert from "node:assert/strict";
import { test } from "node:test";

import { lastWins, plural } from "../../../src/tamis/serve/page/dom.js";

test("one call runs at a time, and of those that wait the last is made", async () => {
  const calls = [];
  let running = 0;
  const run = lastWins(async (value) => {
    assert.equal(++running, 1);
    calls.push(value);
    await new Promise((resolve) => setTimeout(resolve, 5));
    running -= 1;
  });
  const first = run(1);
  for (let value = 2; value <= 20; value++) void run(value);
  await first;
  assert.deepEqual(calls, [1, 20]);
  await run(21);
  assert.deepEqual(calls, [1, 20, 21]);
});

test("a call that fails lets the next one run", async () => {
  const run = lastWins(async (value) => {
    if (value === 1) throw new Error("no");
  });
  await assert.rejects(run(1));
  await run(2);
});

test("things are counted as people do", () => {
  assert.equal(plural(1, "block"), "1 block");
  assert.equal(plural(1200, "block"), "1,200 blocks");
});
