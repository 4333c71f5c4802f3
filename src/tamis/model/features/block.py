"""What a block is by itself, and where it is: among its neighbours, under which heading."""

from __future__ import annotations

import unicodedata
from typing import TYPE_CHECKING

import numpy as np

from tamis import limits
from tamis.model.features.columns import tag_table
from tamis.model.features.numbering import Numbering
from tamis.page import characters, tags

if TYPE_CHECKING:
    import cython

    from tamis.model.features.batch import Classes, Matrix
    from tamis.model.features.columns import BatchColumns

COMPILED = not __file__.endswith(".py")

NEAR, WIDE = 3, 10  # blocks on either side

# Where the page has no h1: below every distance on real pages.
NO_H1_BLOCKS, NO_H1_WORDS = -999, -9999

NAMES = Numbering()


def write(columns: BatchColumns, out: Matrix) -> None:
    """Write the columns of all blocks."""
    page: cython.Py_ssize_t
    for page in range(columns.first_block.shape[0] - 1):
        own(columns, page, out)
        limits.check()
        element(columns, page, out)
        limits.check()
        landmarks(columns, page, out)
        limits.check()
        ratios(columns, page, out)
        limits.check()
        position(columns, page, out)
        limits.check()
        neighbours(columns, page, out)
        limits.check()
        headings(columns, page, out)


column = NAMES.group("own")
WORDS = column("words")
LINK_DENSITY = column("link_density")
TEXT_DENSITY = column("text_density")
LINES = column("lines")
PUNCTUATION_PER_WORD = column("punctuation_per_word")
CAPITALS = column("capitals")
DIGITS = column("digits")
CHARS_PER_WORD = column("chars_per_word")
UNSPACED = column("unspaced")
FIRST_CHARACTER = column("first_character")
LAST_CHARACTER = column("last_character")


def own(columns: BatchColumns, page: cython.Py_ssize_t, out: Matrix) -> None:
    """The block's own counts.

    Text density is words per line of 80 characters; capitals, digits and characters of scripts
    without spaces are shares of the characters. Of the first character: 1 a capital, 2 another
    letter of a script with capitals, 3 a digit, 4 a letter of another script. Of the last: 1 ends
    a sentence, 2 a colon, 3 one of >|/-, 4 beyond ASCII, 5 a comma, bracket or quotation mark, 6 a
    digit. Code points beyond the tables are of the class of the last in them.
    """
    block: cython.Py_ssize_t
    words: cython.double
    chars: cython.double
    last: cython.int = FIRST_CLASS.shape[0] - 1
    for block in range(columns.first_block[page], columns.first_block[page + 1]):
        words = max(columns.words[block], 1)
        chars = max(columns.chars[block], 1)
        out[block, WORDS] = columns.words[block]
        out[block, LINK_DENSITY] = link_density(columns, block)
        out[block, TEXT_DENSITY] = text_density(columns, block)
        out[block, LINES] = columns.lines[block]
        out[block, PUNCTUATION_PER_WORD] = columns.punctuation[block] / words
        out[block, CAPITALS] = columns.capitals[block] / chars
        out[block, DIGITS] = columns.digits[block] / chars
        out[block, CHARS_PER_WORD] = columns.chars[block] / words
        out[block, UNSPACED] = columns.unspaced[block] / chars
        out[block, FIRST_CHARACTER] = FIRST_CLASS[min(columns.first_character[block], last)]
        out[block, LAST_CHARACTER] = LAST_CLASS[min(columns.last_character[block], last)]


def link_density(columns: BatchColumns, block: cython.Py_ssize_t) -> cython.double:
    """Share of the words of a block that are in links."""
    words: cython.double = max(columns.words[block], 1)
    return columns.link_words[block] / words


def text_density(columns: BatchColumns, block: cython.Py_ssize_t) -> cython.double:
    """Words per line of a block."""
    lines: cython.double = columns.lines[block]
    return columns.line_words[block] / lines


def first_classes() -> Classes:
    """The class of a first character, by code point."""
    kinds = np.frombuffer(characters.CODE_POINT_KINDS, np.uint8)
    first = np.zeros(0x10000, np.uint8)
    first[np.isin(kinds, (characters.LOWER, characters.HAN, characters.SEA))] = 4
    first[kinds == characters.UPPER] = 1
    first[kinds == characters.DIGIT] = 3
    # Scripts with capitals: Latin, Greek, Cyrillic, Armenian and their extensions.
    for code in (*range(0x600), *range(0x1E00, 0x2000)):
        if chr(code).islower():
            first[code] = 2
    return first


