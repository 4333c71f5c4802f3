"""Which texts and which elements of a page a renderer reads, by their tags and their classes."""

from __future__ import annotations

import re
from functools import cache
from itertools import pairwise
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from tamis._runtime import limits
from tamis.page import tags
from tamis.page.arrays import Flags, Ints
from tamis.page.attributes import raw_values
from tamis.page.headline import find_headline, mark_titles
from tamis.page.structure.class_names import KINDS, SAME, find_callouts, find_named
from tamis.page.table import Page
from tamis.page.tags import IN_HEADING, IN_PRE
from tamis.render.outline import formulas, roles
from tamis.render.outline.events import Callout, Formula
from tamis.render.outline.footnotes import find_footnotes
from tamis.render.outline.listings import Listings, find_code_elements
from tamis.render.outline.pictures import PLAYER_ELEMENTS
from tamis.render.outline.roles import CODE, CONTAINER, IMAGE, MARK, find_tagged, find_texts

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
    if not flags & IN_PRE:
        return True
    in_code = np.flatnonzero(page.texts.flags & IN_PRE)
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
    if flags & IN_PRE:
        in_code = np.flatnonzero(shown & (page.texts.flags & IN_PRE != 0))
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


# What the class names of a page say about its structure: footnotes, callouts, lines of code ...

_HEADING_LINK = re.compile(
    r"(?P<edit>editsection)|(?:^|[\s_-])(?:header-?link|header-?anchor|perma-?link|hash-?link"
    r"|heading-?anchor|anchor-?link)(?:$|[\s_-])"
)
_WORD = re.compile(r"\w")
# Texts of a link to a heading: "[", "edit", "]".
_MOST_TEXTS = 8
_TITLE = re.compile(r"title|heading|header|summary|label", re.IGNORECASE)
_DETAILS = tags.ID["details"]
_TITLE_TAGS = frozenset(tags.ID[name] for name in ("summary", "h2", "h3", "h4", "h5", "h6"))
# Elements at the beginning of a callout among which its title is.
_NEAR = 12


class ClassRoles:
    """What elements are by their class names."""

    def __init__(
        self, page: Page, chosen: Selection, fragments: dict[int, str], raised: list[int]
    ) -> None:
        self.page = page
        self.chosen = chosen
        names = find_named(page, chosen.texts)
        self.notes = find_footnotes(page, fragments, raised, names["note"], chosen.shown)
        self.lines = find_code_elements(page, names["line"])
        self.callouts = _find_callouts(page, names["callout"], chosen.texts)
        self.languages: dict[int, str] = {}
        """What a text beside a listing says of its language."""
        if self.callouts and self.notes.references:
            self._leave_out_notes()
        self.notes.back |= _find_heading_links(page, names["heading link"])
        self.notes.labels.update(*self.lines.values(), *self._find_tabs())
        self._find_labels()

    def add_to_chosen(self) -> tuple[Ints, Ints, Ints, Ints]:
        """The elements to render: those with a role by their tag or their class.

        The columns are as in `Selection`: nodes, roles, firsts, ends.
        """
        players = [node for name in PLAYER_ELEMENTS for node in find_tagged(self.page, name)]
        notes, chosen, nodes = self.notes, self.chosen, self.page.nodes
        wanted = dict.fromkeys(notes.references, MARK) | dict.fromkeys(players, IMAGE)
        wanted |= dict.fromkeys((*self.callouts, *notes.notes, *notes.margin), CONTAINER)
        wanted |= dict.fromkeys(self.lines, CODE)
        if not wanted:
            return chosen.nodes, chosen.roles, chosen.firsts, chosen.ends
        chosen.roles[np.isin(chosen.nodes, list(self.lines))] = CODE
        new = np.setdiff1d(np.array(sorted(wanted), np.intc), chosen.nodes)
        firsts = np.searchsorted(chosen.texts, nodes.first_text[new])
        ends = np.searchsorted(chosen.texts, nodes.end_text[new])
        # A player stands between texts, others have some.
        here = (ends > firsts) | ((firsts > 0) & (firsts < len(chosen.texts)))
        new, firsts, ends = new[here], firsts[here], ends[here]
        places = np.searchsorted(chosen.nodes, new)

        def insert(column: Ints, values: npt.ArrayLike) -> Ints:
            return np.insert(column, places, values).astype(np.intc)

        return (
            insert(chosen.nodes, new),
            insert(chosen.roles, [wanted[node] for node in new.tolist()]),
            insert(chosen.firsts, firsts),
            insert(chosen.ends, ends),
        )

    def _leave_out_notes(self) -> None:
        """Drop the callouts that are footnotes, which may be called notes, too."""
        blocks = [int(self.page.blocks.node[block]) for block in self.notes.blocks]
        notes = np.array(sorted([*self.notes.notes, *self.notes.margin, *blocks]), np.intp)
        for node in list(self.callouts):
            place = int(np.searchsorted(notes, node))
            if place < len(notes) and notes[place] <= self.page.nodes.last[node]:
                del self.callouts[node]

    def _find_tabs(self) -> list[range]:
        """The texts of tabs, which say nothing where all that they show is written."""
        nodes = self.page.nodes
        return [
            find_texts(nodes, node)
            for node, role in raw_values(self.page, "role")
            if role == "tab" and not nodes.flags[node] & IN_HEADING
        ]

    def _find_labels(self) -> None:
        """Find the texts beside listings that name their language, and icons of callouts."""
        nodes, texts, labels = self.page.nodes, self.page.texts, self.notes.labels
        listings = self.chosen.nodes[self.chosen.roles == CODE].tolist()
        for node in limits.check_each((*listings, *self.lines)):
            before = int(nodes.first_text[node]) - 1
            while before in labels:
                before -= 1
            for text in (before, int(nodes.end_text[node])):
                if 0 <= text < len(texts) and not texts.flags[text] & IN_PRE:
                    label = self.chosen.listings.read_label(node, text)
                    if label:
                        labels.add(text)
                        self.languages.setdefault(node, label.strip())
        for node, callout in self.callouts.items():
            block = int(texts.block[nodes.first_text[node]])
            if callout.kind and not _WORD.search(self.page.block_text(block)):
                labels.update(find_texts(self.page.blocks, block))


