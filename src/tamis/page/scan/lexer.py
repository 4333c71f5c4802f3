"""Tokens of a page, as the tokenizer of the HTML standard defines them.

Tags, attributes, comments, doctypes, raw text, script data, CDATA in svg and math, character
references. Together with `runs` and `scan` this is the hot path: ordinary Python that is compiled
by Cython, with the C types in the .pxd file of the same name
(docs/explanation/decisions/001-scanner.md).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from tamis._runtime.compiled import view_numbers
from tamis.page import tags
from tamis.page.arrays import ALL, PRIME, grow_rows
from tamis.page.tags import CDATA, COMMENT, DOCTYPE, END, NOTHING, START, TEXT

if TYPE_CHECKING:
    import cython
    from cython.cimports.libc.string import memchr

COMPILED = not __file__.endswith(".py")

MAX_NAMES = 1024  # distinct tag names of one page; any further ones share number 0

A_NAME, A_START, A_END = ATTRIBUTE_COLUMNS = range(3)

# Inside a tag: 1 white space, 2 "/", 3 ">", 4 "=", 5 quotes, 0 anything else.
_KINDS = {**dict.fromkeys(b" \t\n\f\r", 1), **dict(zip(b"/>=\"'", (2, 3, 4, 5, 5), strict=True))}
TAG_BYTES = bytes([_KINDS.get(byte, 0) for byte in range(256)])

# A name is looked up by a polynomial over its bytes, modulo 2^64. The factor is large (the prime of
# the FNV hash), so that no two names of a few letters meet.
SLOTS = 1024


def hash_names() -> tuple[memoryview, memoryview, memoryview]:
    """Open addressing: the keys of all listed names, and their numbers as tags and attributes.

    The first name of each list stands for "none".
    """
    keys = np.zeros(SLOTS, np.uint64)
    numbers = np.zeros((2, SLOTS), np.intc)
    for names, own in zip((tags.NAMES, tags.ATTRIBUTES), numbers, strict=True):
        for number, name in enumerate(names[1:], 1):
            key = 0
            for byte in name.encode():
                key = (key * PRIME + byte) & ALL
            slot = key % SLOTS
            while keys[slot] and keys[slot] != key:
                slot = (slot + 1) % SLOTS
            keys[slot], own[slot] = key, number
    return view_numbers(keys), view_numbers(numbers[0]), view_numbers(numbers[1])


KEYS, TAG_NUMBERS, ATTRIBUTE_NUMBERS = hash_names()


class Lexer:
    """Tokens of a page, one at a time: `read_token(offset)` reads the markup that begins there."""

    def __init__(self, source: bytes) -> None:
        self.source = source
        self.src = source
        self.size = len(source)
        self.tag_bytes = TAG_BYTES
        self.names: dict[bytes, int] = {}
        self.foreign = 0
        self.plain_scripts = self.slot = 0
        self.seen = self.self_closing = 0
        self.n_attributes = self.first_attribute = 0
        self.attribute_rows = np.empty((len(ATTRIBUTE_COLUMNS), 16 + len(source) // 80), np.intc)
        self.attributes = view_numbers(self.attribute_rows)

    def read_token(self, i: cython.size_t) -> cython.size_t:
        """Read the markup at `i`, where "<" is; return where it ends.

        `kind` is TEXT when it is no markup at all, NOTHING when it is to be left out.
        """
        size: cython.size_t = self.size
        j: cython.size_t = i + 1
        if j >= size:
            self.kind = TEXT
            return j
        c: cython.int = self.src[j]
        if (97 <= c <= 122) or (65 <= c <= 90):
            return self.read_tag(START, j)
        if c == 47:  # /
            j += 1
            if j >= size:
                self.kind = TEXT
                return j
            c = self.src[j]
            if (97 <= c <= 122) or (65 <= c <= 90):
                return self.read_tag(END, j)
            if c == 62:
                self.kind = NOTHING
                return j + 1
            return self.read_until_bracket(COMMENT, j)
        if c == 33:  # !
            j += 1
            if j + 1 < size and self.src[j] == 45 and self.src[j + 1] == 45:
                return self.read_comment(j + 2)
            if self.src[j : min(j + 7, size)].lower() == b"doctype":
                return self.read_until_bracket(DOCTYPE, j + 7)
            if self.foreign and self.source.startswith(b"[CDATA[", j):
                self.kind = CDATA
                self.value_start = j + 7
                self.value_end = self.end_of_cdata(j + 7)
                return min(self.value_end + 3, size)
            return self.read_until_bracket(COMMENT, j)
        if c == 63:  # ?
            return self.read_until_bracket(COMMENT, j)
        self.kind = TEXT
        return j

    def read_until_bracket(self, kind: cython.int, i: cython.size_t) -> cython.size_t:
        """A doctype or a bogus comment: everything up to the next ">"."""
        self.kind = kind
        self.value_start = i
        self.value_end = self.find_byte(62, i)
        return min(self.value_end + 1, self.size)

    def end_of_cdata(self, i: cython.size_t) -> cython.size_t:
        place: cython.Py_ssize_t = self.source.find(b"]]>", i)
        return self.size if place < 0 else place

    def read_comment(self, i: cython.size_t) -> cython.size_t:
        self.kind = COMMENT
        self.value_start = self.value_end = i
        if i < self.size and self.src[i] == 62:
            return i + 1
        if i + 1 < self.size and self.src[i] == 45 and self.src[i + 1] == 62:
            return i + 2
        end: cython.size_t = self.find_byte(45, i)
        while end + 2 < self.size:
            if self.src[end + 1] == 45:
                self.value_end = end
                if self.src[end + 2] == 62:
                    return end + 3
                if self.src[end + 2] == 33 and end + 3 < self.size and self.src[end + 3] == 62:
                    return end + 4
            end = self.find_byte(45, end + 1)
        # At the end of the page up to two dashes (or "--!") already belong to the closing.
        self.value_end = self.size
        for unfinished in (b"--!", b"--", b"-"):
            if self.source.endswith(unfinished) and self.size - len(unfinished) >= i:
                self.value_end = self.size - len(unfinished)
                break
        return self.size

    def read_tag(self, kind: cython.int, i: cython.size_t) -> cython.size_t:
        """A start or end tag whose name begins at `i`; NOTHING if the page ends inside it."""
        size: cython.size_t = self.size
        self.name_start = i
        i = self.name_end = self.read_name(i, 3)
        self.tag = TAG_NUMBERS[self.slot]
        if self.tag == 0:
            self.tag = self.unknown_tag()

        self.seen = 0
        self.first_attribute = self.n_attributes
        if i < size and self.src[i] == 62:  # most tags have no attributes
            self.self_closing = 0
            self.kind = kind
            return i + 1
        while True:
            i = self.read_attribute(i)
            if self.attribute < 0:
                break
            if self.attribute and kind == START and not (self.seen >> self.attribute) & 1:
                bit: cython.ulonglong = 1
                self.seen |= bit << self.attribute
                row: cython.int = self.n_attributes
                if row >= self.attributes.shape[1]:
                    self.attribute_rows = grow_rows(self.attribute_rows)
                    self.attributes = view_numbers(self.attribute_rows)
                self.attributes[A_NAME, row] = self.attribute
                self.attributes[A_START, row] = self.value_start
                self.attributes[A_END, row] = self.value_end
                self.n_attributes = row + 1
        if i >= size:
            self.n_attributes = self.first_attribute
            self.kind = NOTHING
            return size
        self.kind = kind
        return i + 1

    def read_attribute(self, i: cython.size_t) -> cython.size_t:
        """The next attribute from `i` on, inside a tag; `attribute` is -1 if there is none."""
        size: cython.size_t = self.size
        kind: cython.int = 0
        self.self_closing = 0
        while i < size:
            kind = self.tag_bytes[self.src[i]]
            if kind != 1 and kind != 2:
                break
            self.self_closing = kind == 2
            i += 1
        if i >= size or kind == 3:
            self.attribute = -1
            return i
        self.attribute_start = i
        i = self.attribute_end = self.read_name(i, 4)
        self.attribute = ATTRIBUTE_NUMBERS[self.slot]
        while i < size and self.tag_bytes[self.src[i]] == 1:
            i += 1
        self.value_start = self.value_end = i
        if i >= size or self.src[i] != 61:
            return i
        i += 1
        while i < size and self.tag_bytes[self.src[i]] == 1:
            i += 1
        self.value_start = self.value_end = i
        if i >= size:
            return i
        c: cython.uint = self.src[i]
        if self.tag_bytes[c] == 5:
            i += 1
            self.value_start = self.value_end = i
            i = self.find_byte(c, i)
            if i >= size:
                return size
            self.value_end = i
            return i + 1
        while i < size:
            kind = self.tag_bytes[self.src[i]]
            if kind == 1 or kind == 3:
                break
            i += 1
        self.value_end = i
        return i

    def read_name(self, i: cython.size_t, last: cython.int) -> cython.size_t:
        """Find the name at `i`, up to a byte of kind `last` or below, in the table of names.

        The first byte is part of it, whatever it is. Return where the name ends.
        """
        size: cython.size_t = self.size
        key: cython.ulonglong = 0
        while True:
            c: cython.uint = self.src[i]
            if 65 <= c <= 90:
                c += 32
            key = (key * PRIME + c) & ALL
            i += 1
            if i >= size or 1 <= self.tag_bytes[self.src[i]] <= last:
                break
        slot: cython.int = key & (SLOTS - 1)
        while KEYS[slot] and KEYS[slot] != key:
            slot = (slot + 1) & (SLOTS - 1)
        self.slot = slot
        return i

    def find_byte(self, byte: cython.int, i: cython.size_t) -> cython.size_t:
        """Where `byte` is next from `i` on; the end of the page if nowhere."""
        if i >= self.size:
            return self.size
        if COMPILED:
            address: cython.size_t = cython.cast(
                cython.size_t, memchr(self.src + i, byte, self.size - i)
            )
            return address - cython.cast(cython.size_t, self.src) if address else self.size
        place: cython.Py_ssize_t = self.source.find(byte, i)
        return self.size if place < 0 else place

    def unknown_tag(self) -> cython.int:
        """A number for a name that is not in `tags.NAMES`, the same for the whole page."""
        name = self.src[self.name_start : self.name_end].lower()
        number = self.names.get(name)
        if number is None:
            number = len(tags.NAMES) + len(self.names)
            if number >= MAX_NAMES:
                return 0
            self.names[name] = number
        return number

    def end_of_raw_text(self, i: cython.size_t, name: bytes, end: cython.size_t) -> cython.size_t:
        """Where the end tag of the raw text element `name` begins, from `i` on; else `end`."""
        is_script: cython.int = not self.plain_scripts and name == b"script"
        escaped: cython.int = 0  # 1 after "<!--", 2 after "<script" inside that
        after_comment: cython.size_t = 0
        while True:
            i = self.find_byte(60, i)
            if i + 1 >= end:
                return end
            c: cython.int = self.src[i + 1]
            if escaped:
                if self.source.find(b"-->", after_comment, i) >= 0:
                    escaped = 0
                else:
                    after_comment = max(after_comment, i - 2)
            if c == 47:
                if self.is_name(i + 2, name):
                    if escaped < 2:
                        return i
                    escaped = 1
            elif is_script:
                if not escaped:
                    if c == 33 and self.source.startswith(b"--", i + 2):
                        escaped = 1
                        after_comment = i + 2
                elif escaped == 1 and self.is_name(i + 1, name):
                    escaped = 2
            i += 1

    def is_name(self, i: cython.size_t, name: bytes) -> cython.int:
        end: cython.size_t = i + len(name)
        if end >= self.size or not 1 <= self.tag_bytes[self.src[end]] <= 3:
            return 0
        for place in range(len(name)):
            c: cython.int = self.src[i + place]
            if (c + 32 if 65 <= c <= 90 else c) != name[place]:
                return 0
        return 1

    def read(self, i: cython.size_t) -> tuple[int, cython.size_t, bytes, int, bytes]:
        """The token at `i`, where "<" is, for a reader that wants tokens and no table.

        Its kind (0 nothing, 1 text, 2 start tag, 3 end tag, 4 comment, 5 doctype, 6 CDATA), its
        end, the name of a tag, whether a start tag is self-closing, and the data of the others.
        """
        end: cython.size_t = self.read_token(i)
        name = data = b""
        if self.kind == START or self.kind == END:
            name = self.src[self.name_start : self.name_end].lower()
        elif self.kind != TEXT and self.kind != NOTHING:
            data = self.src[self.value_start : self.value_end]
        return self.kind, end, name, self.self_closing, data

    def attribute_list(
        self, start: cython.size_t
    ) -> tuple[list[tuple[bytes, bytes]], cython.size_t]:
        """Names and raw values of the attributes of the start tag at `start`, and its end."""
        pairs: list[tuple[bytes, bytes]] = []
        i: cython.size_t = start
        if i < self.size and self.src[i] == 60:
            i += 1
            while i < self.size and not 1 <= self.tag_bytes[self.src[i]] <= 3:
                i += 1
        while True:
            i = self.read_attribute(i)
            if self.attribute < 0:
                return pairs, min(i + 1, self.size)
            name = self.src[self.attribute_start : self.attribute_end].lower()
            pairs.append((name, self.src[self.value_start : self.value_end]))


def read_attributes(source: bytes, start: int) -> tuple[list[tuple[bytes, bytes]], int]:
    """Names and raw values of the attributes of the start tag at `start`, and where it ends."""
    return Lexer(source).attribute_list(start)
