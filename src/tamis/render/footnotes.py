"""Footnotes: references in the text that link to notes further down."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import cache, partial
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from tamis import limits
from tamis.page import tags
from tamis.page.attributes import raw_values
from tamis.page.table import Page

Flags = npt.NDArray[np.bool_]


class Note(NamedTuple):
    """A footnote: the text of its reference, and the name of the place that this links to."""

    label: str
    name: str
    reference: int = -1
    """The element of the reference: two references to the same note stay two."""


@dataclass(slots=True)
class Footnotes:
    """What is a reference, what is a note, and what only leads back."""

    references: dict[int, Note] = field(default_factory=dict)
    """Link that is the reference to a note."""
    notes: dict[int, Note] = field(default_factory=dict)
    """List item or other element that holds a note."""
    blocks: dict[int, Note] = field(default_factory=dict)
    """Block that is a note."""
    labels: set[int] = field(default_factory=set)
    """Texts of notes that repeat the label."""
    back: set[int] = field(default_factory=set)
    """Texts without a word that lead from a note back to its reference."""


_REFERENCE = re.compile(r"[\[(]?\s*(?:\w{1,3}|[*†‡§¶]{1,3})\s*[\])]?")
_NAMES = r"(?:_?ftn|_?edn|ftnt|fn|foot-?notes?|end-?notes?|cite_note|note|sdfootnote)"
_NOTE_NAME = re.compile(rf"(?:^|[^a-z]){_NAMES}(?![a-z])", re.IGNORECASE)
_NUMBERED_NAME = re.compile(rf"{_NAMES}[-_:.]?(\d{{1,3}})", re.IGNORECASE)
_BACK_NAME = re.compile(r"^_?(?:ftn|edn|ftnt|fn|cite|footnote)[-_:]?ref|back|return", re.IGNORECASE)
_BACK_SIGNS = re.compile(r"[\s^↩↑⤴⏎⬆↵\ufe0e\ufe0f]+")
_WORD = re.compile(r"\w")
_HOLDERS = frozenset(tags.ID[name] for name in ("div", "aside", "section", "dd"))
_SUP, _ITEM = tags.ID["sup"], tags.ID["li"]
_LEVELS = 4
# Of the text of a reference: "[12]".
_MOST_TEXTS, _MOST_CHARACTERS = 4, 8


def may_lead_back(fragment: str) -> bool:
    """Whether a place is named like the reference to a footnote."""
    lower = fragment.lower()
    if "ref" not in lower and "back" not in lower and "return" not in lower:
        return False  # as with most, in a tenth of the time
    return bool(_BACK_NAME.search(fragment))


def footnotes(page: Page, fragments: dict[int, str], raised: list[int], shown: Flags) -> Footnotes:
    """The footnotes of a page.

    `fragments` are links to places in the page itself, with the names of the places; `raised` the
    `sup` elements and those in bold type. References that are not links count if each has a note.
    """
    search = _NoteSearch(page, shown)
    search.linked(fragments)
    if raised and not search.notes.references:
        search.unlinked(raised)
    return search.notes


class _NoteSearch:
    """One search for footnotes; each text and each element is read once."""

    def __init__(self, page: Page, shown: Flags) -> None:
        self.page = page
        self.shown = shown
        self.notes = Footnotes()
        self.text = cache(page.text)
        self.is_raised = cache(partial(_is_raised, page))
        self.link_texts: dict[tuple[range, int], str] = {}

    def linked(self, fragments: dict[int, str]) -> None:
        """References that are links to their notes."""
        candidates = []
        for link, fragment in limits.checked(fragments.items()):
            texts = self._texts(link)
            text = self._short_text(link, texts)
            if not text:
                continue
            if _BACK_SIGNS.fullmatch(text):
                self.notes.back.update(texts)
            elif _REFERENCE.fullmatch(text) and self._is_reference(link, fragment):
                candidates.append((link, Note(text.strip("[]() \xa0"), fragment)))
        if not candidates:
            return
        wanted = {note.name for _, note in candidates}
        targets: dict[str, int] = {}
        for node, name in raw_values(self.page, "id", "name"):
            if name in wanted:
                targets.setdefault(name, node)
        backs = {_BACK_NAME.sub("", name): link for link, name in fragments.items()}
        for link, note in limits.checked(candidates):
            target = targets.get(note.name, -1)
            if target < 0 and _NOTE_NAME.search(note.name):
                target = backs.get(_NOTE_NAME.sub("", note.name), -1)
            if target > link:
                self._add(link, target, note)

    def unlinked(self, raised: list[int]) -> None:
        """Raised numbers that are not links, if the page has a note for each."""
        page = self.page
        references: dict[int, tuple[int, str]] = {}
        targets: dict[str, int] = {}
        for node in limits.checked(raised):
            texts = self._texts(node)
            first = texts.start
            number = self.text(first) if len(texts) == 1 else ""
            if len(number) < 4 and number.isdecimal():
                if first == page.blocks.first_text[page.texts.block[first]]:
                    targets.setdefault(number, node)
                elif page.nodes.tag[node] == _SUP and not self.text(first - 1)[-1:].isdigit():
                    # Of several around one text the outermost is the reference.
                    references.setdefault(first, (node, number))
        if not references:
            return
        for node, name in raw_values(page, "id", "name"):
            match = _NUMBERED_NAME.fullmatch(name) if name[-1:].isdigit() else None
            if match:
                targets.setdefault(match[1], node)
        if all(targets.get(number, -1) > node for node, number in references.values()):
            for node, number in references.values():
                self._add(node, targets[number], Note(number, "fn-" + number))

    def _texts(self, node: int) -> range:
        nodes = self.page.nodes
        return range(int(nodes.first_text[node]), int(nodes.end_text[node]))

    def _short_text(self, link: int, texts: range) -> str:
        """The text of a link, empty if it is too long for a reference."""
        if len(texts) > _MOST_TEXTS or self.page.texts.chars[texts.start] > _MOST_CHARACTERS:
            return ""
        # Links inside one another have the same text.
        key = (texts, int(self.page.nodes.flags[link]) & tags.HIDDEN)
        if key not in self.link_texts:
            self.link_texts[key] = self.page.node_text(link).strip()
        return self.link_texts[key]

    def _is_reference(self, link: int, fragment: str) -> bool:
        """Whether a short link down the page is a reference: raised, or named as such."""
        if _NOTE_NAME.search(fragment):
            return True
        near = [link, int(self.page.nodes.parent[link])]
        if self.page.nodes.last[link] > link:
            near.append(link + 1)
        return any(map(self.is_raised, near))

    def _add(self, reference: int, target: int, note: Note) -> None:
        """A reference and the note at its target, if that is kept."""
        page, notes = self.page, self.notes
        first = int(page.nodes.first_text[target])
        if first >= len(page.texts) or not self.shown[first]:
            return
        if not _WORD.search(note.label):
            note = Note(str(len(notes.references) + 1), note.name)
        holder = self._holder(target, first)
        places = notes.notes if holder >= 0 else notes.blocks
        place = holder if holder >= 0 else int(page.texts.block[first])
        if places.setdefault(place, note) != note:
            return
        notes.references[reference] = note._replace(reference=reference)
        if self.text(first).strip("[]().: \xa0") == note.label:
            notes.labels.add(first)

    def _holder(self, target: int, first: int) -> int:
        """The element that holds the note: an item that begins there, or the target; else -1."""
        nodes, block = self.page.nodes, self.page.texts.block
        node = target
        for _ in range(_LEVELS):
            if node < 0 or nodes.first_text[node] != first:
                break
            if nodes.tag[node] == _ITEM:
                return node
            node = int(nodes.parent[node])
        one_block = block[nodes.end_text[target] - 1] == block[first]
        return target if int(nodes.tag[target]) in _HOLDERS and not one_block else -1


def _is_raised(page: Page, node: int) -> bool:
    named = "footnote" in (page.attribute(node, "class") or "")
    return named or bool(page.nodes.tag[node] == _SUP)
