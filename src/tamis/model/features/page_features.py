# cython: boundscheck=False, infer_types=True
"""A page as a whole, the same for all of its blocks, and its blocks beside what it declares."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from tamis.model.features.columns import KINDS, Numbering
from tamis.page import tags

if TYPE_CHECKING:
    import cython

    from tamis.model.features.columns import BatchColumns, Span
    from tamis.page.arrays import Floats, Matrix


# A block that repeats the title more often than this says no more.
MOST_COVER = 1.5

NAMES = Numbering()


def prepare(columns: BatchColumns) -> None:
    """Find what is the same for all blocks of a page; `around` was prepared before."""
    pages = columns.first_block.shape[0] - 1
    columns.page_row = np.zeros((pages, END))
    for page in range(pages):
        compare_page(columns, page)
        count_blocks(columns, page, columns.page_row[page])
        measure_page(columns, page, columns.page_row[page])


def write(columns: BatchColumns, span: Span, out: Matrix) -> None:
    """Write the columns of some blocks."""
    write_similarity(columns, span, out)
    write_page(columns, span, out)


column = NAMES.group("similarity")
TITLE_SHARE = column("title.share")
TITLE_COVER = column("title.cover")
DESCRIPTION_SHARE = column("description.share")
DESCRIPTION_WORDS = column("description.words")
DESCRIPTION_COVER = column("description.cover")
DATA_SHARE = column("data.share")
DATA_WORDS = column("data.words")
DATA_COVER = column("data.cover")
DUPLICATES = column("duplicates")


def write_similarity(columns: BatchColumns, span: Span, out: Matrix) -> None:
    """The block beside title, description and JSON-LD, and the blocks with the same words.

    Of the title: the share of the block's words that are in it, and how much of it they are. Of
    the description and the data: the share of the block's pairs of neighbouring words that are in
    them; for the whole page, how many words they have and how much of them is found in blocks.
    `duplicates` counts the blocks with the same words, the block itself, too.
    """
    for block in range(span.first, span.end):
        row = block - span.start
        pairs: cython.double = max(columns.pairs[block], 1.0)
        out[TITLE_SHARE, row] = columns.in_title[block] / max(columns.compared[block], 1.0)
        out[TITLE_COVER, row] = min(
            columns.in_title[block] / max(columns.title_words[span.page], 1.0), MOST_COVER
        )
        out[DESCRIPTION_SHARE, row] = columns.in_description[block] / pairs
        out[DESCRIPTION_WORDS, row] = columns.description_words[span.page]
        out[DESCRIPTION_COVER, row] = columns.described[span.page]
        out[DATA_SHARE, row] = columns.in_data[block] / pairs
        out[DATA_WORDS, row] = columns.data_words[span.page]
        out[DATA_COVER, row] = columns.in_data_share[span.page]
        out[DUPLICATES, row] = columns.text_count[columns.text_group[block]]


def compare_page(columns: BatchColumns, page: cython.Py_ssize_t) -> None:
    """How much of the description and of the data of a page is found in its blocks."""
    described: cython.double = 0.0
    in_data: cython.double = 0.0
    for block in range(columns.first_block[page], columns.first_block[page + 1]):
        described += columns.in_description[block]
        in_data += columns.in_data[block]
    columns.described[page] = described / max(columns.description_words[page] - 1, 1.0)
    columns.in_data_share[page] = in_data / max(columns.data_words[page] - 1, 1.0)


LANDMARKS = "main article navigation aside form list".split()
BITS = np.array([getattr(tags, f"IN_{name.upper()}") for name in LANDMARKS], np.intc)

column = NAMES.group("whole")
WORDS = column("page.words")
BLOCKS = column("page.blocks")
WORDS_PER_BLOCK = column("page.words_per_block")
WORDS_DEVIATION = column("page.words_deviation")
LONGEST = column("page.longest")
LONG_WORDS = column("page.long_words")
LONG_SHARE = column("page.long_share")
VISIBLE_WORDS = column("page.visible_words")
HIDDEN = column("page.hidden")
PUNCTUATION_PER_WORD = column("page.punctuation_per_word")
HEADINGS = column("page.headings")
H1 = column("page.h1")
SIBLINGS = column("page.siblings")
SIBLINGS_SHARE = column("page.siblings_share")
CONTAINER_SHARE = column("page.container_share")
CAPITALS = column("page.capitals")
DIGITS = column("page.digits")
FIRST_LANDMARK = column(*(f"page.in_{name}" for name in LANDMARKS))
FIRST_KIND = column(*(f"page.{kind}_per_block" for kind in KINDS))
WORDS_MEDIAN = column("page.words_median")
NODES = column("page.nodes")
BYTES = column("page.bytes")
TITLE_WORDS = column("page.title_words")
IS_ARTICLE = column("page.is_article")
HAS_ARTICLE = column("page.has_article")
END = len(NAMES)


def write_page(columns: BatchColumns, span: Span, out: Matrix) -> None:
    """The page as a whole.

    Words in long blocks, in hidden ones and in landmarks as shares of all words; words per block
    with their standard deviation and median; headings per block; the largest group of repeated
    siblings; the share of the text that the best container collects; kinds of elements per block.
    """
    for number in range(WORDS, END):
        value: cython.float = columns.page_row[span.page, number]
        for block in range(span.first, span.end):
            out[number, block - span.start] = value


def count_blocks(columns: BatchColumns, page: cython.Py_ssize_t, row: Floats) -> None:
    """What is counted over the blocks of a page one by one."""
    begin = columns.first_block[page]
    end = columns.first_block[page + 1]
    words: cython.double = max(columns.word_sum[end] - columns.word_sum[begin], 1.0)
    count: cython.double = max(end - begin, 1)
    squares: cython.double = 0.0
    chars: cython.double = 0.0
    for block in range(begin, end):
        item = columns.repeated[columns.node[block]]
        row[SIBLINGS] = max(row[SIBLINGS], columns.repeated_count[item])
        repeated: cython.double = columns.sibling_words[columns.sibling_group[item]]
        row[SIBLINGS_SHARE] = max(row[SIBLINGS_SHARE], repeated / words)
        own: cython.double = columns.words[block]
        squares += own * own
        chars += columns.chars[block]
        row[LONGEST] = max(row[LONGEST], own)
        row[H1] += columns.heading_level[block] == 1
        row[CAPITALS] += columns.capitals[block]
        row[DIGITS] += columns.digits[block]
        for place in range(BITS.shape[0]):
            if columns.flags[block] & BITS[place]:
                row[FIRST_LANDMARK + place] += own
    row[WORDS] = columns.word_sum[end] - columns.word_sum[begin]
    row[WORDS_PER_BLOCK] = row[WORDS] / count
    squares = squares / count - row[WORDS_PER_BLOCK] * row[WORDS_PER_BLOCK]
    row[WORDS_DEVIATION] = math.sqrt(squares) if squares > 0 else 0.0
    row[CAPITALS] /= max(chars, 1.0)
    row[DIGITS] /= max(chars, 1.0)
    for place in range(BITS.shape[0]):
        row[FIRST_LANDMARK + place] /= words


def measure_page(columns: BatchColumns, page: cython.Py_ssize_t, row: Floats) -> None:
    """What follows from sums, after `count_blocks`, and what was counted before."""
    begin = columns.first_block[page]
    end = columns.first_block[page + 1]
    first = columns.first_node[page]
    after = columns.first_node[page + 1]
    words: cython.double = max(row[WORDS], 1.0)
    count: cython.double = max(end - begin, 1)
    hidden: cython.double = columns.hidden_sum[end] - columns.hidden_sum[begin]
    mass: cython.double = columns.mass_sum[end] - columns.mass_sum[begin]
    row[BLOCKS] = end - begin
    row[LONG_WORDS] = columns.long_sum[end] - columns.long_sum[begin]
    row[LONG_SHARE] = row[LONG_WORDS] / words
    row[VISIBLE_WORDS] = row[WORDS] - hidden
    row[HIDDEN] = hidden / words
    row[PUNCTUATION_PER_WORD] = (
        columns.punctuation_sum[end] - columns.punctuation_sum[begin]
    ) / words
    row[HEADINGS] = (columns.heading_sum[end] - columns.heading_sum[begin]) / count
    if end > begin:
        row[CONTAINER_SHARE] = columns.container[columns.best_container[page]] / max(mass, 1.0)
    for kind in range(columns.kinds.shape[1]):
        row[FIRST_KIND + kind] = (columns.kinds[after, kind] - columns.kinds[first, kind]) / count
    row[WORDS_MEDIAN] = columns.words_median[page]
    row[NODES] = columns.nodes[page]
    row[BYTES] = columns.bytes[page]
    row[TITLE_WORDS] = columns.title_words[page]
    row[IS_ARTICLE] = columns.is_article[page]
    row[HAS_ARTICLE] = columns.has_article[page]
