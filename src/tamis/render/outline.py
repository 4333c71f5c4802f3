# cython: annotation_typing=False, wraparound=True
"""The kept part of a page as a flat list of events, the one walk that all renderers share.

Nodes and texts are in document order, so the walk is one loop over the kept texts; on the way
elements are opened and closed that have a role in a document (`tamis.render.selection`). The events
are containers that open and close and leaves with runs of text, images and formulas, each with its
marks: strong, emphasis, link ... Nothing of the page's own markup goes through.
"""

from __future__ import annotations

import re
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from tamis._runtime import limits
from tamis.options import Options
from tamis.page import tags
from tamis.page.addresses import Base
from tamis.page.attributes import Attributes, value_of
from tamis.page.buffer import Buffer
from tamis.page.strings import Strings
from tamis.page.table import Column, Page
from tamis.page.tags import HIDDEN, IN_PRE
from tamis.render.apart import find_apart
from tamis.render.captions import with_captions
from tamis.render.cards import one_link_each
from tamis.render.embeds import describe_embed
from tamis.render.footnotes import may_lead_back
from tamis.render.formulas import Formula, drawn_formula
from tamis.render.lines import add_indent
from tamis.render.named import Named, Rows
from tamis.render.pictures import Image, image
from tamis.render.selection import CONTAINERS, MARKS, select
from tamis.render.titles import with_title_apart
from tamis.render.walk import (
    CODE,
    CONTAINER,
    FORMULA,
    HEADING,
    IMAGE,
    LINK,
    MARK,
    RULE,
    joined_words,
)

Mark: TypeAlias = tuple[str, Any]
"""Name of a mark and its value: the target of a link, the footnote."""
Marks: TypeAlias = tuple[Mark, ...]
Span: TypeAlias = tuple[str, "str | Image | Formula", Marks]
"""What separates it from the span before ("", " " or line breaks), the content, its marks."""

OPEN, LEAF, CLOSE = range(3)
Event: TypeAlias = tuple[int, str, Any, list[Span]]
"""The action, the kind of container or leaf, its value, the spans of a leaf.

The value of a list is its first number or None; of a cell, whether it is a header and how many
columns and rows it spans; of a heading, its level; of a listing, its language; of a callout,
what it is; of others, the footnote that they hold, or None.
"""

# Deeper containers are left out, their content stays: parsers of Markdown stop at 20 levels.
_DEEPEST = 14
_FAR = 1 << 62
# Characters of addresses, which all begin with that of the page, from which on they are checked.
_MANY = 10_000_000
# Elements and runs of text after which the limits are checked.
_OFTEN = 1000
_LEVELS = 8
_BETWEEN_CELLS = frozenset(("table", "row"))
_TABLE_PARTS = frozenset(("table", "row", "cell"))
_HEADING_LEVELS = {tags.ID[f"h{level}"]: level for level in range(1, 7)}
_LEVEL_NAMES = {str(level): level for level in range(1, 7)}
_CONTAINERS = {tags.ID[name]: kind for name, kind in CONTAINERS.items()}
_MARKS: dict[int, Mark] = {tags.ID[name]: (mark, "") for name, mark in MARKS.items()}
_IS_BLOCK = bytes(traits & tags.BLOCK != 0 for traits in tags.TRAITS)
_SUP, _STRONG, _B, _OL, _TH, _IMG, _INPUT, _DL, _DD = (
    tags.ID[name] for name in ("sup", "strong", "b", "ol", "th", "img", "input", "dl", "dd")
)
_HREF, _START, _COLSPAN, _ROWSPAN, _CLASS = (
    tags.ATTRIBUTE_ID[name] for name in ("href", "start", "colspan", "rowspan", "class")
)
_NO_SPANS: list[Span] = []  # of events that are no leaves
_WORD = re.compile(r"\w")
_END_OF_TAG = ord(">")
_END_OF_ATOM = re.compile(rb"<(?:img|/script|/math|/mjx|/svg|/noscript)", re.IGNORECASE)
# Bytes of a tag, and tags between a formula and what follows.
_LONGEST_TAG = 1000
_NEAR_TAGS = 20
_SIZE = re.compile(r"[-_@](?:small|medium|large|thumb|full|original|\d+(?:x\d*)?[wx]?)$")


def outline(
    page: Page,
    kept: npt.NDArray[np.bool_],
    url: str | None,
    options: Options,
    as_text: bool = False,
) -> list[Event]:
    """The kept blocks of a page as events, in document order.

    As text, words are apart only where white space or a tag of its own separates them.
    """
    return placed_outline(page, kept, url, options, as_text)[0]


