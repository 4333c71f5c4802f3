# cython: annotation_typing=False, wraparound=True
"""Markdown: CommonMark with the tables, deleted text, footnotes and formulas of its dialects.

Whatever renders it, the text of the page stays text: see `tamis.render.escapes`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from tamis._runtime import limits
from tamis.options import Options
from tamis.page.arrays import Flags
from tamis.page.table import Page
from tamis.render.escapes import (
    Formulas,
    clean_code,
    escape_note,
    fence_code,
    indent_code,
    is_markup,
    read_displayed,
    write_code_span,
    write_display,
)
from tamis.render.inline import write_inline
from tamis.render.outline.builder import build_outline
from tamis.render.outline.events import LEAF, OPEN, Callout, Event, Formula, Note, Span

# Cells that a table may get beyond those of the page, for the sake of colspan and rowspan.
_MOST_FILLERS = 1000
# Events after which the limits are checked.
_OFTEN = 50
# The columns that all dialects take off the lines of an item, and what shows nothing.
_WIDE, _NOTHING = 4, "&nbsp;"


def render(page: Page, kept: Flags, url: str | None, options: Options) -> str:
    """Write the kept blocks as Markdown."""
    return write_events(build_outline(page, kept, url, options).events)


def write_events(events: list[Event]) -> str:
    """Write the events of an outline, all or a part with its containers around it."""
    formulas = Formulas(False)
    document = _Document(formulas).write_all(events)
    # What comes before a formula has to know of it, too; few documents have any.
    return _Document(Formulas(True)).write_all(events) if formulas.met else document


class _List:
    """An open list: its next number, None if it has bullets, and what follows the number."""

    def __init__(self, number: int | None, sign_before: str, wide: bool) -> None:
        self.number = number
        self.wide = wide
        self.first = True
        # Only their signs say that two lists in a row are two.
        self.sign = "-" if number is None else "."
        if sign_before == self.sign:
            self.sign = "*" if number is None else ")"

    def make_marker(self) -> str:
        self.first = False
        marker = f"{self.sign} "
        if self.number is not None:
            marker = f"{self.number}{marker}"
            self.number += 1
        return marker.ljust(_WIDE) if self.wide else marker


class _Document:
    """Lines of Markdown, and where in lists and quotes we are."""

    def __init__(self, formulas: Formulas) -> None:
        self.formulas = formulas
        self.wide: set[int] = set()  # places of containers around code that has to be indented
        self.pieces: list[str] = []
        self.prefix = ""  # what every line begins with here
        self.first = ""  # what the next line begins with instead: the marker of a list item
        # Prefix of the innermost container that both the leaf before and the next are in.
        self.between = ""
        self.stack: list[str] = []  # prefixes outside of the open containers
        self.lists: list[_List] = []
        self.ended: _List | None = None  # the list that has just ended
        self.tight = False  # whether the leaf before began an item and is a paragraph
        self.before = ""  # the prefix of the leaf before, as far as it goes on without its marker
        self.note = 0  # how many containers are open with the footnote that is
        self.callout: Callout | None = None  # one whose title comes next
        self.joined = False  # whether the next leaf belongs to the line before
        self.table: _Grid | None = None
        self.length = 0  # characters of the document so far

    def write_all(self, events: list[Event]) -> str:
        self.wide = _find_wide(events)
        for place, (action, kind, value, spans) in enumerate(events):
            if place % _OFTEN == 0:
                limits.check()
                limits.check_output(self.length)
            if action == LEAF:
                self.add_leaf(kind, value, spans)
            elif action == OPEN:
                self.open(kind, value, place in self.wide if self.wide else False)
            else:
                self.close(kind)
        limits.check_output(self.length)
        return "".join(self.pieces)

    def open(self, kind: str, value: Any, wide: bool) -> None:
        """Open a container; `wide` if code in it is indented."""
        if self.table:
            self.table.open(kind, value)
            return
        self.stack.append(self.prefix)
        if kind == "list":
            self.lists.append(_List(value, self.ended.sign if self.ended else "", wide))
        elif kind in ("item", "details"):
            self.open_item(kind, value, wide)
        elif kind == "quote":
            self.begin("> ", "> ")
        elif kind == "callout":
            self.begin("> ", "> ")
            if value.titled:
                self.callout = value
            else:
                self.write(_write_title(value, value.kind.capitalize()), False)
                self.joined = True
        elif kind == "table":
            self.table = _Grid(self.formulas)
        elif value is not None:
            self.begin_note(value)

    def open_item(self, kind: str, note: Note | None, wide: bool) -> None:
        if note:
            self.begin_note(note)
            return
        tight = self.tight
        if kind == "item" and self.lists:
            innermost = self.lists[-1]
            # A list that begins with another number cannot follow a line of text.
            if innermost.first and (self.ended or innermost.number not in (None, 1)):
                tight = False
            marker = innermost.make_marker()
        else:
            marker = "- ".ljust(_WIDE) if wide else "- "
        self.begin(marker, " " * len(marker))
        self.tight = tight

    def begin_note(self, note: Note) -> None:
        self.begin(f"[^{note.label}]: ", "    ")
        self.note = self.note or len(self.stack)

    def begin(self, first: str, others: str) -> None:
        """Begin a container with signs of its own at the beginning of its lines."""
        self.first = (self.first or self.prefix) + first
        self.prefix += others
        self.tight = False

    def close(self, kind: str) -> None:
        if self.table:
            if kind != "table":
                self.table.close(kind)
                return
            self.write(self.table.write(), False)
            self.table = None
        self.prefix = self.stack.pop()
        self.first = ""
        if len(self.stack) < self.note:
            self.note = 0
        self.joined = False
        if len(self.prefix) < len(self.between):
            self.between = self.prefix
        if kind == "list":
            self.ended = self.lists.pop()

    def add_leaf(self, kind: str, value: Any, spans: list[Span]) -> None:
        if self.table:
            self.table.add_leaf(kind, spans)
        elif self.callout:
            is_text = kind in ("paragraph", "heading")
            text = write_inline(spans, " ", self.formulas) if is_text else ""
            self.write(_write_title(self.callout, text), False)
            self.callout, self.joined = None, True
        elif kind == "paragraph":
            self.add_paragraph(value, spans)
        elif kind == "heading":
            text = write_inline(spans, " ", self.formulas)
            if text:
                self.write(f"{'#' * value} {_escape_end(text)}", False)
        elif kind == "code":
            self.add_listing(_read_code(spans), value)
        else:
            # At the beginning `---` would open front matter.
            self.write("---" if self.pieces else "***", False)

    def add_paragraph(self, note: Note | None, spans: list[Span]) -> None:
        text = (not self.first and self.write_display(spans)) or write_inline(
            spans, "  \n", self.formulas
        )
        if text and note:
            self.write(f"[^{note.label}]: {escape_note(text)}", True)
            self.before += " " * _WIDE
        elif text:
            self.write(escape_note(text) if self.first.endswith("]: ") else text, True)

    def write_display(self, spans: list[Span]) -> str:
        """Write a paragraph that is one formula, apart from the text; empty if it is not."""
        if len(spans) == 2 and spans[1][2] and spans[1][2][-1][0] == "back":
            spans = spans[:1]  # and the picture of the same
        if len(spans) != 1:
            return ""
        content = spans[0][1]
        tex = ""
        if isinstance(content, Formula):
            tex = content.tex
        elif isinstance(content, str):
            tex = read_displayed(content)
        if tex:
            self.formulas.met = True
        return write_display(tex) if tex else ""

    def add_listing(self, code: str, language: str) -> None:
        """Add code: fenced, or indented where fences do not hold it in all dialects."""
        if not is_markup(code):
            self.write(fence_code(code, language), False)
            return
        inner = self.before[len(self.prefix) :]
        if self.first.strip("> ") or (inner and inner[0] != ">"):
            # Beside a marker, or after an item, it would be text of the item.
            self.write(_NOTHING, False)
        # Not every dialect knows code in a quote in an item, or in an item in a quote.
        is_deep = bool(self.lists) and ">" in self.prefix
        self.write(indent_code(code, self.note > 0 or is_deep), False)

    def write(self, text: str, tight: bool) -> None:
        """Add a leaf. Items with a paragraph each follow one another without an empty line."""
        self.length += len(text) + len(self.prefix)
        if self.pieces:
            close = tight and (self.joined or (self.tight and self.first))
            between = self.between.rstrip() if self.between else ""
            self.pieces.append("\n" if close else f"\n{between}\n" if between else "\n\n")
            self.joined = False
        if "\n" in text:
            # Before there is a prefix at the beginning of each of its lines.
            self.length += text.count("\n") * len(self.prefix)
            limits.check_output(self.length)
            text = text.replace("\n", "\n" + self.prefix)
        before = self.first or self.prefix
        self.pieces.append(before + text if before else text)
        self.tight = tight and bool(self.first)
        self.first, self.between, self.ended = "", self.prefix, None
        self.before = self.prefix


class _Grid:
    """Rows of a table as they come in."""

    def __init__(self, formulas: Formulas) -> None:
        self.formulas = formulas
        self.caption: list[str] = []
        self.rows: list[list[str]] = []
        self.cell: list[str] | None = None
        self.columns = 1
        self.reaching: dict[int, int] = {}  # into how many more rows the cell of a column reaches
        self.fillers = _MOST_FILLERS

    def open(self, kind: str, value: Any) -> None:
        if kind == "row":
            self.rows.append([])
        elif kind == "cell":
            self.cell = []
            self.fillers += 1
            _, self.columns, rows = value
            row = self.rows[-1]
            while self.reaching.get(len(row), 0) and self.fillers:
                self.reaching[len(row)] -= 1
                self.fillers -= 1
                row.append("")
            if rows > 1:
                self.reaching[len(row)] = rows - 1

    def close(self, kind: str) -> None:
        if kind == "cell" and self.cell is not None:
            more = min(self.columns - 1, self.fillers)
            self.fillers -= more
            self.rows[-1] += ["<br>".join(self.cell), *[""] * more]
            self.cell = None

    def add_leaf(self, kind: str, spans: list[Span]) -> None:
        if kind == "code":
            text = write_code_span(" ".join(_read_code(spans).split()))
        else:
            text = write_inline(spans, "<br>", self.formulas)
        if self.cell is not None:
            self.cell.append(text.replace("|", "\\|"))
        else:
            self.caption.append(text)

    def write(self) -> str:
        """The whole table; its first row is the header."""
        if not self.rows:
            return "\n\n".join(self.caption)
        width = max(map(len, self.rows))
        head = self.rows[0] + [""] * (width - len(self.rows[0]))
        lines = [head, ["---"] * width, *self.rows[1:]]
        table = "\n".join(f"| {' | '.join(line)} |" for line in lines)
        return "\n\n".join((*self.caption, table))


def _find_wide(events: list[Event]) -> set[int]:
    """Places of the lists and definitions with code in them that has to be indented."""
    wide: set[int] = set()
    around: list[int] = []
    for place in range(len(events)):
        action, kind, _, spans = events[place]
        if action == OPEN:
            around.append(place)
        elif action != LEAF:
            around.pop()
        elif kind == "code" and around and is_markup(_read_code(spans)):
            wide.update(around)
    return wide


def _write_title(callout: Callout, title: str) -> str:
    return f"[!{callout.kind}]{callout.fold} {title}".rstrip()


def _read_code(spans: list[Span]) -> str:
    return clean_code("".join([content for _, content, _ in spans if isinstance(content, str)]))


def _escape_end(text: str) -> str:
    """Escape the last signs of a heading that would be taken for its end."""
    stripped = text.rstrip("#")
    if stripped != text and (not stripped or stripped[-1].isspace()):
        return stripped + "\\" + text[len(stripped) :]
    return text


# What means something to YAML inside quotes, or to a renderer of Markdown that knows no YAML and
# takes the lines for a heading: tags, links, code, references, attribute lists, formulas.
_SPECIAL = frozenset("\\<>&[]{}`$")
# They join letters in Persian, in Indic scripts and in emoji.
_JOINERS = "\u200c\u200d"


def write_front_matter(values: Mapping[str, str | int | Sequence[str]]) -> str:
    """Write the values that are not empty between lines of hyphens."""
    lines = ["---"]
    for name, value in values.items():
        if isinstance(value, int):
            lines.append(f"{name}: {value}")
        elif isinstance(value, str):
            lines += [f"{name}: {quote(value)}"] if value else []
        elif value:
            lines += [f"{name}:", *(f"  - {quote(text)}" for text in value)]
    return "\n".join((*lines, "---", ""))


def quote(text: str) -> str:
    r"""A string of YAML 1.1 and 1.2, on one line.

    >>> print(quote('No: a "<b>"'))
    "No: a \"\x3cb\x3e\""
    """
    return '"' + "".join(map(_escape_sign, text)) + '"'


def _escape_sign(sign: str) -> str:
    if sign == '"':
        return '\\"'
    if sign not in _SPECIAL and (sign.isprintable() or sign in _JOINERS):
        return sign
    code = ord(sign)
    if code < 0x100:
        return f"\\x{code:02x}"
    return f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"
