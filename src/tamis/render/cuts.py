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

from tamis import limits
from tamis.render.formulas import Formula
from tamis.render.markdown import of_events
from tamis.render.outline import LEAF, Event, Span
from tamis.render.pictures import Image
from tamis.render.pieces import Piece, markdown

Count = Callable[[str], int]
_CountSpan = Callable[[Span], int]

# A link is kept where a text is cut if its address takes no more than this part of a chunk.
_LINK_PART = 4
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
    first, *others = [piece.with_spans(spans) for spans in parts if spans] or [piece]
    if not others:
        return [piece]
    return [first, *map(_paragraph, others)] if piece.kind == "heading" else [first, *others]


def _paragraph(heading: Piece) -> Piece:
    leaf: Event = (LEAF, "paragraph", None, heading.spans)
    return replace(heading, kind="paragraph", events=[leaf], level=0)


def without_marks(piece: Piece) -> Piece:
    """A paragraph or heading with its text alone: no links, pictures and formulas."""
    spans: list[Span] = [
        (separator, _text_of(content), ())
        for separator, content, marks in piece.spans
        if not marks or marks[-1][0] not in _UNSEEN
    ]
    return piece if spans == piece.spans else piece.with_spans(spans)


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
        # A token has a letter at least.
        if longest <= most // _LINK_PART or count(("", "x", marks)) <= most // _LINK_PART:
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
