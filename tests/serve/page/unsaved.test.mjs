import assert from "node:assert/strict";
import { test } from "node:test";

import { Unsaved } from "../../../src/tamis/serve/page/label/unsaved.js";

const PAGE = { id: 7, hash: "abc", version: 3 };

class Memory {
  items = new Map();
  get length() {
    return this.items.size;
  }
  key(index) {
    return [...this.items.keys()][index] ?? null;
  }
  getItem(key) {
    return this.items.get(key) ?? null;
  }
  setItem(key, value) {
    this.items.set(key, value);
  }
  removeItem(key) {
    this.items.delete(key);
  }
}

/** A server that answers with the outcomes in turn, then saves everything. */
function setting(outcomes = [], storage = new Memory()) {
  const sent = [];
  const waits = [];
  let version = 3;
  const send = async (request) => {
    sent.push(structuredClone(request));
    const outcome = outcomes.shift();
    if (typeof outcome === "function") return outcome(request);
    return (
      outcome ?? {
        result: "saved",
        stored: { version: ++version, labels: request.changes, state: request.state ?? "open" },
      }
    );
  };
  const clock = {
    set: (run, ms) => {
      waits.push(ms);
      return run;
    },
    clear: () => {},
  };
  return { unsaved: new Unsaved({ project: "mine", storage, send, clock }), sent, waits, storage };
}

const changes = (record) =>
  new Map(Object.entries(record).map(([block, kind]) => [Number(block), kind]));

test("changes are kept in the storage until the server has them", async () => {
  const { unsaved, sent, storage } = setting();
  unsaved.add(PAGE, changes({ 1: "main" }), { by: "Ada" });
  assert.equal(unsaved.status, "saving");
  assert.equal(storage.length, 1);
  await unsaved.flush();
  assert.deepEqual(sent, [{ id: 7, hash: "abc", by: "Ada", version: 3, changes: { 1: "main" } }]);
  assert.equal(unsaved.status, "saved");
  assert.equal(storage.length, 0);
});

test("changes made before the answer comes are sent after it, on the new version", async () => {
  const { unsaved, sent } = setting([
    (request) => {
      unsaved.add(PAGE, changes({ 1: "other", 2: "main" }), { by: "Ada" });
      return { result: "saved", stored: { version: 9, labels: request.changes, state: "open" } };
    },
  ]);
  unsaved.add(PAGE, changes({ 1: "main" }), { by: "Ada" });
  await unsaved.flush();
  assert.deepEqual(sent[1].changes, { 1: "other", 2: "main" });
  assert.equal(sent[1].version, 9);
  assert.equal(unsaved.status, "saved");
});

test("without an answer it is tried again, less and less often", async () => {
  const later = { result: "later", reason: "no connection" };
  const { unsaved, waits, sent } = setting([later, later, later]);
  unsaved.add(PAGE, changes({ 1: "main" }), { by: "Ada" });
  await unsaved.flush();
  assert.equal(unsaved.status, "later");
  assert.equal(unsaved.reason, "no connection");
  await unsaved.flush();
  await unsaved.flush();
  assert.deepEqual(waits.slice(1), [1000, 2000, 4000]);
  assert.equal(unsaved.count, 1);
  await unsaved.flush();
  assert.equal(unsaved.status, "saved");
  assert.equal(sent.length, 4);
});

test("what a closed window left is sent by the next one", async () => {
  const first = setting([{ result: "later", reason: "" }]);
  first.unsaved.add(PAGE, changes({ 1: "main", 2: null }), { by: "Ada", state: "done" });
  await first.unsaved.flush();
  const second = setting([], first.storage);
  assert.equal(second.unsaved.status, "saving");
  assert.deepEqual(
    [...second.unsaved.changesOf(7, "abc")],
    [
      [1, "main"],
      [2, null],
    ],
  );
  await second.unsaved.flush();
  assert.deepEqual(second.sent[0].changes, { 1: "main", 2: null });
  assert.equal(second.sent[0].state, "done");
  assert.equal(first.storage.length, 0);
});

test("what is in the storage of another project, or is broken, is left alone", () => {
  const storage = new Memory();
  storage.setItem("tamis.unsaved/other/7", JSON.stringify({ ...PAGE, changes: {}, conflicts: {} }));
  storage.setItem("tamis.unsaved/mine/8", "{");
  const { unsaved } = setting([], storage);
  assert.equal(unsaved.count, 0);
  assert.equal(storage.length, 2);
});

