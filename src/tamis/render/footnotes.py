"""Footnotes: references in the text, and the notes that they lead to.

A reference is a link, a raised number or an element that names its note. A note is further down, or
stands in the margin beside the text and in the middle of it.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from dataclasses import dataclass, field
from functools import cache, partial
from typing import NamedTuple

import numpy as np

from tamis._runtime import limits
from tamis.page import tags
from tamis.page.arrays import Flags
from tamis.page.attributes import raw_values
from tamis.page.table import Page

Named = list[tuple[int, str]]
"""Elements whose class may speak of footnotes, with the class."""


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
    """Element that is the reference to a note."""
    notes: dict[int, Note] = field(default_factory=dict)
    """List item or other element that holds a note."""
    blocks: dict[int, Note] = field(default_factory=dict)
    """Block that is a note."""
    margin: dict[int, Note] = field(default_factory=dict)
    """Element in the middle of a text that holds a note."""
    unmarked: set[int] = field(default_factory=set)
    """Those of them without a reference of their own before them."""
    labels: set[int] = field(default_factory=set)
    """Texts of notes that repeat the label, and headings of notes."""
    cuts: dict[int, int] = field(default_factory=dict)
    """How many characters of a text repeat the label."""
    back: set[int] = field(default_factory=set)
    """Texts that lead from a note back to its reference."""


_REFERENCE = re.compile(r"[\[(]?\s*(?:\w{1,3}(?::\d{1,2})?|[*†‡§¶]{1,3})\s*[\])]?")
_NAMES = r"(?:_?ftn|_?edn|ftnt|fn|foot-?notes?|end-?notes?|cite_note|note|sdfootnote)"
_NOTE_NAME = re.compile(rf"(?:^|[^a-z]){_NAMES}(?![a-z])", re.IGNORECASE)
_NUMBERED_NAME = re.compile(rf"{_NAMES}[-_:.]?(\d{{1,3}})", re.IGNORECASE)
_BACK_NAME = re.compile(r"^_?(?:ftn|edn|ftnt|fn|cite|footnote)[-_:]?ref|back|return", re.IGNORECASE)
_BACK_SIGNS = re.compile(r"[\s^↩↑⤴⏎⬆↵\ufe0e\ufe0f]+")
_SIGNS_ALONE = re.compile(r"[\s^↩↑⤴⏎⬆↵\ufe0e\ufe0f(),\[\]|]+")
_WORD = re.compile(r"\w")
_SIGNS = "[]().:^↑*†‡§¶ \xa0\t\n"
_SIGNS_ONLY = re.compile(f"[{re.escape(_SIGNS)}]*")
_BEFORE_LABEL = re.compile(r"[\s\[(^↑]*")
_AFTER_LABEL = re.compile(r"\s*[\]).:]*\s*")
_PUNCTUATED = re.compile(r"\s*[\]).:]+(?:\s|$)")
_NUMBERED_TEXT = re.compile(r"\s*[\[(]?(\d{1,3})[\]).:]\s")
# What the heading of notes says; in Markdown they go to the end, where it would be alone.
_HEADINGS = frozenset(
    "footnotes footnote notes endnotes sidenotes fußnoten anmerkungen notas sidenoter noter"
    " fotnoter voetnoten noten примечания сноски 脚注 注释 註釋 注釈 각주".split()
) | frozenset(("notes de bas de page", "notas al pie", "note a piè di pagina"))
# Class names of a reference, and of a note beside the text that it belongs to.
_NAMED_REFERENCE = re.compile(
    r"(?:foot|side|end)-?note|fna?-?ref|foot(?:ref|def|num|para)", re.IGNORECASE
)
_MARGIN = re.compile(
    r"(?:^|[\s_-])(?:side-?note|margin-?note|ltx_note_outer|footnote-?(?:content|text|body|inner)"
    r"|inline-?footnote|footnote-?inline|fn-?content|footnote_+(?:tooltip|note))(?:$|[\s_])",
    re.IGNORECASE,
)
# Attributes that are about something else than the place of a note.
_OTHER_ATTRIBUTES = frozenset(("id", "class", "href", "title", "style", "role", "name", "type"))
_HOLDERS = frozenset(tags.ID[name] for name in ("div", "aside", "section", "table"))
_ITEMS = frozenset(tags.ID[name] for name in ("li", "dd"))
_SUP, _OL, _LI, _ASIDE, _DD = (tags.ID[name] for name in ("sup", "ol", "li", "aside", "dd"))
_LEVELS = 4
# Of the text of a reference: "[12]".
_MOST_TEXTS, _MOST_CHARACTERS = 4, 8
# Of a link back: "Jump up to the text".
_LONGEST_BACK = 30


def may_lead_back(fragment: str) -> bool:
    """Whether a place is named like the reference to a footnote."""
    lower = fragment.lower()
    if "ref" not in lower and "back" not in lower and "return" not in lower:
        return False  # as with most, in a tenth of the time
    return bool(_BACK_NAME.search(fragment))


def footnotes(
    page: Page, fragments: dict[int, str], raised: list[int], named: Named, shown: Flags
) -> Footnotes:
    """The footnotes of a page.

    `fragments` are links to places in the page itself, with the names of the places; `raised` the
    `sup` elements and those in bold type; `named` elements that are called footnotes. References
    that are not links count if each has a note.
    """
    search = _NoteSearch(page, fragments, shown)
    search.linked()
    search.naming(named)
    search.in_margin(named)
    if raised and not search.notes.references:
        search.unlinked(raised)
    search.finish()
    return search.notes


class _NoteSearch:
    """One search for footnotes; each text and each element is read once."""

    def __init__(self, page: Page, fragments: dict[int, str], shown: Flags) -> None:
        self.page = page
        self.fragments = fragments
        self.shown = shown
        self.notes = Footnotes()
        self.text = cache(page.text)
        self.is_raised = cache(partial(_is_raised, page))
        self.link_texts: dict[tuple[range, int], str] = {}
        self.targets: list[int] = []  # where notes may be, in document order
        self.places: dict[str, int] | None = None

    def linked(self) -> None:
        """References that are links to their notes."""
        candidates = []
        for link, fragment in limits.checked(self.fragments.items()):
            texts = self._texts(link)
            text = self._short_text(link, texts)
            if not text:
                continue
            if _BACK_SIGNS.fullmatch(text):
                self.notes.back.update(texts)
            elif _REFERENCE.fullmatch(text) and self._is_reference(link, fragment):
                label = text.strip("[]() \xa0").partition(":")[0]  # 1:2 is the second time
                candidates.append((link, Note(label, fragment)))
        if not candidates:
            return
        targets = self._places()
        backs = {_BACK_NAME.sub("", name): link for link, name in self.fragments.items()}
        pairs = []
        for link, note in limits.checked(candidates):
            target = targets.get(note.name, -1)
            if target < 0 and _NOTE_NAME.search(note.name):
                target = backs.get(_NOTE_NAME.sub("", note.name), -1)
            if target > link:
                pairs.append((link, target, note))
        self._add_all(pairs)

    def naming(self, named: Named) -> None:
        """References that have the place of their note in another attribute than `href`."""
        pairs = []
        is_reference = cache(_NAMED_REFERENCE.search)
        for node, names in limits.checked(named, 100):
            if not is_reference(names) or node in self.notes.references:
                continue
            texts = self._texts(node)
            text = self._short_text(node, texts) if texts else ""
            if not text or not _REFERENCE.fullmatch(text):
                continue
            if any(link in self.notes.references for link in self._links_in(node)):
                continue
            attributes = self.page.attributes(node)
            for inner in self._links_in(node)[:1]:
                attributes = self.page.attributes(inner) | attributes
            for name, value in attributes.items():
                place = value.strip().lstrip("#")
                if name in _OTHER_ATTRIBUTES or not place:
                    continue
                target = self._places().get(place, -1)
                if target > node and self._has_text(target):
                    pairs.append((node, target, Note(text.strip("[]() \xa0"), place)))
                    break
        self._add_all(pairs)

    def in_margin(self, named: Named) -> None:
        """Notes in the middle of the text, with a number before them or none."""
        page = self.page
        own = page.own_names.get(b"d-footnote", -1)
        tagged = np.flatnonzero(page.nodes.tag == own).tolist() if own >= 0 else []
        in_margin = cache(_MARGIN.search)
        elements = [node for node, names in named if in_margin(names)]
        end = -1
        for node in limits.checked(sorted({*tagged, *elements}), 100):
            first, stop = int(page.nodes.first_text[node]), int(page.nodes.end_text[node])
            if node <= end or first == stop or not first or not self.shown[first]:
                continue
            block = page.texts.block[first]
            if block != page.texts.block[first - 1] or not self.shown[first - 1]:
                continue  # not in the middle of a text
            end = int(page.nodes.last[node])
            self._add_margin(node, range(first, stop))

    def _add_margin(self, node: int, texts: range) -> None:
        notes = self.notes
        before = texts.start - 1
        label = self.text(before).strip("[]() \xa0")
        holder = int(self.page.texts.node[before])
        is_label = (
            label.isdecimal()
            and len(label) < 4
            and int(self.page.nodes.end_text[holder]) == texts.start
        )
        if not is_label:
            label = str(len(notes.references) + len(notes.unmarked) + 1)
        note = Note(label, f"fn-{label}")
        notes.margin[node] = note
        if is_label:
            notes.references[holder] = note._replace(reference=holder)
        else:
            notes.unmarked.add(node)
        self._strip_label(texts, label)

    def unlinked(self, raised: list[int]) -> None:
        """Raised numbers that are not links, if the page has a note for each."""
        page = self.page
        references: dict[int, tuple[int, str]] = {}
        targets: dict[str, list[int]] = {}
        # Many may be around one text, which may be long.
        number_in = cache(lambda text: self.text(text).strip("[]() \xa0"))
        for node in limits.checked(raised):
            texts = self._texts(node)
            first = texts.start
            number = number_in(first) if len(texts) == 1 else ""
            if len(number) < 4 and number.isdecimal():
                if first == page.blocks.first_text[page.texts.block[first]]:
                    targets.setdefault(number, []).append(node)
                elif page.nodes.tag[node] == _SUP and not self.text(first - 1)[-1:].isdigit():
                    # Of several around one text the outermost is the reference.
                    references.setdefault(first, (node, number))
        if not references:
            return
        for name, node in self._places().items():
            match = _NUMBERED_NAME.fullmatch(name) if name[-1:].isdigit() else None
            if match:
                targets.setdefault(match[1], []).append(node)
        for number, node in [*self._numbered_items(), *self._numbered_blocks(min(references))]:
            targets.setdefault(number, []).append(node)
        pairs = []
        for node, number in references.values():
            target = next((t for t in targets.get(number, ()) if t > node), -1)
            if target < 0:
                return
            pairs.append((node, target, Note(number, "fn-" + number)))
        self._add_all(pairs)

    def _numbered_items(self) -> list[tuple[str, int]]:
        """Items of numbered lists that are called notes, or stand aside."""
        nodes = self.page.nodes
        items = []
        for ol in limits.checked(np.flatnonzero(nodes.tag == _OL).tolist(), 100):
            if not self._is_of_notes(ol):
                continue
            start = self.page.attribute(ol, "start") or "1"
            number = int(start) if start.isascii() and start.isdigit() and len(start) < 6 else 1
            item = ol + 1
            while item <= nodes.last[ol]:
                if nodes.tag[item] == _LI:
                    items.append((str(number), item))
                    number += 1
                item = int(nodes.last[item]) + 1
        return items

    def _is_of_notes(self, node: int) -> bool:
        """Whether an element or one close above is called notes, or stands aside."""
        for _ in range(3):
            if node < 0:
                return False
            names = (self.page.attribute(node, name) or "" for name in ("class", "id"))
            if self.page.nodes.tag[node] == _ASIDE or any(map(_NAMED_REFERENCE.search, names)):
                return True
            node = int(self.page.nodes.parent[node])
        return False

    def _numbered_blocks(self, after: int) -> list[tuple[str, int]]:
        """Paragraphs that begin with a number as notes do, none of them an item."""
        page = self.page
        blocks = []
        for block in limits.checked(range(int(page.texts.block[after]) + 1, len(page.blocks)), 100):
            first = int(page.blocks.first_text[block])
            if not self.shown[first] or page.texts.flags[first] & (tags.IN_LIST | tags.IN_HEADING):
                continue
            match = _NUMBERED_TEXT.match(self.text(first)[:8] + " ")
            node = int(page.blocks.node[block])
            if match and page.nodes.first_text[node] == first:
                blocks.append((match[1], node))
        return blocks

    # Texts and places

    def _texts(self, node: int) -> range:
        nodes = self.page.nodes
        return range(int(nodes.first_text[node]), int(nodes.end_text[node]))

    def _has_text(self, node: int) -> bool:
        return len(self._texts(node)) > 0

    def _links_in(self, node: int) -> range:
        return range(node + 1, min(int(self.page.nodes.last[node]), node + _LEVELS) + 1)

    def _places(self) -> dict[str, int]:
        """The first element with each name or id that has text or may stand before some."""
        if self.places is None:
            self.places = {}
            for node, name in raw_values(self.page, "id", "name"):
                before = self.places.setdefault(name, node)
                # A control may have the name of the note that it shows.
                if before != node and not self._has_text(before) and self._has_text(node):
                    self.places[name] = node
        return self.places

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

    # Notes

    def _add_all(self, pairs: list[tuple[int, int, Note]]) -> None:
        self.targets = sorted({target for _, target, _ in pairs})
        for reference, target, note in limits.checked(pairs):
            self._add(reference, target, note)

    def _add(self, reference: int, target: int, note: Note) -> None:
        """A reference and the note at its target, if that is kept."""
        page, notes = self.page, self.notes
        first = int(page.nodes.first_text[target])
        if first >= len(page.texts):
            return
        sign = note.label
        if not _WORD.search(sign):
            note = Note(str(len(notes.references) + 1), note.name)
        holder = self._holder(target, first, sign)
        texts = self._texts(holder) if holder >= 0 else self._block(first)
        if not any(self.shown[text] for text in texts[:_MOST_TEXTS]):
            return
        own = self._texts(reference)
        if holder < 0 and own and page.texts.block[own.start] == page.texts.block[first]:
            notes.margin[target] = note
            notes.references[reference] = note._replace(reference=reference)
            self._strip_label(self._texts(target), sign)
            return
        places = notes.notes if holder >= 0 else notes.blocks
        place = holder if holder >= 0 else int(page.texts.block[first])
        if places.setdefault(place, note) != note:
            return
        notes.references[reference] = note._replace(reference=reference)
        self._strip_brackets(reference)
        self._strip_label(texts, sign)

    def _block(self, text: int) -> range:
        block = int(self.page.texts.block[text])
        return range(text, int(self.page.blocks.end_text[block]))

    def _holder(self, target: int, first: int, label: str) -> int:
        """The element that holds the note: an item that begins there, or the target; else -1."""
        nodes, block = self.page.nodes, self.page.texts.block
        node, holder = target, -1
        for _ in range(_LEVELS):
            if node < 0 or not self._begins(node, first, label):
                break
            if int(nodes.tag[node]) in _ITEMS:
                return node
            if int(nodes.tag[node]) in _HOLDERS and (node == target or self._is_one_note(node)):
                holder = node
            node = int(nodes.parent[node])
        if holder < 0:
            # A term that is only the label: the note is what it stands for.
            after = int(nodes.last[target]) + 1
            if after >= len(nodes) or nodes.tag[after] != _DD:
                return -1
            self.notes.labels.update(self._texts(target))
            return after
        return holder if block[nodes.end_text[holder] - 1] != block[first] else -1

    def _begins(self, node: int, first: int, label: str) -> bool:
        """Whether an element begins with a text, or with a label before it."""
        start = int(self.page.nodes.first_text[node])
        if first - start > _MOST_TEXTS:
            return False
        return all(self.text(text).strip(_SIGNS) in ("", label) for text in range(start, first))

    def _is_one_note(self, node: int) -> bool:
        """Whether an element is called a note and has no other in it."""
        if not self._is_of_notes_itself(node):
            return False
        last = int(self.page.nodes.last[node])
        return bisect_right(self.targets, last) - bisect_left(self.targets, node) == 1

    def _is_of_notes_itself(self, node: int) -> bool:
        names = (self.page.attribute(node, name) or "" for name in ("class", "id"))
        return any(_NOTE_NAME.search(name) or _NAMED_REFERENCE.search(name) for name in names)

    # What stands around

    def _strip_brackets(self, reference: int) -> None:
        """The brackets around a reference that are not part of it."""
        page = self.page
        texts = self._texts(reference)
        block = page.texts.block
        for text, sign in ((texts.start - 1, "["), (texts.stop, "]")):
            is_beside = 0 <= text < len(page.texts) and block[text] == block[texts.start]
            if is_beside and self.text(text).strip() == sign:
                self.notes.labels.add(text)

    def _strip_label(self, texts: range, label: str) -> None:
        """The texts at the beginning of a note that repeat its label."""
        labels = self.notes.labels
        waiting: list[int] = []
        is_done = False
        for text in texts[: 2 * _MOST_TEXTS]:
            content = self.text(text)
            begin = _end(_BEFORE_LABEL.match(content))
            if begin == len(content):
                waiting.append(text)
                continue
            end = begin + len(label)
            if content.startswith(label, begin) and (
                _SIGNS_ONLY.fullmatch(content, end)
                or _PUNCTUATED.match(content, end)
                or not _WORD.search(label)
            ):
                labels.update(waiting)
                waiting.clear()
                is_done = True
                end = _end(_AFTER_LABEL.match(content, end))
                if end == len(content):
                    labels.add(text)
                    continue
                self.notes.cuts[text] = end
            elif is_done:
                end = _end(_AFTER_LABEL.match(content))
                if end == len(content):
                    labels.add(text)
                    continue
                if end and content[:end].strip():
                    self.notes.cuts[text] = end
            return

    def finish(self) -> None:
        """What leads back from the notes, and their heading."""
        notes, page = self.notes, self.page
        if not notes.references:
            return
        near: set[int] = set()
        for reference in notes.references:
            near.update((reference, int(page.nodes.parent[reference])))
            near.update(self._links_in(reference)[:1])
        names = {name for name, node in self._places().items() if node in near}
        blocks = page.blocks
        ranges = [(texts.start, texts.stop) for texts in map(self._texts, notes.notes)]
        ranges += [(int(blocks.first_text[b]), int(blocks.end_text[b])) for b in notes.blocks]
        ranges.sort()
        starts = [start for start, _ in ranges]
        for link, fragment in limits.checked(self.fragments.items()):
            if fragment not in names and not may_lead_back(fragment):
                continue
            texts = self._texts(link)
            place = bisect_right(starts, texts.start) - 1
            if place < 0 or texts.start >= ranges[place][1] or not texts:
                continue
            if sum(int(page.texts.chars[text]) for text in texts[:5]) <= _LONGEST_BACK:
                notes.back.update(text for text in texts if text not in notes.labels)
        if ranges:
            self._strip_signs(ranges)
            self._strip_heading(starts[0])

    def _strip_signs(self, ranges: list[tuple[int, int]]) -> None:
        """Arrows at the beginning of a note that are not links."""
        for first, end in ranges:
            for text in range(first, min(first + _MOST_TEXTS, end)):
                if _SIGNS_ALONE.fullmatch(self.text(text)):
                    self.notes.back.add(text)

    def _strip_heading(self, first: int) -> None:
        """The heading of the notes."""
        page = self.page
        block = int(page.texts.block[first]) - 1
        if block < 0 or page.blocks.chars[block] > _LONGEST_BACK:
            return
        if page.block_text(block).strip(" :.\xa0").casefold() in _HEADINGS:
            start, end = int(page.blocks.first_text[block]), int(page.blocks.end_text[block])
            self.notes.labels.update(range(start, end))


def _end(match: re.Match[str] | None) -> int:
    return match.end() if match else 0


def _is_raised(page: Page, node: int) -> bool:
    named = "footnote" in (page.attribute(node, "class") or "")
    return named or bool(page.nodes.tag[node] == _SUP)
