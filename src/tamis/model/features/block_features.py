# cython: boundscheck=False, infer_types=True
"""What a block is by itself, and where it is: among its neighbours, under which heading."""

from __future__ import annotations

import unicodedata
from typing import TYPE_CHECKING

import numpy as np

from tamis.model.features.columns import Numbering, number_tags
from tamis.page import tags
from tamis.page.text import characters

if TYPE_CHECKING:
    import cython

    from tamis.model.features.batch import Classes
    from tamis.model.features.columns import BatchColumns, Span
    from tamis.page.arrays import Matrix


NEAR, WIDE = 3, 10  # blocks on either side

# Where the page has no h1: below every distance on real pages.
NO_H1_BLOCKS, NO_H1_WORDS = -999, -9999

NAMES = Numbering()


def prepare(columns: BatchColumns) -> None:
    """Find what the rows of several blocks need: tag ratios, headings and sections."""
    for page in range(columns.first_block.shape[0] - 1):
        find_tag_ratios(columns, page)
        find_headings(columns, page)


def write(columns: BatchColumns, span: Span, out: Matrix) -> None:
    """Write the columns of some blocks."""
    write_counts(columns, span, out)
    write_element(columns, span, out)
    write_landmarks(columns, span, out)
    write_tag_ratios(columns, span, out)
    write_position(columns, span, out)
    write_neighbours(columns, span, out)
    write_headings(columns, span, out)


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


def write_counts(columns: BatchColumns, span: Span, out: Matrix) -> None:
    """The block's own counts.

    Text density is words per line of 80 characters; capitals, digits and characters of scripts
    without spaces are shares of the characters. Of the first character: 1 a capital, 2 another
    letter of a script with capitals, 3 a digit, 4 a letter of another script. Of the last: 1 ends
    a sentence, 2 a colon, 3 one of >|/-, 4 beyond ASCII, 5 a comma, bracket or quotation mark, 6 a
    digit. Code points beyond the tables are of the class of the last in them.
    """
    last = FIRST_CLASS.shape[0] - 1
    for block in range(span.first, span.end):
        row = block - span.start
        words: cython.double = max(columns.words[block], 1)
        chars: cython.double = max(columns.chars[block], 1)
        out[WORDS, row] = columns.words[block]
        out[LINK_DENSITY, row] = link_density(columns, block)
        out[TEXT_DENSITY, row] = text_density(columns, block)
        out[LINES, row] = columns.lines[block]
        out[PUNCTUATION_PER_WORD, row] = columns.punctuation[block] / words
        out[CAPITALS, row] = columns.capitals[block] / chars
        out[DIGITS, row] = columns.digits[block] / chars
        out[CHARS_PER_WORD, row] = columns.chars[block] / words
        out[UNSPACED, row] = columns.unspaced[block] / chars
        out[FIRST_CHARACTER, row] = FIRST_CLASS[min(columns.first_character[block], last)]
        out[LAST_CHARACTER, row] = LAST_CLASS[min(columns.last_character[block], last)]


def link_density(columns: BatchColumns, block: cython.Py_ssize_t) -> cython.double:
    """Share of the words of a block that are in links."""
    words: cython.double = max(columns.words[block], 1)
    return columns.link_words[block] / words


def text_density(columns: BatchColumns, block: cython.Py_ssize_t) -> cython.double:
    """Words per line of a block."""
    lines: cython.double = columns.lines[block]
    return columns.line_words[block] / lines


def classify_first_characters() -> Classes:
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


def classify_last_characters() -> Classes:
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


FIRST_CLASS = classify_first_characters()
LAST_CLASS = classify_last_characters()


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
PLACE_OF_TAG = number_tags(*TAGS.values())

column = NAMES.group("element")
FIRST_TAG = column(*(f"tag.{name}" for name in TAGS))
HEADING_LEVEL = column("heading_level")
TAGS_BEFORE = column("tags_before")
TAGS_AFTER = column("tags_after")


