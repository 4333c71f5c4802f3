"""The kept part of a page as a flat list of events, the one walk that all renderers share.

Nodes and texts are in document order, so the walk is one loop over the kept texts; on the way
elements are opened and closed that mean something in a document (`tamis.render.selection`). What
comes out is containers (`Open`, `Close`) and leaves (`Leaf`) with runs of text, images and
formulas, each with the marks that hold for it. Nothing of the page's own markup goes through.
"""

from __future__ import annotations

import re
from functools import cached_property
from typing import Any, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from tamis.options import Options
from tamis.page import tags
from tamis.page.table import Page, _decoded
from tamis.render import listings, pictures
from tamis.render.addresses import Base, values
from tamis.render.footnotes import Footnotes, footnotes, may_lead_back
from tamis.render.formulas import Formula
from tamis.render.pictures import Image
from tamis.render.selection import (
    CODE,
    CONTAINER,
    CONTAINERS,
    FORMULA,
    IMAGE,
    LINK,
    MARK,
    MARKS,
    RULE,
    select,
)

Mark: TypeAlias = tuple[str, Any]
"""Name of a mark and its value: the target of a link, the footnote."""
Marks: TypeAlias = tuple[Mark, ...]
Span: TypeAlias = tuple[str, "str | Image | Formula", Marks]
"""What separates it from the span before ("", " " or line breaks), the content, its marks."""


class Open(NamedTuple):
    """A container begins."""

    kind: str
    value: Any
    """Of a list its first number or None, of a cell whether it is a header and how many columns
    and rows it spans, of others the footnote that they hold, or None."""


class Close(NamedTuple):
    """A container ends."""

    kind: str


class Leaf(NamedTuple):
    """A heading, paragraph, listing or rule."""

    kind: str
    value: Any
    """Of a heading its level, of a listing its language, of a paragraph the footnote that
    it holds, or None."""
    spans: list[Span]


Event: TypeAlias = Open | Close | Leaf

# Deeper containers are left out, their content stays: parsers of Markdown stop at 20 levels.
_DEEPEST = 14
_FAR = 1 << 62
_LEVELS = 8
_BETWEEN_CELLS = frozenset(("table", "row"))
_IN_TABLE = frozenset(("table", "row", "cell", "caption"))
_LEVELS_OF = {f"h{level}": str(level) for level in range(1, 7)}
_MARKS: dict[int, Mark] = {tags.ID[name]: (mark, "") for name, mark in MARKS.items()}
_NUMBERS = np.zeros(len(tags.ATTRIBUTES), bool)
_NUMBERS[[tags.ATTRIBUTE_ID[name] for name in ("start", "colspan", "rowspan")]] = True
_SUP = tags.ID["sup"]
_RAISED = frozenset(tags.ID[name] for name in ("sup", "strong", "b"))
_WHITE_SPACE = re.compile(r"\s+")
_WORD = re.compile(r"\w")


def outline(
    page: Page, kept: npt.NDArray[np.bool_], url: str | None, options: Options
) -> list[Event]:
    """The kept blocks of a page as events, in document order."""
    if not kept.any():
        return []
    walk = _Walk(page, kept, url, options)
    walk.run()
    return walk.events


def _is_sign(content: str, marks: Marks) -> bool:
    """Whether a text is the sign that links a heading to itself."""
    return bool(marks) and marks[-1][0] == "link" and not _WORD.search(content)


