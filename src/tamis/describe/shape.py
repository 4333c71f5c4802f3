# cython: boundscheck=False
"""Passes over the columns of a page for its shape: one long text, or many headlines and links.

Nothing here depends on what elements are called, so a page of 2005 is seen like one of today. Both
are linear and write a group of `page_type.NUMBERS` to `PageColumns.numbers`, from `first` on.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from tamis.page import tags

if TYPE_CHECKING:
    import cython

    from tamis.describe.census import PageColumns
    from tamis.model.features.batch import Utf8
    from tamis.page.arrays import Floats

COMPILED = not __file__.endswith(".py")

FEWEST_NET = 10  # words outside of links that make a block text
SHORT = 8  # words of a block that may be a date or a price
PRICE_DIGITS, DATE_DIGITS = 2, 3  # that it has at least
NEAR, FAR = 60, 300  # words after the first h1
HEADLINE = 4  # words of a link that may be a headline
OTHER_WORDS = 2  # beside such a link
# What a word in a link and a block cost a run of text, in words.
LINK_COST = 1.5
BLOCK_COST = 3.0

HIDDEN, IN_HEADING = tags.HIDDEN, tags.IN_HEADING
H1, HREF = tags.ID["h1"], tags.ATTRIBUTE_ID["href"]

BLOCKS = (
    *("cluster.words", "cluster.share", "cluster.of_text", "cluster.blocks", "cluster.second"),
    *("wide_cluster.of_text", "wide_cluster.second"),
    *("run.words", "run.share", "run.of_text", "run.blocks", "run.start", "run.link_density"),
    *("headings.linked", "headings.plain", "headings.with_text"),
    *("h1.words", "h1.start", "h1.near_links", "h1.far_links", "h1.words_to_text"),
    *("dates", "dates.share", "prices", "prices.share"),
    *("headlines", "headlines.share", "text_blocks", "text_words", "depth"),
)
"""The numbers that `blocks` writes.