def write_element(columns: BatchColumns, span: Span, out: Matrix) -> None:
    """The block's element, and the tags between the block and its neighbours (Kim et al. 2013).

    The tags are the start and end tags of the source from the last text of the block before to the
    first of this one; 0 at the ends of the page.
    """
    for block in range(span.first, span.end):
        row = block - span.start
        for place in range(FIRST_TAG, HEADING_LEVEL):
            out[place, row] = 0
        place = PLACE_OF_TAG[columns.tag[columns.node[block]]]
        if place >= 0:
            out[FIRST_TAG + place, row] = 1
        out[HEADING_LEVEL, row] = columns.heading_level[block]
        out[TAGS_BEFORE, row] = 0
        out[TAGS_AFTER, row] = 0
        if block > columns.first_block[span.page]:
            out[TAGS_BEFORE, row] = tags_between(columns, block - 1)
        if block + 1 < columns.first_block[span.page + 1]:
            out[TAGS_AFTER, row] = tags_between(columns, block)


def tags_between(columns: BatchColumns, block: cython.Py_ssize_t) -> cython.int:
    """Tags from the last text of a block to the first of the next."""
    before = columns.tags_before[columns.end_text[block] - 1]
    return columns.tags_before[columns.first_text[block + 1]] - before


FLAGS = (
    "style_hidden attribute_hidden in_template in_noscript unrendered aria_hidden in_pre in_main"
    " in_article in_navigation in_header in_footer in_aside in_search in_form in_dialog in_heading"
    " in_list in_table in_figure in_quote in_control hidden"
).split()
"""Flags of `tags` that are features, in lower case."""
BITS = np.array([getattr(tags, name.upper()) for name in FLAGS], np.intc)
FIRST_FLAG = NAMES.group("landmarks")(*FLAGS)


def write_landmarks(columns: BatchColumns, span: Span, out: Matrix) -> None:
    """1 for each landmark, role or reason to be hidden that holds for the block."""
    for place in range(BITS.shape[0]):
        for block in range(span.first, span.end):
            row = block - span.start
            out[FIRST_FLAG + place, row] = columns.flags[block] & BITS[place] != 0


column = NAMES.group("ratios")
TAG_RATIO = column("tag_ratio")
TAG_RATIO_AROUND = column("tag_ratio.around")
TAG_RATIO_CHANGE = column("tag_ratio.change")


def write_tag_ratios(columns: BatchColumns, span: Span, out: Matrix) -> None:
    """Characters over tags (CETR): of the block, the mean around it, the change that follows.

    The tags are counted as in `tamis.methods.cetr`. Around are three blocks on either side and the
    block; the change is from the block to the mean of the next three. CETR smooths with a Gaussian;
    for a tree a mean says as much and is cheaper.
    """
    for block in range(span.first, span.end):
        row = block - span.start
        own_ratio: cython.double = columns.ratio[block]
        low = max(block - NEAR, columns.first_block[span.page])
        high = min(block + NEAR + 1, columns.first_block[span.page + 1])
        before = after = 0.0
        for near in range(low, block + 1):
            before += columns.ratio[near]
        for near in range(block + 1, high):
            after += columns.ratio[near]
        out[TAG_RATIO, row] = own_ratio
        out[TAG_RATIO_AROUND, row] = (before + after) / (1.0 * (high - low))
        out[TAG_RATIO_CHANGE, row] = 0
        if block + 1 < high:
            out[TAG_RATIO_CHANGE, row] = after / (1.0 * (high - block - 1)) - own_ratio


def find_tag_ratios(columns: BatchColumns, page: cython.Py_ssize_t) -> None:
    """Find the tag ratio of each block of a page."""
    begin = columns.first_block[page]
    for block in range(begin, columns.first_block[page + 1]):
        tag_count = columns.tags_before[columns.end_text[block] - 1]
        if block > begin:
            tag_count -= columns.tags_before[columns.end_text[block - 1] - 1]
        columns.ratio[block] = columns.chars[block] / (1.0 * max(tag_count, 1))


column = NAMES.group("position")
POSITION = column("position")
WORD_POSITION = column("word_position")
WORDS_BEFORE = column("words_before")
UNLINKED_POSITION = column("unlinked_position")
WORDS_OF_LONGEST = column("words_of_longest")
INDEX = column("index")
INDEX_FROM_END = column("index_from_end")
DEPTH = column("depth")


