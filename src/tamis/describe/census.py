"""Passes over the columns of a page for what describes it: its type and its metadata.

Each is linear. `elements`, `text` and `attributes` write a group of `page_type.NUMBERS`, in their
order, to `out`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from tamis.page import tags

if TYPE_CHECKING:
    import cython

    from tamis.describe.page_type import Trees
    from tamis.model.features.batch import Classes, Floats, Indexes, Ints, Matrix, Utf8
    from tamis.page.table import Page

COMPILED = not __file__.endswith(".py")

# Words of an element that may be an entry of a list; of an element that may be a post or section.
FEWEST_WORDS = 2
LONG_TEXT = 15
# Children of an element that repeat.
FEWEST_REPEATED = 3

# What is read of a page that declares more than any honest page.
MOST_DECLARED = 400  # attributes in the head, and as many types of items
MOST_SCRIPTS = 20
MOST_DATA = 1 << 16  # bytes of a script
LONGEST_TYPE = 40
LONGEST_VALUE = 100  # bytes
LONGEST_NAME = 64  # bytes of a value with names
ROOM = 4096  # for all that is declared; of 1,497 pages none has more than 109 distinct values

ALL = 2**64 - 1
# FNV-1a.
START = 0xCBF29CE484222325
PRIME = 0x100000001B3


def value_hash(
    source: Utf8, start: cython.Py_ssize_t, stop: cython.Py_ssize_t, seed: cython.ulonglong
) -> cython.ulonglong:
    """Hash of bytes in lower case."""
    i: cython.Py_ssize_t
    for i in range(start, stop):
        c: cython.uint = source[i]
        if 65 <= c <= 90:
            c |= 32
        seed = (seed ^ c) * PRIME & ALL
    return seed


META, RELATION, ITEM, DATA = range(1, 5)  # kinds of declarations
OG_TYPE, GENERATOR, CANONICAL, OG_URL, JSON_LD = (
    value_hash(_name, 0, len(_name), START)
    for _name in (b"og:type", b"generator", b"canonical", b"og:url", b"application/ld+json")
)

LINK, IMAGE, BODY = tags.ID["a"], tags.ID["img"], tags.ID["body"]
ITEMTYPE, PROPERTY, NAME, REL, TYPE = (
    tags.ATTRIBUTE_ID[_name] for _name in ("itemtype", "property", "name", "rel", "type")
)


class PageColumns:
    """The columns of a page as the passes read them."""

    def __init__(self, page: Page) -> None:
        nodes, texts, blocks = page.nodes, page.texts, page.blocks
        self.source = page.source
        self.tag, self.parent, self.depth = nodes.tag, nodes.parent, nodes.depth
        self.first_attribute = nodes.attributes
        self.text_node, self.text_words = texts.node, texts.words
        self.text_start, self.text_end = texts.start, texts.end
        self.first_text, self.end_text, self.node = blocks.first_text, blocks.end_text, blocks.node
        self.words, self.link_words, self.chars = blocks.words, blocks.link_words, blocks.chars
        self.capitals, self.digits = blocks.capitals, blocks.digits
        self.punctuation, self.flags = blocks.punctuation, blocks.flags
        self.attributes = page.attribute_rows


def elements(page: PageColumns, kind_of_tag: Ints, kinds: cython.Py_ssize_t, out: Floats) -> None:
    """Count elements by kind, and the children of an element that hold the same.

    That is a link, a link and an image, or text alone. For each of the three: the most children;
    and of the element whose children hold the most words their number, their share of the words of
    the page, and whole words per child.
    """
    nodes: cython.Py_ssize_t = page.tag.shape[0]
    node: cython.Py_ssize_t
    text: cython.Py_ssize_t
    group: cython.int
    total: cython.double = 0
    # One row per node, row 0 for what is above the root: words, links and images at or below it;
    # then for each of the three groups of children their number and their words.
    below: cython.int[:, ::1] = np.zeros((nodes + 1, 9), np.intc).data
    best: cython.int[::1] = np.zeros(3, np.intc).data
    for text in range(page.text_node.shape[0]):
        below[page.text_node[text] + 1, 0] += page.text_words[text]
        total += page.text_words[text]
    total = max(total, 1.0)
    # From the last node to the first: when a node comes, all below it has been counted.
    for node in range(nodes - 1, -1, -1):
        above: cython.Py_ssize_t = page.parent[node] + 1
        kind: cython.int = kind_of_tag[min(page.tag[node], kind_of_tag.shape[0] - 1)]
        if kind >= 0:
            out[kind] += 1
        if page.tag[node] == LINK:
            below[node + 1, 1] += 1
        elif page.tag[node] == IMAGE:
            below[node + 1, 2] += 1
        words: cython.int = below[node + 1, 0]
        links: cython.int = below[node + 1, 1]
        images: cython.int = below[node + 1, 2]
        below[above, 0] += words
        below[above, 1] += links
        below[above, 2] += images
        if links and words >= FEWEST_WORDS:
            below[above, 3] += 1
            below[above, 4] += words
            if images:
                below[above, 5] += 1
                below[above, 6] += words
        elif not links and words >= LONG_TEXT:
            below[above, 7] += 1
            below[above, 8] += words
        for group in range(3):
            count: cython.int = below[node + 1, 3 + 2 * group]
            if not count:
                continue
            words = below[node + 1, 4 + 2 * group]
            column: cython.Py_ssize_t = 2 * kinds + 4 * group
            if count > out[column]:
                out[column] = count
            if count >= FEWEST_REPEATED and words >= best[group]:
                best[group] = words
                out[column + 1] = count
                out[column + 2] = words / total
                out[column + 3] = words // count
    for column in range(kinds):
        out[kinds + column] = out[column] / max(nodes, 1)


def text(page: PageColumns, bits: Ints, lengths: Ints, out: Floats) -> None:
    """Sum up the words, and as shares: in links, punctuation, by place, in long blocks.

    `bits` are the flags of the places; `lengths` are words outside of links that a long block has
    more than.
    """
    block: cython.Py_ssize_t
    column: cython.Py_ssize_t
    places: cython.Py_ssize_t = bits.shape[0]
    count: cython.Py_ssize_t = lengths.shape[0]
    all_chars: cython.double = 0
    for block in range(page.words.shape[0]):
        net: cython.int = page.words[block] - page.link_words[block]
        all_chars += page.chars[block]
        out[0] += page.words[block]
        out[1] += page.link_words[block]
        out[2] += page.capitals[block]
        out[3] += page.digits[block]
        out[4] += page.punctuation[block]
        for column in range(places):
            if page.flags[block] & bits[column]:
                out[5 + column] += page.words[block]
        for column in range(count):
            if net > lengths[column]:
                out[5 + places + column] += 1
                out[5 + places + count + column] += net
    out[0] = max(out[0], 1.0)
    out[1] /= out[0]
    for column in range(2, 5):
        out[column] /= max(all_chars, 1.0)
    for column in range(places):
        out[5 + column] /= out[0]
    for column in range(count):
        out[5 + places + count + column] /= out[0]


def attributes(
    page: PageColumns, column: Ints, naming: Classes, chosen: Ints, out: Floats
) -> cython.Py_ssize_t:
    """Count attributes, and choose those whose names are read; return how many those are.

    `column` and `naming` say for each attribute where it is counted, or -1, and whether its value
    is a name. Of names with the same length, first and last byte the last is chosen: of the 1,000
    of the mean page most are repeated. `chosen` has room for a power of two of them.
    """
    row: cython.Py_ssize_t
    slots: cython.Py_ssize_t = chosen.shape[1]
    count: cython.Py_ssize_t = 0
    holder: cython.int[::1] = np.zeros(slots, np.intc).data  # the row + 1
    for row in range(page.attributes.shape[1]):
        name: cython.int = page.attributes[0, row]
        if column[name] >= 0:
            out[column[name]] += 1
        if naming[name]:
            start: cython.int = page.attributes[1, row]
            end: cython.int = page.attributes[2, row]
            if end > start:
                slot: cython.Py_ssize_t = (
                    (end - start) * 7 + page.source[start] * 3799 + page.source[end - 1] * 29
                )
                holder[slot & slots - 1] = row + 1
    for slot in range(slots):
        if holder[slot]:
            row = holder[slot] - 1
            chosen[0, count] = page.attributes[0, row]
            chosen[1, count] = page.attributes[1, row]
            chosen[2, count] = min(page.attributes[2, row], page.attributes[1, row] + LONGEST_NAME)
            count += 1
    return count


def root_attributes(page: PageColumns, chosen: Ints) -> cython.Py_ssize_t:
    """Put the attributes of the root and the body into `chosen`; return how many those are."""
    node: cython.Py_ssize_t
    row: cython.Py_ssize_t
    nodes: cython.Py_ssize_t = page.tag.shape[0]
    count: cython.Py_ssize_t = 0
    for node in range(nodes):
        if node and page.tag[node] != BODY:
            continue
        end: cython.Py_ssize_t = page.attributes.shape[1]
        if node + 1 < nodes:
            end = page.first_attribute[node + 1]
        for row in range(page.first_attribute[node], end):
            if count < chosen.shape[1]:
                start: cython.int = page.attributes[1, row]
                chosen[0, count] = page.attributes[0, row]
                chosen[1, count] = start
                chosen[2, count] = min(page.attributes[2, row], start + LONGEST_NAME)
                count += 1
        if node:
            break
    return count


class DeclaredNames:
    """Names of meta tags and links in the head, types of data, and the address of a page."""

    def __init__(self, source: Utf8, rows: Ints, head: cython.Py_ssize_t) -> None:
        """`rows` and `head` are those of `Page.declared`."""
        self.source = source
        self.rows = rows
        self.made = np.empty(ROOM, np.intc)
        self.places = self.made.data
        self.count = self.address_start = self.address_end = 0
        self.read(head)

    def read(self, head: cython.Py_ssize_t) -> None:
        """Go through all that is declared."""
        row: cython.Py_ssize_t
        left: cython.int = MOST_DECLARED
        items: cython.int = MOST_DECLARED
        scripts: cython.int = MOST_SCRIPTS
        for row in range(self.rows.shape[0]):
            name: cython.int = self.rows[row, 2]
            start: cython.Py_ssize_t = self.rows[row, 3]
            stop: cython.Py_ssize_t = min(self.rows[row, 4], start + LONGEST_VALUE)
            if name in (REL, PROPERTY, NAME):
                if row < head and left:
                    left -= 1
                    self.declaration(row, value_hash(self.source, start, stop, START))
            elif name == ITEMTYPE and items:
                items -= 1
                i: cython.Py_ssize_t = stop
                while i > start and self.source[i - 1] != 47:  # /
                    i -= 1
                self.add(value_hash(self.source, i, stop, START), ITEM)
            elif (
                name == TYPE and scripts and value_hash(self.source, start, stop, START) == JSON_LD
            ):
                scripts -= 1
                self.data_types(stop)

    def hashes(self) -> Ints:
        """The hashes, each below 2**16."""
        return self.made[: self.count]

    def add(self, value: cython.ulonglong, kind: cython.int) -> None:
        """Add the hash of a value together with the kind of its declaration."""
        if self.count < ROOM:
            self.places[self.count] = ((value ^ kind) * PRIME & ALL) >> 48
            self.count += 1

    def declaration(self, row: cython.Py_ssize_t, value: cython.ulonglong) -> None:
        """Read an attribute of a meta tag or link in the head."""
        i: cython.Py_ssize_t = self.rows[row, 5]
        end: cython.Py_ssize_t = self.rows[row, 6]
        if self.rows[row, 2] == REL:
            self.add(value, RELATION)
            if value == CANONICAL and end > i:
                self.address_start = i
                self.address_end = end
            return
        self.add(value, META)
        if value == OG_URL:
            if end and not self.address_end:
                self.address_start = i
                self.address_end = end
        elif end and value in (OG_TYPE, GENERATOR):
            stop: cython.Py_ssize_t = min(end, i + LONGEST_VALUE)
            while i < stop and self.source[i] <= 32:
                i += 1
            first: cython.Py_ssize_t = i
            while i < stop and self.source[i] > 32:
                i += 1
            self.add(value_hash(self.source, first, i, value), META)

    def data_types(self, i: cython.Py_ssize_t) -> None:
        """Read the types in the JSON-LD whose script element has an attribute that ends at `i`."""
        stop: cython.Py_ssize_t = min(len(self.source), i + MOST_DATA)
        sign: cython.uint
        opened: cython.bint = False
        while i + 8 < stop and not (self.source[i] == 60 and self.source[i + 1] == 47):  # </
            i += 1
            # "@type"
            if self.source[i] != 64 or self.source[i + 1] != 116 or self.source[i + 5] != 34:
                continue
            i += 6
            for sign in (58, 91, 34):  # :["
                while i < stop and self.source[i] <= 32:
                    i += 1
                opened = i < stop and self.source[i] == sign
                i += opened
            if not opened:
                continue
            start: cython.Py_ssize_t = i
            while i < stop and i < start + LONGEST_TYPE and self.source[i] != 34:
                i += 1
            self.add(value_hash(self.source, start, i, START), DATA)


def with_pairs(
    source: Utf8,
    rows: Ints,
    low: cython.Py_ssize_t,
    high: cython.Py_ssize_t,
    looked_at: Classes,
    next_byte: Classes,
) -> Indexes:
    """The attributes from `low` to `high` that have one of some pairs of bytes, in lower case.

    `looked_at` says which attributes count, `next_byte` for each byte which byte must follow it, or
    0.
    """
    row: cython.Py_ssize_t
    i: cython.Py_ssize_t
    count: cython.Py_ssize_t = 0
    made = np.empty(max(high - low, 0), np.intp)
    matches: cython.Py_ssize_t[::1] = made.data
    for row in range(low, high):
        if not looked_at[rows[0, row]]:
            continue
        wanted: cython.uint = 0
        for i in range(rows[1, row], rows[2, row]):
            c: cython.uint = source[i]
            if 65 <= c <= 90:
                c |= 32
            if c == wanted and wanted:
                matches[count] = row
                count += 1
                break
            wanted = next_byte[c]
    return made[:count]


def weigh(places: Ints, row_of: Ints, weights: Matrix, out: Matrix) -> None:
    """Add up the weights of the names at some places, repeated ones once.

    `row_of` has the row of each place in `weights`; row 0 is for places without weights. Each bag
    has 2**16 places, and one column of sums per type.
    """
    number: cython.Py_ssize_t
    kind: cython.Py_ssize_t
    kinds: cython.Py_ssize_t = weights.shape[1]
    seen: cython.uchar[::1] = np.zeros(weights.shape[0], np.uint8).data
    for number in range(places.shape[0]):
        row: cython.int = row_of[places[number]]
        if row and not seen[row]:
            seen[row] = 1
            for kind in range(kinds):
                out[(places[number] >> 16) * kinds + kind] += weights[row, kind]


def answers(trees: Trees, columns: Matrix, out: Floats) -> None:
    """Write the sum of the trees of each type for the columns of a page."""
    feature: cython.short[::1] = trees.feature
    value: cython.float[::1] = trees.value
    right: cython.int[::1] = trees.right
    root: cython.int[::1] = trees.root
    first: cython.int[::1] = trees.first
    kind: cython.Py_ssize_t
    tree: cython.Py_ssize_t
    for kind in range(out.shape[0]):
        for tree in range(first[kind], first[kind + 1]):
            node: cython.int = root[tree]
            while feature[node] >= 0:
                if columns[feature[node]] <= value[node]:
                    node += 1
                else:
                    node = right[node]
            out[kind] += value[node]
