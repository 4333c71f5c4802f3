"""Footnotes: marks in the text that link to notes further down."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from tamis.page import tags
from tamis.page.table import Page

Flags = npt.NDArray[np.bool_]


class Note(NamedTuple):
    """A footnote: what its mark says, and the name of the place that the mark links to."""

    label: str
    name: str
    mark: int = -1
    """The element of the mark: two marks of the same note are not one."""


@dataclass(slots=True)
class Footnotes:
    """What is a mark, what is a note, and what only leads back."""

    marks: dict[int, Note] = field(default_factory=dict)
    """Link that is the mark of a note."""
    notes: dict[int, Note] = field(default_factory=dict)
    """List item or other element that holds a note."""
    blocks: dict[int, Note] = field(default_factory=dict)
    """Block that is a note."""
    labels: set[int] = field(default_factory=set)
    """Texts of notes that repeat the label."""
    back: set[int] = field(default_factory=set)
    """Texts without a word that lead from a note back to its mark."""


_MARK = re.compile(r"[\[(]?\s*(?:\w{1,3}|[*†‡§¶]{1,3})\s*[\])]?")
_NAMES = r"(?:_?ftn|_?edn|ftnt|fn|foot-?notes?|end-?notes?|cite_note|note|sdfootnote)"
_NOTE_NAME = re.compile(rf"(?:^|[^a-z]){_NAMES}(?![a-z])", re.IGNORECASE)
_NUMBERED_NAME = re.compile(rf"{_NAMES}[-_:.]?(\d{{1,3}})", re.IGNORECASE)
_BACK_NAME = re.compile(r"^_?(?:ftn|edn|ftnt|fn|cite|footnote)[-_:]?ref|back|return", re.IGNORECASE)
_BACK_SIGNS = re.compile(r"[\s^↩↑⤴⏎⬆↵\ufe0e\ufe0f]+")
_WORD = re.compile(r"\w")
_HOLDERS = frozenset(tags.ID[name] for name in ("div", "aside", "section", "dd"))
_SUP, _ITEM = tags.ID["sup"], tags.ID["li"]
_LEVELS = 4
# Of the text of a mark: "[12]".
_MOST_TEXTS, _MOST_CHARACTERS = 4, 8


def may_lead_back(fragment: str) -> bool:
    """Whether a place is named like the mark of a footnote."""
    return bool(_BACK_NAME.search(fragment))


def footnotes(page: Page, fragments: dict[int, str], raised: list[int], shown: Flags) -> Footnotes:
    """The footnotes of a page.

    `fragments` are links to places in the page itself, with the names of the places; `raised` the
    `sup` elements and those in bold type. Marks that are no links count if each of them has a note.
    """
    notes = Footnotes()
    candidates = []
    for link, fragment in fragments.items():
        text = _short_text(page, link)
        if _BACK_SIGNS.fullmatch(text):
            notes.back.update(_texts(page, link))
        elif _MARK.fullmatch(text) and _is_mark(page, link, fragment):
            candidates.append((link, Note(text.strip("[]() \xa0"), fragment)))
    if candidates:
        targets = _targets(page, {note.name for _, note in candidates})
        backs = {_BACK_NAME.sub("", name): link for link, name in fragments.items()}
        for link, note in candidates:
            target = targets.get(note.name, -1)
            if target < 0 and _NOTE_NAME.search(note.name):
                target = backs.get(_NOTE_NAME.sub("", note.name), -1)
            if target > link:
                _add(page, notes, link, target, note, shown)
    if raised and not notes.marks:
        _add_unlinked(page, notes, raised, shown)
    return notes


def _short_text(page: Page, link: int) -> str:
    """The text of a link, empty if it is too long for a mark."""
    texts = _texts(page, link)
    if len(texts) > _MOST_TEXTS or page.texts.chars[texts.start] > _MOST_CHARACTERS:
        return ""
    return page.node_text(link).strip()


def _targets(page: Page, fragments: set[str]) -> dict[str, int]:
    """The elements whose id or name is one of the fragments."""
    found: dict[str, int] = {}
    for value, node in _named(page):
        if value in fragments:
            found.setdefault(value, node)
    return found


def _named(page: Page) -> Iterator[tuple[str, int]]:
    """Ids and names of elements, in document order."""
    names = page.attribute_rows[0]
    rows = np.flatnonzero((names == tags.ATTRIBUTE_ID["id"]) | (names == tags.ATTRIBUTE_ID["name"]))
    owner = np.searchsorted(page.nodes.attributes, rows, side="right") - 1
    starts, ends = page.attribute_rows[1, rows].tolist(), page.attribute_rows[2, rows].tolist()
    for node, start, end in zip(owner.tolist(), starts, ends, strict=True):
        yield page.source[start:end].decode("utf-8", "replace"), node


def _is_mark(page: Page, link: int, fragment: str) -> bool:
    """Whether a short link down the page is a mark: raised, or named as one."""
    if _NOTE_NAME.search(fragment):
        return True
    near = [link, int(page.nodes.parent[link])]
    if page.nodes.last[link] > link:
        near.append(link + 1)
    return any(
        page.nodes.tag[node] == _SUP or "footnote" in (page.attribute(node, "class") or "")
        for node in near
    )


def _add(page: Page, notes: Footnotes, mark: int, target: int, note: Note, shown: Flags) -> None:
    """A mark and the note at its target, if that is kept."""
    first = int(page.nodes.first_text[target])
    if first >= len(page.texts) or not shown[first]:
        return
    block = int(page.texts.block[first])
    if not _WORD.search(note.label):
        note = Note(str(len(notes.marks) + 1), note.name)
    holder = _holder(page, target, first)
    places = notes.notes if holder >= 0 else notes.blocks
    if places.setdefault(holder if holder >= 0 else block, note) != note:
        return
    notes.marks[mark] = note._replace(mark=mark)
    if page.text(first).strip("[]().: \xa0") == note.label:
        notes.labels.add(first)


def _holder(page: Page, target: int, first: int) -> int:
    """The element that holds the note: a list item that begins there, or the target; else -1."""
    nodes = page.nodes
    node = target
    for _ in range(_LEVELS):
        if node < 0 or nodes.first_text[node] != first:
            break
        if nodes.tag[node] == _ITEM:
            return node
        node = int(nodes.parent[node])
    one_block = page.texts.block[nodes.end_text[target] - 1] == page.texts.block[first]
    return target if int(nodes.tag[target]) in _HOLDERS and not one_block else -1


def _add_unlinked(page: Page, notes: Footnotes, raised: list[int], shown: Flags) -> None:
    """Raised numbers that are no links, if the page has a note for each."""
    marks: dict[int, str] = {}
    found: dict[str, int] = {}
    for node in raised:
        first = int(page.nodes.first_text[node])
        number = page.text(first)
        if page.nodes.end_text[node] == first + 1 and number.isdecimal() and len(number) < 4:
            if first == page.blocks.first_text[page.texts.block[first]]:
                found.setdefault(number, node)
            elif page.nodes.tag[node] == _SUP and not page.text(first - 1)[-1:].isdigit():
                marks[node] = number
    if not marks:
        return
    for name, node in _named(page):
        match = _NUMBERED_NAME.fullmatch(name)
        if match:
            found.setdefault(match[1], node)
    if all(found.get(number, -1) > node for node, number in marks.items()):
        for node, number in marks.items():
            _add(page, notes, node, found[number], Note(number, "fn-" + number), shown)


def _texts(page: Page, node: int) -> range:
    return range(int(page.nodes.first_text[node]), int(page.nodes.end_text[node]))
