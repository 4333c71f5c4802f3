# cython: boundscheck=False, infer_types=True
"""The names that a page gives to its elements, to itself and to its data, as hashes.

Each is a place: a hash below 2**16, plus 2**16 times the number of its bag. What is read is bounded
on any page.
"""

from __future__ import annotations

from typing import TYPE_CHECKING
from zlib import crc32

import numpy as np

from tamis._runtime.compiled import view_numbers
from tamis.describe.types.page_numbers import NUMBERS
from tamis.errors import WeightsError
from tamis.model.features.element_hashes import make_seeds, read_tokens
from tamis.page import tags
from tamis.page.arrays import ALL, PRIME, START

if TYPE_CHECKING:
    import cython

    from tamis.describe.types.page_numbers import PageColumns
    from tamis.model.features.batch import Utf8
    from tamis.page.arrays import Hashes, Ints, Matrix

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


def hash_value(
    source: Utf8, start: cython.Py_ssize_t, stop: cython.Py_ssize_t, seed: cython.ulonglong
) -> cython.ulonglong:
    """Hash of bytes in lower case."""
    for i in range(start, stop):
        c: cython.uint = source[i]
        if 65 <= c <= 90:
            c |= 32
        seed = (seed ^ c) * PRIME & ALL
    return seed


META, RELATION, ITEM, DATA = range(1, 5)  # kinds of declarations
OG_TYPE, GENERATOR, CANONICAL, OG_URL, JSON_LD = (
    hash_value(_name, 0, len(_name), START)
    for _name in (b"og:type", b"generator", b"canonical", b"og:url", b"application/ld+json")
)

BODY = tags.ID["body"]
ITEMTYPE, PROPERTY, NAME, REL, TYPE = (
    tags.ATTRIBUTE_ID[_name] for _name in ("itemtype", "property", "name", "rel", "type")
)

column = NUMBERS.group("address")
KNOWN = column("address.known")
ADDRESS_STEPS = column("address.steps")
LENGTH = column("address.length")
QUERY_LENGTH = column("address.query")
HYPHENS = column("address.hyphens")
DIGITS = column("address.digits")
SLASH = column("address.slash")
SUFFIX = column("address.suffix")
LAST_LENGTH = column("address.last")

CRC = view_numbers(
    np.array([crc32(bytes((byte,)), 0xFFFFFFFF) ^ 0xFFFFFFFF for byte in range(256)], np.uint32)
)
PATH, HOST, QUERY, STEPS, FIRST, LAST = (
    crc32(_name) ^ 0xFFFFFFFF
    for _name in (b"path ", b"host ", b"query ", b"steps ", b"first ", b"last ")
)


# For each attribute whether its value is a name.
NAMING = view_numbers((make_seeds() != 0).astype(np.uint8))


def read_element_names(page: PageColumns, source: Utf8) -> tuple[Ints, int]:
    """The places of what elements are called, and how many values with names were read for it.

    Of values with the same length, first and last byte the last is read: of the 1,000 of the mean
    page most are repeated.
    """
    count = 0
    made = np.empty((3, SLOTS + MOST_OF_ROOT), np.intc)
    chosen: cython.int[:, ::1] = made.data
    holder: cython.int[::1] = np.zeros(SLOTS, np.intc).data  # the row + 1
    for row in range(page.attributes.shape[1]):
        if NAMING[page.attributes[0, row]]:
            start = page.attributes[1, row]
            end = page.attributes[2, row]
            if end > start:
                slot = (end - start) * 7 + page.source[start] * 3799 + page.source[end - 1] * 29
                holder[slot & SLOTS - 1] = row + 1
    for slot in range(SLOTS):
        if holder[slot]:
            choose(page, holder[slot] - 1, chosen, count)
            count += 1
    ends = np.array((0, count), np.intc)
    part, tokens = read_tokens(source, ends, made[:, : choose_root(page, chosen, count)])
    return find_places(part, tokens), count


def choose(
    page: PageColumns, row: cython.Py_ssize_t, chosen: Ints, count: cython.Py_ssize_t
) -> None:
    """Write the beginning of an attribute to `chosen`."""
    chosen[0, count] = page.attributes[0, row]
    chosen[1, count] = page.attributes[1, row]
    chosen[2, count] = min(page.attributes[2, row], page.attributes[1, row] + LONGEST_NAME)