def write_position(columns: BatchColumns, span: Span, out: Matrix) -> None:
    """How far down the page the block is, by blocks, by words, by words outside of links.

    Also its words as a share of those of the longest block of the page, and the depth of its
    element.
    """
    begin = columns.first_block[span.page]
    after = columns.first_block[span.page + 1]
    words: cython.double = columns.word_sum[after] - columns.word_sum[begin]
    links: cython.double = columns.link_word_sum[after] - columns.link_word_sum[begin]
    unlinked: cython.double = max(words - links, 1.0)
    words = max(words, 1.0)
    for block in range(span.first, span.end):
        row = block - span.start
        before: cython.double = columns.word_sum[block] - columns.word_sum[begin]
        out[POSITION, row] = (block - begin) / (1.0 * (after - begin))
        out[WORD_POSITION, row] = before / words
        out[WORDS_BEFORE, row] = before
        before -= columns.link_word_sum[block] - columns.link_word_sum[begin]
        out[UNLINKED_POSITION, row] = before / unlinked
        out[WORDS_OF_LONGEST, row] = columns.words[block] / columns.longest[span.page]
        out[INDEX, row] = block - begin
        out[INDEX_FROM_END, row] = after - block
        out[DEPTH, row] = columns.depth[columns.node[block]]


column = NAMES.group("neighbours")
BEFORE_WORDS = column("before.words")
BEFORE_LINK_DENSITY = column("before.link_density")
BEFORE_TEXT_DENSITY = column("before.text_density")
AFTER_WORDS = column("after.words")
AFTER_LINK_DENSITY = column("after.link_density")
AFTER_TEXT_DENSITY = column("after.text_density")
BEFORE_SIBLING = column("before.sibling")
AFTER_SIBLING = column("after.sibling")
OF_WINDOW = ("words", "link_density", "punctuation_per_word")
NEAR_WINDOW = column(*(f"window3.{name}" for name in OF_WINDOW))
WIDE_WINDOW = column(*(f"window10.{name}" for name in OF_WINDOW))


def write_neighbours(columns: BatchColumns, span: Span, out: Matrix) -> None:
    """The block before and the block after, -1 where there is none, and means around.

    A sibling has the same element or the same parent. A window is so many blocks on either side,
    with the block.
    """
    begin = columns.first_block[span.page]
    after = columns.first_block[span.page + 1]
    for block in range(span.first, span.end):
        row = block - span.start
        out[BEFORE_WORDS, row] = out[AFTER_WORDS, row] = -1
        out[BEFORE_LINK_DENSITY, row] = out[AFTER_LINK_DENSITY, row] = -1
        out[BEFORE_TEXT_DENSITY, row] = out[AFTER_TEXT_DENSITY, row] = -1
        out[BEFORE_SIBLING, row] = out[AFTER_SIBLING, row] = 0
        if block > begin:
            out[BEFORE_WORDS, row] = columns.words[block - 1]
            out[BEFORE_LINK_DENSITY, row] = link_density(columns, block - 1)
            out[BEFORE_TEXT_DENSITY, row] = text_density(columns, block - 1)
            out[BEFORE_SIBLING, row] = are_siblings(columns, block, block - 1)
        if block + 1 < after:
            out[AFTER_WORDS, row] = columns.words[block + 1]
            out[AFTER_LINK_DENSITY, row] = link_density(columns, block + 1)
            out[AFTER_TEXT_DENSITY, row] = text_density(columns, block + 1)
            out[AFTER_SIBLING, row] = are_siblings(columns, block, block + 1)
        low = max(block - NEAR, begin)
        high = min(block + NEAR + 1, after)
        write_window(columns, low, high, out, row, NEAR_WINDOW)
        low = max(block - WIDE, begin)
        high = min(block + WIDE + 1, after)
        write_window(columns, low, high, out, row, WIDE_WINDOW)


