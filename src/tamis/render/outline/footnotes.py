"""Footnotes: references in the text, and the notes that they lead to.

A reference is a link, a raised number or an element that names its note. A note stands further
down, or in the margin: beside the text, and in the middle of its source.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from dataclasses import dataclass, field
from functools import cache, cached_property, partial

import numpy as np

from tamis._runtime import limits
from tamis.page import tags
from tamis.page.arrays import Flags
from tamis.page.attributes import raw_values
from tamis.page.table import Page
from tamis.render.outline.events import Note
from tamis.render.outline.roles import find_tagged, find_texts

Named = list[tuple[int, str]]
"""Elements whose class may speak of footnotes, with the class."""


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


def find_footnotes(
    page: Page, fragments: dict[int, str], raised: list[int], named: Named, shown: Flags
) -> Footnotes:
    """The footnotes of a page.

    `fragments` are links to places in the page itself, with the names of the places; `raised` the
    `sup` elements and those in bold type; `named` elements that are called footnotes. References
    that are not links count if each has a note.
    """
    search = _NoteSearch(page, fragments, shown)
    search.find_linked()
    search.find_named(named)
    search.find_in_margin(named)
    if raised and not search.notes.references:
        search.find_raised(raised)
    search.strip_notes()
    return search.notes


class _NoteSearch:
    """One search for footnotes; each text and each element is read once."""

    def __init__(self, page: Page, fragments: dict[int, str], shown: Flags) -> None:
        self.page, self.nodes, self.blocks = page, page.nodes, page.blocks
        self.block = page.texts.block
        self.fragments, self.shown = fragments, shown
        self.notes = Footnotes()
        self.text = cache(page.text)
        self.is_raised = cache(partial(_is_raised, page))
        self.link_texts: dict[tuple[range, int], str] = {}
        self.targets: list[int] = []  # where notes may be, in document order

    # References

    def find_linked(self) -> None:
        """Find references that are links to their notes."""
        candidates = []
        for link, fragment in limits.check_each(self.fragments.items()):
            texts = self._find_texts(link)
            text = self._read_short_text(link, texts)
            if not text:
                continue
            if _BACK_SIGNS.fullmatch(text):
                self.notes.back.update(texts)
            elif _REFERENCE.fullmatch(text) and self._is_reference(link, fragment):
                label = _strip_signs(text).partition(":")[0]  # 1:2 is the second time
                candidates.append((link, Note(label, fragment)))
        if not candidates:
            return
        backs = {_BACK_NAME.sub("", name): link for link, name in self.fragments.items()}
        pairs = []
        for link, note in limits.check_each(candidates):
            target = self.places.get(note.name, -1)
            if target < 0 and _NOTE_NAME.search(note.name):
                target = backs.get(_NOTE_NAME.sub("", note.name), -1)
            if target > link:
                pairs.append((link, target, note))
        self._add_pairs(pairs)

    def find_named(self, named: Named) -> None:
        """Find references that have the place of their note in another attribute than `href`."""
        pairs = []
        is_reference = cache(_NAMED_REFERENCE.search)
        for node, names in limits.check_each(named, 100):
            if not is_reference(names) or node in self.notes.references:
                continue
            texts, links = self._find_texts(node), self._nodes_in(node)
            text = self._read_short_text(node, texts) if texts else ""
            if not text or not _REFERENCE.fullmatch(text):
                continue
            if any(link in self.notes.references for link in links):
                continue
            attributes = self.page.attributes(node)
            for inner in links[:1]:
                attributes = self.page.attributes(inner) | attributes
            for name, value in attributes.items():
                place = value.strip().lstrip("#")
                if name in _OTHER_ATTRIBUTES or not place:
                    continue
                target = self.places.get(place, -1)
                if target > node and self._find_texts(target):
                    pairs.append((node, target, Note(_strip_signs(text), place)))
                    break
        self._add_pairs(pairs)

    def find_in_margin(self, named: Named) -> None:
        """Find notes in the middle of the text, with a number before them or none."""
        in_margin = cache(_MARGIN.search)
        elements = {
            *find_tagged(self.page, b"d-footnote"),
            *(node for node, names in named if in_margin(names)),
        }
        end = -1
        for node in limits.check_each(sorted(elements), 100):
            texts = self._find_texts(node)
            first = texts.start
            if node <= end or not texts or not first or not self.shown[first]:
                continue
            if self.block[first] != self.block[first - 1] or not self.shown[first - 1]:
                continue  # not in the middle of a text
            end = int(self.nodes.last[node])
            self._add_margin(node, texts)

    def _add_margin(self, node: int, texts: range) -> None:
        notes, before = self.notes, texts.start - 1
        label = _strip_signs(self.text(before))
        holder = int(self.page.texts.node[before])
        is_label = (
            label.isdecimal() and len(label) < 4 and int(self.nodes.end_text[holder]) == texts.start
        )
        if not is_label:
            label = str(len(notes.references) + len(notes.unmarked) + 1)
        note = notes.margin[node] = Note(label, f"fn-{label}")
        if is_label:
            notes.references[holder] = note._replace(reference=holder)
        else:
            notes.unmarked.add(node)
        self._strip_label(texts, label)

    def find_raised(self, raised: list[int]) -> None:
        """Find raised numbers that are not links, if the page has a note for each."""
        references: dict[int, tuple[int, str]] = {}
        targets: dict[str, list[int]] = {}
        # Many may be around one text, which may be long.
        read_number = cache(lambda text: _strip_signs(self.text(text)))
        for node in limits.check_each(raised):
            texts = self._find_texts(node)
            first = texts.start
            number = read_number(first) if len(texts) == 1 else ""
            if len(number) < 4 and number.isdecimal():
                if first == self.blocks.first_text[self.block[first]]:
                    targets.setdefault(number, []).append(node)
                elif self.nodes.tag[node] == _SUP and not self.text(first - 1)[-1:].isdigit():
                    # Of several around one text the outermost is the reference.
                    references.setdefault(first, (node, number))
        if not references:
            return
        for name, node in self.places.items():
            match = _NUMBERED_NAME.fullmatch(name) if name[-1:].isdigit() else None
            if match:
                targets.setdefault(match[1], []).append(node)
        for number, node in [*self._number_items(), *self._number_blocks(min(references))]:
            targets.setdefault(number, []).append(node)
        pairs = []
        for node, number in references.values():
            target = next((t for t in targets.get(number, ()) if t > node), -1)
            if target < 0:
                return
            pairs.append((node, target, Note(number, "fn-" + number)))
        self._add_pairs(pairs)

    def _number_items(self) -> list[tuple[str, int]]:
        """Items of numbered lists that are called notes, or stand aside, with their numbers."""
        items = []
        for ol in limits.check_each(np.flatnonzero(self.nodes.tag == _OL).tolist(), 100):
            if not self._is_list_of_notes(ol):
                continue
            start = self.page.attribute(ol, "start") or "1"
            number = int(start) if start.isascii() and start.isdigit() and len(start) < 6 else 1
            item = ol + 1
            while item <= self.nodes.last[ol]:
                if self.nodes.tag[item] == _LI:
                    items.append((str(number), item))
                    number += 1
                item = int(self.nodes.last[item]) + 1
        return items

    def _is_list_of_notes(self, node: int) -> bool:
        """Whether an element or one close above is called notes, or stands aside."""
        for _ in range(3):
            if node < 0:
                return False
            if self.nodes.tag[node] == _ASIDE or self._is_called(node, _NAMED_REFERENCE):
                return True
            node = int(self.nodes.parent[node])
        return False

    def _number_blocks(self, after: int) -> list[tuple[str, int]]:
        """Paragraphs that begin with a number as notes do, none of them an item."""
        flags = self.page.texts.flags
        found = []
        for block in limits.check_each(range(int(self.block[after]) + 1, len(self.blocks)), 100):
            first = int(self.blocks.first_text[block])
            if not self.shown[first] or flags[first] & (tags.IN_LIST | tags.IN_HEADING):
                continue
            match = _NUMBERED_TEXT.match(self.text(first)[:8] + " ")
            node = int(self.blocks.node[block])
            if match and self.nodes.first_text[node] == first:
                found.append((match[1], node))
        return found

    # Texts and places

    def _find_texts(self, node: int) -> range:
        return find_texts(self.nodes, node)

    def _nodes_in(self, node: int) -> range:
        return range(node + 1, min(int(self.nodes.last[node]), node + _LEVELS) + 1)

    @cached_property
    def places(self) -> dict[str, int]:
        """The first element with each name or id that has text or may stand before some."""
        places: dict[str, int] = {}
        for node, name in raw_values(self.page, "id", "name"):
            before = places.setdefault(name, node)
            # A control may have the name of the note that it shows.
            if before != node and not self._find_texts(before) and self._find_texts(node):
                places[name] = node
        return places

    def _read_short_text(self, link: int, texts: range) -> str:
        """The text of a link, empty if it is too long for a reference."""
        if len(texts) > _MOST_TEXTS or self.page.texts.chars[texts.start] > _MOST_CHARACTERS:
            return ""
        # Links inside one another have the same text.
        key = (texts, int(self.nodes.flags[link]) & tags.HIDDEN)
        if key not in self.link_texts:
            self.link_texts[key] = self.page.node_text(link).strip()
        return self.link_texts[key]

    def _is_reference(self, link: int, fragment: str) -> bool:
        """Whether a short link down the page is a reference: raised, or named as such."""
        if _NOTE_NAME.search(fragment):
            return True
        near = [link, int(self.nodes.parent[link])]
        if self.nodes.last[link] > link:
            near.append(link + 1)
        return any(map(self.is_raised, near))

    def _is_called(self, node: int, *patterns: re.Pattern[str]) -> bool:
        names = [self.page.attribute(node, name) or "" for name in ("class", "id")]
        return any(pattern.search(name) for name in names for pattern in patterns)

    # Notes

    def _add_pairs(self, pairs: list[tuple[int, int, Note]]) -> None:
        self.targets = sorted({target for _, target, _ in pairs})
        for reference, target, note in limits.check_each(pairs):
            self._add(reference, target, note)

    def _add(self, reference: int, target: int, note: Note) -> None:
        """Add a reference and the note at its target, if that is kept."""
        notes = self.notes
        first = int(self.nodes.first_text[target])
        if first >= len(self.page.texts):
            return
        block = int(self.block[first])
        sign = note.label
        if not _WORD.search(sign):
            note = Note(str(len(notes.references) + 1), note.name)
        holder = self._find_holder(target, first, sign)
        is_held = holder >= 0
        end = int(self.blocks.end_text[block])
        texts = self._find_texts(holder) if is_held else range(first, end)
        if not any(self.shown[text] for text in texts[:_MOST_TEXTS]):
            return
        own = self._find_texts(reference)
        if not is_held and own and self.block[own.start] == block:
            notes.margin[target] = note
            texts = self._find_texts(target)
        else:
            known = notes.notes if is_held else notes.blocks
            if known.setdefault(holder if is_held else block, note) != note:
                return
            self._strip_brackets(own)
        notes.references[reference] = note._replace(reference=reference)
        self._strip_label(texts, sign)

    def _find_holder(self, target: int, first: int, label: str) -> int:
        """The element that holds the note: an item that begins there, or the target; else -1."""
        nodes = self.nodes
        node, holder = target, -1
        for _ in range(_LEVELS):
            if node < 0 or not self._begins_with(node, first, label):
                break
            tag = int(nodes.tag[node])
            if tag in _ITEMS:
                return node
            if tag in _HOLDERS and (node == target or self._is_one_note(node)):
                holder = node
            node = int(nodes.parent[node])
        if holder < 0:
            # A term that is only the label: the note is what it stands for.
            after = int(nodes.last[target]) + 1
            if after >= len(nodes) or nodes.tag[after] != _DD:
                return -1
            self.notes.labels.update(self._find_texts(target))
            return after
        return holder if self.block[nodes.end_text[holder] - 1] != self.block[first] else -1

    def _begins_with(self, node: int, first: int, label: str) -> bool:
        """Whether an element begins with a text, or with a label before it."""
        start = int(self.nodes.first_text[node])
        if first - start > _MOST_TEXTS:
            return False
        return all(self.text(text).strip(_SIGNS) in ("", label) for text in range(start, first))

    def _is_one_note(self, node: int) -> bool:
        """Whether an element is called a note and has no other in it."""
        if not self._is_called(node, _NOTE_NAME, _NAMED_REFERENCE):
            return False
        last = int(self.nodes.last[node])
        return bisect_right(self.targets, last) - bisect_left(self.targets, node) == 1

    # What stands around

    def _strip_brackets(self, texts: range) -> None:
        block = self.block
        for text, sign in ((texts.start - 1, "["), (texts.stop, "]")):
            is_beside = 0 <= text < len(block) and block[text] == block[texts.start]
            if is_beside and self.text(text).strip() == sign:
                self.notes.labels.add(text)

    def _strip_label(self, texts: range, label: str) -> None:
        """Leave out the texts at the beginning of a note that repeat its label."""
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
            is_label = content.startswith(label, begin) and (
                _SIGNS_ONLY.fullmatch(content, end)
                or _PUNCTUATED.match(content, end)
                or not _WORD.search(label)
            )
            if is_label:
                labels.update(waiting)
                waiting.clear()
                is_done = True
            elif not is_done:
                return
            end = _end(_AFTER_LABEL.match(content, end if is_label else 0))
            if end < len(content):
                if is_label or content[:end].strip():
                    self.notes.cuts[text] = end
                return
            labels.add(text)

    def strip_notes(self) -> None:
        """Leave out what leads back from the notes, and their heading."""
        notes = self.notes
        if not notes.references:
            return
        near: set[int] = set()
        for reference in notes.references:
            near.update((reference, int(self.nodes.parent[reference])))
            near.update(self._nodes_in(reference)[:1])
        names = {name for name, node in self.places.items() if node in near}
        ranges = [*map(self._find_texts, notes.notes)]
        ranges += [find_texts(self.blocks, block) for block in notes.blocks]
        ranges.sort(key=lambda texts: (texts.start, texts.stop))
        starts = [texts.start for texts in ranges]
        for link, fragment in limits.check_each(self.fragments.items()):
            if fragment not in names and not may_lead_back(fragment):
                continue
            texts = self._find_texts(link)
            place = bisect_right(starts, texts.start) - 1
            if place < 0 or texts.start >= ranges[place].stop or not texts:
                continue
            if sum(int(self.page.texts.chars[text]) for text in texts[:5]) <= _LONGEST_BACK:
                notes.back.update(text for text in texts if text not in notes.labels)
        for texts in ranges:
            for text in texts[:_MOST_TEXTS]:
                if _SIGNS_ALONE.fullmatch(self.text(text)):
                    notes.back.add(text)  # an arrow that is not a link
        block = int(self.block[starts[0]]) - 1 if starts else -1
        if block < 0 or self.blocks.chars[block] > _LONGEST_BACK:
            return
        if self.page.block_text(block).strip(" :.\xa0").casefold() in _HEADINGS:
            notes.labels.update(find_texts(self.blocks, block))


def _is_raised(page: Page, node: int) -> bool:
    is_named = "footnote" in (page.attribute(node, "class") or "")
    return is_named or bool(page.nodes.tag[node] == _SUP)


def _strip_signs(text: str) -> str:
    return text.strip("[]() \xa0")


def _end(match: re.Match[str] | None) -> int:
    return match.end() if match else 0