def choose_root(page: PageColumns, chosen: Ints, count: cython.Py_ssize_t) -> cython.Py_ssize_t:
    """Choose the attributes of the root and the body, too; return how many are chosen then."""
    nodes = page.tag.shape[0]
    most = count + MOST_OF_ROOT
    for node in range(nodes):
        if node and page.tag[node] != BODY:
            continue
        end = page.attributes.shape[1]
        if node + 1 < nodes:
            end = page.first_attribute[node + 1]
        for row in range(page.first_attribute[node], end):
            if count < most:
                choose(page, row, chosen, count)
                count += 1
        if node:
            break
    return count


def find_places(part: Ints, tokens: Hashes) -> Ints:
    """The places of tokens: of the names of elements (part 0), and of the root and the body."""
    made = np.empty(tokens.shape[0], np.intc)
    places: cython.int[::1] = made.data
    if not COMPILED:
        part, tokens = view_numbers(part), view_numbers(tokens)
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

    def list_places(self) -> Ints:
        """The places of all that was read."""
        return self.made[: self.count]

    def read(self, head: cython.Py_ssize_t) -> None:
        """Go through all that is declared."""
        left = MOST_DECLARED
        items = MOST_DECLARED
        scripts = MOST_SCRIPTS
        for row in range(self.rows.shape[0]):
            name = self.rows[row, 2]
            start = self.rows[row, 3]
            stop = min(self.rows[row, 4], start + LONGEST_VALUE)
            if name in (REL, PROPERTY, NAME):
                if row < head and left:
                    left -= 1
                    self.read_declaration(row, hash_value(self.source, start, stop, START))
            elif name == ITEMTYPE and items:
                items -= 1
                i = stop
                while i > start and self.source[i - 1] != 47:  # /
                    i -= 1
                self.add(hash_value(self.source, i, stop, START), ITEM)
            elif (
                name == TYPE and scripts and hash_value(self.source, start, stop, START) == JSON_LD
            ):
                scripts -= 1
                self.read_data_types(stop)

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
        start = 0
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
    ) -> None:
        """Read host and path in lower case and the query; write numbers about them."""
        out: cython.double[::1] = page.numbers
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
        out[KNOWN] = known
        out[ADDRESS_STEPS] = len(steps)
        out[LENGTH] = len(path)
        out[QUERY_LENGTH] = len(query)
        out[HYPHENS] = last.count("-") + last.count("_")
        out[DIGITS] = len(in_utf8) - len(in_utf8.translate(None, b"0123456789"))
        out[SLASH] = path.endswith("/")
        out[SUFFIX] = "." in last
        out[LAST_LENGTH] = len(last)

    def read_declaration(self, row: cython.Py_ssize_t, value: cython.ulonglong) -> None:
        """Read an attribute of a meta tag or link in the head."""
        i = self.rows[row, 5]
        end = self.rows[row, 6]
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
            stop = min(end, i + LONGEST_VALUE)
            while i < stop and self.source[i] <= 32:
                i += 1
            first = i
            while i < stop and self.source[i] > 32:
                i += 1
            self.add(hash_value(self.source, first, i, value), META)

    def read_data_types(self, i: cython.Py_ssize_t) -> None:
        """Read the types in the JSON-LD whose script element has an attribute that ends at `i`."""
        stop = min(len(self.source), i + MOST_DATA)
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
            start = i
            while i < stop and i < start + LONGEST_TYPE and self.source[i] != 34:
                i += 1
            self.add(hash_value(self.source, start, i, START), DATA)


class NameWeights:
    """What each name weighs, one number per type."""

    def __init__(self, row_of: Ints, weights: Matrix) -> None:
        """`row_of` has the row of each place in `weights`; row 0 is for places without weights."""
        if row_of.max(initial=0) >= len(weights):
            raise WeightsError("a name has no row in the weights of names")
        self.row_of = row_of
        self.weights = weights
        # One bit per place, which stay in the cache: one name in five has weights.
        self.known = np.packbits(row_of != 0, bitorder="little")

    def weigh(self, places: Ints, out: Matrix) -> None:
        """Add up the weights of names, repeated ones once.

        Each bag has 2**16 places, and one column of sums per type.
        """
        kinds = self.weights.shape[1]
        seen: cython.uchar[::1] = np.zeros(self.weights.shape[0], np.uint8).data
        for number in range(places.shape[0]):
            place = places[number]
            if not self.known[place >> 3] >> (place & 7) & 1:
                continue
            row = self.row_of[place]
            if not seen[row]:
                seen[row] = 1
                for kind in range(kinds):
                    out[(place >> 16) * kinds + kind] += self.weights[row, kind]