def last_classes() -> Classes:
    """The class of a last character, by code point."""
    kinds = np.frombuffer(characters.CODE_POINT_KINDS, np.uint8)
    last = np.zeros(0x10000, np.uint8)
    last[0x80:] = 4
    last[kinds == characters.DIGIT] = 6
    for code in np.flatnonzero(kinds == characters.PUNCTUATION).tolist():
        if code >= 0x80 and unicodedata.category(chr(code)) in ("Pe", "Pf", "Pi", "Ps"):
            last[code] = 5
    for number, signs in (
        (1, ".!?…。．！？؟۔।॥።։။។"),
        (2, ":："),
        (3, ">|/-"),
        (5, ")\"'];,、，،՝၊"),
    ):
        last[[ord(character) for character in signs]] = number
    return last


FIRST_CLASS = first_classes()
LAST_CLASS = last_classes()


TAGS = {
    "p": "p",
    "li": "li",
    "dd": "dd dt",
    "td": "td th",
    "h1": "h1",
    "h2": "h2",
    "h3": "h3 h4 h5 h6",
    "div": "div section article",
    "label": "label button option legend",
    "quote": "blockquote pre figcaption caption",
    "body": "body html",
}
PLACE_OF_TAG = tag_table(*TAGS.values())

column = NAMES.group("element")
FIRST_TAG = column(*(f"tag.{name}" for name in TAGS))
HEADING_LEVEL = column("heading_level")
TAGS_BEFORE = column("tags_before")
TAGS_AFTER = column("tags_after")


def element(columns: BatchColumns, page: cython.Py_ssize_t, out: Matrix) -> None:
    """The block's element, and the tags between the block and its neighbours (Kim et al. 2013).

    The tags are the start and end tags of the source from the last text of the block before to the
    first of this one; 0 at the ends of the page.
    """
    block: cython.Py_ssize_t
    place: cython.int
    between: cython.int
    for block in range(columns.first_block[page], columns.first_block[page + 1]):
        for place in range(FIRST_TAG, HEADING_LEVEL):
            out[block, place] = 0
        place = PLACE_OF_TAG[columns.tag[columns.node[block]]]
        if place >= 0:
            out[block, FIRST_TAG + place] = 1
        out[block, HEADING_LEVEL] = columns.heading_level[block]
        out[block, TAGS_BEFORE] = 0
        out[block, TAGS_AFTER] = 0
        if block > columns.first_block[page]:
            between = columns.tags_before[columns.first_text[block]]
            between -= columns.tags_before[columns.end_text[block - 1] - 1]
            out[block, TAGS_BEFORE] = between
            out[block - 1, TAGS_AFTER] = between


FLAGS = (
    "style_hidden attribute_hidden in_template in_noscript unrendered aria_hidden in_pre in_main"
    " in_article in_navigation in_header in_footer in_aside in_search in_form in_dialog in_heading"
    " in_list in_table in_figure in_quote in_control hidden"
).split()
"""Flags of `tags` that are features, in lower case."""
BITS = np.array([getattr(tags, name.upper()) for name in FLAGS], np.intc)
FIRST_FLAG = NAMES.group("landmarks")(*FLAGS)


def landmarks(columns: BatchColumns, page: cython.Py_ssize_t, out: Matrix) -> None:
    """1 for each landmark, role or reason to be hidden that holds for the block."""
    block: cython.Py_ssize_t
    place: cython.Py_ssize_t
    for block in range(columns.first_block[page], columns.first_block[page + 1]):
        for place in range(BITS.shape[0]):
            out[block, FIRST_FLAG + place] = columns.flags[block] & BITS[place] != 0


column = NAMES.group("ratios")
TAG_RATIO = column("tag_ratio")
TAG_RATIO_AROUND = column("tag_ratio.around")
TAG_RATIO_CHANGE = column("tag_ratio.change")


def ratios(columns: BatchColumns, page: cython.Py_ssize_t, out: Matrix) -> None:
    """Characters over tags (CETR): of the block, the mean around it, the change that follows.

    The tags are counted as in `tamis.methods.cetr`. Around are three blocks on either side and the
    block; the change is from the block to the mean of the next three. CETR smooths with a Gaussian;
    for a tree a mean says as much and is cheaper.
    """
    block: cython.Py_ssize_t
    near: cython.Py_ssize_t
    begin: cython.Py_ssize_t = columns.first_block[page]
    end: cython.Py_ssize_t = columns.first_block[page + 1]
    low: cython.Py_ssize_t
    high: cython.Py_ssize_t
    tag_count: cython.int
    own_ratio: cython.double
    before: cython.double
    after: cython.double
    ratio: cython.double[::1] = np.empty(end - begin)
    for block in range(begin, end):
        tag_count = columns.tags_before[columns.end_text[block] - 1]
        if block > begin:
            tag_count -= columns.tags_before[columns.end_text[block - 1] - 1]
        ratio[block - begin] = columns.chars[block] / (1.0 * max(tag_count, 1))
    for block in range(begin, end):
        own_ratio = ratio[block - begin]
        low = max(block - NEAR, begin)
        high = min(block + NEAR + 1, end)
        before = after = 0.0
        for near in range(low, block + 1):
            before += ratio[near - begin]
        for near in range(block + 1, high):
            after += ratio[near - begin]
        out[block, TAG_RATIO] = own_ratio
        out[block, TAG_RATIO_AROUND] = (before + after) / (1.0 * (high - low))
        out[block, TAG_RATIO_CHANGE] = 0
        if block + 1 < high:
            out[block, TAG_RATIO_CHANGE] = after / (1.0 * (high - block - 1)) - own_ratio


