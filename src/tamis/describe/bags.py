# cython: boundscheck=False
"""The names that a page gives to its elements, to itself and to its data, as hashes.

Each is a place: a hash below 2**16, plus 2**16 times the number of its bag. What is read is bounded
on any page.
"""

from __future__ import annotations

from typing import TYPE_CHECKING
from zlib import crc32

import numpy as np

from tamis._runtime.compiled import view
from tamis.model.features.names import tokens as tokens_of
from tamis.page import tags
from tamis.page.hashes import ALL, PRIME, START

if TYPE_CHECKING:
    import cython

    from tamis.describe.census import PageColumns
    from tamis.model.features.batch import Classes, Utf8
    from tamis.page.arrays import Hashes, Ints

COMPILED = not __file__.endswith(".py")

BAGS = ("names", "declared", "address", "root")
"""What elements are called, what the page declares, its address; what its root and body are called.
"""
NAMES, DECLARED, ADDRESS, ROOT = (number << 16 for number in range(len(BAGS)))

# What is read of a page that declares more than any honest page.
MOST_DECLARED = 400  # attributes in the head, and as many types of items
MOST_SCRIPTS = 20
MOST_DATA = 1 << 16  # bytes of a script
LONGEST_TYPE = 40
LONGEST_VALUE = 100  # bytes
LONGEST_NAME = 64  # bytes of a value with names
MOST_DISTINCT = 4096  # of all that is declared; of 1,497 pages none has more than 109
ROOM = MOST_DISTINCT + 1000  # with all names of the address
# Values with names of elements that are read, a power of two, and those of the root and the body.
SLOTS = 512
MOST_OF_ROOT = 32


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

BODY = tags.ID["body"]
ITEMTYPE, PROPERTY, NAME, REL, TYPE = (
    tags.ATTRIBUTE_ID[_name] for _name in ("itemtype", "property", "name", "rel", "type")
)

ABOUT_ADDRESS = (
    *("address.known", "address.steps", "address.length", "address.query"),
    *("address.hyphens", "address.digits", "address.slash", "address.suffix", "address.last"),
)
"""The numbers that `OwnNames.read_address` writes."""
CRC = view(
    np.array([crc32(bytes((byte,)), 0xFFFFFFFF) ^ 0xFFFFFFFF for byte in range(256)], np.uint32)
)
PATH, HOST, QUERY, STEPS, FIRST, LAST = (
    crc32(_name) ^ 0xFFFFFFFF
    for _name in (b"path ", b"host ", b"query ", b"steps ", b"first ", b"last ")
)


def naming() -> Classes:
    """For each attribute whether its value is a name."""
    table = np.zeros(len(tags.ATTRIBUTES), np.uint8)
    table[[tags.ATTRIBUTE_ID[name] for name in ("class", "id", "role", "itemprop")]] = 1
    return table


NAMING = view(naming())


def of_elements(page: PageColumns, source: Utf8) -> tuple[Ints, int]:
    """The places of what elements are called, and how many values with names were read for it.

    Of values with the same length, first and last byte the last is read: of the 1,000 of the mean
    page most are repeated.
    """
    row: cython.Py_ssize_t
    slot: cython.Py_ssize_t
    count: cython.Py_ssize_t = 0
    made = np.empty((3, SLOTS + MOST_OF_ROOT), np.intc)
    chosen: cython.int[:, ::1] = made.data
    holder: cython.int[::1] = np.zeros(SLOTS, np.intc).data  # the row + 1
    for row in range(page.attributes.shape[1]):
        if NAMING[page.attributes[0, row]]:
            start: cython.int = page.attributes[1, row]
            end: cython.int = page.attributes[2, row]
            if end > start:
                slot = (end - start) * 7 + page.source[start] * 3799 + page.source[end - 1] * 29
                holder[slot & SLOTS - 1] = row + 1
    for slot in range(SLOTS):
        if holder[slot]:
            choose(page, holder[slot] - 1, chosen, count)
            count += 1
    ends = np.array((0, count), np.intc)
    part, tokens = tokens_of(source, ends, made[:, : root(page, chosen, count)])
    return places_of(part, tokens), count


def choose(
    page: PageColumns, row: cython.Py_ssize_t, chosen: Ints, count: cython.Py_ssize_t
) -> None:
    """Write the beginning of an attribute to `chosen`."""
    chosen[0, count] = page.attributes[0, row]
    chosen[1, count] = page.attributes[1, row]
    chosen[2, count] = min(page.attributes[2, row], page.attributes[1, row] + LONGEST_NAME)


