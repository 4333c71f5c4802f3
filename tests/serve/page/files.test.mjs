import assert from "node:assert/strict";
import { test } from "node:test";

import { decoded, droppedFiles, pagesOf } from "../../../src/tamis/serve/page/files.js";

const exact = (buffer) => new Uint8Array(buffer).buffer;

/** @param {Buffer} buffer */
const text = (buffer) => decoded(exact(buffer));

test("UTF-8 is read as such, whatever a page declares", () => {
  assert.equal(text(Buffer.from('<meta charset="latin1">Käse')), '<meta charset="latin1">Käse');
  assert.equal(text(Buffer.from("\ufeffKäse")), "Käse");
});

test("the declared encoding is taken where it is not UTF-8", () => {
  const head = Buffer.from(
    '<meta http-equiv="Content-Type" content="text/html; charset=windows-1251">',
  );
  assert.equal(
    text(Buffer.concat([head, Buffer.from([0xd1, 0xe8, 0xf2, 0xee])])).slice(-4),
    "Сито",
  );
  const xml = Buffer.from('<?xml version="1.0" encoding="iso-8859-2"?>');
  assert.equal(text(Buffer.concat([xml, Buffer.from([0xb3])])).at(-1), "ł");
});

test("without a declaration, or with one that nobody knows, it is what browsers take it for", () => {
  assert.equal(text(Buffer.from([0x4b, 0xe4, 0x73, 0x65])), "Käse");
  const odd = Buffer.from("<meta charset=nonsense>");
  assert.equal(text(Buffer.concat([odd, Buffer.from([0xe4])])).at(-1), "ä");
});

test("UTF-16 is known by its mark", () => {
  assert.equal(text(Buffer.from("\ufeffKäse", "utf16le")), "Käse");
});

test("of several files those are pages that are called so; a single one is meant", () => {
  const names = (list) => pagesOf(list.map((name) => ({ name }))).map((file) => file.name);
  assert.deepEqual(names(["a.html", "b.HTM", "c.xhtml", "d.css", "e.png"]), [
    "a.html",
    "b.HTM",
    "c.xhtml",
  ]);
  assert.deepEqual(names(["page.txt"]), ["page.txt"]);
});

test("a dropped folder is its files, in folders, too", async () => {
  const file = (name) => ({ isFile: true, file: (done) => done({ name }) });
  const folder = (...entries) => {
    const some = [entries, []];
    return { isFile: false, createReader: () => ({ readEntries: (done) => done(some.shift()) }) };
  };
  const root = folder(file("a.html"), folder(file("b.html")));
  const files = await droppedFiles({ items: [{ webkitGetAsEntry: () => root }] });
  assert.deepEqual(
    files.map((each) => each.name),
    ["a.html", "b.html"],
  );
});