column = NAMES.group("position")
POSITION = column("position")
WORD_POSITION = column("word_position")
WORDS_BEFORE = column("words_before")
UNLINKED_POSITION = column("unlinked_position")
WORDS_OF_LONGEST = column("words_of_longest")
INDEX = column("index")
INDEX_FROM_END = column("index_from_end")
DEPTH = column("depth")


def position(columns: BatchColumns, page: cython.Py_ssize_t, out: Matrix) -> None:
    """How far down the page the block is, by blocks, by words, by words outside of links.

    Also its words as a share of those of the longest block of the page, and the depth of its
    element.
    """
    block: cython.Py_ssize_t
    begin: cython.Py_ssize_t = columns.first_block[page]
    end: cython.Py_ssize_t = columns.first_block[page + 1]
    before: cython.double
    longest: cython.double = 1.0
    words: cython.double = columns.word_sum[end] - columns.word_sum[begin]
    links: cython.double = columns.link_word_sum[end] - columns.link_word_sum[begin]
    unlinked: cython.double = max(words - links, 1.0)
    words = max(words, 1.0)
    for block in range(begin, end):
        longest = max(longest, columns.words[block])
    for block in range(begin, end):
        before = columns.word_sum[block] - columns.word_sum[begin]
        out[block, POSITION] = (block - begin) / (1.0 * (end - begin))
        out[block, WORD_POSITION] = before / words
        out[block, WORDS_BEFORE] = before
        before -= columns.link_word_sum[block] - columns.link_word_sum[begin]
        out[block, UNLINKED_POSITION] = before / unlinked
        out[block, WORDS_OF_LONGEST] = columns.words[block] / longest
        out[block, INDEX] = block - begin
        out[block, INDEX_FROM_END] = end - block
        out[block, DEPTH] = columns.depth[columns.node[block]]


column = NAMES.group("neighbours")
BEFORE_WORDS = column("before.words")
BEFORE_LINK_DENSITY = column("before.link_density")
BEFORE_TEXT_DENSITY = column("before.text_density")
AFTER_WORDS = column("after.words")
AFTER_LINK_DENSITY = column("after.link_density")
AFTER_TEXT_DENSITY = column("after.text_density")
BEFORE_SIBLING = column("before.sibling")
AFTER_SIBLING = column("after.sibling")
NEAR_WORDS = column("window3.words")
NEAR_LINKS = column("window3.link_density")
NEAR_PUNCTUATION = column("window3.punctuation_per_word")
WIDE_WORDS = column("window10.words")
WIDE_LINKS = column("window10.link_density")
WIDE_PUNCTUATION = column("window10.punctuation_per_word")


def neighbours(columns: BatchColumns, page: cython.Py_ssize_t, out: Matrix) -> None:
    """The block before and the block after, -1 where there is none, and means around.

    A sibling has the same element or the same parent. A window is so many blocks on either side,
    with the block.
    """
    block: cython.Py_ssize_t
    begin: cython.Py_ssize_t = columns.first_block[page]
    end: cython.Py_ssize_t = columns.first_block[page + 1]
    for block in range(begin, end):
        out[block, BEFORE_WORDS] = out[block, AFTER_WORDS] = -1
        out[block, BEFORE_LINK_DENSITY] = out[block, AFTER_LINK_DENSITY] = -1
        out[block, BEFORE_TEXT_DENSITY] = out[block, AFTER_TEXT_DENSITY] = -1
        out[block, BEFORE_SIBLING] = out[block, AFTER_SIBLING] = 0
        if block > begin:
            out[block, BEFORE_WORDS] = columns.words[block - 1]
            out[block, BEFORE_LINK_DENSITY] = link_density(columns, block - 1)
            out[block, BEFORE_TEXT_DENSITY] = text_density(columns, block - 1)
            out[block, BEFORE_SIBLING] = are_siblings(columns, block, block - 1)
        if block + 1 < end:
            out[block, AFTER_WORDS] = columns.words[block + 1]
            out[block, AFTER_LINK_DENSITY] = link_density(columns, block + 1)
            out[block, AFTER_TEXT_DENSITY] = text_density(columns, block + 1)
            out[block, AFTER_SIBLING] = are_siblings(columns, block, block + 1)
        window(columns, out, block, begin, end, NEAR, NEAR_WORDS, NEAR_LINKS, NEAR_PUNCTUATION)
        window(columns, out, block, begin, end, WIDE, WIDE_WORDS, WIDE_LINKS, WIDE_PUNCTUATION)


