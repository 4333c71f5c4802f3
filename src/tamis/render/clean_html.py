# cython: annotation_typing=False, wraparound=True
"""Clean HTML: few tags, fewer attributes, written anew from the outline and so safe.

No markup of the page goes through: tags and attribute names come from the tables below, text and
attribute values are escaped, addresses are checked by `tamis.page.addresses`.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from html import escape

from tamis._runtime import limits
from tamis.options import Options
from tamis.page.arrays import Flags
from tamis.page.table import Page
from tamis.render.outline.builder import build_outline
from tamis.render.outline.events import (
    CLOSE,
    LEAF,
    OPEN,
    Embed,
    Event,
    Formula,
    Image,
    Mark,
    Marks,
    Note,
    Span,
)

_TAGS = {
    "item": "li", "terms": "dl", "term": "dt", "details": "dd", "quote": "blockquote",
    "table": "table", "row": "tr", "figure": "figure", "footnote": "div",
}  # fmt: skip
_MARKS = {
    "strong": "strong", "emphasis": "em", "deleted": "del", "code": "code", "sub": "sub",
    "sup": "sup", "highlight": "mark", "quotation": "q", "link": "a", "note": "a", "anchor": "a",
}  # fmt: skip
_IN_CODE = frozenset(("link",))
# Their only paragraph needs no tag of its own.
_BARE = frozenset(("item", "term", "details", "cell", "caption"))
# As the HTML standard has it.
_MOST_COLUMNS, _MOST_ROWS = 1000, 65534
# Events after which the limits are checked, and spans from which on they are checked in between.
_OFTEN, _MANY = 50, 1000
_UNSAFE = re.compile(r"[^\w.:-]")
_PLAIN_NAME = re.compile(r"[A-Za-z_.:-]*\d[\w.:-]*", re.ASCII)


def render(page: Page, kept: Flags, url: str | None, options: Options) -> str:
    """Write the kept blocks as HTML, without html, head and body around it."""
    events = build_outline(page, kept, url, options).events
    out: list[str] = []
    open_tags: list[str] = []
    length = 0
    for place, event in enumerate(events):
        if place % _OFTEN == 0:
            limits.check()
            limits.check_output(length)
        if event[0] == LEAF:
            made = _write_leaf(event, _is_bare(events, place))
            out.append(made)
            length += len(made)
        elif event[0] == OPEN:
            tag, attributes = _open_tag(event, open_tags)
            open_tags.append(tag)
            out.append(f"<{tag}{attributes}>")
        else:
            out.append(f"</{open_tags.pop()}>")
            if event[1] not in ("cell", "row"):
                out.append("\n")
    limits.check_output(length)
    return "".join(out).strip("\n")


def _open_tag(event: Event, open_tags: list[str]) -> tuple[str, str]:
    _, kind, value, _ = event
    if kind == "list":
        if value is None:
            return "ul", ""
        return "ol", "" if value == 1 else f' start="{value}"'
    if kind == "cell":
        header, columns, rows = value
        spans = f' colspan="{min(columns, _MOST_COLUMNS)}"' if columns > 1 else ""
        spans += f' rowspan="{min(rows, _MOST_ROWS)}"' if rows > 1 else ""
        return "th" if header else "td", spans
    if kind == "callout":
        return "blockquote", ""
    if kind == "caption":
        return "caption" if open_tags and open_tags[-1] == "table" else "figcaption", ""
    return _TAGS[kind], _write_id(value)


def _write_id(note: Note | None) -> str:
    return f' id="{escape(_name_place(note))}"' if note else ""


def _name_place(note: Note) -> str:
    """Name the place of a note. Scripts of a page could take a bare word for something else."""
    return note.name if _PLAIN_NAME.fullmatch(note.name) else "fn-" + _UNSAFE.sub("-", note.name)


def _is_bare(events: list[Event], place: int) -> bool:
    """Whether a leaf is the only one in its item or cell, lists below it aside."""
    if not place or events[place - 1][0] != OPEN or events[place - 1][1] not in _BARE:
        return False
    action, kind, _, _ = events[place + 1]
    return action == CLOSE or (action == OPEN and kind == "list")


def _write_leaf(leaf: Event, bare: bool) -> str:
    _, kind, value, spans = leaf
    if kind == "rule":
        return "<hr>\n"
    if kind == "code":
        language = f' class="language-{escape(value)}"' if value else ""
        # The parser would drop a line break right after the tag.
        text = _write_inline(spans, "\n", _IN_CODE).strip("\n").rstrip()
        return f"<pre><code{language}>{text}</code></pre>\n"
    text = _write_inline(spans, "<br>\n", _MARKS).strip()
    if kind == "heading":
        return f"<h{value}>{text}</h{value}>\n"
    return text if bare and value is None else f"<p{_write_id(value)}>{text}</p>\n"


def _write_inline(spans: list[Span], line_break: str, allowed: Collection[str]) -> str:
    """Spans as HTML, white space outside of the marks."""
    if len(spans) == 1 and not spans[0][2]:
        separator, content, _ = spans[0]
        return _write_white(separator, line_break) + _write_content(content, line_break)
    out: list[str] = []
    open_marks: Marks = ()
    for place, (separator, content, marks) in enumerate(spans, 1):
        if place % _MANY == 0:
            limits.check()
        if marks:
            marks = tuple([mark for mark in marks if mark[0] in allowed])
        if open_marks or marks:
            same = _count_common(open_marks, marks)
            for name, _ in reversed(open_marks[same:]):
                out.append(f"</{_MARKS[name]}>")
            out.append(_write_white(separator, line_break))
            for mark in marks[same:]:
                out.append(_open_mark(mark))
            open_marks = marks
        else:
            out.append(_write_white(separator, line_break))
        out.append(_write_content(content, line_break))
    for name, _ in reversed(open_marks):
        out.append(f"</{_MARKS[name]}>")
    return "".join(out)


def _write_white(separator: str, line_break: str) -> str:
    return separator.replace("\n", line_break) if separator else ""


def _count_common(first: Marks, second: Marks) -> int:
    """How many marks are the same at the beginning of both."""
    place = 0
    while place < len(first) and place < len(second) and first[place] == second[place]:
        place += 1
    return place


def _open_mark(mark: Mark) -> str:
    name, value = mark
    if name in ("link", "anchor"):
        return f'<a href="{_escape_value(value)}">'
    if name == "note":
        return f'<a href="#{escape(_name_place(value))}">'
    return f"<{_MARKS[name]}>"


def _write_content(content: str | Image | Formula, line_break: str) -> str:
    if isinstance(content, str):
        text = _escape_text(content)
        return text.replace("\n", line_break) if "\n" in text else text
    if isinstance(content, Embed):
        return f'<a href="{_escape_value(content.src)}">{_escape_text(content.src)}</a>'
    if isinstance(content, Image):
        return f'<img src="{_escape_value(content.src)}" alt="{_escape_value(content.alt)}">'
    if content.image:
        return _write_content(content.image, line_break)
    if content.text:
        return _escape_text(content.text)
    tex = escape(content.tex, quote=False)
    if content.display:
        return f'<span class="math display">\\[{tex}\\]</span>'
    return f'<span class="math inline">\\({tex}\\)</span>'


def _escape_text(text: str) -> str:
    """Escape a text. Most has nothing to escape."""
    for character in text:
        if character in "&<>":
            return escape(text, quote=False)
    return text


def _escape_value(text: str) -> str:
    """Escape the value of an attribute. Most has nothing to escape."""
    for character in text:
        if character in "&<>\"'":
            return escape(text)
    return text