class _Runs:
    """The shown texts, decoded and joined."""

    def __init__(self, page: Page, texts: npt.NDArray[np.intp]) -> None:
        columns = page.texts
        self.source = page.source
        self.texts = texts.tolist()
        self.flags = columns.flags[texts].tolist()
        self.starts, self.ends = columns.start[texts].tolist(), columns.end[texts].tolist()
        self.page = page

    def separator(self, place: int) -> str:
        """What separates a text from the one before in its block."""
        flag = self.flags[place]
        if flag & tags.BREAK_BEFORE:
            return "\n"
        return " " if flag & tags.SPACE_BEFORE and not flag & tags.IN_PRE else ""

    def text(self, begin: int, end: int) -> str:
        """Texts of one block, joined as a browser shows them."""
        flag = self.flags[begin]
        text = _decoded(self.source[self.starts[begin] : self.ends[begin]], flag)
        if end > begin + 1:
            pieces = [text]
            for place in range(begin + 1, end):
                pieces.append(self.separator(place))
                raw = self.source[self.starts[place] : self.ends[place]]
                pieces.append(_decoded(raw, self.flags[place]))
            text = "".join(pieces)
        # Preformatted, but no listing: a form.
        return _WHITE_SPACE.sub(" ", text) if flag & tags.IN_PRE else text

    def code(self, begin: int, end: int, separator: str) -> str:
        """Texts of a listing, each after its line breaks."""
        breaks = self.breaks
        pieces = []
        for place in range(begin, end):
            pieces.append("\n" * breaks[place] or (separator if place == begin else ""))
            raw = self.source[self.starts[place] : self.ends[place]]
            pieces.append(_decoded(raw, self.flags[place]))
        return "".join(pieces)

    @cached_property
    def breaks(self) -> list[int]:
        """How many `br` stand right before each text."""
        nodes = self.page.nodes
        places = nodes.first_text[nodes.tag == tags.ID["br"]]
        counts = np.bincount(places, minlength=len(self.page.texts) + 1)
        found: list[int] = counts[self.texts].tolist()
        return found