def _find_heading_links(page: Page, named: list[tuple[int, str]]) -> set[int]:
    """Texts of links to edit a section, and of links to the place where they stand."""
    flags = page.texts.flags
    texts = set()
    search = cache(_HEADING_LINK.search)
    for node, names in named:
        match = search(names)
        if match:
            for text in find_texts(page.nodes, node)[:_MOST_TEXTS]:
                in_heading = flags[text] & IN_HEADING
                if match["edit"] or in_heading or not _WORD.search(page.text(text)):
                    texts.add(text)
    return texts


def _find_callouts(page: Page, named: list[tuple[int, str]], texts: Ints) -> dict[int, Callout]:
    """Find the callouts; `named` have such classes, `texts` are the shown ones."""
    callouts: dict[int, Callout] = {}
    for node, kind in limits.check_each(find_callouts(page, named).items(), 100):
        inside = find_texts(page.nodes, node)
        first, end = np.searchsorted(texts, (inside.start, inside.stop))
        if first < end:
            callouts[node] = _read_callout(page, node, kind, texts[first:end])
    return callouts


def _read_callout(page: Page, node: int, kind: str, texts: Ints) -> Callout:
    attributes = page.attributes(node)
    declared = attributes.get("data-callout", "").lower()
    kind = declared if re.fullmatch(r"[a-z][a-z-]{0,30}", declared) else kind
    names = attributes.get("class", "").split()
    fold = attributes.get("data-callout-fold", "") or ("-" if "is-collapsed" in names else "")
    if page.nodes.tag[node] == _DETAILS:
        fold = "+" if "open" in attributes else "-"
    return Callout(kind, fold if fold in ("-", "+") else "", _is_titled(page, node, kind, texts))


def _is_titled(page: Page, node: int, kind: str, texts: Ints) -> bool:
    """Whether the first block of a callout is its title: it is named so, or says its kind."""
    for attempt in range(2):
        block = int(page.texts.block[texts[0]])
        after = int(np.searchsorted(texts, page.blocks.end_text[block]))
        if after == len(texts):
            return False
        word = page.block_text(block).strip(" :.!\xa0").casefold()
        if attempt or _WORD.search(word):
            break
        texts = texts[after:]  # an icon, and what follows may be the title
    if word in KINDS and (word == kind or SAME.get(word, word) == kind):
        return True
    nodes = page.nodes
    for inner in range(node + 1, min(int(nodes.last[node]), node + _NEAR) + 1):
        if nodes.first_text[inner] > texts[0] or nodes.end_text[inner] > texts[after]:
            continue
        if nodes.end_text[inner] <= texts[after - 1]:
            continue
        is_named = _TITLE.search(page.attribute(inner, "class") or "")
        if is_named or int(nodes.tag[inner]) in _TITLE_TAGS:
            return True
    return False
