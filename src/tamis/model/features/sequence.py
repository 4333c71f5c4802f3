"""Passes over the blocks of pages in their order: what comes before, after and around.

Each function writes the columns of one group to `out`, a row a block. `first_block` holds the
first block of each page and the end, `sums` the prefix sums of `Batch.sums`; no pass looks beyond
the ends of a page.

Compiled like `tamis.model.features.walk`.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from tamis.page.tags import HIDDEN

if TYPE_CHECKING:
    import cython

COMPILED = not __file__.endswith(".py")

# Columns of `sums`, as in `tamis.model.features.batch`.
WORDS, LINK_WORDS, PUNCTUATION, BLOCKS, LONG, HEADINGS, GOOD, HIDDEN_WORDS, MASS = range(9)

# A block this long has sentences; menus and captions are shorter.
LONG_BLOCK = 15
# No block counts for more in the sum of good words: a page of one huge block is rare, a huge block
# of legal notes beside the content is not.
MOST_GOOD_WORDS = 400

NEAR, WIDE = 3, 10  # blocks on either side

# Where the page has no h1: below every distance on real pages.
NO_H1_BLOCKS, NO_H1_WORDS = -999, -9999

# A block that repeats the title more often than this says no more.
MOST_COVER = 1.5


def at_least_one(number):
    """For a denominator."""
    return number if number > 1 else 1.0


def prefix_sums(words, link_words, punctuation, flags, level, sums):
    """Columns of `Batch.sums`; its first row is 0."""
    block: cython.Py_ssize_t
    column: cython.Py_ssize_t
    own: cython.double
    for block in range(words.shape[0]):
        for column in range(sums.shape[1]):
            sums[block + 1, column] = sums[block, column]
        own = words[block]
        sums[block + 1, WORDS] += own
        sums[block + 1, LINK_WORDS] += link_words[block]
        sums[block + 1, PUNCTUATION] += punctuation[block]
        sums[block + 1, BLOCKS] += 1
        if own >= LONG_BLOCK:
            sums[block + 1, LONG] += own - link_words[block]
        if level[block] > 0:
            sums[block + 1, HEADINGS] += 1
        if link_words[block] < 0.3 * own and punctuation[block] > 0:
            sums[block + 1, GOOD] += min(own, MOST_GOOD_WORDS)
        if flags[block] & HIDDEN:
            sums[block + 1, HIDDEN_WORDS] += own
        sums[block + 1, MASS] += punctuation[block]
        if 2 * link_words[block] < own and punctuation[block] > 0:
            sums[block + 1, MASS] += own - link_words[block]
    return 0


def own_counts(
    sums,
    link_density,
    text_density,
    chars,
    capitals,
    digits,
    unspaced,
    lines,
    edges,
    first_class,
    last_class,
    out,
):
    """Columns of `block.own`.

    `edges` are the code points of the first and last character, `first_class` and `last_class`
    their classes; code points beyond the tables are of the class of the last in them.
    """
    block: cython.Py_ssize_t
    words: cython.double
    some_chars: cython.double
    for block in range(chars.shape[0]):
        words = sums[block + 1, WORDS] - sums[block, WORDS]
        some_chars = at_least_one(chars[block])
        out[block, 0] = words
        words = at_least_one(words)
        out[block, 1] = link_density[block]
        out[block, 2] = text_density[block]
        out[block, 3] = lines[block]
        out[block, 4] = (sums[block + 1, PUNCTUATION] - sums[block, PUNCTUATION]) / words
        out[block, 5] = capitals[block] / some_chars
        out[block, 6] = digits[block] / some_chars
        out[block, 7] = chars[block] / words
        out[block, 8] = unspaced[block] / some_chars
        out[block, 9] = first_class[min(edges[block, 0], first_class.shape[0] - 1)]
        out[block, 10] = last_class[min(edges[block, 1], last_class.shape[0] - 1)]
    return 0


def positions(first_block, sums, depth, out):
    """Columns of `place.position`."""
    page: cython.Py_ssize_t
    block: cython.Py_ssize_t
    begin: cython.Py_ssize_t
    end: cython.Py_ssize_t
    words: cython.double
    unlinked: cython.double
    longest: cython.double
    own: cython.double
    before: cython.double
    for page in range(first_block.shape[0] - 1):
        begin = first_block[page]
        end = first_block[page + 1]
        words = sums[end, WORDS] - sums[begin, WORDS]
        unlinked = at_least_one(words - (sums[end, LINK_WORDS] - sums[begin, LINK_WORDS]))
        words = at_least_one(words)
        longest = 1.0
        for block in range(begin, end):
            longest = max(longest, sums[block + 1, WORDS] - sums[block, WORDS])
        for block in range(begin, end):
            own = sums[block + 1, WORDS] - sums[block, WORDS]
            before = sums[block, WORDS] - sums[begin, WORDS]
            out[block, 0] = (block - begin) / (1.0 * (end - begin))
            out[block, 1] = before / words
            out[block, 2] = before
            before -= sums[block, LINK_WORDS] - sums[begin, LINK_WORDS]
            out[block, 3] = before / unlinked
            out[block, 4] = own / longest
            out[block, 5] = block - begin
            out[block, 6] = end - block
            out[block, 7] = depth[block]
    return 0


def neighbours(first_block, sums, link_density, text_density, node, parent, out):
    """Columns of `place.neighbours`."""
    page: cython.Py_ssize_t
    block: cython.Py_ssize_t
    other: cython.Py_ssize_t
    begin: cython.Py_ssize_t
    end: cython.Py_ssize_t
    side: cython.int
    for page in range(first_block.shape[0] - 1):
        begin = first_block[page]
        end = first_block[page + 1]
        for block in range(begin, end):
            for side in range(2):
                other = block - 1 + 2 * side
                if begin <= other < end:
                    out[block, 3 * side] = sums[other + 1, WORDS] - sums[other, WORDS]
                    out[block, 3 * side + 1] = link_density[other]
                    out[block, 3 * side + 2] = text_density[other]
                    out[block, 6 + side] = (
                        node[block] == node[other] or parent[node[block]] == parent[node[other]]
                    )
                else:
                    out[block, 3 * side] = -1
                    out[block, 3 * side + 1] = -1
                    out[block, 3 * side + 2] = -1
                    out[block, 6 + side] = 0
            window(block, begin, end, NEAR, sums, out, 8)
            window(block, begin, end, WIDE, sums, out, 11)
    return 0


def window(block, begin, end, reach, sums, out, column):
    """Means over the blocks around one: words, link density, punctuation per word."""
    low: cython.Py_ssize_t = max(block - reach, begin)
    high: cython.Py_ssize_t = min(block + reach + 1, end)
    words: cython.double = sums[high, WORDS] - sums[low, WORDS]
    out[block, column] = words / (1.0 * (high - low))
    words = at_least_one(words)
    out[block, column + 1] = (sums[high, LINK_WORDS] - sums[low, LINK_WORDS]) / words
    out[block, column + 2] = (sums[high, PUNCTUATION] - sums[low, PUNCTUATION]) / words
    return 0


def headings(first_block, sums, level, out):
    """Columns of `place.headings`."""
    page: cython.Py_ssize_t
    block: cython.Py_ssize_t
    begin: cython.Py_ssize_t
    end: cython.Py_ssize_t
    last: cython.Py_ssize_t
    first: cython.Py_ssize_t  # h1
    section_end: cython.Py_ssize_t
    words: cython.double
    for page in range(first_block.shape[0] - 1):
        begin = first_block[page]
        end = first_block[page + 1]
        first = last = -1
        for block in range(begin, end):
            if first < 0 and level[block] == 1:
                first = block
        for block in range(begin, end):
            if level[block] > 0:
                last = block
            if last < 0:
                out[block, 0] = -1
                out[block, 1] = -1
                out[block, 2] = 0
            else:
                out[block, 0] = block - last
                out[block, 1] = sums[block, WORDS] - sums[last + 1, WORDS]
                out[block, 2] = level[last]
            if first < 0:
                out[block, 3] = NO_H1_BLOCKS
                out[block, 4] = NO_H1_WORDS
            else:
                out[block, 3] = block - first
                out[block, 4] = sums[block, WORDS] - sums[first + 1, WORDS]
        last = begin  # where the section begins
        while last < end:
            section_end = last + 1
            while section_end < end and not level[section_end] > 0:
                section_end += 1
            words = sums[section_end, WORDS] - sums[last, WORDS]
            for block in range(last, section_end):
                out[block, 5] = section_end - last
                out[block, 6] = words
                out[block, 7] = (
                    sums[section_end, LINK_WORDS] - sums[last, LINK_WORDS]
                ) / at_least_one(words)
            last = section_end
    return 0


def flags_set(flags, bits, out):
    """1 where a bit is set."""
    block: cython.Py_ssize_t
    place: cython.Py_ssize_t
    for block in range(flags.shape[0]):
        for place in range(bits.shape[0]):
            out[block, place] = flags[block] & bits[place] != 0
    return 0


def tags_between(first_block, tags, first_text, end_text, out):
    """Tags between each block and the one before, and the one after; `tags` are those of texts."""
    page: cython.Py_ssize_t
    block: cython.Py_ssize_t
    between: cython.int
    for page in range(first_block.shape[0] - 1):
        for block in range(first_block[page], first_block[page + 1]):
            out[block, 0] = 0
            out[block, 1] = 0
            if block > first_block[page]:
                between = tags[first_text[block]] - tags[end_text[block - 1] - 1]
                out[block, 0] = between
                out[block - 1, 1] = between
    return 0


def tag_ratios(first_block, chars, tags, end_text, ratio, out):
    """Columns of `block.ratios`; `ratio` is room for a number a block."""
    page: cython.Py_ssize_t
    block: cython.Py_ssize_t
    other: cython.Py_ssize_t
    begin: cython.Py_ssize_t
    end: cython.Py_ssize_t
    low: cython.Py_ssize_t
    high: cython.Py_ssize_t
    own_tags: cython.int
    before: cython.double
    after: cython.double
    for page in range(first_block.shape[0] - 1):
        begin = first_block[page]
        end = first_block[page + 1]
        for block in range(begin, end):
            own_tags = tags[end_text[block] - 1]
            if block > begin:
                own_tags -= tags[end_text[block - 1] - 1]
            ratio[block] = chars[block] / at_least_one(own_tags)
        for block in range(begin, end):
            low = max(block - NEAR, begin)
            high = min(block + NEAR + 1, end)
            before = after = 0.0
            for other in range(low, block + 1):
                before += ratio[other]
            for other in range(block + 1, high):
                after += ratio[other]
            out[block, 0] = ratio[block]
            out[block, 1] = (before + after) / (1.0 * (high - low))
            out[block, 2] = 0
            if block + 1 < high:
                out[block, 2] = after / (1.0 * (high - block - 1)) - ratio[block]
    return 0


def ancestors(
    first_block, around, near_levels, first, end, last, sums, kinds, near, far, number, held, out
):
    """Columns of `around.ancestors`.

    `around` are the ancestors of each block; `near` and `far` are the measures that are wanted of
    the first `near_levels` of them and of the others. `held` is room for the measures of all
    ancestors, `number` for the row of each node in it, from 1; 0 where it has none yet.
    """
    page: cython.Py_ssize_t
    block: cython.Py_ssize_t
    level: cython.Py_ssize_t
    row: cython.Py_ssize_t
    at: cython.Py_ssize_t
    column: cython.Py_ssize_t
    node: cython.int
    rows: cython.int = 0
    for page in range(first_block.shape[0] - 1):
        for block in range(first_block[page], first_block[page + 1]):
            at = 0
            for level in range(around.shape[1]):
                node = around[block, level]
                if not number[node]:
                    measure(
                        node,
                        first[node],
                        end[node],
                        last[node] + 1,
                        first_block[page],
                        first_block[page + 1],
                        sums,
                        kinds,
                        held,
                        rows,
                    )
                    rows += 1
                    number[node] = rows
                row = number[node] - 1
                if level < near_levels:
                    for column in range(near.shape[0]):
                        out[block, at + column] = held[row, near[column]]
                    at += near.shape[0] + 1
                    out[block, at - 1] = (block - first[node]) / at_least_one(
                        end[node] - first[node]
                    )
                else:
                    for column in range(far.shape[0]):
                        out[block, at + column] = held[row, far[column]]
                    at += far.shape[0]
    return 0


def measure(node, low, high, after, begin, end, sums, kinds, out, row):
    """What an element holds, the columns of `around.MEASURES`.

    Its blocks are from `low` to `high`, its nodes from `node` to `after`, the blocks of its page
    from `begin` to `end`.
    """
    kind: cython.Py_ssize_t
    words: cython.double = sums[high, WORDS] - sums[low, WORDS]
    some: cython.double = at_least_one(words)
    blocks: cython.double = at_least_one(high - low)
    out[row, 0] = words
    out[row, 1] = words / at_least_one(sums[end, WORDS] - sums[begin, WORDS])
    out[row, 2] = (sums[high, LINK_WORDS] - sums[low, LINK_WORDS]) / some
    out[row, 3] = high - low
    out[row, 4] = words / blocks
    words = at_least_one(sums[end, LONG] - sums[begin, LONG])
    out[row, 5] = (sums[high, LONG] - sums[low, LONG]) / words
    out[row, 6] = (sums[high, HEADINGS] - sums[low, HEADINGS]) / blocks
    words = at_least_one(sums[end, GOOD] - sums[begin, GOOD])
    out[row, 7] = (sums[high, GOOD] - sums[low, GOOD]) / words
    out[row, 8] = (sums[high, HIDDEN_WORDS] - sums[low, HIDDEN_WORDS]) / some
    out[row, 9] = out[row, 0] / (1.0 * (after - node))
    for kind in range(kinds.shape[1]):
        out[row, 10 + kind] = (kinds[after, kind] - kinds[node, kind]) / blocks
    return 0


def similarities(first_block, counts, declared, same, out):
    """Columns of `similarity.similarity`.

    `counts` are those of `words.wording`; `declared` are the words of title, description and data
    of each page, `same` is how many blocks have the same words.
    """
    page: cython.Py_ssize_t
    block: cython.Py_ssize_t
    kind: cython.int
    found: cython.double
    for page in range(first_block.shape[0] - 1):
        for block in range(first_block[page], first_block[page + 1]):
            out[block, 0] = counts[block, 1] / at_least_one(counts[block, 0])
            out[block, 1] = min(counts[block, 1] / at_least_one(declared[page, 0]), MOST_COVER)
            out[block, 8] = same[block, 0]
        for kind in range(2):
            found = 0.0
            for block in range(first_block[page], first_block[page + 1]):
                out[block, 2 + 3 * kind] = counts[block, 3 + kind] / at_least_one(counts[block, 2])
                found += counts[block, 3 + kind]
            found /= at_least_one(declared[page, 1 + kind] - 1)
            for block in range(first_block[page], first_block[page + 1]):
                out[block, 3 + 3 * kind] = declared[page, 1 + kind]
                out[block, 4 + 3 * kind] = found
    return 0


def wholes(
    first_block,
    first_node,
    sums,
    kinds,
    level,
    siblings,
    best_score,
    chars,
    capitals,
    digits,
    flags,
    bits,
    out,
):
    """The first columns of `whole.whole`, a row a page."""
    page: cython.Py_ssize_t
    block: cython.Py_ssize_t
    begin: cython.Py_ssize_t
    end: cython.Py_ssize_t
    place: cython.Py_ssize_t
    count: cython.double
    words: cython.double
    own: cython.double
    value: cython.double
    for page in range(first_block.shape[0] - 1):
        begin = first_block[page]
        end = first_block[page + 1]
        for place in range(out.shape[1]):
            out[page, place] = 0.0
        words = at_least_one(sums[end, WORDS] - sums[begin, WORDS])
        count = at_least_one(end - begin)
        value = 0.0  # squared words, then characters
        for block in range(begin, end):
            own = sums[block + 1, WORDS] - sums[block, WORDS]
            value += own * own
            out[page, 4] = max(out[page, 4], own)
            out[page, 11] += level[block] == 1
            out[page, 12] = max(out[page, 12], siblings[block, 0])
            out[page, 13] = max(out[page, 13], siblings[block, 3])
            out[page, 15] += capitals[block]
            out[page, 16] += digits[block]
            for place in range(bits.shape[0]):
                if flags[block] & bits[place]:
                    out[page, 17 + place] += own
        out[page, 0] = sums[end, WORDS] - sums[begin, WORDS]
        out[page, 1] = end - begin
        out[page, 2] = out[page, 0] / count
        value = value / count - out[page, 2] * out[page, 2]
        out[page, 3] = math.sqrt(value) if value > 0 else 0.0
        out[page, 5] = sums[end, LONG] - sums[begin, LONG]
        out[page, 6] = out[page, 5] / words
        value = sums[end, HIDDEN_WORDS] - sums[begin, HIDDEN_WORDS]
        out[page, 7] = out[page, 0] - value
        out[page, 8] = value / words
        out[page, 9] = (sums[end, PUNCTUATION] - sums[begin, PUNCTUATION]) / words
        out[page, 10] = (sums[end, HEADINGS] - sums[begin, HEADINGS]) / count
        out[page, 14] = best_score[page] / at_least_one(sums[end, MASS] - sums[begin, MASS])
        value = 0.0
        for block in range(begin, end):
            value += chars[block]
        out[page, 15] /= at_least_one(value)
        out[page, 16] /= at_least_one(value)
        for place in range(bits.shape[0]):
            out[page, 17 + place] /= words
        for place in range(kinds.shape[1]):
            value = kinds[first_node[page + 1], place] - kinds[first_node[page], place]
            out[page, 17 + bits.shape[0] + place] = value / count
    return 0
