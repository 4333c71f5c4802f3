"""What the class names of a page say about its structure: footnotes, callouts, lines of code ..."""

from __future__ import annotations

import re
from functools import cache
from typing import NamedTuple

import numpy as np

from tamis._runtime import limits
from tamis.page.attributes import raw_values
from tamis.page.class_names import find_named
from tamis.page.table import Column, Page
from tamis.page.tags import IN_HEADING, IN_PRE
from tamis.render.callouts import callouts
from tamis.render.embeds import ELEMENTS
from tamis.render.footnotes import footnotes
from tamis.render.lines import code_elements
from tamis.render.selection import Selection
from tamis.render.walk import CODE, CONTAINER, IMAGE, MARK

_HEADING_LINK = re.compile(
    r"(?P<edit>editsection)|(?:^|[\s_-])(?:header-?link|header-?anchor|perma-?link|hash-?link"
    r"|heading-?anchor|anchor-?link)(?:$|[\s_-])"
)
_WORD = re.compile(r"\w")
# Texts of a link to a heading: "[", "edit", "]".
_MOST_TEXTS = 8


class Rows(NamedTuple):
    """The elements to render, with those that have a role by their name."""

    columns: tuple[Column, Column, Column, Column]
    """As in `Selection`: nodes, roles, firsts, ends."""
    places: list[int]
    """Before which of the others each new one stands."""


class Named:
    """What elements are by their names."""

    def __init__(
        self, page: Page, chosen: Selection, fragments: dict[int, str], raised: list[int]
    ) -> None:
        self.page = page
        self.chosen = chosen
        names = find_named(page, chosen.texts)
        self.notes = footnotes(page, fragments, raised, names["note"], chosen.shown)
        self.lines = code_elements(page, names["line"])
        self.callouts = callouts(page, names["callout"], chosen.texts)
        self.languages: dict[int, str] = {}
        """What a text beside a listing says of its language."""
        if self.callouts and self.notes.references:
            self._leave_out_notes()
        self.notes.back |= _links_of_headings(page, names["heading link"])
        self.notes.labels.update(*self.lines.values(), self._tabs())
        self._find_labels()

    def rows(self) -> Rows | None:
        """The elements to render; None if all of them have a role by their tag."""
        players = [node for name in ELEMENTS for node in self._tagged(name)]
        notes = self.notes
        wanted = dict.fromkeys(notes.references, MARK) | dict.fromkeys(players, IMAGE)
        wanted |= dict.fromkeys((*self.callouts, *notes.notes, *notes.margin), CONTAINER)
        wanted |= dict.fromkeys(self.lines, CODE)
        if not wanted:
            return None
        chosen, nodes = self.chosen, self.page.nodes
        known = np.isin(chosen.nodes, list(self.lines))
        chosen.roles[known] = CODE
        new = np.setdiff1d(np.array(sorted(wanted), np.intc), chosen.nodes)
        firsts, ends = (
            np.searchsorted(chosen.texts, column[new])
            for column in (nodes.first_text, nodes.end_text)
        )
        # A player stands between texts, others have some.
        here = (ends > firsts) | ((firsts > 0) & (firsts < len(chosen.texts)))
        new, firsts, ends = new[here], firsts[here], ends[here]
        places = np.searchsorted(chosen.nodes, new)
        roles = [wanted[node] for node in new.tolist()]
        columns = (
            (chosen.nodes, new), (chosen.roles, roles), (chosen.firsts, firsts), (chosen.ends, ends)
        )  # fmt: skip
        nodes_, roles_, firsts_, ends_ = (
            np.insert(column, places, values).astype(np.intc) for column, values in columns
        )
        return Rows((nodes_, roles_, firsts_, ends_), places.tolist())

    def _tagged(self, name: bytes) -> list[int]:
        number = self.page.own_names.get(name, -1)
        if number < 0:
            return []
        tagged: list[int] = np.flatnonzero(self.page.nodes.tag == number).tolist()
        return tagged

    def _leave_out_notes(self) -> None:
        """A footnote may be called a note, too; it is no callout."""
        blocks = [int(self.page.blocks.node[block]) for block in self.notes.blocks]
        notes = np.array(sorted([*self.notes.notes, *self.notes.margin, *blocks]), np.intp)
        for node in list(self.callouts):
            place = int(np.searchsorted(notes, node))
            if place < len(notes) and notes[place] <= self.page.nodes.last[node]:
                del self.callouts[node]

    def _tabs(self) -> set[int]:
        """The texts of tabs, which say nothing where all that they show is written."""
        texts: set[int] = set()
        nodes = self.page.nodes
        for node, role in raw_values(self.page, "role"):
            if role == "tab" and not nodes.flags[node] & IN_HEADING:
                texts.update(range(int(nodes.first_text[node]), int(nodes.end_text[node])))
        return texts

    def _find_labels(self) -> None:
        """The texts beside listings that name their language, and icons of callouts."""
        nodes, blocks, labels = self.page.nodes, self.page.blocks, self.notes.labels
        listings = self.chosen.nodes[self.chosen.roles == CODE].tolist()
        for node in limits.checked((*listings, *self.lines)):
            before = int(nodes.first_text[node]) - 1
            while before in labels:
                before -= 1
            for text in (before, int(nodes.end_text[node])):
                self._add_label(node, text)
        for node, callout in self.callouts.items():
            if not callout.kind:
                continue
            block = int(self.page.texts.block[nodes.first_text[node]])
            if not _WORD.search(self.page.block_text(block)):
                labels.update(range(int(blocks.first_text[block]), int(blocks.end_text[block])))

    def _add_label(self, node: int, text: int) -> None:
        texts = self.page.texts
        if 0 <= text < len(texts) and not texts.flags[text] & IN_PRE:
            label = self.chosen.listings.label(node, text)
            if label:
                self.notes.labels.add(text)
                self.languages.setdefault(node, label.strip())


def _links_of_headings(page: Page, named: list[tuple[int, str]]) -> set[int]:
    """Texts of links to edit a section, and of links to the place where they stand."""
    nodes, flags = page.nodes, page.texts.flags
    texts = set()
    search = cache(_HEADING_LINK.search)
    for node, names in named:
        match = search(names)
        if match:
            first = int(nodes.first_text[node])
            for text in range(first, min(int(nodes.end_text[node]), first + _MOST_TEXTS)):
                in_heading = flags[text] & IN_HEADING
                if match["edit"] or in_heading or not _WORD.search(page.text(text)):
                    texts.add(text)
    return texts
