# cython: boundscheck=False, infer_types=True
"""What elements are called and where they are, as hashes: names, paths, rows with equal hashes.

Names are classes, ids, roles and itemprops. A token is a run of at least two letters (`sideBar` and
`side-bar` are two tokens), or a whole name of at least three without its digits, such as `post-`.

Every pass is linear. Uncompiled it gives the same numbers; sums of hashes wrap around at 64 bits.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from tamis._runtime.compiled import view_numbers
from tamis.page import tags
from tamis.page.arrays import ALL, PRIME

if TYPE_CHECKING:
    import cython
    from cython.cimports.libc.string import memcmp, memcpy

    from tamis.model.features.batch import Utf8
    from tamis.page.arrays import Hashes, Ints

COMPILED = not __file__.endswith(".py")

GOLDEN = 0x9E3779B97F4A7C15  # 2**64 over the golden ratio: spreads small numbers over all bits
OTHER = 0xD6E8FEB86659FD93
# Apart from the tokens of a name, the name as a whole.
WHOLE = 0xABCDEF123

# Other values that one is compared with; if it is none of them, it is read once more.
LONGEST_VALUE_SEARCH = 8
# Places that are tried for a key. On honest pages no search takes more than some dozens; a page
# whose hashes were made to collide gets groups of one instead of our time.
LONGEST_SEARCH = 256


def make_seeds() -> Hashes:
    """The same name as a class and as an id is two tokens; 0 for attributes without names."""
    made = np.zeros(len(tags.ATTRIBUTES), np.uint64)
    for number, name in enumerate(("class", "id", "role", "itemprop"), 1):
        made[tags.ATTRIBUTE_ID[name]] = number * GOLDEN & ALL
    return made


SEED = view_numbers(make_seeds())


def read_tokens(source: Utf8, first_row: Ints, rows: Ints) -> tuple[Ints, Hashes]:
    """The tokens of all nodes: their nodes, their hashes.

    `first_row` and `rows` are `nodes.attributes` and `attribute_rows` of a page.
    """
    nodes = first_row.shape[0]
    read = Tokens()
    read.begin(source, rows, 64 + 8 * rows.shape[1])
    for node in range(nodes):
        end_row = first_row[node + 1] if node + 1 < nodes else rows.shape[1]
        for row in range(first_row[node], end_row):
            if SEED[rows[0, row]]:
                read.read(row, node)
    return read.list_tokens()


def read_values(
    source: Utf8, first_row: Ints, rows: Ints
) -> tuple[Ints, Ints, Ints, Hashes, Hashes]:
    """The attributes with names, what they say, and one hash of all names of each node.

    A page has most values many times, so each is read once. Of the attributes the nodes and the
    numbers of their values; of the tokens of the values those numbers and the hashes.
    """
    nodes = first_row.shape[0]
    named = 0
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
                number: cython.Py_ssize_t = distinct.number_value(row)
                places[0, named] = node
                places[1, named] = number
                named += 1
                hashes[node] ^= distinct.hashes[number]
    return *places_made[:, :named], *distinct.tokens.list_tokens(), hash_made


class Tokens:
    """The tokens of attributes, in order, each with the number of its owner."""

    # Not `__init__`, whose arguments would have to become objects.
    def begin(self, source: Utf8, rows: Ints, room: cython.Py_ssize_t) -> None:
        """None yet, and room for so many."""
        self.source = source
        self.rows = rows
        if not COMPILED:
            self.rows = view_numbers(rows)
        self.count = 0
        self.make_room(room)

    def make_room(self, room: cython.Py_ssize_t) -> None:
        """Make room for so many tokens."""
        owners = np.empty(room, np.intc)
        tokens = np.empty(room, np.uint64)
        if self.count:
            owners[: self.count], tokens[: self.count] = self.list_tokens()
        self.arrays = owners, tokens
        self.owner = owners
        self.token = tokens

    def list_tokens(self) -> tuple[Ints, Hashes]:
        """The owner of each token, and its hash."""
        owners, tokens = self.arrays
        return owners[: self.count], tokens[: self.count]

    def read(self, row: cython.Py_ssize_t, owner: cython.Py_ssize_t) -> cython.ulonglong:
        """Write the tokens of an attribute, whose owner has this number; a hash of its names."""
        i = self.rows[1, row]
        stop = self.rows[2, row]
        seed: cython.ulonglong = SEED[self.rows[0, row]]
        letters = 0
        length = 0
        before: cython.uint = 0
        token: cython.ulonglong = seed
        whole: cython.ulonglong = seed ^ WHOLE
        all_names: cython.ulonglong = seed
        if self.count + stop - i + 2 > len(self.token):  # less than one token per byte
            self.make_room(2 * len(self.token) + stop - i)
        while i <= stop:
            c: cython.uint = self.source[i] if i < stop else 32
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
        size = 1 << self.bits
        numbers: cython.int[::1] = np.zeros(size + most, np.intc)
        self.place = numbers[:size]  # number of a value + 1
        self.row = numbers[size:]
        hashes: cython.ulonglong[:, ::1] = np.empty((2, most), np.uint64)
        self.key = hashes[0]
        self.hashes = hashes[1]

    def number_value(self, row: cython.Py_ssize_t) -> cython.Py_ssize_t:
        """The number of the value of an attribute."""
        last: cython.size_t = (1 << self.bits) - 1
        key: cython.ulonglong = SEED[self.rows[0, row]]
        key ^= hash_value(self.source, self.rows[1, row], self.rows[2, row])
        slot: cython.size_t = (key * GOLDEN & ALL) >> (64 - self.bits)
        steps = 0
        number = self.place[slot] - 1
        while number >= 0:
            if self.key[number] == key and self.has_same_value(self.row[number], row):
                return number
            steps += 1
            if steps == LONGEST_VALUE_SEARCH:
                break
            slot = (slot + 1) & last
            number = self.place[slot] - 1
        self.key[self.count] = key
        self.row[self.count] = row
        self.hashes[self.count] = self.tokens.read(row, self.count)
        self.count += 1
        self.place[slot] = self.count
        return self.count - 1

    def has_same_value(self, row: cython.Py_ssize_t, other: cython.Py_ssize_t) -> cython.bint:
        """Whether two attributes have the same name and value."""
        start = self.rows[1, row]
        beside = self.rows[1, other]
        size = self.rows[2, row] - start
        if self.rows[0, row] != self.rows[0, other] or size != self.rows[2, other] - beside:
            return False
        if COMPILED:
            first = cython.address(self.source[start])
            return memcmp(first, cython.address(self.source[beside]), size) == 0
        while size and self.source[start] == self.source[beside]:
            start, beside, size = start + 1, beside + 1, size - 1
        return size == 0


def hash_value(source: Utf8, i: cython.Py_ssize_t, stop: cython.Py_ssize_t) -> cython.ulonglong:
    """A number that is the same for the same bytes; compiled, of the first and the last eight."""
    size = stop - i
    made: cython.ulonglong = size
    first: cython.ulonglong = 0
    last: cython.ulonglong = 0
    if COMPILED and size >= 8:
        memcpy(cython.address(first), cython.address(source[i]), 8)
        memcpy(cython.address(last), cython.address(source[stop - 8]), 8)
        return mix_hash(mix_hash(first ^ made) ^ last)
    if COMPILED and size and stop >= 8:
        memcpy(cython.address(last), cython.address(source[stop - 8]), 8)
        return mix_hash(last >> (64 - 8 * size) ^ made)
    while i < stop:
        made = (made ^ source[i]) * PRIME & ALL
        i += 1
    return made


def hash_paths(parent: Ints, tag: Ints, names: Hashes) -> tuple[Hashes, Hashes, Hashes]:
    """Hashes of the path from the root to each node, different ones for each page.

    By tags; by tags and names (one hash per node, see `read_values`); and of each node's own tag
    and names together with its parent, which siblings that look the same share.
    """
    nodes = parent.shape[0]
    tags_above: cython.ulonglong
    named_above: cython.ulonglong
    if not COMPILED:
        parent, tag, names = view_numbers(parent), view_numbers(tag), view_numbers(names)
    made = np.empty((3, nodes), np.uint64)
    by_tags: cython.ulonglong[::1] = made[0].data
    named: cython.ulonglong[::1] = made[1].data
    sibling: cython.ulonglong[::1] = made[2].data
    for node in range(nodes):
        above = parent[node]
        key: cython.ulonglong = (tag[node] + 1) * GOLDEN & ALL
        if above < 0:
            tags_above = named_above = node + 1
        else:
            tags_above = by_tags[above]
            named_above = named[above]
        by_tags[node] = mix_hash(tags_above ^ key)
        key ^= names[node]
        named[node] = mix_hash(named_above ^ key)
        sibling[node] = named[node]  # a root has no siblings
        if above >= 0:
            sibling[node] = mix_hash(key + (above + 1) * OTHER & ALL)
    return made[0], made[1], made[2]


def mix_hash(number: cython.ulonglong) -> cython.ulonglong:
    """A hash of a hash."""
    number = number * GOLDEN & ALL
    return number ^ (number >> 29)


def number_equal(keys: Hashes, group: Ints) -> cython.int:
    """Write to each row the number of its group, the rows with the same key; return how many."""
    rows = keys.shape[0]
    bits = 4
    groups = 0
    if not COMPILED:
        keys = view_numbers(keys)
    while (1 << bits) < 2 * rows:
        bits += 1
    last: cython.ulonglong = (1 << bits) - 1
    holder: cython.int[::1] = np.zeros(1 << bits, np.intc).data  # row + 1
    for row in range(rows):
        place: cython.ulonglong = (keys[row] * GOLDEN & ALL) >> (64 - bits)
        steps = 0
        while holder[place] and keys[holder[place] - 1] != keys[row] and steps < LONGEST_SEARCH:
            place = (place + 1) & last
            steps += 1
        if holder[place] and keys[holder[place] - 1] == keys[row]:
            group[row] = group[holder[place] - 1]
        else:
            if not holder[place]:
                holder[place] = row + 1
            group[row] = groups
            groups += 1
    return groups
