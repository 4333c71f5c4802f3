"""Which texts and which elements of a page a renderer reads."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from tamis.page import tags
from tamis.page.arrays import Flags
from tamis.page.table import Column, Page
from tamis.render import formulas, walk
from tamis.render.formulas import Formula
from tamis.render.listings import Listings

CONTAINERS = {
    "ul": "list", "ol": "list", "menu": "list", "dir": "list", "li": "item", "dl": "terms",
    "dt": "term", "dd": "details", "blockquote": "quote", "table": "table", "tr": "row",
    "td": "cell", "th": "cell", "caption": "caption", "figure": "figure", "figcaption": "caption",
}  # fmt: skip
"""Tag to kind of container."""

MARKS = {
    "b": "strong", "strong": "strong", "em": "emphasis", "i": "emphasis", "code": "code",
    "tt": "code", "kbd": "code", "samp": "code", "del": "deleted", "s": "deleted",
    "strike": "deleted", "sub": "sub", "sup": "sup", "mark": "highlight", "q": "quotation",
}  # fmt: skip
"""Tag to name of a mark."""

# What each tag means; the last number is for tags that are not in `tags.NAMES`.
_ROLES = np.zeros(len(tags.NAMES) + 1, np.uint8)
for _role, _names in (
    (walk.HEADING, tuple(f"h{level}" for level in range(1, 7))),
    (walk.CODE, ("pre", "listing", "xmp", "plaintext")),
    (walk.CONTAINER, CONTAINERS),
    (walk.TABLE_PART, ("table", "tr", "td", "th", "caption")),
    (walk.LINK, ("a",)),
    (walk.MARK, MARKS),
    (walk.IMAGE, ("img", "iframe", "input")),
    (walk.RULE, ("hr",)),
):
    _ROLES[[tags.ID[name] for name in _names]] = _role


class Selection(NamedTuple):
    """The shown texts, and the elements with a role that hold such texts or stand among them."""

    shown: Flags
    """Whether each text of the page is shown."""
    formulas: dict[int, Formula]
    """Formulas without text, by their element."""
    carriers: dict[int, Formula]
    """Formulas by the text that stands for them."""
    drawn: set[int]
    """Elements of formulas with text; a picture in them shows the same."""
    listings: Listings
    """What is known of the listings of the page."""
    texts: Column
    """The shown texts."""
    nodes: Column
    """The elements, in document order."""
    roles: Column
    """The role of each, a number of `tamis.render.walk`."""
    firsts: Column
    """Number of shown texts before each."""
    ends: Column
    """Number of shown texts before the end of each."""


def is_plain(page: Page, kept: Flags) -> bool:
    """Whether every text of the kept blocks stands for itself, as on most pages."""
    _, flags = walk.shown_texts(page, kept)
    if formulas.may_be_in(page, flags):
        return False
    if not flags & tags.IN_PRE:
        return True
    in_code = np.flatnonzero(page.texts.flags & tags.IN_PRE)
    return not Listings(page).beside_code(in_code[kept[page.texts.block[in_code]]])


def select(page: Page, kept: Flags) -> Selection:
    """Choose the texts and elements to render."""
    shown, flags = walk.shown_texts(page, kept)
    textless: dict[int, Formula] = {}
    carriers: dict[int, Formula] = {}
    drawn: set[int] = set()
    if formulas.may_be_in(page, flags):
        textless, carriers, drawn = _formulas(page, kept, shown)
    listings = Listings(page)
    if flags & tags.IN_PRE:
        in_code = np.flatnonzero(shown & (page.texts.flags & tags.IN_PRE != 0))
        shown[listings.beside_code(in_code)] = False
    columns = walk.chosen(page, shown, _ROLES, textless)
    return Selection(shown, textless, carriers, drawn, listings, *columns)


def _formulas(
    page: Page, kept: Flags, shown: Flags
) -> tuple[dict[int, Formula], dict[int, Formula], set[int]]:
    """Formulas without and with text; of the texts of a formula only the first is shown."""
    textless: dict[int, Formula] = {}
    carriers: dict[int, Formula] = {}
    drawn = set()
    for node, formula in formulas.FormulaSearch(page).run().items():
        first, end = int(page.nodes.first_text[node]), int(page.nodes.end_text[node])
        if first == end:
            textless[node] = formula
        elif kept[page.texts.block[first:end]].any() or _stands_alone(page, kept, first, end):
            shown[first:end] = False
            shown[first] = True
            carriers[first] = formula
            drawn.add(node)
    return textless, carriers, drawn


def _stands_alone(page: Page, kept: Flags, first: int, end: int) -> bool:
    """Whether a formula is a block between kept ones: it has few words, and none that score."""
    blocks, texts = page.blocks, page.texts
    block, last = int(texts.block[first]), int(texts.block[end - 1])
    if blocks.first_text[block] < first or blocks.end_text[last] > end:
        return False
    return bool(block and kept[block - 1] and last + 1 < len(kept) and kept[last + 1])
