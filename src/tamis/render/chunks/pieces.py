"""The outline of a page in pieces that may be in different chunks, and these as Markdown again.

A piece is a heading, a paragraph, a listing or a row of a table, with the containers around it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from itertools import groupby
from typing import Any, Final

from tamis._runtime import limits
from tamis.render.markdown import write_events
from tamis.render.outline.events import CLOSE, LEAF, OPEN, Event, Formula, Image, Note, Span

Place = tuple[int, int]
Reaching = tuple[int, int, list[Event]]
"""The column of a cell, into how many more rows it reaches, the cell."""

# Cells that are followed into the rows below them.
_MOST_REACHING = 10
# Letters up to which a text is left out instead of being shortened.
_FEW_LETTERS = 3


@dataclass(eq=False, slots=True)
class Container:
    """A container of the outline: list, item, quote, table ..."""

    kind: str
    value: Any
    number: int | None = None
    """Of an item its number, of a list that of the next item; None without numbers."""
    header: list[Event] = field(default_factory=list)
    """Of a table its first row, of a callout the piece with its title."""
    signs: str = ""
    """What the first line in it begins with: markers of items, signs of quotes."""


@dataclass(frozen=True, eq=False, slots=True)
class Piece:
    """A part of the outline that stays whole, unless it alone is more than a chunk."""

    kind: str
    """heading, paragraph, code, rule or row."""
    around: tuple[Container, ...]
    """The containers that it is in, the outermost first."""
    events: list[Event]
    place: Place | None
    """First and last text; None for pictures and rules."""
    level: int = 0
    """Of a heading."""
    leads: bool = False
    """Whether it belongs to what follows: headings, headers of tables, pictures with a caption."""
    reaching: tuple[Reaching, ...] = ()
    """Of a row the cells above that reach into it."""

    @property
    def table(self) -> Container | None:
        """The table that a row is in, if it is not the first row."""
        return self.around[-1] if self.kind == "row" and not self.leads else None

    @property
    def spans(self) -> list[Span]:
        return self.events[0][3]

    def with_spans(self, spans: list[Span]) -> Piece:
        """The same kind of leaf with other content."""
        _, kind, value, _ = self.events[0]
        return replace(self, events=[(LEAF, kind, value, spans)], leads=False)


# From the outline to pieces


def split_outline(
    events: Iterable[Event], places: dict[int, Place], fits: Callable[[str], bool]
) -> list[Piece]:
    """Split an outline; containers whose signs do not fit into a chunk are left out."""
    made: list[Piece] = []
    opened: list[tuple[Container, ...]] = [()]
    rows: _Rows | None = None
    for event in limits.check_each(events):
        action, kind, value, spans = event
        if rows:
            if action == CLOSE and kind == "table":
                made += rows.finish()
                rows = None
                opened.pop()
            else:
                made += rows.add(event, places.get(id(spans)))
        elif action == OPEN:
            container = _make_container(kind, value, opened[-1])
            kept = not container.signs or fits(container.signs)
            opened.append((*opened[-1], container) if kept else opened[-1])
            if kind == "table":
                rows = _Rows(opened[-1])
        elif action == CLOSE:
            opened.pop()
        else:
            around = opened[-1]
            in_figure = bool(around) and around[-1].kind == "figure"
            leads = kind == "heading" or (
                in_figure and all(isinstance(span[1], Image) for span in spans)
            )
            level = value if kind == "heading" else 0
            piece = Piece(kind, around, [event], places.get(id(spans)), level, leads)
            for outer in around:
                if outer.kind == "callout" and not outer.header:
                    outer.header = piece.events
            made.append(piece)
    return made


def _make_container(kind: str, value: Any, around: Sequence[Container]) -> Container:
    number = value if kind == "list" else None
    if kind == "item" and value is None:
        for outer in reversed(around):
            if outer.kind == "list":
                if outer.number is not None:
                    number = outer.number
                    outer.number += 1
                break
    signs = around[-1].signs if around else ""
    if isinstance(value, Note):
        signs += f"[^{value.label}]: "
    elif kind in ("quote", "callout"):
        signs += "> "
    elif kind in ("item", "details"):
        signs += "- " if number is None else f"{number}. "
    return Container(kind, value, number, signs=signs)


class _Rows:
    """The rows of a table as they come in."""

    def __init__(self, around: tuple[Container, ...]) -> None:
        self._around = around
        self._events: list[Event] = []
        self._place: Place | None = None
        self._count = 0
        self._column = 0
        self._begin = 0  # of the open cell among the events
        # Column to the row where a cell ends and the cell.
        self._reaching: dict[int, tuple[int, list[Event]]] = {}
        self._above: tuple[Reaching, ...] = ()

    def add(self, event: Event, place: Place | None) -> list[Piece]:
        """Add an event; the row, if it ends one."""
        action, kind = event[:2]
        if action == OPEN and kind == "row":
            self._open_row()
        elif action == OPEN and kind == "cell":
            while self._column in self._reaching:
                self._column += 1
            self._begin = len(self._events)
        self._events.append(event)
        if place:
            self._place = (self._place or place)[0], place[1]
        if action != CLOSE or kind not in ("row", "cell"):
            return []
        if kind == "row":
            return self._finish_row()
        cell = self._events[self._begin :]
        _, columns, rows = cell[0][2]
        if rows > 1 and self._count and len(self._reaching) < _MOST_REACHING:
            self._reaching[self._column] = self._count + rows, cell
        self._column += columns
        return []

    def _open_row(self) -> None:
        self._column = 0
        ended = [column for column, (end, _) in self._reaching.items() if end <= self._count]
        for column in ended:
            del self._reaching[column]
        self._above = tuple(
            (column, end - self._count, cell) for column, (end, cell) in self._reaching.items()
        )

    def _finish_row(self) -> list[Piece]:
        events, self._events = self._events, []
        place, self._place = self._place, None
        first = self._count == 0
        self._count += 1
        if first:
            begin = next(i for i, event in enumerate(events) if event[:2] == (OPEN, "row"))
            self._around[-1].header = _find_spanning(events[begin:], 1)
        return [Piece("row", self._around, events, place, 0, first, self._above)]

    def finish(self) -> list[Piece]:
        """What is left when the table ends: a caption without rows."""
        if not self._events:
            return []
        return [Piece("row", self._around, self._events, self._place)]


def _find_spanning(events: list[Event], rows: int) -> list[Event]:
    return [
        (action, kind, (*value[:2], rows), spans)
        if kind == "cell" and action == OPEN
        else (action, kind, value, spans)
        for action, kind, value, spans in events
    ]


# From pieces to Markdown


def write_pieces(pieces: Sequence[Piece]) -> str:
    """Write pieces as Markdown; a list that does not begin here gets its number."""
    events: list[Event] = []
    opened: tuple[Container, ...] = ()
    for piece in pieces:
        shared = 0
        for before, now in zip(opened, piece.around, strict=False):
            if before is not now:
                break
            shared += 1
        events += ((CLOSE, container.kind, None, []) for container in reversed(opened[shared:]))
        for depth in range(shared, len(piece.around)):
            events.append(_open_container(piece, depth))
        events += piece.events
        opened = piece.around
    events += ((CLOSE, container.kind, None, []) for container in reversed(opened))
    return write_events(events)


def _open_container(piece: Piece, depth: int) -> Event:
    around = piece.around
    container = around[depth]
    value = container.value
    if container.kind == "callout" and container.header is not piece.events:
        return OPEN, "quote", None, []  # the title is in another chunk
    if container.kind == "list" and value is not None:
        inner = around[depth + 1] if depth + 1 < len(around) else None
        if inner and inner.number is not None:
            value = inner.number
    return OPEN, container.kind, value, []


def fill_row(row: Piece, cells: Sequence[list[Event]]) -> Piece:
    """Put `cells` into a row, for those that reach into it from rows in another chunk."""
    above = {
        column: _find_spanning(cell, rows)
        for (column, rows, _), cell in zip(row.reaching, cells, strict=True)
    }
    events: list[Event] = []
    column = 0
    for event in row.events:
        action, kind, value, _ = event
        while column in above and (action, kind) in ((OPEN, "cell"), (CLOSE, "row")):
            events += above.pop(column)
            column += 1
        if (action, kind) == (OPEN, "cell"):
            column += value[1]
        events.append(event)
    return replace(row, events=events)


# Shortening what is repeated


def shorten(text: str, letters: int) -> str:
    """Cut a text to so many letters, with an ellipsis; very few letters give nothing."""
    if len(text) <= letters:
        return text
    return text[: letters - 1].rstrip() + "…" if letters > _FEW_LETTERS else ""


def shorten_cells(events: Iterable[Event], letters: int) -> list[Event]:
    """Keep the cells of a table, each with at most so many letters of its text."""
    made: list[Event] = []
    texts: list[str] = []
    for event in events:
        action, kind, _, spans = event
        if action == LEAF:
            texts.append(read_text(spans))
        elif kind in ("row", "cell"):
            if texts and action == CLOSE:
                text = shorten(" ".join(texts), letters)
                made.append((LEAF, "paragraph", None, [("", text, ())]))
                texts = []
            made.append(event)
    return made


def read_text(spans: Iterable[Span]) -> str:
    """The text of a leaf on one line."""
    texts = [
        separator + (content.tex if isinstance(content, Formula) else content)
        for separator, content, marks in spans
        if isinstance(content, str | Formula) and ("back", "") not in marks
    ]
    return " ".join("".join(texts).split())


Count = Callable[[str], int]
_CountSpan = Callable[[Span], int]

PART: Final = 4
"""The part of a chunk that may be repeated, and that the address of a link that is cut may take."""
LETTERS: Final = 16
"""Letters of a token at most in what is repeated: so that a counter that takes any text for a token
cannot make chunks that grow with the square of the page."""
# Texts that Markdown does not show: the sign that leads back from a note, its label.
_UNSEEN = ("back", "label")
# Ends of sentences; a script without them is cut at spaces, and what has no spaces anywhere.
_SENTENCE = re.compile(r"[.!?…।؟][\"'”’»)\]]*\s+|[。！？]+[”’」』）]*")
_SPACE = re.compile(r"\s+")


def cut(piece: Piece, room: int, most: int, count: Count) -> list[Piece]:
    """A leaf in parts: the first of at most `room` tokens, the others of `most`.

    A single letter stays whole. What follows the first part of a heading is paragraphs.
    """
    if piece.kind not in ("paragraph", "code", "heading"):
        return [piece]
    # What fences, markers of items and the signs of quotes take.
    own = count(write_pieces([piece.with_spans([("", "x", ())])]))
    parts: list[list[Span]] = [[]]
    left = room - own
    for span, tokens in split_atoms(piece, most - own, count):
        if tokens > left and (parts[-1] or left < most - own):
            parts.append([])
            left = most - own
        separator, content, marks = span
        parts[-1].append((separator if parts[-1] else "", content, marks))
        left -= tokens
    made = [spans for spans in parts if spans]
    return _make_parts(piece, made) if len(made) > 1 else [piece]


def halve(piece: Piece, most: int, count: Count) -> list[Piece]:
    """A leaf in two, where counting its sentences one by one does not say where to cut.

    Of a single letter its text, without links, pictures and formulas; itself if it has none.
    """
    spans = [span for span, _ in split_atoms(piece, most, count)]
    if len(spans) == 1 and len(content := _read_content(spans[0][1])) > 1:
        separator, _, marks = spans[0]
        middle = len(content) // 2
        spans = [(separator, content[:middle], marks), ("", content[middle:], marks)]
    if len(spans) > 1:
        middle = len(spans) // 2
        return _make_parts(piece, [spans[:middle], spans[middle:]])
    plain: list[Span] = [
        (separator, _read_content(content), ())
        for separator, content, marks in piece.spans
        if not marks or marks[-1][0] not in _UNSEEN
    ]
    return [piece] if plain == piece.spans else [piece.with_spans(plain)]


def _make_parts(piece: Piece, parts: list[list[Span]]) -> list[Piece]:
    made = [piece.with_spans(spans) for spans in parts]
    if piece.kind == "heading":
        for place, spans in enumerate(parts[1:], 1):
            leaf: Event = (LEAF, "paragraph", None, spans)
            made[place] = replace(piece, kind="paragraph", events=[leaf], level=0, leads=False)
    return made


def _read_content(content: str | Image | Formula) -> str:
    if isinstance(content, str):
        return content
    return content.alt if isinstance(content, Image) else content.text or content.tex


def unwrap_row(row: Piece) -> list[Piece]:
    """A row outside of its table: paragraphs with each cell on a line of its own, and listings."""
    outside = replace(row, around=row.around[:-1], kind="paragraph", leads=False, reaching=())
    leaves = [event for event in row.events if event[0] == LEAF and event[3]]
    made: list[Piece] = []
    for is_code, group in groupby(leaves, key=lambda leaf: leaf[1] == "code"):
        if is_code:
            made += [replace(outside, kind="code", events=[leaf]) for leaf in group]
            continue
        lines: list[Span] = []
        for _, _, _, ((_, content, marks), *others) in group:
            lines += [("\n", content, marks), *others]
        made.append(replace(outside, events=[(LEAF, "paragraph", None, lines)]))
    return made


def split_atoms(piece: Piece, most: int, count: Count) -> list[tuple[Span, int]]:
    """The sentences of a paragraph, or the lines of a listing, with their tokens."""
    if piece.kind == "code":
        text = "".join(content for _, content, _ in piece.spans if isinstance(content, str))
        indent = "  " * len(piece.around)
        lines: list[Span] = [
            ("", line, ()) for line in text.strip("\n").rstrip().splitlines(keepends=True)
        ]
        return [
            part
            for line in lines
            for part in _split_halves(line, most, lambda span: count(f"{indent}{span[1]}"))
        ]

    def count_span(span: Span) -> int:
        return count(" " + write_events([(LEAF, "paragraph", None, [("", *span[1:])])]))

    spans = limits.check_each(piece.spans)
    return [part for span in spans for part in _split_span(span, most, count_span)]


def _split_span(span: Span, most: int, count: _CountSpan) -> list[tuple[Span, int]]:
    """A span in parts, each with its tokens; whole if it must not be cut.

    A picture or a formula of more tokens than `most` is cut as its text, and a link without its
    address if that would be a large part of every chunk.
    """
    separator, content, marks = span
    is_note = any(name == "note" for name, _ in marks)
    if isinstance(content, str) and not is_note:
        longest = max((len(value) for name, value in marks if name == "link"), default=0)
        room = most // PART
        # A token has a letter at least.
        if longest <= room or (longest <= LETTERS * room and count(("", "x", marks)) <= room):
            return _split_at(span, most, count, (_SENTENCE, _SPACE))
    tokens = count(span)
    if tokens <= most or is_note:
        return [(span, tokens)]
    return _split_at((separator, _read_content(content), ()), most, count, (_SENTENCE, _SPACE))


def _split_at(
    span: Span, most: int, count: _CountSpan, ends: tuple[re.Pattern[str], ...]
) -> list[tuple[Span, int]]:
    """Cut a text at the first kind of ends, and at the next where that is too much."""
    separator, content, marks = span
    if not ends or not isinstance(content, str):
        return _split_halves(span, most, count)
    made: list[tuple[Span, int]] = []
    begin = 0
    for end in [match.end() for match in ends[0].finditer(content)] + [len(content)]:
        text = content[begin:end].rstrip()
        if text:
            part = (separator, text, marks)
            tokens = count(part)
            made += _split_at(part, most, count, ends[1:]) if tokens > most else [(part, tokens)]
            separator = "" if end and not content[end - 1].isspace() else " "
        begin = end
    return made


def _split_halves(span: Span, most: int, count: _CountSpan) -> list[tuple[Span, int]]:
    separator, content, marks = span
    tokens = count(span)
    if tokens <= most or not isinstance(content, str) or len(content) < 2:
        return [(span, tokens)]
    middle = len(content) // 2
    first: Span = (separator, content[:middle], marks)
    second: Span = ("", content[middle:], marks)
    return _split_halves(first, most, count) + _split_halves(second, most, count)
