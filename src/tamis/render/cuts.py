"""Pieces that are more than a chunk, cut: at sentences, lines, spaces, and at last anywhere.

A paragraph and a listing are cut wherever a chunk ends. A heading and a row of a table are cut only
if they alone are more than a chunk: the rest of a heading is paragraphs, a row is written outside
of its table, each cell on a line of its own. Pictures, formulas and links that alone are more than
a chunk leave their text.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from itertools import groupby
from typing import Final

from tamis._runtime import limits
from tamis.render.formulas import Formula
from tamis.render.markdown import of_events
from tamis.render.outline import LEAF, Event, Span
from tamis.render.pictures import Image
from tamis.render.pieces import Piece, markdown

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
    made = [spans for spans in parts if spans]
    return _with_spans(piece, made) if len(made) > 1 else [piece]


def halve(piece: Piece, most: int, count: Count) -> list[Piece]:
    """A leaf in two, where counting its sentences one by one does not say where to cut.

    Of a single letter its text, without links, pictures and formulas; itself if it has none.
    """
    spans = [span for span, _ in atoms(piece, most, count)]
    if len(spans) == 1 and len(content := _text_of(spans[0][1])) > 1:
        separator, _, marks = spans[0]
        middle = len(content) // 2
        spans = [(separator, content[:middle], marks), ("", content[middle:], marks)]
    if len(spans) > 1:
        middle = len(spans) // 2
        return _with_spans(piece, [spans[:middle], spans[middle:]])
    plain: list[Span] = [
        (separator, _text_of(content), ())
        for separator, content, marks in piece.spans
        if not marks or marks[-1][0] not in _UNSEEN
    ]
    return [piece] if plain == piece.spans else [piece.with_spans(plain)]


def _with_spans(piece: Piece, parts: list[list[Span]]) -> list[Piece]:
    """The parts of a leaf; all but the first of a heading are paragraphs."""
    made = [piece.with_spans(spans) for spans in parts]
    if piece.kind == "heading":
        for place, spans in enumerate(parts[1:], 1):
            leaf: Event = (LEAF, "paragraph", None, spans)
            made[place] = replace(piece, kind="paragraph", events=[leaf], level=0, leads=False)
    return made


def _text_of(content: str | Image | Formula) -> str:
    if isinstance(content, str):
        return content
    return content.alt if isinstance(content, Image) else content.text or content.tex


def apart_from_table(row: Piece) -> list[Piece]:
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


def atoms(piece: Piece, most: int, count: Count) -> list[tuple[Span, int]]:
    """The sentences of a paragraph, or the lines of a listing, with their tokens."""
    if piece.kind == "code":
        text = "".join(content for _, content, _ in piece.spans if isinstance(content, str))
        indent = "  " * len(piece.around)
        lines: list[Span] = [
            ("", line, ()) for line in text.strip("\n").rstrip().splitlines(keepends=True)
        ]

        def count_line(span: Span) -> int:
            return count(f"{indent}{span[1]}")

        return [part for line in lines for part in _halves(line, most, count_line)]

    def count_span(span: Span) -> int:
        return count(" " + of_events([(LEAF, "paragraph", None, [("", *span[1:])])]))

    made: list[tuple[Span, int]] = []
    for span in limits.checked(piece.spans):
        made += _parts(span, most, count_span)
    return made


def _parts(span: Span, most: int, count: _CountSpan) -> list[tuple[Span, int]]:
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
            return _sentences(span, most, count, (_SENTENCE, _SPACE))
    tokens = count(span)
    if tokens <= most or is_note:
        return [(span, tokens)]
    return _sentences((separator, _text_of(content), ()), most, count, (_SENTENCE, _SPACE))


def _sentences(
    span: Span, most: int, count: _CountSpan, ends: tuple[re.Pattern[str], ...]
) -> list[tuple[Span, int]]:
    """A text in parts, cut at the first kind of ends, and at the next where that is too much."""
    separator, content, marks = span
    if not ends or not isinstance(content, str):
        return _halves(span, most, count)
    made: list[tuple[Span, int]] = []
    begin = 0
    for end in [match.end() for match in ends[0].finditer(content)] + [len(content)]:
        text = content[begin:end].rstrip()
        if text:
            part = (separator, text, marks)
            tokens = count(part)
            made += _sentences(part, most, count, ends[1:]) if tokens > most else [(part, tokens)]
            separator = "" if end and not content[end - 1].isspace() else " "
        begin = end
    return made


def _halves(span: Span, most: int, count: _CountSpan) -> list[tuple[Span, int]]:
    separator, content, marks = span
    tokens = count(span)
    if tokens <= most or not isinstance(content, str) or len(content) < 2:
        return [(span, tokens)]
    middle = len(content) // 2
    first: Span = (separator, content[:middle], marks)
    second: Span = ("", content[middle:], marks)
    return _halves(first, most, count) + _halves(second, most, count)