def are_siblings(
    columns: BatchColumns, block: cython.Py_ssize_t, neighbour: cython.Py_ssize_t
) -> cython.bint:
    """Whether two blocks have the same element or the same parent."""
    node: cython.int = columns.node[block]
    beside: cython.int = columns.node[neighbour]
    return node == beside or columns.parent[node] == columns.parent[beside]


def window(
    columns: BatchColumns,
    out: Matrix,
    block: cython.Py_ssize_t,
    begin: cython.Py_ssize_t,
    end: cython.Py_ssize_t,
    reach: cython.int,
    words: cython.int,
    link_density: cython.int,
    punctuation: cython.int,
) -> None:
    """Means over so many blocks on either side of a block, written to three columns."""
    low: cython.Py_ssize_t = max(block - reach, begin)
    high: cython.Py_ssize_t = min(block + reach + 1, end)
    total: cython.double = columns.word_sum[high] - columns.word_sum[low]
    links: cython.double = columns.link_word_sum[high] - columns.link_word_sum[low]
    signs: cython.double = columns.punctuation_sum[high] - columns.punctuation_sum[low]
    out[block, words] = total / (1.0 * (high - low))
    total = max(total, 1.0)
    out[block, link_density] = links / total
    out[block, punctuation] = signs / total


column = NAMES.group("headings")
BLOCKS_SINCE_HEADING = column("heading.blocks_since")
WORDS_SINCE_HEADING = column("heading.words_since")
LEVEL_OF_HEADING = column("heading.level")
BLOCKS_SINCE_H1 = column("h1.blocks_since")
WORDS_SINCE_H1 = column("h1.words_since")
SECTION_BLOCKS = column("section.blocks")
SECTION_WORDS = column("section.words")
SECTION_LINK_DENSITY = column("section.link_density")


def headings(columns: BatchColumns, page: cython.Py_ssize_t, out: Matrix) -> None:
    """The last heading before the block or the block itself, the first h1, and the section.

    -1 where no heading came yet. Distances to the h1 are negative above it, -999 blocks and -9999
    words where there is none. A section goes from a heading to the next; what comes before the
    first is one, too.
    """
    block: cython.Py_ssize_t
    begin: cython.Py_ssize_t = columns.first_block[page]
    end: cython.Py_ssize_t = columns.first_block[page + 1]
    heading: cython.Py_ssize_t = -1
    h1: cython.Py_ssize_t = -1
    for block in range(begin, end):
        if h1 < 0 and columns.heading_level[block] == 1:
            h1 = block
    for block in range(begin, end):
        if columns.heading_level[block]:
            heading = block
        out[block, BLOCKS_SINCE_HEADING] = -1
        out[block, WORDS_SINCE_HEADING] = -1
        out[block, LEVEL_OF_HEADING] = 0
        if heading >= 0:
            out[block, BLOCKS_SINCE_HEADING] = block - heading
            out[block, WORDS_SINCE_HEADING] = (
                columns.word_sum[block] - columns.word_sum[heading + 1]
            )
            out[block, LEVEL_OF_HEADING] = columns.heading_level[heading]
        out[block, BLOCKS_SINCE_H1] = NO_H1_BLOCKS
        out[block, WORDS_SINCE_H1] = NO_H1_WORDS
        if h1 >= 0:
            out[block, BLOCKS_SINCE_H1] = block - h1
            out[block, WORDS_SINCE_H1] = columns.word_sum[block] - columns.word_sum[h1 + 1]
    sections(columns, out, begin, end)


def sections(
    columns: BatchColumns, out: Matrix, begin: cython.Py_ssize_t, end: cython.Py_ssize_t
) -> None:
    """What is from one heading to the next, on a page from block `begin` to `end`."""
    block: cython.Py_ssize_t
    after: cython.Py_ssize_t
    words: cython.double
    links: cython.double
    while begin < end:
        after = begin + 1
        while after < end and not columns.heading_level[after]:
            after += 1
        words = columns.word_sum[after] - columns.word_sum[begin]
        links = columns.link_word_sum[after] - columns.link_word_sum[begin]
        for block in range(begin, after):
            out[block, SECTION_BLOCKS] = after - begin
            out[block, SECTION_WORDS] = words
            out[block, SECTION_LINK_DENSITY] = links / max(words, 1.0)
        begin = after
