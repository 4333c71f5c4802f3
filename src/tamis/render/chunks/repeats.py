"""What a chunk repeats of those before it: headings, the header of a table, cells that reach down.

All of it together takes at most a quarter of a chunk. What takes more is shortened: each text to
the same number of letters, the largest that fits, with an ellipsis; and left out where not even the
empty cells fit.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Sequence

from tamis.render.chunks.pieces import (
    LETTERS,
    PART,
    Container,
    Count,
    Piece,
    fill_row,
    read_text,
    shorten,
    shorten_cells,
    write_pieces,
)
from tamis.render.outline.events import CLOSE, OPEN, Event

# Parts of that which a header may take with the line of dashes below it, which says nothing.
_WITH_DASHES = 2
_ROW: Event = (OPEN, "row", None, [])
_END_OF_ROW: Event = (CLOSE, "row", None, [])


class Room:
    """How much of a chunk what is repeated may take."""

    def __init__(self, most: int, count: Count) -> None:
        self.tokens = most // PART
        self._count = count

    @property
    def letters(self) -> int:
        """The most letters that a text in this room has."""
        return LETTERS * self.tokens

    def fits(self, text: str, tokens: int | None = None) -> bool:
        """Whether a text fits into the room, or into so many tokens."""
        tokens = self.tokens if tokens is None else tokens
        # Every token has a letter.
        return len(text) <= tokens or (
            len(text) <= LETTERS * tokens and self._count(text) <= tokens
        )

    def most_letters(self, write: Callable[[int], str], tokens: int) -> int:
        """The most letters with which a text fits into so many tokens; -1 if none do."""
        if not self.fits(write(0), tokens):
            return -1
        letters = range(1, LETTERS * tokens + 1)
        return bisect_left(letters, True, key=lambda many: not self.fits(write(many), tokens))


class Path:
    """The headings that the text is below."""

    def __init__(self, room: Room) -> None:
        self._room = room
        self._open: list[tuple[int, str]] = []
        self._shown: tuple[str, ...] = ()

    def follow(self, group: Sequence[Piece]) -> tuple[str, ...]:
        """The path of a group of pieces, whose headings come first."""
        headings = [piece for piece in group if piece.kind == "heading"]
        for piece in headings:
            while self._open and self._open[-1][0] >= piece.level:
                self._open.pop()
            text = shorten(read_text(piece.spans), self._room.letters)
            self._open.append((piece.level, text))
        if headings:
            self._shown = tuple(self._shorten_texts([text for _, text in self._open if text]))
        return self._shown

    def _shorten_texts(self, texts: list[str]) -> list[str]:
        if self._room.fits("\n".join(texts)):
            return texts

        def shorten_all(letters: int) -> list[str]:
            return [text for text in (shorten(text, letters) for text in texts) if text]

        tokens = self._room.tokens
        letters = self._room.most_letters(lambda many: "\n".join(shorten_all(many)), tokens)
        return shorten_all(letters)


class Tables:
    """The headers of tables, and the cells that reach down, as chunks repeat them."""

    def __init__(self, room: Room, most: int, count: Count) -> None:
        self._room, self._most, self._count = room, most, count
        self._headers: dict[tuple[Container, int], tuple[list[Piece], int] | None] = {}
        self._sizes: dict[int, int] = {}
        self._cells: dict[tuple[int, int], list[Event]] = {}

    def find_header(self, row: Piece, tokens: int) -> tuple[list[Piece], int] | None:
        """The header above a row of so many tokens, and its tokens; None if it does not fit."""
        room = min(_WITH_DASHES * self._room.tokens, self._most - tokens)
        key = row.around[-1], room
        if key not in self._headers:
            self._headers[key] = self._make_header(row, room)
        return self._headers[key]

    def _make_header(self, row: Piece, room: int) -> tuple[list[Piece], int] | None:
        events = row.around[-1].header
        if not events:
            return [], 0
        if room < _WITH_DASHES * self._room.tokens:
            shortened = self.find_header(row, 0)
            if shortened is None:
                return None
            events = shortened[0][0].events
        header = _make_row(row, events)
        text = write_pieces([header])
        if not self._room.fits(text.partition("\n")[0]) or not self._room.fits(text, room):
            events = shorten_cells(events, self._room.letters)

            def write(letters: int) -> str:
                return write_pieces([_make_row(row, shorten_cells(events, letters))])

            letters = self._room.most_letters(write, min(self._room.tokens, room))
            if letters < 0 and not self._room.fits(write(0), room):
                return None
            header = _make_row(row, shorten_cells(events, max(letters, 0)))
        return [header], self._count(write_pieces([header]))

    def fill(self, row: Piece, room: int) -> Piece:
        """Put the cells that reach into a row into it, shortened to so many tokens."""
        if not row.reaching:
            return row
        cells = [cell for _, _, cell in row.reaching]
        if sum(map(self._count_size, cells)) > room:
            share = max(room, 0) // len(cells)
            cells = [self._shorten_cell(cell, share) for cell in cells]
        return fill_row(row, cells)

    def _count_size(self, cell: list[Event]) -> int:
        if id(cell) not in self._sizes:
            text = _write_cell(cell)
            fits = self._room.fits(text)
            self._sizes[id(cell)] = self._count(text) if fits else self._room.tokens + 1
        return self._sizes[id(cell)]

    def _shorten_cell(self, cell: list[Event], room: int) -> list[Event]:
        key = id(cell), room
        if self._count_size(cell) > room and key not in self._cells:
            short = shorten_cells(cell, self._room.letters)
            letters = self._room.most_letters(
                lambda many: _write_cell(shorten_cells(short, many)), room
            )
            self._cells[key] = shorten_cells(short, max(letters, 0))
        return self._cells.get(key, cell)


def _write_cell(cell: list[Event]) -> str:
    table = Container("table", None)
    row = Piece("row", (table,), [_ROW, *cell, _END_OF_ROW], None, leads=True)
    return write_pieces([row]).partition("\n")[0]


def _make_row(row: Piece, events: list[Event]) -> Piece:
    return Piece("row", row.around, events, None, leads=True)