def are_siblings(
    columns: BatchColumns, block: cython.Py_ssize_t, neighbour: cython.Py_ssize_t
) -> cython.bint:
    """Whether two blocks have the same element or the same parent."""
    node = columns.node[block]
    beside = columns.node[neighbour]
    return node == beside or columns.parent[node] == columns.parent[beside]


def write_window(
    columns: BatchColumns,
    low: cython.Py_ssize_t,
    high: cython.Py_ssize_t,
    out: Matrix,
    row: cython.Py_ssize_t,
    place: cython.int,
) -> None:
    """Means over the blocks from `low` to `high`, written to three columns from `place` on."""
    total: cython.double = columns.word_sum[high] - columns.word_sum[low]
    links: cython.double = columns.link_word_sum[high] - columns.link_word_sum[low]
    signs: cython.double = columns.punctuation_sum[high] - columns.punctuation_sum[low]
    out[place, row] = total / (1.0 * (high - low))
    total = max(total, 1.0)
    out[place + 1, row] = links / total
    out[place + 2, row] = signs / total


column = NAMES.group("headings")
BLOCKS_SINCE_HEADING = column("heading.blocks_since")
WORDS_SINCE_HEADING = column("heading.words_since")
LEVEL_OF_HEADING = column("heading.level")
BLOCKS_SINCE_H1 = column("h1.blocks_since")
WORDS_SINCE_H1 = column("h1.words_since")
SECTION_BLOCKS = column("section.blocks")
SECTION_WORDS = column("section.words")
SECTION_LINK_DENSITY = column("section.link_density")


def write_headings(columns: BatchColumns, span: Span, out: Matrix) -> None:
    """The last heading before the block or the block itself, the first h1, and the section.

    -1 where no heading came yet. Distances to the h1 are negative above it, -999 blocks and -9999
    words where there is none. A section goes from a heading to the next; what comes before the
    first is one, too.
    """
    h1 = columns.first_h1[span.page]
    for block in range(span.first, span.end):
        row = block - span.start
        heading = columns.heading[block]
        out[BLOCKS_SINCE_HEADING, row] = -1
        out[WORDS_SINCE_HEADING, row] = -1
        out[LEVEL_OF_HEADING, row] = 0
        if heading >= 0:
            out[BLOCKS_SINCE_HEADING, row] = block - heading
            out[WORDS_SINCE_HEADING, row] = columns.word_sum[block] - columns.word_sum[heading + 1]
            out[LEVEL_OF_HEADING, row] = columns.heading_level[heading]
        out[BLOCKS_SINCE_H1, row] = NO_H1_BLOCKS
        out[WORDS_SINCE_H1, row] = NO_H1_WORDS
        if h1 >= 0:
            out[BLOCKS_SINCE_H1, row] = block - h1
            out[WORDS_SINCE_H1, row] = columns.word_sum[block] - columns.word_sum[h1 + 1]
        begin = columns.section[block]
        after = columns.section_end[block]
        words: cython.double = columns.word_sum[after] - columns.word_sum[begin]
        links: cython.double = columns.link_word_sum[after] - columns.link_word_sum[begin]
        out[SECTION_BLOCKS, row] = after - begin
        out[SECTION_WORDS, row] = words
        out[SECTION_LINK_DENSITY, row] = links / max(words, 1.0)


def find_headings(columns: BatchColumns, page: cython.Py_ssize_t) -> None:
    """Find the heading and the section of each block of a page, its first h1, its longest block."""
    heading = -1
    begin = columns.first_block[page]
    after = columns.first_block[page + 1]
    columns.first_h1[page] = -1
    columns.longest[page] = 1.0
    for block in range(begin, after):
        if columns.heading_level[block]:
            heading = block
        columns.heading[block] = heading
        columns.section[block] = heading if heading >= 0 else begin
        if columns.first_h1[page] < 0 and columns.heading_level[block] == 1:
            columns.first_h1[page] = block
        columns.longest[page] = max(columns.longest[page], columns.words[block])
    for block in range(after - 1, begin - 1, -1):
        columns.section_end[block] = after
        if columns.heading_level[block]:
            after = block