test("a conflict holds back the blocks that it is about, and the state of the page", async () => {
  const conflict = { yours: "main", theirs: "other", by: "Ben" };
  const { unsaved, sent } = setting([
    {
      result: "conflict",
      stored: { version: 5, labels: { 1: "other" }, state: "open", conflicts: { 1: conflict } },
    },
  ]);
  unsaved.add(PAGE, changes({ 1: "main", 2: "main" }), { by: "Ada", state: "done" });
  await unsaved.flush();
  assert.deepEqual(sent[1], { id: 7, hash: "abc", by: "Ada", version: 5, changes: { 2: "main" } });
  assert.equal(unsaved.status, "conflict");
  assert.deepEqual(unsaved.conflictsOf(7), new Map([[1, conflict]]));
  assert.equal(unsaved.changesOf(7, "abc").get(1), "main");
});

for (const [choice, expected] of [
  ["mine", { 1: "main" }],
  ["theirs", {}],
]) {
  test(`a conflict ends with the choice of ${choice}, and the state follows`, async () => {
    const conflicts = { 1: { yours: "main", theirs: "other", by: "Ben" } };
    const { unsaved, sent, storage } = setting([
      {
        result: "conflict",
        stored: { version: 5, labels: { 1: "other" }, state: "open", conflicts },
      },
    ]);
    unsaved.add(PAGE, changes({ 1: "main" }), { by: "Ada", state: "done" });
    await unsaved.flush();
    unsaved.resolve(7, [1], choice);
    await unsaved.flush();
    assert.deepEqual(sent[1].changes, expected);
    assert.equal(sent[1].version, 5);
    assert.equal(sent[1].state, "done");
    assert.equal(unsaved.status, "saved");
    assert.equal(storage.length, 0);
  });
}

test("painting a block that is in conflict is a choice, too", async () => {
  const conflicts = { 1: { yours: "main", theirs: "other", by: "Ben" } };
  const { unsaved, sent } = setting([
    { result: "conflict", stored: { version: 5, labels: {}, state: "open", conflicts } },
  ]);
  unsaved.add(PAGE, changes({ 1: "main" }), { by: "Ada" });
  await unsaved.flush();
  unsaved.add(PAGE, changes({ 1: "comments" }), { by: "Ada" });
  assert.equal(unsaved.conflictsOf(7).size, 0);
  await unsaved.flush();
  assert.deepEqual(sent[1].changes, { 1: "comments" });
});

test("what the server refuses is kept, said, and sent again only when asked", async () => {
  const { unsaved, sent, storage } = setting([
    { result: "refused", reason: "the page has changed" },
  ]);
  unsaved.add(PAGE, changes({ 1: "main" }), { by: "Ada" });
  await unsaved.flush();
  assert.equal(unsaved.status, "refused");
  assert.equal(unsaved.reason, "the page has changed");
  await unsaved.flush();
  assert.equal(sent.length, 1);
  assert.equal(storage.length, 1);
  unsaved.retry();
  await unsaved.flush();
  assert.equal(unsaved.status, "saved");
});

test("a page that is refused does not hold back the others", async () => {
  const { unsaved, sent } = setting([{ result: "refused", reason: "gone" }]);
  unsaved.add(PAGE, changes({ 1: "main" }), { by: "Ada" });
  unsaved.add({ id: 8, hash: "def", version: 1 }, changes({ 2: "main" }), { by: "Ada" });
  await unsaved.flush();
  assert.deepEqual(
    sent.map((request) => request.id),
    [7, 8],
  );
  unsaved.discardRefused();
  assert.equal(unsaved.status, "saved");
});

test("labels of a page are not shown on another one with its number", async () => {
  const { unsaved } = setting([{ result: "later", reason: "" }]);
  unsaved.add(PAGE, changes({ 1: "main" }), { by: "Ada" });
  assert.equal(unsaved.changesOf(7, "other").size, 0);
});

test("a full storage loses nothing while the window is open", async () => {
  const storage = new Memory();
  storage.setItem = () => {
    throw new Error("QuotaExceededError");
  };
  const { unsaved, sent } = setting([], storage);
  unsaved.add(PAGE, changes({ 1: "main" }), { by: "Ada" });
  await unsaved.flush();
  assert.equal(sent.length, 1);
});
