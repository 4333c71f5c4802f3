# cython: boundscheck=False, infer_types=True
"""Numbers about a page: what it counts (elements, words, attributes), and its shape.

Its shape is that of one long text, or of many headlines and links. Nothing here depends on what
elements are called, so a page of 2005 is seen like one of today. Each pass is linear and writes a
group of `NUMBERS` to `PageColumns.numbers`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from tamis._runtime.compiled import view_numbers
from tamis.model.features.columns import Numbering, number_tags
from tamis.page import tags

if TYPE_CHECKING:
    import cython

    from tamis.model.features.batch import Utf8
    from tamis.page.arrays import Floats, Ints
    from tamis.page.table import Page

NUMBERS = Numbering()
"""The numbers about a page, in the order of the columns."""


def name_columns(*names: str) -> range:
    """Number some columns of the group that was begun last."""
    return range(column(*names), len(NUMBERS))


class PageColumns:
    """The columns of a page as the passes read them, and the numbers that they write."""

    def __init__(self, page: Page, numbers: Floats) -> None:
        self.numbers = numbers
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


# --- Elements -------------------------------------------------------------------------------

# Words of an element that may be an entry of a list; of an element that may be a post or section.
FEWEST_WORDS = 2
LONG_TEXT = 15
# Children of an element that repeat.
FEWEST_REPEATED = 3

LINK, IMAGE = tags.ID["a"], tags.ID["img"]

_KINDS = (
    *("a", "p", "li", "img", "h1", "h2", "h3", "h4 h5 h6", "td th", "tr", "input", "select"),
    *("option", "button", "textarea", "form", "pre", "code", "article", "section", "nav", "time"),
    *("iframe", "video", "ul ol", "dl dt dd", "blockquote", "figure", "script", "svg", "label"),
    *("main", "table", "span", "div", "strong b", "em i", "br", "link", "meta"),
)
KINDS = len(_KINDS)
KIND_OF_TAG = view_numbers(number_tags(*_KINDS))
_OF_REPEATED = ("most", "count", "words", "words_each")
MOST, COUNT, SHARE_OF_WORDS, WORDS_EACH = range(len(_OF_REPEATED))

column = NUMBERS.group("elements")
FIRST_COUNT = column(*(f"count.{kind}" for kind in _KINDS))
FIRST_SHARE = column(*(f"share.{kind}" for kind in _KINDS))
# Children of an element that hold a link, a link and an image, or text alone.
LINKED, WITH_IMAGE, TEXT_ALONE = range(3)
FIRST_REPEATED = column(
    *(f"{kind}.{name}" for kind in ("links", "links_and_images", "text") for name in _OF_REPEATED)
)

# What is counted below each element; of its children, by what they hold, their number and words.
WORDS_BELOW, LINKS_BELOW, IMAGES_BELOW, REPEATED, REPEATED_WORDS = 0, 1, 2, 3, 6
OF_ELEMENT = 9


def count_elements(page: PageColumns) -> None:
    """Count elements by kind, and the children of an element that hold the same.

    For each of the three: the most children; and of the element whose children hold the most words
    their number, their share of the words of the page, and whole words per child.
    """
    nodes = page.tag.shape[0]
    total: cython.double = 0
    out: cython.double[::1] = page.numbers
    # One row per node, row 0 for what is above the root.
    below: cython.int[:, ::1] = np.zeros((nodes + 1, OF_ELEMENT), np.intc).data
    best: cython.int[::1] = np.zeros(3, np.intc).data
    for text in range(page.text_node.shape[0]):
        below[page.text_node[text] + 1, WORDS_BELOW] += page.text_words[text]
        total += page.text_words[text]
    total = max(total, 1.0)
    # From the last node to the first: when a node comes, all below it has been counted.
    for node in range(nodes - 1, -1, -1):
        above = page.parent[node] + 1
        kind = KIND_OF_TAG[min(page.tag[node], KIND_OF_TAG.shape[0] - 1)]
        if kind >= 0:
            out[FIRST_COUNT + kind] += 1
        if page.tag[node] == LINK:
            below[node + 1, LINKS_BELOW] += 1
        elif page.tag[node] == IMAGE:
            below[node + 1, IMAGES_BELOW] += 1
        words = below[node + 1, WORDS_BELOW]
        links = below[node + 1, LINKS_BELOW]
        images = below[node + 1, IMAGES_BELOW]
        below[above, WORDS_BELOW] += words
        below[above, LINKS_BELOW] += links
        below[above, IMAGES_BELOW] += images
        if links and words >= FEWEST_WORDS:
            below[above, REPEATED + LINKED] += 1
            below[above, REPEATED_WORDS + LINKED] += words
            if images:
                below[above, REPEATED + WITH_IMAGE] += 1
                below[above, REPEATED_WORDS + WITH_IMAGE] += words
        elif not links and words >= LONG_TEXT:
            below[above, REPEATED + TEXT_ALONE] += 1
            below[above, REPEATED_WORDS + TEXT_ALONE] += words
        for group in range(3):
            count = below[node + 1, REPEATED + group]
            if not count:
                continue
            words = below[node + 1, REPEATED_WORDS + group]
            place = FIRST_REPEATED + 4 * group
            if count > out[place + MOST]:
                out[place + MOST] = count
            if count >= FEWEST_REPEATED and words >= best[group]:
                best[group] = words
                out[place + COUNT] = count
                out[place + SHARE_OF_WORDS] = words / total
                out[place + WORDS_EACH] = words // count
    for kind in range(KINDS):
        out[FIRST_SHARE + kind] = out[FIRST_COUNT + kind] / max(nodes, 1)


# --- Text -----------------------------------------------------------------------------------

_PLACES = {
    name: getattr(tags, f"IN_{name.upper()}")
    for name in (
        "main article navigation header footer aside form heading list table pre quote figure"
        " control"
    ).split()
} | {"hidden": tags.HIDDEN}
BITS = view_numbers(np.array(list(_PLACES.values()), np.intc))
_LENGTHS = (5, 10, 20, 40, 80)  # words outside of links that a long block has more than
LENGTHS = view_numbers(np.array(_LENGTHS, np.intc))

column = NUMBERS.group("text")
WORDS, LINK_DENSITY, CAPITALS, DIGITS, PUNCTUATION = name_columns(
    "words", "link_density", "capitals", "digits", "punctuation"
)
FIRST_PLACE = column(*(f"words.{place}" for place in _PLACES))
FIRST_BLOCKS = column(*(f"blocks.{length}" for length in _LENGTHS))
FIRST_LONG = column(*(f"long.{length}" for length in _LENGTHS))


def sum_text(page: PageColumns) -> None:
    """Sum up the words, and as shares: in links, punctuation, by place, in long blocks."""
    blocks = page.words.shape[0]
    out: cython.double[::1] = page.numbers
    all_chars: cython.double = 0
    alike = 0  # words of neighbouring blocks with the same flags
    for block in range(blocks):
        words = page.words[block]
        net = words - page.link_words[block]
        all_chars += page.chars[block]
        out[WORDS] += words
        out[LINK_DENSITY] += page.link_words[block]
        out[CAPITALS] += page.capitals[block]
        out[DIGITS] += page.digits[block]
        out[PUNCTUATION] += page.punctuation[block]
        alike += words
        if block + 1 == blocks or page.flags[block + 1] != page.flags[block]:
            for place in range(BITS.shape[0]):
                if page.flags[block] & BITS[place]:
                    out[FIRST_PLACE + place] += alike
            alike = 0
        for length in range(LENGTHS.shape[0]):
            if net <= LENGTHS[length]:
                break
            out[FIRST_BLOCKS + length] += 1
            out[FIRST_LONG + length] += net
    all_chars = max(all_chars, 1.0)
    out[WORDS] = max(out[WORDS], 1.0)
    out[LINK_DENSITY] /= out[WORDS]
    out[CAPITALS] /= all_chars
    out[DIGITS] /= all_chars
    out[PUNCTUATION] /= all_chars
    for place in range(BITS.shape[0]):
        out[FIRST_PLACE + place] /= out[WORDS]
    for length in range(LENGTHS.shape[0]):
        out[FIRST_LONG + length] /= out[WORDS]


# --- Attributes -----------------------------------------------------------------------------

_COUNTED = ("itemprop", "itemtype", "datetime", "property", "onclick", "role", "alt", "srcset")
column = NUMBERS.group("attributes")
FIRST_ATTRIBUTE = column(*(f"attribute.{name}" for name in _COUNTED))
# For each attribute the column where it is counted, or -1.
COUNTER = view_numbers(
    np.array(
        [
            FIRST_ATTRIBUTE + _COUNTED.index(name) if name in _COUNTED else -1
            for name in tags.ATTRIBUTES
        ],
        np.intc,
    )
)


def count_attributes(page: PageColumns) -> None:
    for row in range(page.attributes.shape[1]):
        place = COUNTER[page.attributes[0, row]]
        if place >= 0:
            page.numbers[place] += 1


# --- Shape ----------------------------------------------------------------------------------

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

# Text is a block with enough words outside of links. A cluster is the text of the blocks with one
# parent, a wide one that of the blocks with one grandparent: the words of the largest, and those of
# the second as a share of them. The run is the stretch of blocks with the most text and the fewest
# links. After the first h1: words in links of the next 60 and 300, and how far it is to the first
# text. Dates and prices are short blocks with digits or a currency sign, headlines are links.
column = NUMBERS.group("shape")
CLUSTER_WORDS, CLUSTER_SHARE, CLUSTER_OF_TEXT, CLUSTER_BLOCKS, CLUSTER_SECOND = name_columns(
    "cluster.words", "cluster.share", "cluster.of_text", "cluster.blocks", "cluster.second"
)
WIDE_OF_TEXT, WIDE_SECOND = name_columns("wide_cluster.of_text", "wide_cluster.second")
RUN_WORDS, RUN_SHARE, RUN_OF_TEXT, RUN_BLOCKS, RUN_START, RUN_LINK_DENSITY = name_columns(
    *("run.words", "run.share", "run.of_text", "run.blocks", "run.start", "run.link_density")
)
HEADINGS_LINKED, HEADINGS_PLAIN, HEADINGS_WITH_TEXT = name_columns(
    "headings.linked", "headings.plain", "headings.with_text"
)
H1_WORDS, H1_START, H1_NEAR_LINKS, H1_FAR_LINKS, H1_WORDS_TO_TEXT = name_columns(
    "h1.words", "h1.start", "h1.near_links", "h1.far_links", "h1.words_to_text"
)
DATES, DATES_SHARE, PRICES, PRICES_SHARE = name_columns(
    "dates", "dates.share", "prices", "prices.share"
)
HEADLINES, HEADLINES_SHARE = name_columns("headlines", "headlines.share")
TEXT_BLOCKS, TEXT_WORDS, MEAN_DEPTH = name_columns("text_blocks", "text_words", "depth")


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


def write_shape(page: PageColumns) -> None:
    """Write the numbers about the visible blocks."""
    out: cython.double[::1] = page.numbers
    total: cython.double = write_run(page, out)
    write_clusters(page, out)
    write_headings(page, total, out)
    write_short_blocks(page, total, out)
    text: cython.double = max(out[TEXT_WORDS], 1.0)
    out[CLUSTER_SHARE] = out[CLUSTER_WORDS] / total
    out[CLUSTER_OF_TEXT] = out[CLUSTER_WORDS] / text
    out[WIDE_OF_TEXT] /= text
    out[RUN_SHARE] = out[RUN_WORDS] / total
    out[RUN_OF_TEXT] = out[RUN_WORDS] / text
    out[TEXT_WORDS] /= total


def is_text(words: cython.int, links: cython.int) -> cython.bint:
    """Whether a block with so many words, and so many of them in links, is text."""
    return words - links >= FEWEST_NET and words >= 3 * links


def write_run(page: PageColumns, out: Floats) -> cython.double:
    """Write the numbers about the run, and of text its blocks and words; return all words."""
    total: cython.double = 0
    depth: cython.double = 0
    run: cython.double = 0
    best: cython.double = 0
    start: cython.double = 0
    run_net = 0
    run_links = 0
    run_blocks = 0
    for block in range(page.words.shape[0]):
        if page.flags[block] & HIDDEN:
            continue
        words = page.words[block]
        links = page.link_words[block]
        if run <= 0:
            run = run_net = run_links = run_blocks = 0
            start = total
        run += words - links - LINK_COST * links - BLOCK_COST
        run_net += words - links
        run_links += links
        run_blocks += 1
        if run > best:
            best = run
            out[RUN_WORDS] = run_net
            out[RUN_BLOCKS] = run_blocks
            out[RUN_START] = start
            out[RUN_LINK_DENSITY] = run_links
        total += words
        depth += words * page.depth[page.node[block]]
        if is_text(words, links):
            out[TEXT_BLOCKS] += 1
            out[TEXT_WORDS] += words - links
    total = max(total, 1.0)
    out[RUN_START] /= total
    out[RUN_LINK_DENSITY] /= max(out[RUN_WORDS] + out[RUN_LINK_DENSITY], 1.0)
    out[MEAN_DEPTH] = depth / total
    return total


def write_headings(page: PageColumns, total: cython.double, out: Floats) -> None:
    """Write the numbers about headings and about what follows the first h1."""
    before: cython.double = 0
    since_h1 = -1
    near: cython.double = 0
    far: cython.double = 0
    near_words = 0
    far_words = 0
    heading = -3  # the last one that no text has followed
    out[H1_START] = out[H1_NEAR_LINKS] = out[H1_FAR_LINKS] = out[H1_WORDS_TO_TEXT] = -1
    for block in range(page.words.shape[0]):
        if page.flags[block] & HIDDEN:
            continue
        words = page.words[block]
        links = page.link_words[block]
        if page.flags[block] & IN_HEADING:
            out[HEADINGS_LINKED if 2 * links >= words else HEADINGS_PLAIN] += 1
            heading = block
            if page.tag[page.node[block]] == H1 and since_h1 < 0:
                since_h1 = 0
                out[H1_WORDS] = words
                out[H1_START] = before / total
        elif since_h1 >= 0:
            if since_h1 < NEAR:
                near += links
                near_words += words
            if since_h1 < FAR:
                far += links
                far_words += words
            if out[H1_WORDS_TO_TEXT] < 0 and is_text(words, links):
                out[H1_WORDS_TO_TEXT] = since_h1
            since_h1 += words
        if block - heading <= 2 and is_text(words, links):
            out[HEADINGS_WITH_TEXT] += 1
            heading = -3
        before += words
    if since_h1 >= 0:
        out[H1_NEAR_LINKS] = near / max(near_words, 1)
        out[H1_FAR_LINKS] = far / max(far_words, 1)


def write_short_blocks(page: PageColumns, total: cython.double, out: Floats) -> None:
    """Write the numbers about dates, prices and headlines."""
    for block in range(page.words.shape[0]):
        if page.flags[block] & HIDDEN:
            continue
        words = page.words[block]
        links = page.link_words[block]
        if words <= SHORT and page.digits[block] >= PRICE_DIGITS:
            out[DATES] += page.digits[block] >= DATE_DIGITS
            for text in range(page.first_text[block], page.end_text[block]):
                if has_currency(page.source, page.text_start[text], page.text_end[text]):
                    out[PRICES] += 1
                    break
        if links >= HEADLINE and words - links <= OTHER_WORDS:
            out[HEADLINES] += 1
            out[HEADLINES_SHARE] += links
    count: cython.double = max(page.words.shape[0], 1)
    out[DATES_SHARE] = out[DATES] / count
    out[PRICES_SHARE] = out[PRICES] / count
    out[HEADLINES_SHARE] /= total


# Of the parent of blocks: the words and blocks of its cluster, and the words of its wide one.
OWN_WORDS, OWN_BLOCKS, WIDE_WORDS = range(3)


def write_clusters(page: PageColumns, out: Floats) -> None:
    """Write the numbers about clusters, those of wide ones in words."""
    # One row per node, row 0 for what is above the root.
    below: cython.int[:, ::1] = np.zeros((page.tag.shape[0] + 1, 3), np.intc).data
    for block in range(page.words.shape[0]):
        net = page.words[block] - page.link_words[block]
        if page.flags[block] & HIDDEN or not is_text(page.words[block], page.link_words[block]):
            continue
        above = page.parent[page.node[block]] + 1
        far_above = page.parent[above - 1] + 1 if above else 0
        below[above, OWN_WORDS] += net
        below[above, OWN_BLOCKS] += 1
        below[far_above, WIDE_WORDS] += net
    second: cython.double = 0
    wide_second: cython.double = 0
    for block in range(page.words.shape[0]):
        if page.words[block] - page.link_words[block] < FEWEST_NET:
            continue
        above = page.parent[page.node[block]] + 1
        far_above = page.parent[above - 1] + 1 if above else 0
        if below[above, OWN_WORDS] > out[CLUSTER_WORDS]:
            second = out[CLUSTER_WORDS]
            out[CLUSTER_WORDS] = below[above, OWN_WORDS]
            out[CLUSTER_BLOCKS] = below[above, OWN_BLOCKS]
        else:
            second = max(second, below[above, OWN_WORDS])
        if below[far_above, WIDE_WORDS] > out[WIDE_OF_TEXT]:
            wide_second = out[WIDE_OF_TEXT]
            out[WIDE_OF_TEXT] = below[far_above, WIDE_WORDS]
        else:
            wide_second = max(wide_second, below[far_above, WIDE_WORDS])
        below[above, OWN_WORDS] = below[far_above, WIDE_WORDS] = 0  # each once
    out[CLUSTER_SECOND] = second / max(out[CLUSTER_WORDS], 1.0)
    out[WIDE_SECOND] = wide_second / max(out[WIDE_OF_TEXT], 1.0)


# --- Addresses ------------------------------------------------------------------------------

# Of all addresses how many lead below the page's own, into its folder, to itself, to itself with a
# query, to other hosts, and to a place on the page.
column = NUMBERS.group("targets")
TARGETS, DEEPER, DEEPER_SHARE, BESIDE = name_columns(
    "targets", "targets.deeper", "targets.deeper_share", "targets.beside"
)
SAME, WITH_QUERY, OUTSIDE, FRAGMENT = name_columns(
    "targets.same", "targets.query", "targets.outside", "targets.fragment"
)


def write_targets(page: PageColumns, own: Utf8, path: cython.Py_ssize_t) -> None:
    """Write the numbers about addresses, seen from `own`: host and path, which begins at `path`."""
    out: cython.double[::1] = page.numbers
    length = len(own)
    folder = length
    while folder > path + 1 and own[folder - 1] != 47:  # /
        folder -= 1
    for row in range(page.attributes.shape[1]):
        if page.attributes[0, row] != HREF:
            continue
        i = page.attributes[1, row]
        stop = page.attributes[2, row]
        if i >= stop:
            continue
        out[TARGETS] += 1
        if page.source[i] == 35:  # #
            out[FRAGMENT] += 1
            continue
        same = path
        if i + 8 < stop and page.source[i] == 104 and page.source[i + 3] == 112:  # http
            i += 8 if page.source[i + 4] == 115 else 7
            same = 0
        while same < length and i < stop and page.source[i] == own[same]:
            same += 1
            i += 1
        if same < path:
            out[OUTSIDE] += 1
        elif same < length:
            out[BESIDE] += same >= folder > path + 1
        elif i >= stop or page.source[i] == 35:
            out[SAME] += 1
        elif page.source[i] == 63:  # ?
            out[WITH_QUERY] += 1
        elif length > path + 1 and (own[length - 1] == 47 or page.source[i] == 47):
            out[DEEPER] += 1
    out[DEEPER_SHARE] = out[DEEPER] / max(out[TARGETS], 1.0)
    out[OUTSIDE] /= max(out[TARGETS], 1.0)


# --- Sizes ----------------------------------------------------------------------------------

_SHARES = (0.5, 0.75, 0.9, 1.0)
SHARES = view_numbers(np.array(_SHARES))
column = NUMBERS.group("quantiles")
FIRST_QUANTILE = column(*(f"quantile.{share}" for share in _SHARES))


def write_quantiles(page: PageColumns, ordered: Ints) -> None:
    """Write quantiles of at least one number; these are in order."""
    for number in range(SHARES.shape[0]):
        place: cython.Py_ssize_t = int(SHARES[number] * (ordered.shape[0] - 1))
        page.numbers[FIRST_QUANTILE + number] = ordered[place]


column = NUMBERS.group("sizes")
NODES, BLOCKS, BYTES = name_columns("nodes", "blocks", "bytes")


def write_sizes(page: PageColumns) -> None:
    page.numbers[NODES] = page.tag.shape[0]
    page.numbers[BLOCKS] = page.words.shape[0]
    page.numbers[BYTES] = len(page.source)