def placed_outline(
    page: Page,
    kept: npt.NDArray[np.bool_],
    url: str | None,
    options: Options,
    as_text: bool = False,
) -> tuple[list[Event], dict[int, tuple[int, int]]]:
    """The outline, and by the `id` of the spans of a leaf its first and last text."""
    if len(kept) and not kept.any():
        return [], {}
    title = ""
    if options.title is True:
        title, kept = with_title_apart(page, kept, url)
    if options.images and not as_text:
        kept = with_captions(page, kept)
    walk = _Walk(page, kept, url, options)
    pairs = [] if as_text else joined_words(page, walk.chosen.texts)
    walk.run(find_apart(page, pairs) if pairs else set())
    if walk.cards:
        one_link_each(walk.cards)
    if title:
        walk.events.insert(0, (LEAF, "heading", 1, [("", title, ())]))
    return walk.events, walk.places


def _is_sign(content: str, marks: Marks) -> bool:
    """Whether a text is the sign that links a heading to itself."""
    return bool(marks) and marks[-1][0] in ("link", "anchor") and not _WORD.search(content)


def _stem(src: str) -> str:
    """The name of an image without its size."""
    return _SIZE.sub("", src.rpartition("/")[2].partition("?")[0].rpartition(".")[0])


def _is_linked(marks: Marks) -> bool:
    # Compiled, a loop takes a fifth of the time of `any`.
    for mark in marks:
        if mark[0] in ("link", "note"):
            break
    else:
        return False
    return True


def _has_mark(spans: list[Span], mark: Mark) -> bool:
    """Whether a leaf has a mark, that of the same element."""
    for _, _, marks in spans:
        for other in marks:
            if other is mark:
                return True
    return False


