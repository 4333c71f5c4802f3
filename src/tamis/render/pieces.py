"""The outline of a page in pieces that may be in different chunks, and these as Markdown again.

A piece is a heading, a paragraph, a listing or a row of a table, with the containers around it; a
paragraph and a listing can be cut further, at sentences and lines.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from tamis import limits
from tamis.render.markdown import of_events
from tamis.render.outline import CLOSE, LEAF, OPEN, Event, Span
from tamis.render.pictures import Image

Count = Callable[[str], int]
Place = tuple[int, int]
Reaching = tuple[int, int, list[Event]]
"""The column of a cell, into how many more rows it reaches, the cell."""

# Cells that are followed into the rows below them.
_MOST_REACHING = 10
# Ends of sentences; a script without them is cut at spaces, and what has no spaces anywhere.
_SENTENCE = re.compile(r"[.!?…।؟][\"'”’»)\]]*\s+|[。！？]+[”’」』）]*")
_SPACE = re.compile(r"\s+")


@dataclass(eq=False, slots=True)
class Container:
    """A container of the outline: list, item, quote, table ..."""

    kind: str
    value: Any
    number: int | None = None
    """Of an item its number, of a list that of the next item; None without numbers."""
    header: list[Event] = field(default_factory=list)
    """Of a table its first row, of a callout its first leaf."""


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
        """The spans of a leaf."""
        return self.events[0][3]

    def with_spans(self, spans: list[Span]) -> Piece:
        """The same kind of leaf with other content."""
        _, kind, value, _ = self.events[0]
        return replace(self, events=[(LEAF, kind, value, spans)], leads=False)


# From the outline to pieces


def pieces(events: Iterable[Event], places: dict[int, Place]) -> list[Piece]:
    """The outline in pieces."""
    made: list[Piece] = []
    around: list[Container] = []
    rows: _Rows | None = None
    for event in limits.checked(events):
        action, kind, value, spans = event
        if rows:
            if action == CLOSE and kind == "table":
                made += rows.ended()
                rows = None
                around.pop()
            else:
                made += rows.add(event, places.get(id(spans)))
        elif action == OPEN:
            around.append(_opened(kind, value, around))
            if kind == "table":
                rows = _Rows(tuple(around))
        elif action == CLOSE:
            around.pop()
        else:
            in_figure = bool(around) and around[-1].kind == "figure"
            leads = kind == "heading" or (in_figure and all(map(_is_image, spans)))
            level = value if kind == "heading" else 0
            place = places.get(id(spans))
            for outer in around:
                if outer.kind == "callout" and not outer.header:
                    outer.header = [event]
            made.append(Piece(kind, tuple(around), [event], place, level, leads))
    return made


def _is_image(span: Span) -> bool:
    return isinstance(span[1], Image)


def _opened(kind: str, value: Any, around: Sequence[Container]) -> Container:
    number = value if kind == "list" else None
    if kind == "item" and value is None:
        for outer in reversed(around):
            if outer.kind == "list":
                if outer.number is not None:
                    number = outer.number
                    outer.number += 1
                break
    return Container(kind, value, number)


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
        """The row that ends with an event, if one does."""
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
            return self._ended_row()
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

    def _ended_row(self) -> list[Piece]:
        events, self._events = self._events, []
        place, self._place = self._place, None
        first = self._count == 0
        self._count += 1
        if first:
            begin = next(i for i, event in enumerate(events) if event[:2] == (OPEN, "row"))
            self._around[-1].header = _spanning(events[begin:], 1)
        return [Piece("row", self._around, events, place, 0, first, self._above)]

    def ended(self) -> list[Piece]:
        """What is left when the table ends: a caption without rows."""
        if not self._events:
            return []
        return [Piece("row", self._around, self._events, self._place)]


def _spanning(events: list[Event], rows: int) -> list[Event]:
    """Cells that span so many rows."""
    return [
        (action, kind, (*value[:2], rows), spans)
        if kind == "cell" and action == OPEN
        else (action, kind, value, spans)
        for action, kind, value, spans in events
    ]


# From pieces to Markdown


def markdown(pieces: Sequence[Piece]) -> str:
    """Pieces as Markdown: a table that does not begin here gets its header, a list its number."""
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
            events.append(_open(piece, depth))
        in_row = piece.kind == "row" and shared < len(piece.around)
        if in_row and piece.table:
            events += piece.table.header
        events += _with_cells_above(piece) if in_row and piece.reaching else piece.events
        opened = piece.around
    events += ((CLOSE, container.kind, None, []) for container in reversed(opened))
    return of_events(events)


def _open(piece: Piece, depth: int) -> Event:
    around = piece.around
    container = around[depth]
    value = container.value
    if container.kind == "callout" and container.header != piece.events:
        return OPEN, "quote", None, []  # the title is in another chunk
    if container.kind == "list" and value is not None:
        inner = around[depth + 1] if depth + 1 < len(around) else None
        if inner and inner.number is not None:
            value = inner.number
    return OPEN, container.kind, value, []


def _with_cells_above(piece: Piece) -> list[Event]:
    """A row with what reaches into it from rows that are in another chunk."""
    above = {column: _spanning(cell, rows) for column, rows, cell in piece.reaching}
    events: list[Event] = []
    column = 0
    for event in piece.events:
        action, kind, value, _ = event
        while column in above and (action, kind) in ((OPEN, "cell"), (CLOSE, "row")):
            events += above.pop(column)
            column += 1
        if (action, kind) == (OPEN, "cell"):
            column += value[1]
        events.append(event)
    return events


# Cutting a leaf


def cut(piece: Piece, room: int, most: int, count: Count) -> list[Piece]:
    """A paragraph or listing in parts: the first of at most `room` tokens, the others of `most`.

    A line of code and a single letter stay whole. Other pieces cannot be cut.
    """
    if piece.kind not in ("paragraph", "code"):
        return [piece]
    # What fences, markers of items and the signs of quotes take.
    own = count(markdown([piece.with_spans([("", "x", ())])]))
    parts: list[list[Span]] = [[]]
    left = room - own
    for span, tokens in atoms(piece, most - own, count):
        if tokens > left and (parts[-1] or left < most - own):
            parts.append([])
            left = most - own
        separator, content, marks = span
        parts[-1].append((separator if parts[-1] else "", content, marks))
        left -= tokens
    return [piece.with_spans(spans) for spans in parts if spans]


def atoms(piece: Piece, most: int, count: Count) -> list[tuple[Span, int]]:
    """The sentences of a paragraph, or the lines of a listing, with their tokens."""
    if piece.kind == "code":
        text = "".join(content for _, content, _ in piece.spans if isinstance(content, str))
        indent = "  " * len(piece.around)
        lines = text.strip("\n").rstrip().splitlines(keepends=True)
        return [(("", line, ()), count(indent + line)) for line in lines]
    made: list[tuple[Span, int]] = []
    for span in limits.checked(piece.spans):
        made += _sentences(span, most, count, (_SENTENCE, _SPACE))
    return made


def _sentences(
    span: Span, most: int, count: Count, ends: tuple[re.Pattern[str], ...]
) -> list[tuple[Span, int]]:
    """A span in parts, cut at the first kind of ends, and at the next where that is too much."""
    separator, content, marks = span
    if not isinstance(content, str) or any(name == "note" for name, _ in marks):
        return [(span, _tokens(span, count))]
    if not ends:
        return _halves(span, most, count)
    made: list[tuple[Span, int]] = []
    begin = 0
    for end in [match.end() for match in ends[0].finditer(content)] + [len(content)]:
        text = content[begin:end].rstrip()
        if text:
            part = (separator, text, marks)
            tokens = _tokens(part, count)
            made += _sentences(part, most, count, ends[1:]) if tokens > most else [(part, tokens)]
            separator = "" if end and not content[end - 1].isspace() else " "
        begin = end
    return made


def _halves(span: Span, most: int, count: Count) -> list[tuple[Span, int]]:
    separator, content, marks = span
    tokens = _tokens(span, count)
    if tokens <= most or not isinstance(content, str) or len(content) < 2:
        return [(span, tokens)]
    middle = len(content) // 2
    first: Span = (separator, content[:middle], marks)
    second: Span = ("", content[middle:], marks)
    return _halves(first, most, count) + _halves(second, most, count)


def _tokens(span: Span, count: Count) -> int:
    return count(" " + of_events([(LEAF, "paragraph", None, [("", *span[1:])])]))
