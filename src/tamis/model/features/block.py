"""What a block is by itself: its words, its element, the landmarks it is in, its tag ratio."""

from __future__ import annotations

import unicodedata

import numpy as np
import numpy.typing as npt

from tamis.model.features import sequence
from tamis.model.features.batch import UNLISTED, Batch, Matrix, tag_table
from tamis.page import tags
from tamis.page.characters import CODE_POINT_KINDS, DIGIT, HAN, LOWER, PUNCTUATION, SEA, UPPER

OWN = (
    "words",
    "link_density",
    "text_density",
    "lines",
    "punctuation_per_word",
    "capitals",
    "digits",
    "chars_per_word",
    "unspaced",
    "first_character",
    "last_character",
)


def own(batch: Batch, out: Matrix) -> None:
    """The block's own counts.

    Text density is words a line of 80 characters; capitals, digits and characters of scripts
    without spaces are shares of the characters. Of the first character: 1 a capital, 2 another
    letter of a script with capitals, 3 a digit, 4 a letter of another script. Of the last: 1 ends
    a sentence, 2 a colon, 3 one of >|/-, 4 beyond ASCII, 5 a comma, bracket or quotation mark, 6 a
    digit.
    """
    blocks = batch.blocks
    sequence.own_counts(
        batch.sums,
        batch.link_density,
        batch.text_density,
        blocks.chars,
        blocks.capitals,
        blocks.digits,
        blocks.unspaced,
        blocks.lines,
        batch.wording.edges,
        _FIRST,
        _LAST,
        out,
    )


def _edge_classes() -> tuple[npt.NDArray[np.uint8], npt.NDArray[np.uint8]]:
    kinds = np.frombuffer(CODE_POINT_KINDS, np.uint8)
    first = np.zeros(0x10000, np.uint8)
    first[np.isin(kinds, (LOWER, HAN, SEA))] = 4
    first[kinds == UPPER] = 1
    first[kinds == DIGIT] = 3
    # Scripts with capitals: Latin, Greek, Cyrillic, Armenian and their extensions.
    for code in (*range(0x600), *range(0x1E00, 0x2000)):
        if chr(code).islower():
            first[code] = 2
    last = np.zeros(0x10000, np.uint8)
    last[0x80:] = 4
    last[kinds == DIGIT] = 6
    for code in np.flatnonzero(kinds == PUNCTUATION).tolist():
        if code >= 0x80 and unicodedata.category(chr(code)) in ("Pe", "Pf", "Pi", "Ps"):
            last[code] = 5
    for number, characters in (
        (1, ".!?…。．！？؟۔।॥።։။។"),
        (2, ":："),
        (3, ">|/-"),
        (5, ")\"'];,、，،՝၊"),
    ):
        last[[ord(character) for character in characters]] = number
    return first, last


_FIRST, _LAST = _edge_classes()


_TAGS = {
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
ELEMENT = (*(f"tag.{name}" for name in _TAGS), "heading_level", "tags_before", "tags_after")


def _tag_rows() -> Matrix:
    rows = np.zeros((UNLISTED + 1, len(_TAGS) + 1), np.float32)
    place = tag_table(*_TAGS.values())
    listed = np.flatnonzero(place >= 0)
    rows[listed, place[listed]] = 1
    rows[:, -1] = tag_table(*"h1 h2 h3 h4 h5 h6".split()) + 1
    return rows


_TAG_ROWS = _tag_rows()


def element(batch: Batch, out: Matrix) -> None:
    """The block's element, and the tags between the block and its neighbours (Kim et al. 2013).

    The tags are the start and end tags of the source from the last text of the block before to the
    first of this one; 0 at the ends of the page.
    """
    out[:, :-2] = _TAG_ROWS[batch.tag[batch.blocks.node]]
    blocks = batch.blocks
    sequence.tags_between(
        batch.first_block, batch.texts.tags, blocks.first_text, blocks.end_text, out[:, -2:]
    )


FLAGS = {
    "style_hidden": tags.STYLE_HIDDEN,
    "attribute_hidden": tags.ATTRIBUTE_HIDDEN,
    "in_template": tags.IN_TEMPLATE,
    "in_noscript": tags.IN_NOSCRIPT,
    "unrendered": tags.UNRENDERED,
    "aria_hidden": tags.ARIA_HIDDEN,
    "in_pre": tags.IN_PRE,
    "in_main": tags.IN_MAIN,
    "in_article": tags.IN_ARTICLE,
    "in_navigation": tags.IN_NAVIGATION,
    "in_header": tags.IN_HEADER,
    "in_footer": tags.IN_FOOTER,
    "in_aside": tags.IN_ASIDE,
    "in_search": tags.IN_SEARCH,
    "in_form": tags.IN_FORM,
    "in_dialog": tags.IN_DIALOG,
    "in_heading": tags.IN_HEADING,
    "in_list": tags.IN_LIST,
    "in_table": tags.IN_TABLE,
    "in_figure": tags.IN_FIGURE,
    "in_quote": tags.IN_QUOTE,
    "in_control": tags.IN_CONTROL,
    "hidden": tags.HIDDEN,
}
LANDMARKS = tuple(FLAGS)
_BITS = np.array(list(FLAGS.values()), np.intc)


def landmarks(batch: Batch, out: Matrix) -> None:
    """1 for each landmark, role or reason to be hidden that holds for the block."""
    sequence.flags_set(batch.blocks.flags, _BITS, out)


RATIOS = ("tag_ratio", "tag_ratio.around", "tag_ratio.change")


def ratios(batch: Batch, out: Matrix) -> None:
    """Characters over tags (CETR): of the block, the mean around it, the change that follows.

    The tags are counted as in `tamis.methods._shared.ratios.tag_ratios`. Around are three blocks on
    either side and the block; the change is from the block to the mean of the next three. CETR
    smooths with a Gaussian; for a tree a mean tells as much and is cheaper.
    """
    blocks = batch.blocks
    room = np.empty(len(batch))
    sequence.tag_ratios(
        batch.first_block, blocks.chars, batch.texts.tags, blocks.end_text, room, out
    )