class _Walk:
    """The state of one walk."""

    def __init__(
        self, page: Page, kept: npt.NDArray[np.bool_], url: str | None, options: Options
    ) -> None:
        self.page, self.source = page, page.source
        self.base = Base(page, url)
        self.events: list[Event] = []
        # The open leaf, and the innermost block-level element around its last content.
        self.kind = "paragraph"
        self.value: Any = None
        self.spans: list[Span] = []
        self.around = -1
        self.first_text = self.last_text = -1
        self.places: dict[int, tuple[int, int]] = {}
        self.marks: Marks = ()
        # Open elements: container; marks, kind and value before; last node, end in shown texts.
        self.stack: list[tuple[str, Marks, str, Any, int, int]] = []
        self.last, self.end = _FAR, _FAR
        self.containers: list[str] = []
        self.led_by_image = False
        # Links around several leaves, and the link that was open when the leaf before ended.
        self.cards: list[tuple[Mark, list[Event]]] = []
        self.link: Mark | None = None
        self.leaf_before: Event | None = None
        self.atom_place = self.atom_end = -1
        self.chosen = chosen = select(page, kept)
        # Of the chosen elements, then of all.
        self.nodes, self.roles = chosen.nodes.data, chosen.roles.data
        self.firsts, self.ends = chosen.firsts.data, chosen.ends.data
        self.tags, self.lasts = page.nodes.tag.data, page.nodes.last.data
        self.parents, self.flags = page.nodes.parent.data, page.nodes.flags.data
        self.starts, self.first_texts = page.nodes.start.data, page.nodes.first_text.data
        self.attributes, self.listings = Attributes(page), chosen.listings
        self.place = self.steps = self.length = 0
        self.hrefs = self._hrefs()
        by_name = Named(page, chosen, self._fragments(), self._raised())
        notes = by_name.notes
        self.references, self.holders = notes.references, notes.notes
        self.note_blocks, self.margin, self.unmarked = notes.blocks, notes.margin, notes.unmarked
        self.carriers, self.labels, self.back = chosen.carriers, notes.labels, notes.back
        self.cuts, self.callouts, self.languages = notes.cuts, by_name.callouts, by_name.languages
        self._add_rows(by_name.rows())
        # The last element of a table that is only the form of a note or a callout.
        self.layout_end = self.line = -1
        self.outside: list[tuple[list[Event], list[Span], str, Any, int, int]] = []
        self.beside: list[Event] = []
        self.links, self.images = options.links, options.images
        self.next = self.firsts[0] if len(self.firsts) else _FAR

    def _add_rows(self, rows: Rows | None) -> None:
        """Take over the elements that have a role by their name."""
        if rows is None:
            return
        self.nodes, self.roles, self.firsts, self.ends = (column.data for column in rows.columns)
        hrefs, begin = [], 0
        for place in rows.places:
            hrefs += self.hrefs[begin:place]
            hrefs.append("")
            begin = place
        self.hrefs = hrefs + self.hrefs[begin:]

    def _hrefs(self) -> list[str]:
        """Where each element leads, as the page has it; empty if it is no link."""
        hrefs = [""] * len(self.roles)
        for place in range(len(self.roles)):
            if self.roles[place] == LINK:
                self._step()
                raw = self.attributes.raw(self.nodes[place], _HREF)
                if raw:
                    hrefs[place] = value_of(raw)
        return hrefs

    def _step(self) -> None:
        self.steps += 1
        if self.steps % _OFTEN == 0:
            limits.check()

    def _count(self, address: str) -> None:
        """Stop before the addresses alone are far more than a view may have."""
        self.length += len(address)
        if self.length > _MANY:
            limits.check_output(self.length)

    def _fragments(self) -> dict[int, str]:
        """The links to places in the page, with the names of these."""
        fragments = {}
        for place in range(len(self.hrefs)):
            href = self.hrefs[place]
            if href and "#" in href:
                self._step()
                address, _, fragment = href.partition("#")
                if not address or self.base.is_page(address) or may_lead_back(fragment):
                    fragments[self.nodes[place]] = fragment
        return fragments

    def _raised(self) -> list[int]:
        """The raised and bold elements, none if no text is raised."""
        raised = []
        is_any = False
        for place in range(len(self.nodes)):
            tag = self.tags[self.nodes[place]]
            if tag in (_SUP, _STRONG, _B):
                raised.append(self.nodes[place])
                is_any = is_any or tag == _SUP
        return raised if is_any else []

    def run(self, spaced: set[int]) -> None:
        """Go through the texts, in runs that no element and no block begins or ends in.

        `spaced` are texts with a space before them that the source lacks.
        """
        own = {*self.carriers, *self.labels, *self.back, *self.cuts}
        numbers, count = self.chosen.texts.data, len(self.chosen.texts)
        begins = self._begins(self.chosen.texts, own | spaced)
        blocks, around = self.page.texts.block.data, self.page.blocks.node.data
        block_before = -1
        texts, out = Strings(self.page), Buffer(1024)
        end = 0
        while end < count:
            begin = end
            end = begin + 1
            block = blocks[numbers[begin]]
            while end < count and not begins[end] and blocks[numbers[end]] == block:
                end += 1
            self._step()
            if self.next <= begin:
                self._enter(begin)
            while self.end <= begin:
                self._leave()
            separator = texts.separator(numbers[begin])
            if spaced and numbers[begin] in spaced:
                separator = " "
            is_new = block != block_before
            if is_new:
                block_before = block
                separator = self._new_block(block, around[block], separator)
            if self.first_text < 0:
                self.first_text = numbers[begin]
            self.last_text = numbers[end - 1]
            if self.kind == "code":
                if self.page.texts.flags[numbers[begin]] & IN_PRE:
                    code = texts.code(numbers, begin, end, separator, out)
                else:
                    code = separator + texts.joined(numbers, begin, end, out)
                if is_new:
                    before, self.line = self.line if self.spans else -1, around[block]
                    code = add_indent(self.page, code, numbers[begin], before, self.line)
                self.spans.append(("", code, self.marks))
                continue
            content = texts.joined(numbers, begin, end, out)
            is_after = separator == " " and self.spans and type(self.spans[-1][1]) is not str
            if is_after and content and not content[0].isalnum():
                separator = self._after_atom(numbers[begin])
            if own or self.kind != "paragraph":
                self._add(numbers[begin], separator, content)
            else:
                self.spans.append((separator, content, self.marks))
        self._enter(_FAR - 1)
        while self.stack:
            self._leave()
        self._flush()

    def _begins(self, texts: Column, own: set[int]) -> bytearray:
        """Whether an element, or a text of its own, begins or ends at each of the shown texts."""
        begins = bytearray(len(texts) + 1)
        for place in range(len(self.firsts)):
            begins[self.firsts[place]] = 1
            begins[self.ends[place]] = 1
        for number in np.searchsorted(texts, sorted(own)).tolist() if own else ():
            if number < len(texts):  # others are after all that is shown
                begins[number] = begins[number + 1] = 1
        return begins

    def _new_block(self, block: int, around: int, separator: str) -> str:
        """A new block begins a new leaf, but not inside a heading or a listing."""
        if self.spans:
            if self.kind != "paragraph":
                return "\n"
            if self.led_by_image and around == self.around:
                self.led_by_image = False
                return separator or " "
        self._flush()
        self.around = around
        if self.kind == "paragraph":
            self.value = self.note_blocks.get(block) if self.note_blocks else None
        return ""

    def _add(self, text: int, separator: str, content: str) -> None:
        """A run in a heading, or on a page with formulas or footnotes."""
        marks = self.marks
        if text in self.carriers:
            self.spans.append((separator, self.carriers[text], marks))
            return
        if text in self.labels:
            marks = (*marks, ("label", ""))
        elif text in self.cuts:
            cut = self.cuts[text]
            self.spans.append((separator, content[:cut], (*marks, ("label", ""))))
            separator, content = "", content[cut:]
        elif text in self.back or (self.kind == "heading" and _is_sign(content, marks)):
            marks = (*marks, ("back", ""))
        self.spans.append((separator, content, marks))

    def _after_atom(self, text: int) -> str:
        """The white space between a formula or image and what follows, none from inside it."""
        place = self.page.texts.start[text]
        for _ in range(_NEAR_TAGS):
            if place < 1 or self.source[place - 1] != _END_OF_TAG:
                break
            begin = max(0, place - _LONGEST_TAG)
            tag = self.source[begin:place].rfind(b"<")
            place = begin + tag
            if tag < 0 or _END_OF_ATOM.match(self.source, place):
                return ""
        white = place > 0 and self.source[place - 1] in b" \t\n\v\f\r"
        return " " if white else ""

    # Elements

    def _enter(self, number: int) -> None:
        """Open the elements that begin before the shown text of that number."""
        while self.next <= number:
            self._step()
            place = self.place
            self.place = place + 1
            self.next = self.firsts[place + 1] if place + 1 < len(self.firsts) else _FAR
            node, role = self.nodes[place], self.roles[place]
            while self.last < node:
                self._leave()
            if role == MARK:
                note = self.references.get(node) if self.references else None
                mark: Mark = ("note", note) if note else _MARKS[self.tags[node]]
                if mark not in self.marks:
                    self._push(place, "")
                    self.marks = (*self.marks, mark)
            elif role == LINK:
                self._open_link(place, node)
            elif role == CONTAINER:
                self._open_box(place, node)
            elif role == RULE and self.kind == "paragraph":
                self._flush()
                self.events.append((LEAF, "rule", None, _NO_SPANS))
            elif role in (IMAGE, FORMULA):
                self._atom(node, role)
            elif role in (HEADING, CODE) and self.kind == "paragraph":
                self._open_leaf(place, node, role)

    def _push(self, place: int, container: str) -> None:
        self.stack.append((container, self.marks, self.kind, self.value, self.last, self.end))
        self.last, self.end = self.lasts[self.nodes[place]], self.ends[place]

    def _leave(self) -> None:
        """Close the innermost open element."""
        container, marks, kind, value, self.last, self.end = self.stack.pop()
        if container == "margin":
            self._leave_margin()
        elif container:
            self._flush()
            self.events.append((CLOSE, self.containers.pop(), None, _NO_SPANS))
        elif kind != self.kind:
            self._flush()
            self.value = value
        self.marks, self.kind = marks, kind

    def _flush(self) -> None:
        """End the open leaf."""
        if self.spans:
            if self.first_text >= 0:
                self.places[id(self.spans)] = self.first_text, self.last_text
                self.first_text = -1
            leaf = (LEAF, self.kind, self.value, self.spans)
            if self.link is not None or self.marks:
                self._follow_link(leaf)
            if self.containers and self.containers[-1] in _BETWEEN_CELLS:
                self._add_cell(leaf)
            else:
                self.events.append(leaf)
            self.spans = []
        self.led_by_image = False
        if self.beside and not self.containers and not self.outside:
            self.events += self.beside
            self.beside = []

    def _follow_link(self, leaf: Event) -> None:
        """Note the leaves of a link that is around more than one."""
        link = self.link
        if link is not None and _has_mark(leaf[3], link):
            if self.cards and self.cards[-1][0] is link:
                self.cards[-1][1].append(leaf)
            elif self.leaf_before is not None:
                self.cards.append((link, [self.leaf_before, leaf]))
        self.link, self.leaf_before = None, leaf
        for mark in self.marks:
            if mark[0] == "link" and _has_mark(leaf[3], mark):
                self.link = mark

    def _add_cell(self, leaf: Event) -> None:
        """Text between the cells of a broken table: a cell of its own."""
        begin: Event = (OPEN, "cell", (False, 1, 1), _NO_SPANS)
        cell: list[Event] = [begin, leaf, (CLOSE, "cell", None, _NO_SPANS)]
        if self.containers[-1] == "table":
            cell = [(OPEN, "row", None, _NO_SPANS), *cell, (CLOSE, "row", None, _NO_SPANS)]
        self.events += cell

    def _open_link(self, place: int, node: int) -> None:
        note = self.references.get(node) if self.references else None
        href = self.hrefs[place]
        mark: Mark | None = None
        if note:
            mark = ("note", note)
        elif href and self.links:
            target = self.base.link(href)
            if target:
                self._count(target)
            mark = ("link", target) if target else None
            if self.kind == "heading" and href[0] == "#":
                mark = ("anchor", target) if target else None  # from a heading to itself
        if mark and not _is_linked(self.marks):
            self._push(place, "")
            self.marks = (*self.marks, mark)

    def _open_leaf(self, place: int, node: int, role: int) -> None:
        """A heading or a listing."""
        self._flush()
        self._push(place, "")
        if role == CODE:
            language = self.listings.language(node) or self.languages.get(node, "")
            self.kind, self.value = "code", language
        else:
            level = _HEADING_LEVELS.get(self.tags[node])
            if level is None:
                level = _LEVEL_NAMES.get(self.page.attributes(node).get("aria-level", ""), 2)
            self.kind, self.value = "heading", level

    def _open_box(self, place: int, node: int) -> None:
        """A container by its tag, its name, or as a footnote."""
        tag = self.tags[node]
        kind = _CONTAINERS.get(tag, "")
        above = node if tag == _DL else self.parents[node] if tag == _DD else -1
        is_list = above >= 0 and self.tags[above] == _DL and self.lasts[above] > above
        only_indents = is_list and self.tags[above + 1] == _DD
        if only_indents and not (self.holders and node in self.holders):
            return  # there is no term
        if node <= self.layout_end and kind in _TABLE_PARTS:
            return
        if self.margin and node in self.margin:
            self._open_margin(place, node)
            return
        if self.callouts and node in self.callouts:
            kind = "callout" if self.callouts[node].kind else "quote"
        elif self.holders and node in self.holders and kind not in ("item", "details"):
            kind = "footnote"
            self.layout_end = self.lasts[node]
        elif kind == "table" and self._is_layout(node):
            self.layout_end = self.lasts[node]
            return
        if kind:
            self._open_container(place, node, kind)

    def _is_layout(self, node: int) -> bool:
        """Whether a table is only the form of a callout, or of a formula with its number."""
        if self.events and self.events[-1][:2] == (OPEN, "callout"):
            return True
        names = self.attributes.raw(node, _CLASS)
        return names is not None and b"ltx_eq" in names

    def _open_margin(self, place: int, node: int) -> None:
        """A note in the middle of a text, which goes on after it."""
        note = self.margin[node]
        if node in self.unmarked:
            self.spans.append(("", "", (*self.marks, ("note", note))))
        self._push(place, "margin")
        self.outside.append(
            (self.events, self.spans, self.kind, self.value, self.around, self.first_text)
        )
        self.events, self.spans = [(OPEN, "footnote", note, _NO_SPANS)], []
        self.kind, self.value, self.marks, self.first_text = "paragraph", None, (), -1

    def _leave_margin(self) -> None:
        self._flush()
        note = [*self.events, (CLOSE, "footnote", None, _NO_SPANS)]
        self.events, self.spans, self.kind, self.value, self.around, self.first_text = (
            self.outside.pop()
        )
        if len(note) > 2:
            self.beside += note

    def _open_container(self, place: int, node: int, kind: str) -> None:
        if self.kind != "paragraph":
            return
        around = self.containers[-1] if self.containers else ""
        if kind == "caption" and around == "table":
            if self.events[-1][0] == CLOSE:
                return  # after the first row
        elif kind not in _TABLE_PARTS:
            depth = len(self.containers) + (2 if kind in ("list", "terms") else 1)
            if depth > _DEEPEST or (around in _BETWEEN_CELLS and kind != "caption"):
                return
        self._flush()
        self._push(place, kind)
        self.containers.append(kind)
        tag = self.tags[node]
        if kind == "list":
            value: Any = self._number(node, _START) if tag == _OL else None
        elif kind == "cell":
            value = (tag == _TH, self._number(node, _COLSPAN), self._number(node, _ROWSPAN))
        elif kind == "callout":
            value = self.callouts[node]
        else:
            value = self.holders.get(node) if self.holders else None
        self.events.append((OPEN, kind, value, _NO_SPANS))

    def _number(self, node: int, attribute: int) -> int:
        """A number in an attribute; 1 if it is not a number or too large."""
        raw = self.attributes.raw(node, attribute)
        if not raw:
            return 1
        value = value_of(raw).strip()
        return int(value) if value.isascii() and value.isdigit() and len(value) < 9 else 1

    # Images and formulas without text

    def _atom(self, node: int, role: int) -> None:
        """An image or a formula, inside the open leaf if its block goes on there."""
        content: Image | Formula | None = None
        if node <= self.atom_end:
            return
        if role == FORMULA:
            content = self.chosen.formulas[node]
            self.atom_end = self.lasts[node]
        elif self.tags[node] == _INPUT:
            self._task(node)
        elif self.images:
            content = self._picture(node)
        if content is None or self.kind == "code":
            return
        place = self.first_texts[node]
        hidden = self.flags[node] & HIDDEN
        is_near = not hidden and place == self.atom_place
        if is_near and isinstance(content, Image) and self._is_again(content):
            return
        if hidden and place == self.atom_place and self.spans:
            # Meant for readers without scripts; it replaces the one before, which scripts load.
            separator, _, marks = self.spans.pop()
            self.spans.append((separator, content, marks))
            return
        self.atom_place = place
        around = self._block_around(node)
        if self.spans and around != self.around and self.kind == "paragraph":
            self._flush()
        start = self.starts[node]
        spaced = len(self.spans) > 0 and start > 0 and self.source[start - 1] in b" \t\n\v\f\r"
        self.led_by_image = self.led_by_image or not self.spans
        self.around = around
        marks = self.marks
        if role == IMAGE and self.chosen.drawn and self._is_drawn(node):
            marks = (*marks, ("back", ""))  # Markdown has the formula
        self.spans.append((" " if spaced else "", content, marks))

    def _is_again(self, image: Image) -> bool:
        """Whether an image is the one before it in a figure, in another size."""
        around = self.containers[-1] if self.containers else ""
        before = self.spans[-1][1] if self.spans else None
        if before is None and around == "figure":
            _, kind, _, spans = self.events[-1]
            before = spans[-1][1] if kind == "paragraph" and spans else None
        if around != "figure" or not isinstance(before, Image) or before.src == image.src:
            return False
        return before.alt == image.alt if image.alt else _stem(before.src) == _stem(image.src)

    def _picture(self, node: int) -> Image | Formula | None:
        """What an img or a frame shows: an image, a formula, or what is on another site."""
        if self.tags[node] != _IMG:
            return describe_embed(self.page, node)
        content: Image | None = image(self.page, self.attributes, node, self.base)
        if content is None:
            return None
        self._count(content.src)
        if self.chosen.drawn and self._is_drawn(node):
            return content
        names = self.attributes.raw(node, _CLASS)
        return drawn_formula(content, value_of(names) if names else "") or content

    def _task(self, node: int) -> None:
        """The box before an item of a list of tasks."""
        around = self.containers[-1] if self.containers else ""
        if around == "item" and not self.spans and self.kind == "paragraph":
            attributes = self.page.attributes(node)
            if attributes.get("type", "").lower() == "checkbox":
                mark = "done" if "checked" in attributes else "open"
                self.around = self._block_around(node)
                self.led_by_image = True
                self.spans.append(("", "", ((mark, ""),)))

    def _is_drawn(self, node: int) -> bool:
        """Whether an image is part of a formula."""
        for _ in range(_LEVELS):
            node = self.parents[node]
            if node in self.chosen.drawn:
                return True
            if node < 0:
                break
        return False

    def _block_around(self, node: int) -> int:
        """The innermost block-level element around a node, -1 if it is far."""
        for _ in range(_LEVELS):
            node = self.parents[node]
            tag = self.tags[node]
            if tag < len(_IS_BLOCK) and _IS_BLOCK[tag]:
                return node
        return -1
