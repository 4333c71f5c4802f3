"""The outline of a page in pieces that may be in different chunks, and these as Markdown again.

A piece is a heading, a paragraph, a listing or a row of a table, with the containers around it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from tamis._runtime import limits
from tamis.render.footnotes import Note
from tamis.render.formulas import Formula
from tamis.render.markdown import of_events
from tamis.render.outline import CLOSE, LEAF, OPEN, Event, Span
from tamis.render.pictures import Image

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
        """The spans of a leaf."""
        return self.events[0][3]

    def with_spans(self, spans: list[Span]) -> Piece:
        """The same kind of leaf with other content."""
        _, kind, value, _ = self.events[0]
        return replace(self, events=[(LEAF, kind, value, spans)], leads=False)


# From the outline to pieces


def pieces(
    events: Iterable[Event], places: dict[int, Place], fits: Callable[[str], bool]
) -> list[Piece]:
    """The outline in pieces, without the containers whose signs do not fit into a chunk."""
    made: list[Piece] = []
    opened: list[tuple[Container, ...]] = [()]
    rows: _Rows | None = None
    for event in limits.checked(events):
        action, kind, value, spans = event
        if rows:
            if action == CLOSE and kind == "table":
                made += rows.ended()
                rows = None
                opened.pop()
            else:
                made += rows.add(event, places.get(id(spans)))
        elif action == OPEN:
            container = _open_event(kind, value, opened[-1])
            kept = not container.signs or fits(container.signs)
            opened.append((*opened[-1], container) if kept else opened[-1])
            if kind == "table":
                rows = _Rows(opened[-1])
        elif action == CLOSE:
            opened.pop()
        else:
            around = opened[-1]
            in_figure = bool(around) and around[-1].kind == "figure"
            leads = kind == "heading" or (in_figure and all(map(_is_image, spans)))
            level = value if kind == "heading" else 0
            piece = Piece(kind, around, [event], places.get(id(spans)), level, leads)
            for outer in around:
                if outer.kind == "callout" and not outer.header:
                    outer.header = piece.events
            made.append(piece)
    return made


def _is_image(span: Span) -> bool:
    return isinstance(span[1], Image)


def _open_event(kind: str, value: Any, around: Sequence[Container]) -> Container:
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
            self._around[-1].header = _find_spanning(events[begin:], 1)
        return [Piece("row", self._around, events, place, 0, first, self._above)]

    def ended(self) -> list[Piece]:
        """What is left when the table ends: a caption without rows."""
        if not self._events:
            return []
        return [Piece("row", self._around, self._events, self._place)]


def _find_spanning(events: list[Event], rows: int) -> list[Event]:
    """Cells that span so many rows."""
    return [
        (action, kind, (*value[:2], rows), spans)
        if kind == "cell" and action == OPEN
        else (action, kind, value, spans)
        for action, kind, value, spans in events
    ]


# From pieces to Markdown


def markdown(pieces: Sequence[Piece]) -> str:
    """Pieces as Markdown; a list that does not begin here gets its number."""
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
        events += piece.events
        opened = piece.around
    events += ((CLOSE, container.kind, None, []) for container in reversed(opened))
    return of_events(events)


def _open(piece: Piece, depth: int) -> Event:
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
    """A row with what reaches into it from rows that are in another chunk: `cells` stand for it."""
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
    """At most so many letters of a text, with an ellipsis if it has more; nothing of only a few."""
    if len(text) <= letters:
        return text
    return text[: letters - 1].rstrip() + "…" if letters > _FEW_LETTERS else ""


def shorten_cells(events: Iterable[Event], letters: int) -> list[Event]:
    """The cells of a table, each with at most so many letters of its text."""
    made: list[Event] = []
    texts: list[str] = []
    for event in events:
        action, kind, _, spans = event
        if action == LEAF:
            texts.append(plain_text(spans))
        elif kind in ("row", "cell"):
            if texts and action == CLOSE:
                text = shorten(" ".join(texts), letters)
                made.append((LEAF, "paragraph", None, [("", text, ())]))
                texts = []
            made.append(event)
    return made


def plain_text(spans: Iterable[Span]) -> str:
    """The text of a leaf on one line."""
    texts = [
        separator + (content.tex if isinstance(content, Formula) else content)
        for separator, content, marks in spans
        if isinstance(content, str | Formula) and ("back", "") not in marks
    ]
    return " ".join("".join(texts).split())
