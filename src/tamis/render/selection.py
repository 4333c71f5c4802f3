"""Which texts and which elements of a page a renderer has to look at."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from tamis.page import tags
from tamis.page.table import Page
from tamis.render import formulas, listings, pictures, tables
from tamis.render.formulas import Formula

Flags = npt.NDArray[np.bool_]
Rows = npt.NDArray[np.intp]

HEADING, CODE, CONTAINER, LINK, MARK, IMAGE, RULE, FORMULA = range(1, 9)
"""What an element means in a document."""

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

_HEADINGS = tuple(f"h{level}" for level in range(1, 7))
_LISTINGS = ("pre", "listing", "xmp", "plaintext")


def _table(groups: dict[int, tuple[str, ...]]) -> npt.NDArray[np.uint8]:
    """A number for each tag; the last is for tags that are not in `tags.NAMES`."""
    numbers = np.zeros(len(tags.NAMES) + 1, np.uint8)
    for number, names in groups.items():
        numbers[[tags.ID[name] for name in names]] = number
    return numbers


_ROLES = _table(
    {
        HEADING: _HEADINGS,
        CODE: _LISTINGS,
        CONTAINER: tuple(CONTAINERS),
        LINK: ("a",),
        MARK: tuple(MARKS),
        IMAGE: ("img",),
        RULE: ("hr",),
    }
)
_TABLE_PARTS = _table({1: ("table", "tr", "td", "th", "caption")})


@dataclass(frozen=True, slots=True)
class Selection:
    """The shown texts, and the elements that mean something and have one or stand among them."""

    shown: Flags
    """Whether each text of the page is shown."""
    formulas: dict[int, Formula]
    """Formulas without text, by their element."""
    carriers: dict[int, Formula]
    """Formulas by the text that stands for them."""
    nodes: Rows
    """The elements, in document order."""
    roles: list[int]
    """What each means."""
    firsts: list[int]
    """Number of shown texts before each."""
    ends: list[int]
    """Number of shown texts before the end of each."""


def is_plain(page: Page, kept: Flags) -> bool:
    """Whether every text of the kept blocks stands for itself, as on most pages."""
    if formulas.may_be_in(page, kept):
        return False
    in_code = np.flatnonzero(page.texts.flags & tags.IN_PRE)
    in_code = in_code[kept[page.texts.block[in_code]]]
    return not len(in_code) or not listings.beside_code(page, in_code)


def select(page: Page, kept: Flags) -> Selection:
    """Choose the texts and elements to render."""
    shown = _shown_texts(page, kept)
    found, carriers = _formulas(page, kept, shown)
    in_code = np.flatnonzero(shown & (page.texts.flags & tags.IN_PRE != 0))
    if len(in_code):
        shown[listings.beside_code(page, in_code)] = False
    nodes = page.nodes
    before = np.append(0, np.cumsum(shown))
    tag = np.minimum(nodes.tag, len(tags.NAMES))
    roles = _ROLES[tag]
    _add_headings(page, roles)
    roles[list(found)] = FORMULA
    chosen = np.flatnonzero(roles)
    used = before[nodes.end_text[chosen]] > before[nodes.first_text[chosen]]
    parts = _TABLE_PARTS[tag[chosen]] != 0
    if parts.any():
        used &= ~parts | tables.inside(tables.data_tables(page), chosen)
    empty = np.flatnonzero(roles[chosen] >= IMAGE)
    if len(empty):
        used[empty] = pictures.among_kept(page, chosen[empty], before)
    chosen = chosen[used]
    return Selection(
        shown=shown,
        formulas=found,
        carriers=carriers,
        nodes=chosen,
        roles=roles[chosen].tolist(),
        firsts=before[nodes.first_text[chosen]].tolist(),
        ends=before[nodes.end_text[chosen]].tolist(),
    )


def _shown_texts(page: Page, kept: Flags) -> Flags:
    """Whether each text is in a kept block, and not hidden unless all of the block is."""
    texts = page.texts
    shown: Flags = kept[texts.block]
    hidden = texts.flags & tags.HIDDEN != 0
    if hidden.any():
        shown &= ~hidden | (page.blocks.flags[texts.block] & tags.HIDDEN != 0)
    return shown


def _formulas(
    page: Page, kept: Flags, shown: Flags
) -> tuple[dict[int, Formula], dict[int, Formula]]:
    """Formulas without and with text; of the texts of one the first is shown and stands for all."""
    found: dict[int, Formula] = {}
    carriers: dict[int, Formula] = {}
    if not formulas.may_be_in(page, kept):
        return found, carriers
    for node, formula in formulas.formulas(page).items():
        first, end = int(page.nodes.first_text[node]), int(page.nodes.end_text[node])
        if first == end:
            found[node] = formula
        elif kept[page.texts.block[first:end]].any():
            shown[first:end] = False
            shown[first] = True
            carriers[first] = formula
    return found, carriers


def _add_headings(page: Page, roles: npt.NDArray[np.uint8]) -> None:
    """Elements that are headings by their attribute `role`, as far as they separate blocks."""
    nodes = page.nodes
    inside = np.flatnonzero((nodes.flags & tags.IN_HEADING != 0) & (roles == 0))
    if len(inside):
        for node in inside[nodes.flags[nodes.parent[inside]] & tags.IN_HEADING == 0].tolist():
            tag = int(nodes.tag[node])
            if tag < len(tags.NAMES) and tags.TRAITS[tag] & tags.BLOCK:
                roles[node] = HEADING
