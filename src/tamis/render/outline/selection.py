"""Which texts and which elements of a page a renderer reads."""

from __future__ import annotations

from itertools import pairwise
from typing import NamedTuple

import numpy as np

from tamis._runtime import limits
from tamis.page import tags
from tamis.page.arrays import Flags, Ints
from tamis.page.headline import find_headline, mark_titles
from tamis.page.table import Page
from tamis.render.outline import formulas, roles
from tamis.render.outline.events import Formula
from tamis.render.outline.listings import Listings

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
    (roles.HEADING, tuple(f"h{level}" for level in range(1, 7))),
    (roles.CODE, ("pre", "listing", "xmp", "plaintext")),
    (roles.CONTAINER, CONTAINERS),
    (roles.TABLE_PART, ("table", "tr", "td", "th", "caption")),
    (roles.LINK, ("a",)),
    (roles.MARK, MARKS),
    (roles.IMAGE, ("img", "iframe", "input")),
    (roles.RULE, ("hr",)),
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
    texts: Ints
    """The shown texts."""
    nodes: Ints
    """The elements, in document order."""
    roles: Ints
    """The role of each, a number of `tamis.render.outline.roles`."""
    firsts: Ints
    """Number of shown texts before each."""
    ends: Ints
    """Number of shown texts before the end of each."""


def is_plain(page: Page, kept: Flags) -> bool:
    """Whether every text of the kept blocks stands for itself, as on most pages."""
    _, flags = roles.find_shown_texts(page, kept)
    if formulas.may_need_search(page, flags):
        return False
    if not flags & tags.IN_PRE:
        return True
    in_code = np.flatnonzero(page.texts.flags & tags.IN_PRE)
    return not Listings(page).find_beside_code(in_code[kept[page.texts.block[in_code]]])


def select(page: Page, kept: Flags) -> Selection:
    """Choose the texts and elements to render."""
    shown, flags = roles.find_shown_texts(page, kept)
    textless: dict[int, Formula] = {}
    carriers: dict[int, Formula] = {}
    drawn: set[int] = set()
    if formulas.may_need_search(page, flags):
        textless, carriers, drawn = _find_formulas(page, kept, shown)
    listings = Listings(page)
    if flags & tags.IN_PRE:
        in_code = np.flatnonzero(shown & (page.texts.flags & tags.IN_PRE != 0))
        shown[listings.find_beside_code(in_code)] = False
    columns = roles.choose_elements(page, shown, _ROLES, textless)
    return Selection(shown, textless, carriers, drawn, listings, *columns)


def _find_formulas(
    page: Page, kept: Flags, shown: Flags
) -> tuple[dict[int, Formula], dict[int, Formula], set[int]]:
    """Formulas without and with text; of the texts of a formula only the first is shown."""
    textless: dict[int, Formula] = {}
    carriers: dict[int, Formula] = {}
    drawn = set()
    for node, formula in formulas.FormulaSearch(page).find().items():
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


def split_title(page: Page, kept: Flags, url: str | None) -> tuple[str, Flags]:
    """The title, and the kept blocks without those that say it; no title if nothing is kept."""
    if not kept.any():
        return "", kept
    return " ".join(find_headline(page, url).title.split()), kept & ~mark_titles(page, url)


_FIGCAPTION, _FIGURE, _IMG = (tags.ID[name] for name in ("figcaption", "figure", "img"))
_MOST_WORDS = 100


def add_captions(page: Page, kept: Flags) -> Flags:
    """Keep the captions of the figures that stand between kept blocks, too."""
    captions = np.flatnonzero(page.nodes.tag == _FIGCAPTION).tolist()
    if not captions:
        return kept
    pictures = np.cumsum(page.nodes.tag == _IMG)
    dropped = [
        blocks
        for node in limits.check_each(captions)
        if (blocks := _find_caption(page, node, pictures)) and not kept[slice(*blocks)].any()
    ]
    if not dropped:
        return kept
    with_them = kept.copy()
    # Runs of figures, between what is before and after them.
    starts = [0, *(n for n, (a, b) in enumerate(pairwise(dropped), 1) if a[1] < b[0]), len(dropped)]
    for start, end in pairwise(starts):
        first, after = dropped[start][0], dropped[end - 1][1]
        if first > 0 and after < len(kept) and kept[first - 1] and kept[after]:
            with_them[first:after] = page.blocks.flags[first:after] & tags.HIDDEN == 0
    return with_them


def _find_caption(page: Page, node: int, pictures: Ints) -> tuple[int, int] | None:
    """The blocks of a caption; None if it shares them, is long, or has no picture."""
    nodes, texts = page.nodes, page.texts
    first, end = int(nodes.first_text[node]), int(nodes.end_text[node])
    figure = int(nodes.parent[node])
    if first == end or figure < 0 or nodes.tag[figure] != _FIGURE:
        return None
    if pictures[nodes.last[figure]] == pictures[figure]:
        return None
    blocks = int(texts.block[first]), int(texts.block[end - 1]) + 1
    of_others = (
        page.blocks.first_text[blocks[0]] < first or page.blocks.end_text[blocks[1] - 1] > end
    )
    return None if of_others or page.blocks.words[slice(*blocks)].sum() > _MOST_WORDS else blocks
