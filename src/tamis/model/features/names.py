# cython: boundscheck=False
"""The names that a page gives to its elements, as hashes: classes, ids, roles, itemprops.

A token is a run of letters, `sideBar` and `side-bar` are two, or a name as a whole without its
digits, such as `post-`; of letters it has at least two, a name at least three.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from tamis._runtime.compiled import view
from tamis.model.features.walk import mixed
from tamis.page import tags
from tamis.page.hashes import ALL, PRIME

if TYPE_CHECKING:
    import cython
    from cython.cimports.libc.string import memcmp, memcpy

    from tamis.model.features.batch import Utf8
    from tamis.page.arrays import Hashes, Ints

COMPILED = not __file__.endswith(".py")

GOLDEN = 0x9E3779B97F4A7C15
# Apart from the tokens of a name, the name as a whole.
WHOLE = 0xABCDEF123

# Other values that one is compared with; if it is none of them, it is read once more.
LONGEST_SEARCH = 8


def seeds() -> Hashes:
    """The same name as a class and as an id is two tokens; 0 for attributes without names."""
    made = np.zeros(len(tags.ATTRIBUTES), np.uint64)
    for number, name in enumerate(("class", "id", "role", "itemprop"), 1):
        made[tags.ATTRIBUTE_ID[name]] = number * GOLDEN & ALL
    return made


SEED = view(seeds())


def tokens(source: Utf8, first_row: Ints, rows: Ints) -> tuple[Ints, Hashes]:
    """The tokens of all nodes: their nodes, their hashes.

    `first_row` and `rows` are `nodes.attributes` and `attribute_rows` of a page.
    """
    nodes: cython.Py_ssize_t = first_row.shape[0]
    end_row: cython.Py_ssize_t
    node: cython.Py_ssize_t
    row: cython.Py_ssize_t
    read = Tokens()
    read.begin(source, rows, 64 + 8 * rows.shape[1])
    for node in range(nodes):
        end_row = first_row[node + 1] if node + 1 < nodes else rows.shape[1]
        for row in range(first_row[node], end_row):
            if SEED[rows[0, row]]:
                read.read(row, node)
    return read.made()


def values(source: Utf8, first_row: Ints, rows: Ints) -> tuple[Ints, Ints, Ints, Hashes, Hashes]:
    """The attributes with names, what they say, and one hash of all names of each node.

    A page has most values many times, so each is read once. Of the attributes the nodes and the
    numbers of their values; of the tokens of the values those numbers and the hashes.
    """
    nodes: cython.Py_ssize_t = first_row.shape[0]
    end_row: cython.Py_ssize_t
    node: cython.Py_ssize_t
    row: cython.Py_ssize_t
    number: cython.Py_ssize_t
    named: cython.Py_ssize_t = 0
    distinct = Values()
    distinct.begin(source, rows, rows.shape[1])
    places_made = np.empty((2, rows.shape[1]), np.intc)
    places: cython.int[:, ::1] = places_made
    hash_made = np.zeros(nodes, np.uint64)
    hashes: cython.ulonglong[::1] = hash_made
    for node in range(nodes):
        end_row = first_row[node + 1] if node + 1 < nodes else rows.shape[1]
        for row in range(first_row[node], end_row):
            if SEED[rows[0, row]]:
                number = distinct.of(row)
                places[0, named] = node
                places[1, named] = number
                named += 1
                hashes[node] ^= distinct.hashes[number]
    return *places_made[:, :named], *distinct.tokens.made(), hash_made


class Tokens:
    """The tokens of attributes, in order, each with the number of its owner."""

    # Not `__init__`, whose arguments would have to become objects.
    def begin(self, source: Utf8, rows: Ints, room: cython.Py_ssize_t) -> None:
        """None yet, and room for so many."""
        self.source = source
        self.rows = rows
        if not COMPILED:
            self.rows = view(rows)
        self.count = 0
        self.make_room(room)

    def make_room(self, room: cython.Py_ssize_t) -> None:
        """Make room for so many tokens."""
        owners = np.empty(room, np.intc)
        tokens = np.empty(room, np.uint64)
        if self.count:
            owners[: self.count], tokens[: self.count] = self.made()
        self.arrays = owners, tokens
        self.owner = owners
        self.token = tokens

    def made(self) -> tuple[Ints, Hashes]:
        """The owner of each token, and its hash."""
        owners, tokens = self.arrays
        return owners[: self.count], tokens[: self.count]

    def read(self, row: cython.Py_ssize_t, owner: cython.Py_ssize_t) -> cython.ulonglong:
        """Write the tokens of an attribute, whose owner has this number; a hash of its names."""
        i: cython.Py_ssize_t = self.rows[1, row]
        stop: cython.Py_ssize_t = self.rows[2, row]
        seed: cython.ulonglong = SEED[self.rows[0, row]]
        letters: cython.int = 0
        length: cython.int = 0
        c: cython.uint
        before: cython.uint = 0
        token: cython.ulonglong = seed
        whole: cython.ulonglong = seed ^ WHOLE
        all_names: cython.ulonglong = seed
        if self.count + stop - i + 2 > len(self.token):  # less than one token per byte
            self.make_room(2 * len(self.token) + stop - i)
        while i <= stop:
            c = self.source[i] if i < stop else 32
            i += 1
            if 97 <= c <= 122:
                token = (token ^ c) * PRIME & ALL
                whole = (whole ^ c) * PRIME & ALL
                letters += 1
                length += 1
                before = c
                continue
            # Anything but a letter ends a token, and so does a capital after a small letter.
            if c < 65 or 90 < c < 128 or (c <= 90 and 97 <= before <= 122):
                if letters > 1:
                    self.add(token, owner)
                token = seed
                letters = 0
            before = c
            if c >= 128:
                token = (token ^ c) * PRIME & ALL
                letters += 1
            elif 65 <= c <= 90:
                c |= 32
                token = (token ^ c) * PRIME & ALL
                letters += 1
            elif 48 <= c <= 57:
                continue
            elif c <= 32:
                if length > 2:
                    self.add(whole, owner)
                if length:
                    all_names = (all_names ^ whole) * PRIME & ALL
                    whole = seed ^ WHOLE
                    length = 0
                continue
            whole = (whole ^ c) * PRIME & ALL
            length += 1
        return all_names

    def add(self, token: cython.ulonglong, owner: cython.Py_ssize_t) -> None:
        """Write a token."""
        self.owner[self.count] = owner
        self.token[self.count] = token
        self.count += 1


class Values:
    """The distinct values of attributes, in the order in which they come, and their tokens."""

    def begin(self, source: Utf8, rows: Ints, most: cython.Py_ssize_t) -> None:
        """No value yet; at most so many will come."""
        self.tokens = Tokens()
        self.tokens.begin(source, rows, 64 + 2 * most)
        self.source = self.tokens.source
        self.rows = self.tokens.rows
        self.count = 0
        self.bits = 4
        while (1 << self.bits) < 2 * most:
            self.bits += 1
        size: cython.Py_ssize_t = 1 << self.bits
        numbers: cython.int[::1] = np.zeros(size + most, np.intc)
        self.place = numbers[:size]  # number of a value + 1
        self.row = numbers[size:]
        hashes: cython.ulonglong[:, ::1] = np.empty((2, most), np.uint64)
        self.key = hashes[0]
        self.hashes = hashes[1]

    def of(self, row: cython.Py_ssize_t) -> cython.Py_ssize_t:
        """The number of the value of an attribute."""
        last: cython.size_t = (1 << self.bits) - 1
        key: cython.ulonglong = SEED[self.rows[0, row]]
        key ^= fingerprint(self.source, self.rows[1, row], self.rows[2, row])
        slot: cython.size_t = (key * GOLDEN & ALL) >> (64 - self.bits)
        steps: cython.int = 0
        number: cython.int = self.place[slot] - 1
        while number >= 0:
            if self.key[number] == key and self.equal(self.row[number], row):
                return number
            steps += 1
            if steps == LONGEST_SEARCH:
                break
            slot = (slot + 1) & last
            number = self.place[slot] - 1
        self.key[self.count] = key
        self.row[self.count] = row
        self.hashes[self.count] = self.tokens.read(row, self.count)
        self.count += 1
        self.place[slot] = self.count
        return self.count - 1

    def equal(self, row: cython.Py_ssize_t, other: cython.Py_ssize_t) -> cython.bint:
        """Whether two attributes have the same name and value."""
        start: cython.Py_ssize_t = self.rows[1, row]
        beside: cython.Py_ssize_t = self.rows[1, other]
        size: cython.Py_ssize_t = self.rows[2, row] - start
        if self.rows[0, row] != self.rows[0, other] or size != self.rows[2, other] - beside:
            return False
        if COMPILED:
            first = cython.address(self.source[start])
            return memcmp(first, cython.address(self.source[beside]), size) == 0
        while size and self.source[start] == self.source[beside]:
            start, beside, size = start + 1, beside + 1, size - 1
        return size == 0


def fingerprint(source: Utf8, i: cython.Py_ssize_t, stop: cython.Py_ssize_t) -> cython.ulonglong:
    """A number that is the same for the same bytes; compiled, of the first and the last eight."""
    size: cython.Py_ssize_t = stop - i
    made: cython.ulonglong = size
    first: cython.ulonglong = 0
    last: cython.ulonglong = 0
    if COMPILED and size >= 8:
        memcpy(cython.address(first), cython.address(source[i]), 8)
        memcpy(cython.address(last), cython.address(source[stop - 8]), 8)
        return mixed(mixed(first ^ made) ^ last)
    if COMPILED and size and stop >= 8:
        memcpy(cython.address(last), cython.address(source[stop - 8]), 8)
        return mixed(last >> (64 - 8 * size) ^ made)
    while i < stop:
        made = (made ^ source[i]) * PRIME & ALL
        i += 1
    return made
