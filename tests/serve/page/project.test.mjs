import assert from "node:assert/strict";
import { test } from "node:test";

import { ApiError } from "../../../src/tamis/serve/page/api.js";
import { Project } from "../../../src/tamis/serve/page/label/project.js";

const REQUEST = { id: 7, hash: "abc", by: "Ada", version: 3, changes: { 1: "main" } };

/** What becomes of a change to which the service answers so. */
function saved(answer) {
  const post = async () => {
    if (answer instanceof Error) throw answer;
    return answer;
  };
  return new Project(/** @type {any} */ ({ post })).save(REQUEST);
}

const problem = (status, more = {}) => new ApiError({ status, detail: "it is so", ...more });

test("an answer says that it is saved", async () => {
  const stored = { version: 4, labels: { 1: "main" }, state: "open" };
  assert.deepEqual(await saved(stored), { result: "saved", stored });
});

for (const status of [0, 408, 429, 500, 502, 503, 504, 507]) {
  test(`status ${status} passes, so it is tried again later`, async () => {
    assert.deepEqual(await saved(problem(status)), { result: "later", reason: "It is so" });
  });
}

for (const status of [403, 404, 409, 413, 422]) {
  test(`status ${status} is refused`, async () => {
    assert.deepEqual(await saved(problem(status)), { result: "refused", reason: "It is so" });
  });
}

test("other labels for the same blocks are a conflict", async () => {
  const conflicts = { 1: { yours: "main", theirs: "other", by: "Ben" } };
  const outcome = await saved(problem(409, { conflicts, version: 5, labels: {}, state: "open" }));
  assert.equal(outcome.result, "conflict");
  assert.deepEqual(outcome.stored.conflicts, conflicts);
});

test("an older project is written to on its own version, but not for ever", async () => {
  const restored = problem(409, { conflicts: {}, version: 1, labels: {}, state: "open" });
  assert.equal((await saved(restored)).result, "conflict");
  const other = problem(409, { conflicts: {}, version: 3, labels: {}, state: "open" });
  assert.equal((await saved(other)).result, "refused");
});
