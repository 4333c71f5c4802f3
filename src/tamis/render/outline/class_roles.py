"""What the class names of a page say about its structure: footnotes, callouts, lines of code ..."""

from __future__ import annotations

import re
from functools import cache

import numpy as np
import numpy.typing as npt

from tamis._runtime import limits
from tamis.page import tags
from tamis.page.arrays import Ints
from tamis.page.attributes import raw_values
from tamis.page.structure.class_names import KINDS, SAME, find_callouts, find_named
from tamis.page.table import Page
from tamis.page.tags import IN_HEADING, IN_PRE
from tamis.render.outline.events import Callout
from tamis.render.outline.footnotes import find_footnotes
from tamis.render.outline.listings import find_code_elements
from tamis.render.outline.pictures import PLAYER_ELEMENTS
from tamis.render.outline.roles import CODE, CONTAINER, IMAGE, MARK, find_tagged, find_texts
from tamis.render.outline.selection import Selection

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