def root(page: PageColumns, chosen: Ints, count: cython.Py_ssize_t) -> cython.Py_ssize_t:
    """Choose the attributes of the root and the body, too; return how many are chosen then."""
    node: cython.Py_ssize_t
    row: cython.Py_ssize_t
    nodes: cython.Py_ssize_t = page.tag.shape[0]
    most: cython.Py_ssize_t = count + MOST_OF_ROOT
    for node in range(nodes):
        if node and page.tag[node] != BODY:
            continue
        end: cython.Py_ssize_t = page.attributes.shape[1]
        if node + 1 < nodes:
            end = page.first_attribute[node + 1]
        for row in range(page.first_attribute[node], end):
            if count < most:
                choose(page, row, chosen, count)
                count += 1
        if node:
            break
    return count


def places_of(part: Ints, tokens: Hashes) -> Ints:
    """The places of tokens: of the names of elements (part 0), and of the root and the body."""
    number: cython.Py_ssize_t
    made = np.empty(tokens.shape[0], np.intc)
    places: cython.int[::1] = made.data
    if not COMPILED:
        part, tokens = view(part), view(tokens)
    for number in range(tokens.shape[0]):
        places[number] = (tokens[number] >> 48) + part[number] * ROOT
    return made


class OwnNames:
    """Names of meta tags and links in the head, types of data, names in the address of a page."""

    def __init__(self, source: Utf8, rows: Ints, head: cython.Py_ssize_t) -> None:
        """`rows` and `head` are those of `Page.declared`."""
        self.source = source
        self.rows = rows
        self.made = np.empty(ROOM, np.intc)
        self.places = self.made.data
        self.count = self.address_start = self.address_end = 0
        self.read(head)

    def all_places(self) -> Ints:
        """The places of all that was read."""
        return self.made[: self.count]

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

    def add(self, value: cython.ulonglong, kind: cython.int) -> None:
        """Add the hash of a value together with the kind of its declaration."""
        if self.count < MOST_DISTINCT:
            self.places[self.count] = DECLARED + (((value ^ kind) * PRIME & ALL) >> 48)
            self.count += 1

    def add_name(
        self, text: Utf8, i: cython.Py_ssize_t, stop: cython.Py_ssize_t, seed: cython.uint
    ) -> None:
        """Add a name of the address; `seed` is the hash of what kind of name it is."""
        while i < stop:
            seed = CRC[(seed ^ text[i]) & 0xFF] ^ seed >> 8
            i += 1
        if self.count < ROOM:
            self.places[self.count] = ADDRESS + (seed & 0xFFFF ^ 0xFFFF)
            self.count += 1

    def add_words(self, text: Utf8, size: cython.Py_ssize_t, seed: cython.uint) -> None:
        """Add the words of a part of the address: runs of small letters."""
        i: cython.Py_ssize_t
        start: cython.Py_ssize_t = 0
        for i in range(size + 1):
            if i == size or not 97 <= text[i] <= 122:
                if i > start:
                    self.add_name(text, start, i, seed)
                start = i + 1

    def read_address(
        self,
        page: PageColumns,
        host: str,
        path: str,
        query: str,
        known: cython.bint,
        first: cython.Py_ssize_t,
    ) -> None:
        """Read host and path in lower case and the query; write `ABOUT_ADDRESS` from `first` on."""
        out: cython.double[::1] = page.numbers[first:]
        steps: list[str] = [step for step in path.split("/") if step]
        last: str = steps[len(steps) - 1] if steps else ""
        in_utf8: bytes = path.encode("utf-8", "replace")
        own_host: bytes = host.encode("utf-8", "replace")
        self.add_words(in_utf8, len(in_utf8), PATH)
        self.add_words(own_host, len(own_host), HOST)
        for part in query.encode("utf-8", "replace").split(b"&"):
            if part:
                self.add_name(part, 0, len(part.partition(b"=")[0]), QUERY)
        if known:
            for step, seed in ((str(len(steps)), STEPS), ((*steps, "")[0], FIRST), (last, LAST)):
                in_bytes: bytes = step.encode("utf-8", "replace")
                self.add_name(in_bytes, 0, len(in_bytes), seed)
        out[0] = known
        out[1] = len(steps)
        out[2] = len(path)
        out[3] = len(query)
        out[4] = last.count("-") + last.count("_")
        out[5] = len(in_utf8) - len(in_utf8.translate(None, b"0123456789"))
        out[6] = path.endswith("/")
        out[7] = "." in last
        out[8] = len(last)

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
