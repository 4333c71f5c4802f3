# cython: annotation_typing=False, wraparound=True
"""Build the outline of a page: its kept part as a flat list of events.

Nodes and texts are in document order, so this is one loop over the kept texts that opens and closes
the elements with a role on the way (`selection`). Containers open and close; leaves have runs of
text, images and formulas, each with its marks. None of the page's own markup goes through.
"""

from __future__ import annotations

import re
from typing import Any

import numpy as np

from tamis._runtime import limits
from tamis.options import Options
from tamis.page import tags
from tamis.page.addresses import Base
from tamis.page.arrays import Flags, Ints
from tamis.page.attributes import Attributes, value_of
from tamis.page.table import Page
from tamis.page.tags import HIDDEN, IN_PRE
from tamis.page.text.strings import Buffer, Strings
from tamis.render.outline.events import (
    CLOSE,
    LEAF,
    OPEN,
    Event,
    Formula,
    Image,
    LinkedLeaves,
    Mark,
    Marks,
    Outline,
    Span,
    is_linked,
)
from tamis.render.outline.footnotes import may_lead_back
from tamis.render.outline.formulas import read_drawn_formula
from tamis.render.outline.listings import add_indent
from tamis.render.outline.pictures import read_embed, read_image
from tamis.render.outline.roles import (
    CODE,
    CONTAINER,
    FORMULA,
    HEADING,
    IMAGE,
    LINK,
    MARK,
    RULE,
    find_word_gaps,
)
from tamis.render.outline.selection import (
    CONTAINERS,
    MARKS,
    ClassRoles,
    add_captions,
    select,
    split_title,
)

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
_NO_SPANS: list[Span] = []  # of events that are not leaves
_WORD = re.compile(r"\w")
_END_OF_TAG = ord(">")
_END_OF_ATOM = re.compile(rb"<(?:img|/script|/math|/mjx|/svg|/noscript)", re.IGNORECASE)
# Bytes of a tag, and tags between a formula and what follows.
_LONGEST_TAG = 1000
_NEAR_TAGS = 20
_SIZE = re.compile(r"[-_@](?:small|medium|large|thumb|full|original|\d+(?:x\d*)?[wx]?)$")


def build_outline(
    page: Page, kept: Flags, url: str | None, options: Options, as_text: bool = False
) -> Outline:
    """Build the outline of the kept blocks.

    As text, words are apart only where white space or a tag of its own separates them.
    """
    if len(kept) and not kept.any():
        return Outline([], {})
    title = ""
    if options.title is True:
        title, kept = split_title(page, kept, url)
    if options.images and not as_text:
        kept = add_captions(page, kept)
    builder = _Builder(page, kept, url, options)
    builder.build(set() if as_text else find_word_gaps(page, builder.chosen.texts))
    if title:
        builder.events.insert(0, (LEAF, "heading", 1, [("", title, ())]))
    return Outline(builder.events, builder.places)


def _name_without_size(src: str) -> str:
    return _SIZE.sub("", src.rpartition("/")[2].partition("?")[0].rpartition(".")[0])


