import assert from "node:assert/strict";
import { test } from "node:test";

import { Alike, nameOf } from "../../../src/tamis/serve/page/label/alike.js";
import { between, stepFrom } from "../../../src/tamis/serve/page/label/ranges.js";

/** An element as far as `Alike` looks at it; a number is a mark around a text of that block. */
function element(selector, children = []) {
  const [tagName, ...classes] = selector.split(".");
  const node = {
    tagName: tagName.toUpperCase(),
    parentElement: null,
    children,
    getAttribute: () => classes.join(" "),
  };
  for (const child of children) if (typeof child === "object") child.parentElement = node;
  return node;
}

/** The `Alike` of a page whose numbers are blocks. */
function alike(body) {
  const marks = new Map();
  const walk = (node) => {
    for (const child of node.children) {
      if (typeof child === "object") walk(child);
      else
        marks.set(child, [
          ...(marks.get(child) ?? []),
          { ...element("span"), parentElement: node },
        ]);
    }
  };
  walk(body);
  return new Alike(marks.keys(), (block) => marks.get(block) ?? []);
}

const THREAD = element("body", [
  element("h1", [0]),
  element("section.comments", [
    element("div.comment.odd", [element("b.author", [1]), element("p", [2])]),
    element("div.comment.even.comment-17", [
      element("b.author", [3]),
      element("p", [4]),
      element("p", [5]),
    ]),
    element("div.comment.odd.comment-18", [element("b.author", [6]), element("p", [7])]),
  ]),
  element("div.advertisement", [element("p", [8])]),
]);

test("alike are elements with the same tags and classes up to the body", () => {
  const [paragraphs] = alike(THREAD).levels(4);
  assert.deepEqual(paragraphs, { name: "p", elements: 4, blocks: [2, 4, 5, 7] });
});

test("wider elements are offered after narrower ones", () => {
  const levels = alike(THREAD).levels(4);
  assert.deepEqual(
    levels.map((level) => level.name),
    ["p", "div.comment"],
  );
  assert.deepEqual(levels[1].blocks, [1, 2, 3, 4, 5, 6, 7]);
});

test("an element that has none like it is offered alone", () => {
  assert.deepEqual(alike(THREAD).levels(8), [{ name: "p", elements: 1, blocks: [8] }]);
});

test("wider elements that add nothing are left out", () => {
  const list = element("body", [
    element("ul", [element("li", [element("a", [0])]), element("li", [element("a", [1])])]),
  ]);
  assert.deepEqual(
    alike(list)
      .levels(0)
      .map((level) => level.name),
    ["a"],
  );
});

test("a block of several texts is in the element that holds all of them", () => {
  const link = element("a", [0]);
  const page = element("body", [element("p", [0, link, 0]), element("p", [1])]);
  assert.deepEqual(alike(page).levels(0), [{ name: "p", elements: 2, blocks: [0, 1] }]);
});

test("a block that is not in the document has no levels", () => {
  assert.deepEqual(alike(THREAD).levels(99), []);
});

test("numbers and places in classes do not tell elements apart", () => {
  assert.equal(nameOf(element("li.item-4.first.active")), nameOf(element("li.item-12.even")));
  assert.notEqual(nameOf(element("li.item")), nameOf(element("li.advertisement")));
  assert.notEqual(nameOf(element("div.col-8")), nameOf(element("div.col-4")));
});

test("a range has the blocks that can be seen, in either direction", () => {
  assert.deepEqual(between([0, 2, 3, 7, 9], 7, 2), [2, 3, 7]);
  assert.deepEqual(between([0, 2, 3, 7, 9], 4, 8), [7]);
});

test("steps end at the first and the last block", () => {
  const order = [2, 4, 8];
  assert.equal(stepFrom(order, null, 1), 2);
  assert.equal(stepFrom(order, null, -1), 8);
  assert.equal(stepFrom(order, 4, 1), 8);
  assert.equal(stepFrom(order, 8, 1), 8);
  assert.equal(stepFrom(order, 2, -1), 2);
  assert.equal(stepFrom(order, 4, 10), 8);
  assert.equal(stepFrom([], null, 1), null);
});

test("from a block that cannot be seen a step leads to the nearest one in its direction", () => {
  assert.equal(stepFrom([2, 4, 8], 3, 1), 4);
  assert.equal(stepFrom([2, 4, 8], 3, -1), 2);
  assert.equal(stepFrom([2, 4, 8], 9, -1), 8);
});
