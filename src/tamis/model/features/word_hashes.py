# cython: boundscheck=False, infer_types=True
"""Words as hashes.

A word of text is a run of letters and digits in lower case; a character of a script without spaces
is a word by itself. So two neighbouring words are a stretch of text in every script. A character
reference (`&nbsp;`) counts as a break: words are compared here, not shown.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from tamis._runtime.compiled import view_numbers
from tamis.page import tags
from tamis.page.arrays import ALL, PRIME, START
from tamis.page.attributes import value_of
from tamis.page.declarations import find_described
from tamis.page.tags import HIDDEN
from tamis.page.text.characters import (
    CODE,
    CODE_BITS,
    CODE_POINT_KINDS,
    DIGIT,
    HAN,
    IGNORED,
    KIND_BITS,
    LOWER,
    OF_KIND,
    SEA,
    SYMBOL,
    UPPER,
)

if TYPE_CHECKING:
    import cython
    import numpy.typing as npt

    from tamis.model.features.batch import Utf8
    from tamis.page.arrays import Floats, Hashes, Ints
    from tamis.page.table import Page

COMPILED = not __file__.endswith(".py")

GOLDEN = 0x9E3779B97F4A7C15

# Bits of the sets of a page.
IN_TITLE, IN_DESCRIPTION, IN_DATA = 1, 2, 4

LONGEST_SEARCH = 256  # as in `walk`
LONGEST_REFERENCE = 32

KINDS = np.frombuffer(CODE_POINT_KINDS, np.uint8).copy()
BREAK = 1


def make_lower_case() -> npt.NDArray[np.uint16]:
    """The lower case of each code point of the Basic Multilingual Plane."""
    table = np.arange(0x10000, dtype=np.uint16)
    for code in np.flatnonzero(KINDS == UPPER).tolist():
        table[code] = ord(chr(code).lower()[0])
    return table


def fold_bytes() -> npt.NDArray[np.uint8]:
    """What a byte of a text is: `BREAK` between words, or the ASCII letter or digit in lower case.

    0 for all that takes a closer look.
    """
    table = np.zeros(256, np.uint8)
    kinds = KINDS[:128]
    table[:128] = np.where(np.isin(kinds, (LOWER, UPPER, DIGIT)), make_lower_case()[:128], BREAK)
    table[:128][kinds == IGNORED] = 0
    table[[ord("&"), ord("\\")]] = 0
    return table


TABLES = KINDS, make_lower_case(), fold_bytes()
KIND = view_numbers(TABLES[0])
LOWER_CASE = view_numbers(TABLES[1])
FOLDED = view_numbers(TABLES[2])


def code_at(source: Utf8, i: cython.Py_ssize_t, stop: cython.Py_ssize_t) -> cython.uint:
    """The code point that begins at `i`; of bytes that are not UTF-8 some number."""
    c: cython.uint = source[i]
    if c < 0x80:
        return c
    if c < 0xE0:
        c = (c & 0x1F) << 6
        if i + 1 < stop:
            c |= source[i + 1] & 0x3F
    elif c < 0xF0:
        c = (c & 0x0F) << 12
        if i + 2 < stop:
            c |= (source[i + 1] & 0x3F) << 6 | (source[i + 2] & 0x3F)
    else:
        c = (c & 0x07) << 18
        if i + 3 < stop:
            c |= (source[i + 1] & 0x3F) << 12 | (source[i + 2] & 0x3F) << 6
            c |= source[i + 3] & 0x3F
    return c


def reference_end(source: Utf8, i: cython.Py_ssize_t, stop: cython.Py_ssize_t) -> cython.Py_ssize_t:
    """Where the character reference at `i` ends, `i + 1` if there is none."""
    j = i + 1
    stop = min(stop, i + LONGEST_REFERENCE)
    while j < stop:
        c: cython.uint = source[j]
        j += 1
        if c == 59:  # ;
            return j
        if not (97 <= (c | 32) <= 122 or 48 <= c <= 57 or c == 35):
            break
    return i + 1


def character_at(source: Utf8, i: cython.Py_ssize_t, stop: cython.Py_ssize_t) -> cython.ulonglong:
    """The character at `i` as one number, see `CODE_BITS`; a character reference counts as `&`."""
    code: cython.uint = source[i]
    step: cython.ulonglong = 1
    kind: cython.ulonglong = SYMBOL
    if code >= 0x80:
        step = 2 if code < 0xE0 else 3 if code < 0xF0 else 4
        code = code_at(source, i, stop)
    elif code == 38:  # &
        step = reference_end(source, i, stop) - i
    if code < 0x10000:
        kind = KIND[code]
    elif 0x20000 <= code < 0x40000:
        kind = HAN
    return step << KIND_BITS + CODE_BITS | kind << CODE_BITS | code


def escape_at(source: Utf8, i: cython.Py_ssize_t, stop: cython.Py_ssize_t) -> cython.uint:
    """The code unit that `\\uXXXX` at `i` stands for, 0 if that is not there."""
    code: cython.uint = 0
    if i + 6 > stop or source[i + 1] != 117:  # u
        return 0
    for k in range(2, 6):
        c: cython.uint = source[i + k]
        if 48 <= c <= 57:
            code = code * 16 + c - 48
        elif 97 <= (c | 32) <= 102:
            code = code * 16 + (c | 32) - 87
        else:
            return 0
    return code


def read(
    source: Utf8,
    i: cython.Py_ssize_t,
    stop: cython.Py_ssize_t,
    escaped: cython.int,
    words: Hashes,
    count: cython.Py_ssize_t,
) -> cython.Py_ssize_t:
    """Write the hashes of the words from `i` to `stop` to `words`, from number `count` on.

    None of them is 0. `escaped` is 1 in JSON, where a backslash begins an escape. Return the number
    of the last word and one; there are no more words than bytes.
    """
    in_word = 0
    word: cython.ulonglong = START
    while i < stop:
        code: cython.uint = source[i]
        known: cython.uint = FOLDED[code]
        if known > BREAK:
            word = (word ^ known) * PRIME & ALL
            in_word = 1
            i += 1
            continue
        kind = SYMBOL
        if known == BREAK:
            i += 1
        elif code == 92 and escaped:
            code = escape_at(source, i, stop)
            i += 6 if code else 2
            code = code if code else 32
            kind = KIND[code]
        else:
            character: cython.ulonglong = character_at(source, i, stop)
            code = character & CODE
            kind = character >> CODE_BITS & OF_KIND
            i += character >> CODE_BITS + KIND_BITS
        if kind in (LOWER, UPPER, DIGIT):
            word = (word ^ LOWER_CASE[code]) * PRIME & ALL
            in_word = 1
        elif kind != IGNORED:
            if in_word:
                words[count] = word | 1
                count += 1
                word = START
                in_word = 0
            if kind in (HAN, SEA):
                words[count] = ((START ^ code) * PRIME & ALL) | 1
                count += 1
    if in_word:
        words[count] = word | 1
        count += 1
    return count


def hash_words(text: Utf8, escaped: cython.int = 0) -> Hashes:
    """Hashes of the words of a text in UTF-8, none of them 0; of JSON, keys too, if `escaped`."""
    size = len(text)
    made = np.empty(size, np.uint64)
    words: cython.ulonglong[::1] = made.data
    return made[: read(text, 0, size, escaped, words, 0)]


def hash_pairs(words: Hashes) -> Hashes:
    """Hashes of each word together with the next, none of them 0."""
    count = max(words.shape[0] - 1, 0)
    if not COMPILED:
        words = view_numbers(words)
    made = np.empty(count, np.uint64)
    out: cython.ulonglong[::1] = made.data
    for number in range(count):
        out[number] = hash_pair(words[number], words[number + 1])
    return made


def hash_pair(word: cython.ulonglong, following: cython.ulonglong) -> cython.ulonglong:
    """Hash of a word and the next."""
    return (word * 31 & ALL ^ following) | 1


class DeclaredSets:
    """Which of three sets has a hash: a table with open addressing, 0 is empty."""

    def __init__(self, title: Utf8, description: Utf8, data: Utf8) -> None:
        """The words of a title, the pairs of words of a description and of JSON, its keys too.

        `counts` is the number of distinct words of the first, and of all words of the others.
        """
        text = b"\n".join((title, description, data))
        first = len(title)
        second = first + 1 + len(description)
        words: cython.ulonglong[::1] = np.empty(len(text), np.uint64).data
        of_title = read(text, 0, first, 0, words, 0)
        described = read(text, first + 1, second, 0, words, of_title)
        end = read(text, second + 1, len(text), 1, words, described)
        self.has_pairs = described > of_title + 1 or end > described + 1
        self.bits = 4
        while (1 << self.bits) < 2 * end:
            self.bits += 1
        self.keys = np.zeros(1 << self.bits, np.uint64).data
        self.sets = np.zeros(1 << self.bits, np.uint8).data
        distinct = 0
        for number in range(of_title):
            distinct += self.add(words[number], IN_TITLE)
        for number in range(of_title + 1, described):
            self.add(hash_pair(words[number - 1], words[number]), IN_DESCRIPTION)
        for number in range(described + 1, end):
            self.add(hash_pair(words[number - 1], words[number]), IN_DATA)
        self.counts = distinct, described - of_title, end - described

    def add(self, key: cython.ulonglong, flag: cython.int) -> cython.bint:
        """Put a hash into the set with that bit; whether the table had it in none."""
        place: cython.size_t = self.place_of(key)
        is_new: cython.bint = self.keys[place] != key
        self.keys[place] = key
        self.sets[place] |= flag
        return is_new

    def place_of(self, key: cython.ulonglong) -> cython.size_t:
        """Where a hash is, or where it would be."""
        last: cython.size_t = (1 << self.bits) - 1
        place: cython.size_t = (key * GOLDEN & ALL) >> (64 - self.bits)
        steps = 0
        while self.keys[place] and self.keys[place] != key and steps < LONGEST_SEARCH:
            place = (place + 1) & last
            steps += 1
        return place

    def find_sets(self, key: cython.ulonglong) -> cython.int:
        """The bits of the sets that have the hash."""
        place: cython.size_t = self.place_of(key)
        return self.sets[place] if self.keys[place] == key else 0


def compare_words(
    source: Utf8,
    start: Ints,
    end: Ints,
    block: Ints,
    flags: Ints,
    block_flags: Ints,
    sets: DeclaredSets,
) -> tuple[Floats, Hashes, Ints]:
    """The words of each block, compared with three sets.

    The first set is of words (title), the second and third are of pairs (description, data).
    Returns three arrays with one column per block. Counts, one row each: words, words that are in
    the title, pairs of neighbouring words, pairs that are in the description, pairs that are in
    the data. A hash of its words. The code points of its first and last character. Hidden text
    counts only where all of the block is hidden.
    """
    texts = start.shape[0]
    blocks = block_flags.shape[0]
    longest = 0
    open_row = -1
    before: cython.ulonglong = 0
    keys: cython.ulonglong[::1] = sets.keys
    shift = 64 - sets.bits
    has_pairs: cython.bint = sets.has_pairs
    if not COMPILED:  # numbers that grow beyond 32 bits
        start, end = view_numbers(start), view_numbers(end)
    for text in range(texts):
        longest = max(longest, end[text] - start[text])
    words: cython.ulonglong[::1] = np.empty(longest, np.uint64).data
    count_made = np.zeros((5, blocks))
    hash_made = np.zeros(blocks, np.uint64)
    edge_made = np.zeros((2, blocks), np.intc)
    counts: cython.double[:, ::1] = count_made.data
    hashes: cython.ulonglong[::1] = hash_made.data
    edges: cython.int[:, ::1] = edge_made.data
    for text in range(texts):
        row = block[text]
        i = start[text]
        stop = end[text]
        if i >= stop or (flags[text] & HIDDEN and not block_flags[row] & HIDDEN):
            continue
        if row != open_row:
            edges[0, row] = code_at(source, i, stop)
            before = 0
            open_row = row
        count = read(source, i, stop, 0, words, 0)
        in_title = in_description = in_data = 0
        pairs = count
        if not before and count:
            pairs = count - 1
        mixed: cython.ulonglong = hashes[row]
        for number in range(count):
            word: cython.ulonglong = words[number]
            mixed = (mixed ^ word) * GOLDEN & ALL
            if keys[(word * GOLDEN & ALL) >> shift]:  # most words are in no set, and this says so
                in_title += sets.find_sets(word) & IN_TITLE
            if before and has_pairs:
                two: cython.ulonglong = hash_pair(before, word)
                if keys[(two * GOLDEN & ALL) >> shift]:
                    of_pair: cython.int = sets.find_sets(two)
                    in_description += of_pair >> 1 & 1
                    in_data += of_pair >> 2
            before = word
        hashes[row] = mixed
        counts[0, row] += count
        counts[1, row] += in_title
        counts[2, row] += pairs
        counts[3, row] += in_description
        counts[4, row] += in_data
        number = stop - 1
        while number > i and source[number] & 0xC0 == 0x80:
            number -= 1
        edges[1, row] = code_at(source, number, stop)
    return count_made, hash_made, edge_made


# Bytes of the title, of descriptions and of structured data that are read.
MOST_BYTES = 1 << 18

TITLE = tags.ID["title"]
SCRIPT = tags.ID["script"]
_KIND = b"og:type"
_NAMES = (b"description", b"og:description", b"twitter:description", _KIND)
LONGEST_NAME = max(map(len, _NAMES))
_DATA = b"application/ld+json"
_START = b"<title>"


class DeclaredWords(NamedTuple):
    """The words that a page declares about itself."""

    sets: DeclaredSets
    """Three sets: the words of the title; pairs of neighbouring words of the descriptions; pairs
    of neighbouring words of the JSON-LD, its keys too."""
    title_words: int
    """Distinct words of the title."""
    description_words: int
    """Words of the descriptions, repeated ones too."""
    data_words: int
    """Words of the JSON-LD."""
    is_article: bool
    """`og:type` says so."""
    has_article: bool
    """The JSON-LD has a `NewsArticle` or another kind of article."""
    title: bytes
    description: bytes
    """The title and the descriptions themselves."""


def read_declared_words(page: Page) -> DeclaredWords:
    """Read the words that a page declares about itself, once."""
    if DeclaredWords not in page.made:
        page.made[DeclaredWords] = _read_declared_words(page)
    words: DeclaredWords = page.made[DeclaredWords]
    return words


def _read_declared_words(page: Page) -> DeclaredWords:
    nodes = page.nodes
    titles = np.flatnonzero((nodes.tag == TITLE) & (nodes.flags & tags.FOREIGN == 0))
    title = _read_title(page, int(titles[0])) if len(titles) else b""
    descriptions, data, kind = _read_described(page)
    sets = DeclaredSets(title, descriptions, data)
    return DeclaredWords(
        sets,
        *sets.counts,
        is_article="article" in kind,
        has_article=b'Article"' in data,
        title=title,
        description=descriptions,
    )


def _read_title(page: Page, node: int) -> bytes:
    """Read the title, with white space as it is where that does not matter for its words."""
    start = int(page.nodes.start[node])
    begin = start + len(_START)
    raw = page.source[begin : int(page.nodes.close[node])]
    if page.source[start:begin].lower() == _START and len(raw) < MOST_BYTES and _is_plain(raw):
        return raw
    return page.title.encode("utf-8", "replace")[:MOST_BYTES]


def _is_plain(raw: bytes) -> bool:
    """Whether a text reads as the source has it."""
    return raw.isascii() and b"&" not in raw and b"\0" not in raw


def _read_described(page: Page) -> tuple[bytes, bytes, str]:
    """Read descriptions, JSON-LD as the source has it, and the kind of page in lower case."""
    source = page.source
    descriptions: list[bytes] = []
    data: list[bytes] = []
    kind = ""
    before = -1
    found = find_described(page.declared.rows, LONGEST_NAME)
    for node, tag, start, end, content, content_end in found:
        value = source[start:end].lower()
        if tag == SCRIPT:
            if _DATA in value:
                # The rest of the start tag may hold another ">": a few words too many.
                close = int(page.nodes.close[node])
                begin = source.find(b">", end, close) + 1 or close
                data.append(source[begin : min(close, begin + MOST_BYTES)])
        elif value in _NAMES and node != before:
            before = node  # a name and a property of one element count once
            raw = source[content:content_end]
            if value == _KIND:
                kind = value_of(raw).lower()
            else:
                descriptions.append(
                    raw if _is_plain(raw) else value_of(raw).encode("utf-8", "replace")
                )
    return b" ".join(descriptions)[:MOST_BYTES], b" ".join(data)[:MOST_BYTES], kind