class _Builder:
    """The state of one walk over the shown texts."""

    def __init__(self, page: Page, kept: Flags, url: str | None, options: Options) -> None:
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
        self.linked = LinkedLeaves()
        self.atom_place = self.atom_end = -1
        self.chosen = chosen = select(page, kept)
        self.nodes, self.roles = chosen.nodes.data, chosen.roles.data
        self.tags, self.lasts = page.nodes.tag.data, page.nodes.last.data
        self.parents, self.flags = page.nodes.parent.data, page.nodes.flags.data
        self.starts, self.first_texts = page.nodes.start.data, page.nodes.first_text.data
        self.attributes, self.listings = Attributes(page), chosen.listings
        self.place = self.steps = self.length = 0
        self.hrefs = self._read_hrefs()
        by_class = ClassRoles(page, chosen, self._find_fragments(), self._find_raised())
        notes = by_class.notes
        self.references, self.holders = notes.references, notes.notes
        self.note_blocks, self.margin, self.unmarked = notes.blocks, notes.margin, notes.unmarked
        self.carriers, self.labels, self.back = chosen.carriers, notes.labels, notes.back
        self.cuts, self.callouts, self.languages = notes.cuts, by_class.callouts, by_class.languages
        columns = by_class.add_to_chosen()
        self.nodes, self.roles, self.firsts, self.ends = (column.data for column in columns)
        # The last element of a table that is only the form of a note or a callout.
        self.layout_end = self.line = -1
        self.outside: list[tuple[list[Event], list[Span], str, Any, int, int]] = []
        self.beside: list[Event] = []
        self.links, self.images = options.links, options.images
        self.next = self.firsts[0] if len(self.firsts) else _FAR

    def _read_hrefs(self) -> dict[int, str]:
        """Where the links lead, as the page has it."""
        hrefs = {}
        for place in range(len(self.roles)):
            if self.roles[place] == LINK:
                self._step()
                node = self.nodes[place]
                raw = self.attributes.raw(node, _HREF)
                if raw:
                    hrefs[node] = value_of(raw)
        return hrefs

    def _step(self) -> None:
        self.steps += 1
        if self.steps % _OFTEN == 0:
            limits.check()

    def _count_address(self, address: str) -> None:
        """Raise an error before addresses alone take far more space than a view may."""
        self.length += len(address)
        if self.length > _MANY:
            limits.check_output(self.length)

    def _find_fragments(self) -> dict[int, str]:
        """The links to places in the page, with the names of these."""
        fragments = {}
        for node, href in self.hrefs.items():
            if "#" in href:
                self._step()
                address, _, fragment = href.partition("#")
                if not address or self.base.is_page(address) or may_lead_back(fragment):
                    fragments[node] = fragment
        return fragments

    def _find_raised(self) -> list[int]:
        """The raised and bold elements; none if no text is raised."""
        raised = []
        is_any = False
        for place in range(len(self.nodes)):
            tag = self.tags[self.nodes[place]]
            if tag in (_SUP, _STRONG, _B):
                raised.append(self.nodes[place])
                is_any = is_any or tag == _SUP
        return raised if is_any else []

    def build(self, spaced: set[int]) -> None:
        """Go through the texts, in runs that no element and no block begins or ends in.

        `spaced` are texts with a space before them that the source lacks.
        """
        own = {*self.carriers, *self.labels, *self.back, *self.cuts}
        numbers, count = self.chosen.texts.data, len(self.chosen.texts)
        begins = self._find_begins(self.chosen.texts, own | spaced)
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
                separator = self._begin_block(block, around[block], separator)
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
                separator = self._find_white_after(numbers[begin])
            if own or self.kind != "paragraph":
                self._add_text(numbers[begin], separator, content)
            else:
                self.spans.append((separator, content, self.marks))
        self._enter(_FAR - 1)
        while self.stack:
            self._leave()
        self._flush()
        if self.linked.cards:
            self.linked.keep_one_each()

    def _find_begins(self, texts: Ints, own: set[int]) -> bytearray:
        """Whether an element, or a text of its own, begins or ends at each of the shown texts."""
        begins = bytearray(len(texts) + 1)
        for place in range(len(self.firsts)):
            begins[self.firsts[place]] = 1
            begins[self.ends[place]] = 1
        for number in np.searchsorted(texts, sorted(own)).tolist() if own else ():
            if number < len(texts):  # others are after all that is shown
                begins[number] = begins[number + 1] = 1
        return begins

    def _begin_block(self, block: int, around: int, separator: str) -> str:
        """Begin a new leaf, except in a heading or a listing."""
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

    def _add_text(self, text: int, separator: str, content: str) -> None:
        """Add a run in a heading, or on a page with formulas or footnotes."""
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
        elif text in self.back or (
            # The sign that links a heading to itself.
            self.kind == "heading"
            and marks
            and marks[-1][0] in ("link", "anchor")
            and not _WORD.search(content)
        ):
            marks = (*marks, ("back", ""))
        self.spans.append((separator, content, marks))

    def _find_white_after(self, text: int) -> str:
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
                self._open_by_role(place, node)
            elif role == RULE and self.kind == "paragraph":
                self._flush()
                self.events.append((LEAF, "rule", None, _NO_SPANS))
            elif role in (IMAGE, FORMULA):
                self._add_atom(node, role)
            elif role in (HEADING, CODE) and self.kind == "paragraph":
                self._open_leaf(place, node, role)

    def _push(self, place: int, container: str) -> None:
        self.stack.append((container, self.marks, self.kind, self.value, self.last, self.end))
        self.last, self.end = self.lasts[self.nodes[place]], self.ends[place]

    def _leave(self) -> None:
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
        if self.spans:
            if self.first_text >= 0:
                self.places[id(self.spans)] = self.first_text, self.last_text
                self.first_text = -1
            leaf = (LEAF, self.kind, self.value, self.spans)
            if self.linked.link is not None or self.marks:
                self.linked.follow(leaf, self.marks)
            if self.containers and self.containers[-1] in _BETWEEN_CELLS:
                self._add_cell(leaf)
            else:
                self.events.append(leaf)
            self.spans = []
        self.led_by_image = False
        if self.beside and not self.containers and not self.outside:
            self.events += self.beside
            self.beside = []

    def _add_cell(self, leaf: Event) -> None:
        """Add text between the cells of a broken table as a cell of its own."""
        begin: Event = (OPEN, "cell", (False, 1, 1), _NO_SPANS)
        cell: list[Event] = [begin, leaf, (CLOSE, "cell", None, _NO_SPANS)]
        if self.containers[-1] == "table":
            cell = [(OPEN, "row", None, _NO_SPANS), *cell, (CLOSE, "row", None, _NO_SPANS)]
        self.events += cell

    def _open_link(self, place: int, node: int) -> None:
        note = self.references.get(node) if self.references else None
        href = self.hrefs.get(node, "")
        mark: Mark | None = None
        if note:
            mark = ("note", note)
        elif href and self.links:
            target = self.base.link(href)
            if target:
                self._count_address(target)
            mark = ("link", target) if target else None
            if self.kind == "heading" and href[0] == "#":
                mark = ("anchor", target) if target else None  # from a heading to itself
        if mark and not is_linked(self.marks):
            self._push(place, "")
            self.marks = (*self.marks, mark)

    def _open_leaf(self, place: int, node: int, role: int) -> None:
        self._flush()
        self._push(place, "")
        if role == CODE:
            language = self.listings.find_language(node) or self.languages.get(node, "")
            self.kind, self.value = "code", language
        else:
            level = _HEADING_LEVELS.get(self.tags[node])
            if level is None:
                level = _LEVEL_NAMES.get(self.page.attributes(node).get("aria-level", ""), 2)
            self.kind, self.value = "heading", level

    def _open_by_role(self, place: int, node: int) -> None:
        """Open a container by its tag, its class, or as a footnote."""
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
        is_callout = bool(self.events) and self.events[-1][:2] == (OPEN, "callout")
        return is_callout or b"ltx_eq" in (self.attributes.raw(node, _CLASS) or b"")

    def _open_margin(self, place: int, node: int) -> None:
        """Open a note in the middle of a text, which goes on after it."""
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
            value: Any = self._read_number(node, _START) if tag == _OL else None
        elif kind == "cell":
            value = (
                tag == _TH,
                self._read_number(node, _COLSPAN),
                self._read_number(node, _ROWSPAN),
            )
        elif kind == "callout":
            value = self.callouts[node]
        else:
            value = self.holders.get(node) if self.holders else None
        self.events.append((OPEN, kind, value, _NO_SPANS))

    def _read_number(self, node: int, attribute: int) -> int:
        """A number in an attribute; 1 if it is not a number or too large."""
        raw = self.attributes.raw(node, attribute)
        if not raw:
            return 1
        value = value_of(raw).strip()
        return int(value) if value.isascii() and value.isdigit() and len(value) < 9 else 1

    # Images and formulas without text

    def _add_atom(self, node: int, role: int) -> None:
        """Add an image or a formula, to the open leaf if its block goes on there."""
        content: Image | Formula | None = None
        if node <= self.atom_end:
            return
        if role == FORMULA:
            content = self.chosen.formulas[node]
            self.atom_end = self.lasts[node]
        elif self.tags[node] == _INPUT:
            self._add_task(node)
        elif self.images:
            content = self._read_picture(node)
        if content is None or self.kind == "code":
            return
        place = self.first_texts[node]
        hidden = self.flags[node] & HIDDEN
        is_near = not hidden and place == self.atom_place
        if is_near and isinstance(content, Image) and self._repeats_image(content):
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

    def _repeats_image(self, image: Image) -> bool:
        """Whether an image is the one before it in a figure, in another size."""
        around = self.containers[-1] if self.containers else ""
        before = self.spans[-1][1] if self.spans else None
        if before is None and around == "figure":
            _, kind, _, spans = self.events[-1]
            before = spans[-1][1] if kind == "paragraph" and spans else None
        if around != "figure" or not isinstance(before, Image) or before.src == image.src:
            return False
        return (
            before.alt == image.alt
            if image.alt
            else _name_without_size(before.src) == _name_without_size(image.src)
        )

    def _read_picture(self, node: int) -> Image | Formula | None:
        """What an img or a frame shows: an image, a formula, or what is on another site."""
        if self.tags[node] != _IMG:
            return read_embed(self.page, node)
        content: Image | None = read_image(self.page, self.attributes, node, self.base)
        if content is None:
            return None
        self._count_address(content.src)
        if self.chosen.drawn and self._is_drawn(node):
            return content
        names = self.attributes.raw(node, _CLASS)
        return read_drawn_formula(content, value_of(names) if names else "") or content

    def _add_task(self, node: int) -> None:
        """Add the box before an item of a list of tasks."""
        around = self.containers[-1] if self.containers else ""
        if around == "item" and not self.spans and self.kind == "paragraph":
            attributes = self.page.attributes(node)
            if attributes.get("type", "").lower() == "checkbox":
                mark = "done" if "checked" in attributes else "open"
                self.around = self._block_around(node)
                self.led_by_image = True
                self.spans.append(("", "", ((mark, ""),)))

    def _is_drawn(self, node: int) -> bool:
        for _ in range(_LEVELS):
            node = self.parents[node]
            if node in self.chosen.drawn:
                return True
            if node < 0:
                break
        return False

    def _block_around(self, node: int) -> int:
        """The innermost block-level element around a node, -1 if it is far away."""
        for _ in range(_LEVELS):
            node = self.parents[node]
            tag = self.tags[node]
            if tag < len(_IS_BLOCK) and _IS_BLOCK[tag]:
                return node
        return -1