Text is a block with enough words outside of links. A cluster is the text of the blocks with one
parent, a wide one that of the blocks with one grandparent: the words of the largest, and those of
the second as a share of them. The run is the stretch of blocks with the most text and the fewest
links. After the first h1: words in links of the next 60 and 300, and how far it is to the first
text. Dates and prices are short blocks with digits or a currency sign, headlines are links.
"""
TARGETS = (
    *("targets", "targets.deeper", "targets.deeper_share", "targets.beside", "targets.same"),
    *("targets.query", "targets.outside", "targets.fragment"),
)
"""The numbers that `targets` writes: of all addresses how many lead below the page's own, into its
folder, to itself, to itself with a query, to other hosts, and to a place on the page."""


def has_currency(source: Utf8, i: cython.Py_ssize_t, stop: cython.Py_ssize_t) -> cython.bint:
    """Whether there is the sign or the code of a currency: $ £ ¥ € ₹ ฿ EUR USD, &euro; &pound;."""
    while i + 2 < stop:
        c: cython.uint = source[i]
        second: cython.uint = source[i + 1]
        third: cython.uint = source[i + 2]
        if (
            c == 0x24
            or (c == 0xC2 and (second == 0xA3 or second == 0xA5))
            or (c == 0xE2 and second == 0x82 and third >= 0xA0)
            or (c == 0xE0 and second == 0xB8 and third == 0xBF)
            or (c == 69 and second == 85 and third == 82)
            or (c == 85 and second == 83 and third == 68)
            or (c == 38 and second == 101 and third == 117)
            or (c == 38 and second == 112 and third == 111)
        ):
            return True
        i += 1
    return False


def blocks(page: PageColumns, first: cython.Py_ssize_t) -> None:
    """Write the numbers about the visible blocks."""
    out: cython.double[::1] = page.numbers[first:]
    total: cython.double = run_of_text(page, out)
    clusters(page, out)
    headings(page, total, out)
    short_blocks(page, total, out)
    text: cython.double = max(out[28], 1.0)
    out[1] = out[0] / total
    out[2] = out[0] / text
    out[5] /= text
    out[8] = out[7] / total
    out[9] = out[7] / text
    out[28] /= total


def is_text(words: cython.int, links: cython.int) -> cython.bint:
    """Whether a block with so many words, and so many of them in links, is text."""
    return words - links >= FEWEST_NET and words >= 3 * links


def run_of_text(page: PageColumns, out: Floats) -> cython.double:
    """Write the numbers about the run, and of text its blocks and words; return all words."""
    block: cython.Py_ssize_t
    total: cython.double = 0
    depth: cython.double = 0
    run: cython.double = 0
    best: cython.double = 0
    start: cython.double = 0
    run_net: cython.int = 0
    run_links: cython.int = 0
    run_blocks: cython.int = 0
    for block in range(page.words.shape[0]):
        if page.flags[block] & HIDDEN:
            continue
        words: cython.int = page.words[block]
        links: cython.int = page.link_words[block]
        if run <= 0:
            run = run_net = run_links = run_blocks = 0
            start = total
        run += words - links - LINK_COST * links - BLOCK_COST
        run_net += words - links
        run_links += links
        run_blocks += 1
        if run > best:
            best = run
            out[7] = run_net
            out[10] = run_blocks
            out[11] = start
            out[12] = run_links
        total += words
        depth += words * page.depth[page.node[block]]
        if is_text(words, links):
            out[27] += 1
            out[28] += words - links
    total = max(total, 1.0)
    out[11] /= total
    out[12] /= max(out[7] + out[12], 1.0)
    out[29] = depth / total
    return total


def headings(page: PageColumns, total: cython.double, out: Floats) -> None:
    """Write the numbers about headings and about what follows the first h1."""
    block: cython.Py_ssize_t
    before: cython.double = 0
    since_h1: cython.int = -1
    near: cython.double = 0
    far: cython.double = 0
    near_words: cython.int = 0
    far_words: cython.int = 0
    heading: cython.Py_ssize_t = -3  # the last one that no text has followed
    out[17] = out[18] = out[19] = out[20] = -1
    for block in range(page.words.shape[0]):
        if page.flags[block] & HIDDEN:
            continue
        words: cython.int = page.words[block]
        links: cython.int = page.link_words[block]
        if page.flags[block] & IN_HEADING:
            out[13 if 2 * links >= words else 14] += 1
            heading = block
            if page.tag[page.node[block]] == H1 and since_h1 < 0:
                since_h1 = 0
                out[16] = words
                out[17] = before / total
        elif since_h1 >= 0:
            if since_h1 < NEAR:
                near += links
                near_words += words
            if since_h1 < FAR:
                far += links
                far_words += words
            if out[20] < 0 and is_text(words, links):
                out[20] = since_h1
            since_h1 += words
        if block - heading <= 2 and is_text(words, links):
            out[15] += 1
            heading = -3
        before += words
    if since_h1 >= 0:
        out[18] = near / max(near_words, 1)
        out[19] = far / max(far_words, 1)


def short_blocks(page: PageColumns, total: cython.double, out: Floats) -> None:
    """Write the numbers about dates, prices and headlines."""
    block: cython.Py_ssize_t
    text: cython.Py_ssize_t
    for block in range(page.words.shape[0]):
        if page.flags[block] & HIDDEN:
            continue
        words: cython.int = page.words[block]
        links: cython.int = page.link_words[block]
        if words <= SHORT and page.digits[block] >= PRICE_DIGITS:
            out[21] += page.digits[block] >= DATE_DIGITS
            for text in range(page.first_text[block], page.end_text[block]):
                if has_currency(page.source, page.text_start[text], page.text_end[text]):
                    out[23] += 1
                    break
        if links >= HEADLINE and words - links <= OTHER_WORDS:
            out[25] += 1
            out[26] += links
    count: cython.double = max(page.words.shape[0], 1)
    out[22] = out[21] / count
    out[24] = out[23] / count
    out[26] /= total


def clusters(page: PageColumns, out: Floats) -> None:
    """Write the numbers about clusters, those of wide ones in words."""
    block: cython.Py_ssize_t
    above: cython.Py_ssize_t
    far_above: cython.Py_ssize_t
    # One row per node, row 0 for what is above the root: words and blocks of its cluster, words of
    # its wide cluster.
    below: cython.int[:, ::1] = np.zeros((page.tag.shape[0] + 1, 3), np.intc).data
    for block in range(page.words.shape[0]):
        net: cython.int = page.words[block] - page.link_words[block]
        if page.flags[block] & HIDDEN or not is_text(page.words[block], page.link_words[block]):
            continue
        above = page.parent[page.node[block]] + 1
        far_above = page.parent[above - 1] + 1 if above else 0
        below[above, 0] += net
        below[above, 1] += 1
        below[far_above, 2] += net
    second: cython.double = 0
    wide_second: cython.double = 0
    for block in range(page.words.shape[0]):
        if page.words[block] - page.link_words[block] < FEWEST_NET:
            continue
        above = page.parent[page.node[block]] + 1
        far_above = page.parent[above - 1] + 1 if above else 0
        if below[above, 0] > out[0]:
            second = out[0]
            out[0] = below[above, 0]
            out[3] = below[above, 1]
        else:
            second = max(second, below[above, 0])
        if below[far_above, 2] > out[5]:
            wide_second = out[5]
            out[5] = below[far_above, 2]
        else:
            wide_second = max(wide_second, below[far_above, 2])
        below[above, 0] = below[far_above, 2] = 0  # each once
    out[4] = second / max(out[0], 1.0)
    out[6] = wide_second / max(out[5], 1.0)


def targets(
    page: PageColumns, own: Utf8, path: cython.Py_ssize_t, first: cython.Py_ssize_t
) -> None:
    """Write the numbers about addresses, seen from `own`: host and path, which begins at `path`."""
    row: cython.Py_ssize_t
    i: cython.Py_ssize_t
    out: cython.double[::1] = page.numbers[first:]
    length: cython.Py_ssize_t = len(own)
    folder: cython.Py_ssize_t = length
    while folder > path + 1 and own[folder - 1] != 47:  # /
        folder -= 1
    for row in range(page.attributes.shape[1]):
        if page.attributes[0, row] != HREF:
            continue
        i = page.attributes[1, row]
        stop: cython.Py_ssize_t = page.attributes[2, row]
        if i >= stop:
            continue
        out[0] += 1
        if page.source[i] == 35:  # #
            out[7] += 1
            continue
        same: cython.Py_ssize_t = path
        if i + 8 < stop and page.source[i] == 104 and page.source[i + 3] == 112:  # http
            i += 8 if page.source[i + 4] == 115 else 7
            same = 0
        while same < length and i < stop and page.source[i] == own[same]:
            same += 1
            i += 1
        if same < path:
            out[6] += 1
        elif same < length:
            out[3] += same >= folder > path + 1
        elif i >= stop or page.source[i] == 35:
            out[4] += 1
        elif page.source[i] == 63:  # ?
            out[5] += 1
        elif length > path + 1 and (own[length - 1] == 47 or page.source[i] == 47):
            out[1] += 1
    out[2] = out[1] / max(out[0], 1.0)
    out[6] /= max(out[0], 1.0)
