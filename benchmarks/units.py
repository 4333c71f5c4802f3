"""HTML and Markdown as lists of units: headings, items, cells, code, quotes, links, images ...

`of_html` and `of_markdown` read a document by a parser that is not ours, turbohtml or
markdown-it-py, so that the output of any extractor can be compared with a gold standard, unit by
unit. A unit is a kind and its text: white space collapsed, NFKC, case kept. An item is its own
text without the lists inside it, a cell its own without the tables inside. Each unit knows its
place in the text of the document without white space, which `covered` compares with another's.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import accumulate
from typing import Any
from urllib.parse import unquote, urlsplit

import turbohtml
from markdown_it import MarkdownIt
from markdown_it.token import Token
from mdit_py_plugins.dollarmath import dollarmath_plugin
from mdit_py_plugins.footnote import footnote_plugin

HEADING, ITEM, CELL, CODE, QUOTE, LINK, IMAGE = KINDS = (
    "heading", "list item", "table cell", "code block", "block quote", "link", "image",
)  # fmt: skip
PARAGRAPH, REFERENCE, NOTE, FORMULA = "paragraph", "footnote reference", "footnote", "formula"
MARKDOWN_KINDS = (*KINDS[:5], PARAGRAPH, REFERENCE, NOTE, FORMULA, LINK, IMAGE)

_LIST, _TABLE, _TEXT = "list", "table", "text"
# What is inside the first of each is no part of the second's own text.
_APART = {_LIST: ITEM, _TABLE: CELL}

INLINE = frozenset(
    "a abbr acronym b bdi bdo big cite code data del dfn em font i ins kbd label mark math nobr q"
    " rb rp rt rtc ruby s samp small span strike strong sub sup svg time tt u var wbr text tspan g"
    " mi mo mn mrow semantics graphic".split()
)
_UNREAD = frozenset("script style template noscript iframe title head".split())
_HTML_KINDS = {
    **dict.fromkeys(("h1", "h2", "h3", "h4", "h5", "h6"), HEADING),
    **dict.fromkeys(("li", "dt", "dd"), ITEM),
    **dict.fromkeys(("td", "th"), CELL),
    **dict.fromkeys(("ul", "ol", "dl"), _LIST),
    "table": _TABLE,
    "pre": CODE,
    "blockquote": QUOTE,
    "a": LINK,
}

SHINGLE = 10
"""Characters in a row that two texts must share for them to count as the same passage."""


@dataclass(frozen=True, slots=True)
class Unit:
    """One element of a document."""

    kind: str
    text: str
    extra: str = ""
    """Target of a link, source of an image, level of a heading, language of code."""
    spans: tuple[tuple[int, int], ...] = ()
    """Where its text is in `Document.stream`."""

    @property
    def key(self) -> tuple[str, str, str]:
        """What makes two units the same."""
        return self.kind, self.text, self.extra


@dataclass(frozen=True, slots=True)
class Document:
    """The units of a document in the order of their ends, and its text without white space."""

    units: list[Unit]
    stream: str


@dataclass
class _Open:
    kind: str
    extra: str
    first: int
    apart: list[tuple[int, int]] = field(default_factory=list)


@dataclass
class _Reader:
    """Collects text and units as a document is walked through."""

    lines_count: bool
    """Whether the line breaks of code are part of its text."""
    pieces: list[str] = field(default_factory=list)
    units: list[tuple[str, str, str, list[tuple[int, int]]]] = field(default_factory=list)
    open: list[_Open] = field(default_factory=list)

    def begin(self, kind: str, extra: str = "") -> None:
        self.open.append(_Open(kind, extra, len(self.pieces)))

    def end(self) -> None:
        unit = self.open.pop()
        end = len(self.pieces)
        if unit.kind == _TEXT:
            return
        if unit.kind in _APART:
            for outer in reversed(self.open):
                if outer.kind == _APART[unit.kind]:
                    outer.apart.append((unit.first, end))
                    break
            return
        starts = [unit.first, *(stop for _, stop in unit.apart)]
        ranges = list(zip(starts, [*(start for start, _ in unit.apart), end], strict=True))
        text = "".join("".join(self.pieces[start:stop]) for start, stop in ranges)
        normal = code_lines if unit.kind == CODE and self.lines_count else normalised
        self.add(unit.kind, normal(text), unit.extra, ranges)

    def add(self, kind: str, text: str, extra: str, ranges: list[tuple[int, int]]) -> None:
        if text or kind in (IMAGE, REFERENCE):
            self.units.append((kind, text, extra, ranges))

    def point(self, kind: str, extra: str) -> None:
        """A unit without text."""
        self.add(kind, "", extra, [(len(self.pieces), len(self.pieces))])

    def has_open(self, *kinds: str) -> bool:
        return any(unit.kind in kinds for unit in self.open)

    def document(self) -> Document:
        bare = ["".join(unicodedata.normalize("NFKC", piece).split()) for piece in self.pieces]
        offsets = [0, *accumulate(map(len, bare))]
        return Document(
            [
                Unit(kind, text, extra, tuple((offsets[start], offsets[end]) for start, end in at))
                for kind, text, extra, at in self.units
            ],
            "".join(bare),
        )


def normalised(text: str) -> str:
    """White space collapsed, compatible characters the same."""
    return " ".join(unicodedata.normalize("NFKC", text).split())


def code_lines(text: str) -> str:
    """Code as it is, but for white space at the end of its lines and empty lines around it."""
    lines = (line.rstrip() for line in text.replace("\r\n", "\n").split("\n"))
    return "\n".join(lines).strip("\n")


def address(url: str, page: str = "") -> str:
    """An address for comparison: escapes resolved, a place in the page itself as its fragment."""
    url = unquote(url.strip())
    start, hash_mark, fragment = url.partition("#")
    if hash_mark and page and start.rstrip("/") == unquote(page).partition("#")[0].rstrip("/"):
        return "#" + fragment
    try:
        parts = urlsplit(url)
    except ValueError:
        return url
    if not parts.netloc:
        return url
    return parts._replace(netloc=parts.netloc.lower(), path=parts.path or "/").geturl()


# --- HTML ---------------------------------------------------------------------------------------


def of_html(source: str, page: str = "") -> Document:
    """The units of an HTML document; `page` is its address."""
    reader = _Reader(lines_count=False)
    _read_html(reader, source, page)
    return reader.document()


def _read_html(reader: _Reader, source: str, page: str) -> None:
    for node, entering in _walk(turbohtml.parse(source)):
        if isinstance(node, turbohtml.Text):
            reader.pieces.append(node.data)
            continue
        kind = _kind_of(node)
        if node.tag not in INLINE and node.tag != "img":
            reader.pieces.append(" " if node.tag != "br" else "\n")
        if entering and node.tag == "img":
            source = node.attrs.get("src") or ""
            # Pages stand in for pictures by data URLs, and none of the outputs may have them.
            if source and not source.startswith("data:"):
                reader.point(IMAGE, address(source, page))
        elif kind:
            if entering:
                reader.begin(kind, address(node.attrs.get("href") or "", page))
            else:
                reader.end()


def _kind_of(node: Any) -> str | None:
    if node.tag == "a":
        return LINK if "href" in node.attrs else None
    return _HTML_KINDS.get(node.tag)


def _walk(root: Any) -> Iterator[tuple[Any, bool]]:
    """Texts and elements in document order; elements when they begin and when they end."""
    todo = [(root, True)]
    while todo:
        node, entering = todo.pop()
        if isinstance(node, turbohtml.Text):
            yield node, True
        elif isinstance(node, turbohtml.Element):
            if node.tag in _UNREAD:
                continue
            yield node, entering
            if entering:
                todo.append((node, False))
                todo += [(child, True) for child in reversed(list(node.children))]
        elif isinstance(node, (turbohtml.Document, turbohtml.DocumentFragment)):
            todo += [(child, True) for child in reversed(list(node.children))]


# --- Markdown -----------------------------------------------------------------------------------


def _parser() -> MarkdownIt:
    parser = MarkdownIt("commonmark", {"maxNesting": 10_000}).enable(["table", "strikethrough"])
    # Footnotes stay where they are written.
    return parser.use(footnote_plugin).disable("footnote_tail")


_CALLOUT = re.compile(r"^([> ]*> ?)\[!\w+\][+-]? ", re.MULTILINE)
_READER = _parser()
_PARSER = _parser().use(dollarmath_plugin, allow_space=False, allow_digits=False)
_MARKDOWN_KINDS = {
    "bullet_list": _LIST,
    "ordered_list": _LIST,
    "list_item": ITEM,
    "table": _TABLE,
    "td": CELL,
    "th": CELL,
    "blockquote": QUOTE,
}


def of_markdown(source: str, page: str = "") -> Document:
    """The units of a Markdown document: CommonMark, tables, footnotes, formulas in dollars."""
    reader = _Reader(lines_count=True)
    lists: list[str] = []
    for token in _PARSER.parse(source):
        name = re.sub("_(open|close)$", "", token.type)
        if name.endswith("_list"):
            lists = lists[:-1] if token.nesting < 0 else [*lists, name.removesuffix("_list")]
        if token.type == "inline":
            _read_inline(reader, token.children or [], page)
        elif name in _MARKDOWN_KINDS or name in (
            "heading",
            "paragraph",
            "footnote_reference",
        ):
            reader.pieces.append(" ")
            if token.nesting > 0:
                reader.begin(*_kind_of_token(name, token, lists, reader))
            else:
                reader.end()
        elif name in ("fence", "code_block"):
            reader.begin(CODE, token.info.split()[0].lower() if token.info.split() else "")
            reader.pieces.append(token.content)
            reader.end()
        elif name in ("math_block", "math_block_label"):
            _formula(reader, token.content, "display")
        elif name == "html_block":
            _read_html(reader, token.content, page)
    return reader.document()


def markdown_text(source: str) -> str:
    """The text of a Markdown document, marks of footnotes as their labels.

    A NUL stands before the label of a footnote itself, which the page may have or not.
    Formulas are read as text, which prices in dollars are as well.
    """
    pieces: list[str] = []
    source = _CALLOUT.sub(r"\1", source)
    for token in _READER.parse(source):
        if token.type == "inline":
            pieces += map(_inline_text, token.children or [])
        elif token.type == "html_block":
            pieces.append(turbohtml.parse(token.content).text)
        elif token.type == "footnote_reference_open":
            pieces.append(f" \0{_label(token)} ")
        else:
            pieces.append(f" {token.content} ")
    return "".join(pieces)


def _inline_text(token: Token) -> str:
    if token.type == "footnote_ref":
        return _label(token)
    if token.type == "html_inline":
        return " " if token.content.startswith("<br") else ""
    if token.type in ("softbreak", "hardbreak"):
        return " "
    return "" if token.type == "image" else token.content


def _label(token: Token) -> str:
    return str((token.meta or {}).get("label", ""))


def _kind_of_token(name: str, token: Token, lists: list[str], reader: _Reader) -> tuple[str, str]:
    if name == "heading":
        # The gold has no heading of the first level: that is the title's.
        return HEADING, "h2" if token.tag == "h1" else token.tag
    if name == "footnote_reference":
        return NOTE, _label(token)
    if name == "paragraph":
        return (_TEXT if reader.has_open(ITEM, NOTE) else PARAGRAPH), ""
    return _MARKDOWN_KINDS[name], lists[-1] if name == "list_item" else ""


def _read_inline(reader: _Reader, tokens: list[Token], page: str) -> None:
    for token in tokens:
        if token.type in ("text", "code_inline"):
            reader.pieces.append(token.content)
        elif token.type in ("softbreak", "hardbreak"):
            reader.pieces.append(" ")
        elif token.type == "link_open":
            reader.begin(LINK, address(str(token.attrs.get("href", "")), page))
        elif token.type == "link_close":
            reader.end()
        elif token.type == "image":
            reader.point(IMAGE, address(str(token.attrs.get("src", "")), page))
        elif token.type == "footnote_ref":
            reader.point(REFERENCE, _label(token))
        elif token.type in ("math_inline", "math_inline_double"):
            _formula(reader, token.content, "inline" if token.type == "math_inline" else "display")
        elif token.type == "html_inline" and token.content.startswith("<br"):
            reader.pieces.append(" ")


def _formula(reader: _Reader, source: str, extra: str) -> None:
    source = "".join(source.split())
    reader.pieces.append(source)
    reader.add(FORMULA, source, extra, [(len(reader.pieces) - 1, len(reader.pieces))])


# --- passages in common -------------------------------------------------------------------------


def covered(stream: str, other: str) -> list[int]:
    """How many of the first i characters of a text lie in a passage that the other has as well."""
    shingles = {other[i : i + SHINGLE] for i in range(max(1, len(other) - SHINGLE + 1))}
    inside = bytearray(len(stream))
    mark = b"\1" * SHINGLE
    for i in range(max(1, len(stream) - SHINGLE + 1)):
        if stream[i : i + SHINGLE] in shingles:
            inside[i : i + SHINGLE] = mark[: len(stream) - i]
    return [0, *accumulate(inside)]


def lies_inside(unit: Unit, sums: list[int], least: float = 0.95) -> bool:
    """Whether a unit lies in the passages of `covered`; without text, what is around it."""
    spans = unit.spans
    if all(start == end for start, end in spans):
        at = spans[0][0]
        spans, least = ((max(0, at - SHINGLE), min(len(sums) - 1, at + SHINGLE)),), 0.5
    size = sum(end - start for start, end in spans)
    return size > 0 and sum(sums[end] - sums[start] for start, end in spans) >= least * size
