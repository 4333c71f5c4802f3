"""Markdown in chunks of a few hundred tokens, for search by meaning and for language models.

A heading begins a new chunk, so that a chunk is of one section. Sections with more tokens are cut
between paragraphs, list items and table rows. A piece that alone is too much is cut as well
(`pieces`), and what is repeated is shortened (`repeats`), so that no chunk is longer than asked.
"""

from __future__ import annotations

import operator
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from tamis._runtime import limits
from tamis.errors import InputError
from tamis.options import Options
from tamis.page.arrays import Flags
from tamis.page.table import Page
from tamis.render.chunks.pieces import (
    Container,
    Count,
    Piece,
    cut,
    halve,
    split_atoms,
    split_outline,
    unwrap_row,
    write_pieces,
)
from tamis.render.chunks.repeats import Path, Room, Tables
from tamis.render.outline.builder import build_outline

# A first part of a paragraph below a heading that is no shorter than this.
_LEAST = 16


@dataclass(frozen=True, slots=True)
class Chunk:
    """A part of the Markdown of a page."""

    text: str
    """Markdown, with the header of its table and the number of its list item repeated."""
    headings: tuple[str, ...]
    """The headings that it is below, the outermost first, with its own; long ones shortened."""
    tokens: int
    """Tokens of the text, by the counter or the estimate."""
    start: int
    """Where its first block begins in `Page.source`, in bytes."""
    end: int
    """Where its last block ends in `Page.source`."""
    xpath: str
    """The lowest block-level element around all of it."""