class _Walk:
    """The state of one walk."""

    def __init__(
        self, page: Page, kept: npt.NDArray[np.bool_], url: str | None, options: Options
    ) -> None:
        self.page = page
        self.options = options
        self.base = Base(page, url)
        self.events: list[Event] = []
        # The open leaf, and the innermost block-level element around its last content.
        self.kind = "paragraph"
        self.value: Any = None
        self.spans: list[Span] = []
        self.around = -1
        self.marks: Marks = ()
        # Open elements: last node, end in shown texts, container; marks, kind and value before.
        self.stack: list[tuple[int, int, str, Marks, str, Any]] = []
        self.containers: list[str] = []
        self.led_by_image = False
        self.atom_place = -1
        self.chosen = chosen = select(page, kept)
        self.nodes = chosen.nodes.tolist()
        self.names = np.minimum(page.nodes.tag[chosen.nodes], len(tags.NAMES)).tolist()
        self.lasts = page.nodes.last[chosen.nodes].tolist()
        self.firsts = [*chosen.firsts, _FAR]
        self.place = 0
        links = chosen.nodes[np.array(chosen.roles, np.uint8) == LINK]
        self.hrefs = dict(zip(links.tolist(), values(page, links, "href"), strict=True))
        self.notes = self._notes()

    def _notes(self) -> Footnotes:
        """The footnotes, if there are links to places in the page or raised texts."""
        fragments = {}
        for node, href in self.hrefs.items():
            if href and "#" in href:
                address, _, fragment = href.partition("#")
                if not address or self.base.is_page(address) or may_lead_back(fragment):
                    fragments[node] = fragment
        raised = []
        if _SUP in self.names:
            named = zip(self.nodes, self.names, strict=True)
            raised = [node for node, name in named if name in _RAISED]
        elif not fragments:
            return Footnotes()
        return footnotes(self.page, fragments, raised, self.chosen.shown)

    def run(self) -> None:
        """Go through the texts, in runs that no element and no block begins or ends in."""
        page, chosen, stack = self.page, self.chosen, self.stack
        texts = np.flatnonzero(chosen.shown)
        own = {*chosen.carriers, *self.notes.labels, *self.notes.back}
        begins = self._begins(texts, own)
        blocks = page.texts.block[texts[begins]]
        around = page.blocks.node[blocks].tolist()
        block_before = -1
        begins = begins.tolist()
        ends = [*begins[1:], len(texts)]
        runs = _Runs(page, texts)
        for place, block in enumerate(blocks.tolist()):
            begin = begins[place]
            if self.firsts[self.place] <= begin:
                self._enter(begin)
            while stack and stack[-1][1] <= begin:
                self._leave()
            separator = runs.separator(begin)
            if block != block_before:
                block_before = block
                separator = self._new_block(block, around[place], separator)
            if self.kind == "code":
                self.spans.append(("", runs.code(begin, ends[place], separator), self.marks))
            else:
                content: Any = runs.text(begin, ends[place])
                if self.kind == "heading" or own:
                    self._add(runs.texts[begin], separator, content)
                else:
                    self.spans.append((separator, content, self.marks))
        self._enter(_FAR - 1)
        while stack:
            self._leave()
        self._flush()

    def _begins(self, texts: npt.NDArray[np.intp], own: set[int]) -> npt.NDArray[np.intp]:
        """Where the runs of shown texts begin."""
        begins = np.zeros(len(texts) + 1, bool)
        begins[self.chosen.firsts] = True
        begins[self.chosen.ends] = True
        blocks = self.page.texts.block[texts]
        begins[0] = True
        begins[1:-1] |= blocks[1:] != blocks[:-1]
        if own:
            places = np.searchsorted(texts, sorted(own))
            begins[places] = True
            begins[places + 1] = True
        return np.flatnonzero(begins[:-1])

    def _new_block(self, block: int, around: int, separator: str) -> str:
        """A new block begins a new leaf, but not inside a heading or a listing."""
        if self.spans:
            if self.kind != "paragraph":
                return "\n"
            if self.led_by_image and around == self.around:
                self.led_by_image = False
                return separator
        self._flush()
        self.around = around
        if self.kind == "paragraph":
            self.value = self.notes.blocks.get(block)
        return ""

    def _add(self, text: int, separator: str, content: str) -> None:
        """A run in a heading, or on a page with formulas or footnotes."""
        marks = self.marks
        if text in self.chosen.carriers:
            self.spans.append((separator, self.chosen.carriers[text], marks))
            return
        if text in self.notes.labels:
            marks = (*marks, ("label", ""))
        elif text in self.notes.back or (self.kind == "heading" and _is_sign(content, marks)):
            marks = (*marks, ("back", ""))
        self.spans.append((separator, content, marks))

    # Elements

    def _enter(self, number: int) -> None:
        """Open the elements that begin before the shown text of that number."""
        stack = self.stack
        while self.firsts[self.place] <= number:
            place = self.place
            self.place += 1
            node, role = self.nodes[place], self.chosen.roles[place]
            while stack and stack[-1][0] < node:
                self._leave()
            if role == MARK:
                note = self.notes.marks.get(node)
                mark: Mark = ("note", note) if note else _MARKS[self.names[place]]
                if mark not in self.marks:
                    self._push(place)
                    self.marks = (*self.marks, mark)
            elif role == LINK:
                self._open_link(place, node)
            elif role == CONTAINER:
                self._open_container(place, node, CONTAINERS[tags.NAMES[self.names[place]]])
            elif role == RULE:
                self._rule()
            elif role in (IMAGE, FORMULA):
                self._atom(node, role)
            elif self.kind == "paragraph":
                self._open_leaf(place, node, role)

    def _push(self, place: int, container: str = "") -> None:
        entry = (self.lasts[place], self.chosen.ends[place], container)
        self.stack.append((*entry, self.marks, self.kind, self.value))

    def _leave(self) -> None:
        """Close the innermost open element."""
        _, _, container, marks, kind, value = self.stack.pop()
        if container:
            self._flush()
            self.events.append(Close(self.containers.pop()))
        elif kind != self.kind:
            self._flush()
            self.value = value
        self.marks, self.kind = marks, kind

    def _flush(self) -> None:
        """End the open leaf."""
        if self.spans:
            leaf = Leaf(self.kind, self.value, self.spans)
            if self.containers and self.containers[-1] in _BETWEEN_CELLS:
                self._add_cell(leaf)
            else:
                self.events.append(leaf)
            self.spans = []
        self.led_by_image = False

    def _add_cell(self, leaf: Leaf) -> None:
        """Text between the cells of a broken table: a cell of its own."""
        cell: list[Event] = [Open("cell", (False, 1, 1)), leaf, Close("cell")]
        if self.containers[-1] == "table":
            cell = [Open("row", None), *cell, Close("row")]
        self.events += cell

    def _open_link(self, place: int, node: int) -> None:
        note, href = self.notes.marks.get(node), self.hrefs.get(node)
        mark: Mark | None = None
        if note:
            mark = ("note", note)
        elif href and self.options.links:
            target = self.base.link(href)
            mark = ("link", target) if target else None
        if mark and not any(name in ("link", "note") for name, _ in self.marks):
            self._push(place)
            self.marks = (*self.marks, mark)

    def _open_leaf(self, place: int, node: int, role: int) -> None:
        """A heading or a listing."""
        self._flush()
        self._push(place)
        if role == CODE:
            self.kind, self.value = "code", listings.language(self.page, node)
        else:
            name = tags.NAMES[self.names[place]]
            level = _LEVELS_OF.get(name) or self.page.attributes(node).get("aria-level", "")
            self.kind, self.value = "heading", int(level) if level in _LEVELS_OF.values() else 2

    def _open_container(self, place: int, node: int, kind: str) -> None:
        if self.kind != "paragraph":
            return
        if kind not in _IN_TABLE:
            needed = 2 if kind in ("list", "terms") else 1
            if len(self.containers) + needed > _DEEPEST:
                return
            if self.containers and self.containers[-1] in _BETWEEN_CELLS:
                return
        elif kind == "caption" and self.containers[-1:] == ["table"] and self._has_rows():
            return
        self._flush()
        self._push(place, kind)
        self.containers.append(kind)
        value: Any = self.notes.notes.get(node)
        name = tags.NAMES[self.names[place]]
        if kind == "list":
            value = self._number(node, "start") if name == "ol" else None
        elif kind == "cell":
            value = (name == "th", self._number(node, "colspan"), self._number(node, "rowspan"))
        self.events.append(Open(kind, value))

    @cached_property
    def numbered(self) -> set[int]:
        """The elements with one of the attributes that `_number` reads, few on most pages."""
        rows = np.flatnonzero(_NUMBERS[self.page.attribute_rows[0]])
        owners = np.searchsorted(self.page.nodes.attributes, rows, side="right") - 1
        return set(owners.tolist())

    def _has_rows(self) -> bool:
        """Whether the innermost open table has rows already."""
        return isinstance(self.events[-1], Close)

    def _number(self, node: int, name: str) -> int:
        """A number in an attribute; 1 if it is none, or no sane one."""
        if node not in self.numbered:
            return 1
        value = (self.page.attribute(node, name) or "").strip()
        return int(value) if value.isascii() and value.isdigit() and len(value) < 9 else 1

    # Images, rules and formulas without text

    def _rule(self) -> None:
        if self.kind == "paragraph":
            self._flush()
            self.events.append(Leaf("rule", None, []))

    def _atom(self, node: int, role: int) -> None:
        """An image or a formula, inside the open leaf if its block goes on there."""
        content = self.chosen.formulas[node] if role == FORMULA else self._image(node)
        if content is None or self.kind == "code":
            return
        place = int(self.page.nodes.first_text[node])
        hidden = self.page.nodes.flags[node] & tags.HIDDEN
        if hidden and place == self.atom_place and self.spans:
            # For readers without scripts, and what the one before is replaced by for the others.
            separator, _, marks = self.spans.pop()
            self.spans.append((separator, content, marks))
            return
        self.atom_place = place
        around = self._block_around(node)
        if self.spans and around != self.around and self.kind == "paragraph":
            self._flush()
        start = int(self.page.nodes.start[node])
        spaced = self.spans and self.page.source[max(start - 1, 0) : start].isspace()
        self.led_by_image = self.led_by_image or not self.spans
        self.around = around
        self.spans.append((" " if spaced else "", content, self.marks))

    def _image(self, node: int) -> Image | None:
        if not self.options.images:
            return None
        return pictures.image(self.page, node, self.base)

    def _block_around(self, node: int) -> int:
        """The innermost block-level element around a node, -1 if it is far."""
        nodes = self.page.nodes
        for _ in range(_LEVELS):
            node = int(nodes.parent[node])
            tag = int(nodes.tag[node])
            if tag < len(tags.NAMES) and tags.TRAITS[tag] & tags.BLOCK:
                return node
        return -1