def estimate(text: str) -> int:
    """About how many tokens a text has: a quarter of its bytes in UTF-8.

    That is four letters of English, two of Russian or Arabic, and four thirds of Chinese or Thai.
    """
    return -(-len(text.encode()) // 4)


def render(
    page: Page,
    kept: Flags,
    url: str | None,
    options: Options,
    *,
    max_tokens: int,
    overlap: int,
    count: Callable[[str], int] | None,
) -> tuple[Chunk, ...]:
    """Write the kept blocks as chunks, in document order."""
    for name, number, least in (("max_tokens", max_tokens, 1), ("overlap", overlap, 0)):
        if type(number) is not int or number < least:
            raise InputError(f"{name} is {number!r}; give a whole number from {least} on")
    if overlap >= max_tokens:
        raise InputError(f"overlap is {overlap}; give less than max_tokens, {max_tokens}")
    counter = _check_counter(count) if count else estimate
    events, places = build_outline(page, kept, url, options)
    room = Room(max_tokens, counter)
    path = Path(room)
    packer = _Packer(max_tokens, overlap, counter, room)
    chunks = (
        Chunk(text, path.follow(group), tokens, *_locate(page, group))
        for group, text, tokens in packer.pack(split_outline(events, places, room.fits))
    )
    return tuple(limits.limit_output(chunks, limits.count_characters))


def _check_counter(count: Count) -> Count:
    """Make a counter that raises an `InputError` if that of the caller gives no number."""

    def count_tokens(text: str) -> int:
        tokens = count(text)
        try:
            return operator.index(tokens)
        except TypeError:
            raise InputError(
                f"count gave {type(tokens).__name__}; give a function from a text to its number of"
                " tokens"
            ) from None

    return count_tokens


def _locate(page: Page, group: Sequence[Piece]) -> tuple[int, int, str]:
    """Offsets in the source and the XPath of texts; a chunk of pictures alone has none."""
    places = [piece.place for piece in group if piece.place]
    if not places:
        return 0, 0, ""
    nodes, texts, blocks = page.nodes, page.texts, page.blocks
    first, last = min(place[0] for place in places), max(place[1] for place in places)
    node = int(blocks.node[texts.block[first]])
    other = int(blocks.node[texts.block[last]])
    while nodes.parent[node] >= 0 and not node <= other <= nodes.last[node]:
        node = int(nodes.parent[node])
    return int(texts.start[first]), int(texts.end[last]), page.xpath(node)


class _Packer:
    """Puts pieces together to chunks."""

    def __init__(self, most: int, overlap: int, count: Count, room: Room) -> None:
        self._most, self._overlap, self._count = most, overlap, count
        self._room, self._tables = room, Tables(room, most, count)
        self._counted: dict[Piece, int] = {}
        self._has_tables = False

    def pack(self, pieces: Sequence[Piece]) -> Iterator[tuple[list[Piece], str, int]]:
        """The pieces of each chunk, its Markdown and its tokens."""
        waiting = deque(pieces)
        self._has_tables = any(piece.kind == "row" for piece in pieces)
        before: list[Piece] = []
        while waiting:
            limits.check()
            repeated = self._find_repeated(before, waiting[0])
            own = self._take_next(waiting, repeated)
            text, tokens = self._write(repeated + own)
            if tokens > self._most and repeated:
                repeated = []
                text, tokens = self._write(own)
            while tokens > self._most and len(own) > 1:
                # Counted together they are more than one by one.
                fewer = min(len(own) - 1, max(1, len(own) * self._most // tokens))
                waiting.extendleft(reversed(own[fewer:]))
                own = own[:fewer]
                text, tokens = self._write(own)
            if own and tokens > self._most and (parts := self._halve(own[0])) != own:
                waiting.extendleft(reversed(parts))
            elif text and own:
                yield repeated + own, text, tokens
                before = own

    def _write(self, group: Sequence[Piece]) -> tuple[str, int]:
        text = write_pieces(self._with_headers(group) if self._has_tables else group)
        return text, self._count(text)

    def _with_headers(self, group: Sequence[Piece]) -> list[Piece]:
        """Repeat headers and cells where a group begins in the middle of a table."""
        made: list[Piece] = []
        table: Container | None = None
        for piece in group:
            own = piece
            if piece.table and piece.table is not table:
                tokens = self._count_tokens(piece)
                header = self._tables.find_header(piece, tokens)
                if header:
                    made += header[0]
                    room = min(self._room.tokens, self._most - tokens) - header[1]
                    own = self._tables.fill(piece, room)
            table = piece.around[-1] if piece.kind == "row" else None
            made.append(own)
        return made

    def _halve(self, piece: Piece) -> list[Piece]:
        """Halve a piece that alone is too much; itself if nothing makes it smaller."""
        if piece.kind == "row":
            return unwrap_row(piece)
        if piece.kind == "rule":
            return [piece]
        return halve(piece, self._most, self._count)

    def _take_next(self, waiting: deque[Piece], repeated: Sequence[Piece]) -> list[Piece]:
        """Take as many pieces as fit into a chunk, at least one."""
        own: list[Piece] = []
        only_leads = True
        open_table = repeated[-1].around[-1:] if repeated else ()
        left = self._most - sum(map(self._count_tokens, repeated))
        while waiting:
            piece = waiting[0]
            if own and piece.kind == "heading" and not only_leads:
                break
            tokens = self._count_tokens(piece)
            if piece.table and piece.around[-1:] != open_table:
                header = self._tables.find_header(piece, tokens)
                tokens = tokens + header[1] if header else self._most + 1
            if piece.kind == "row" and tokens > self._most:
                waiting.popleft()
                waiting.extendleft(reversed(unwrap_row(piece)))
                continue
            if tokens > left:
                if not only_leads or (own and left < _LEAST):
                    break
                parts = [piece]
                if piece.kind != "heading" or tokens > self._most:
                    parts = cut(piece, left, self._most - self._overlap, self._count)
                if len(parts) > 1:
                    waiting.popleft()
                    waiting.extendleft(reversed(parts))
                    piece, tokens = parts[0], self._count_tokens(parts[0])
                if own and tokens > left:
                    break
            own.append(waiting.popleft())
            only_leads = only_leads and piece.leads
            open_table = piece.around[-1:]
            left -= tokens
        while waiting and own[-1].leads and not only_leads:
            waiting.appendleft(own.pop())
        return own

    def _find_repeated(self, before: Sequence[Piece], following: Piece) -> list[Piece]:
        """The end of the chunk before, as much as the overlap allows; nothing in a new section."""
        repeated: list[Piece] = []
        if following.kind == "heading":
            return repeated
        left = min(self._overlap, self._most - self._count_tokens(following))
        for piece in reversed(before):
            if piece.leads or left <= 0:
                break
            tokens = self._count_tokens(piece)
            if tokens > left:
                repeated += self._cut_end(piece, left)
                break
            repeated.append(piece)
            left -= tokens
        return repeated[::-1]

    def _cut_end(self, piece: Piece, left: int) -> list[Piece]:
        """The last sentences of a paragraph, or lines of a listing."""
        if piece.kind not in ("paragraph", "code"):
            return []
        spans = []
        for span, tokens in reversed(split_atoms(piece, self._most, self._count)):
            left -= tokens
            if left < 0:
                break
            spans.append(span)
        return [piece.with_spans(spans[::-1])] if spans else []

    def _count_tokens(self, piece: Piece) -> int:
        """Count a piece alone, with one for the empty line after it; of a row, count its line."""
        tokens = self._counted.get(piece)
        if tokens is None:
            if piece.table:
                tokens = max(1, self._count(write_pieces([piece]).partition("\n")[0]))
            else:
                tokens = self._count(write_pieces([piece])) + 1
            self._counted[piece] = tokens
        return tokens
