# cython: annotation_typing=False, wraparound=True
"""Listings of code: their language, and texts beside the code that are not part of it."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

import numpy as np

from tamis._runtime import limits
from tamis.page import tags
from tamis.page.arrays import Indexes
from tamis.page.attributes import Attributes, value_of
from tamis.page.table import Page, parse_attributes
from tamis.page.tags import IMPLIED
from tamis.render.outline.roles import find_texts

# How many elements above a listing may name its language.
_LEVELS = 6

_NAMED = re.compile(
    r"(?:language|lang|highlight-source|highlight-text|brush|code|src|highlight)[-:](.+)"
)
# Class names that any listing may have, whatever its language.
_NO_LANGUAGE = frozenset(
    "text plain plaintext none nohighlight default txt wrap wrapper container block source code"
    " pre example inline listing output unknown highlight body snippet box".split()
)
_LANGUAGES = frozenset(Path(__file__).with_name("languages.txt").read_text("utf-8").split())
_GUTTER = re.compile(
    r"(?:^|[\s_-])(?:line-?nos?|line-?num(?:ber)?s?|linenodiv|gutter|lnt?|lno|blob-num|numbering)(?:$|[\s_-])",
    re.IGNORECASE,
)
_HEADER = re.compile(
    r"header|toolbar|file-?name|code-?title|copy|language-?(?:label|name)|code-?lang", re.IGNORECASE
)
_AROUND = re.compile(r"code|highlight|lang|snippet|shiki|prism|crayon|syntax", re.IGNORECASE)
_LABELS = frozenset(
    ("copy", "copied", "copied!", "copy code", "copy to clipboard", "raw", "plain text")
)
_LONGEST_LABEL, _MOST_TEXTS = 20, 5
# Texts beside a listing in an element that is about it: its language, a button.
_FEW = 2
_FAR = 9
_ALIASES = {"c#": "csharp", "c++": "cpp", "f#": "fsharp", "objective-c": "objectivec"}
_PARAMETERS = "data-syntaxhighlighter-params"
_PRE = tags.ID["pre"]
_UNSELECTABLE = re.compile(r"user-select\s*:\s*none")
_CLASS, _STYLE = tags.ATTRIBUTE_ID["class"], tags.ATTRIBUTE_ID["style"]
# Texts after which the limits are checked.
_OFTEN = 1000
_LINE = re.compile(
    r"(?:^|\s)(?:crayon-line|CodeMirror-line|cm-line|view-line|code-?line|react-file-line"
    r"|blob-code|line number\d+)(?:\s|$)"
)
_TABLE, _TBODY, _CELL, _ROW = (tags.ID[name] for name in ("table", "tbody", "td", "tr"))
_LINE_LEVELS = 6
_BEGIN_OF_LINE = re.compile(rb"</?(?:br|div|pre|td|tr|table|tbody|li|ol|ul|p)\b", re.IGNORECASE)
_NBSP = b"&nbsp;"
# Tags between the begin of a line and its first text, and the bytes of one.
_MOST_TAGS, _LONGEST_TAG = 20, 1000


class Listings:
    """What the elements of a page say about listings; each is read once, equal ones are, too."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.attributes: Attributes | None = None
        self.languages: dict[int, str] = {}
        self.languages_of_tags: dict[bytes, str] = {}
        self.gutters: dict[int, bool] = {}
        self.gutters_of_names: dict[tuple[bytes | None, bytes | None], bool] = {}

    def _open(self) -> None:
        """Take the columns of the page; most pages have no listings."""
        if self.attributes is None:
            nodes, texts = self.page.nodes, self.page.texts
            self.attributes = Attributes(self.page)
            self.parents, self.lasts, self.flags = (
                column.data for column in (nodes.parent, nodes.last, nodes.flags)
            )
            self.starts, self.closes, self.text_starts = (
                column.data for column in (nodes.start, nodes.close, texts.start)
            )
            self.first_texts, self.end_texts = nodes.first_text.data, nodes.end_text.data
            # Texts below each element that are not only digits.
            words = self.page.sums_below((texts.chars != texts.digits).astype(np.intc))
            self.words = words.astype(np.intc).data

    def find_language(self, node: int) -> str:
        """The language of the listing in a `pre`, empty if nothing says it."""
        self._open()
        language = ""
        if self.lasts[node] > node and self.page.tag_name(node + 1) == "code":
            language = self._language_of(node + 1)
        words = self.words[node]
        level = 0
        # An element with other text around the listing speaks of more than the listing.
        while not language and node >= 0 and level <= _FAR and self.words[node] <= words + _FEW:
            language = self._language_of(node)
            node = self.parents[node]
            level += 1
        return language

    def _language_of(self, node: int) -> str:
        """The language that an element names, empty if it does not."""
        language = self.languages.get(node)
        if language is None:
            limits.check()
            tag = self._read_start_tag(node)
            language = self.languages_of_tags.get(tag)
            if language is None:
                language = self.languages_of_tags[tag] = _read_language(tag)
            self.languages[node] = language
        return language

    def _read_start_tag(self, node: int) -> bytes:
        """The start tag of an element and what follows, up to its text or first child."""
        if self.flags[node] & IMPLIED:
            return b""
        first = self.first_texts[node]
        end = self.text_starts[first] if first < self.end_texts[node] else self.closes[node]
        if self.lasts[node] > node:
            end = min(end, self.starts[node + 1])
        return self.page.source[self.starts[node] : end]

    def read_label(self, node: int, text: int) -> str:
        """The language that a text beside a listing names, a space for a button, else nothing."""
        page = self.page
        block = int(page.texts.block[text])
        if page.blocks.chars[block] > _LONGEST_LABEL or page.texts.chars[text] > _LONGEST_LABEL:
            return ""
        if len(find_texts(page.blocks, block)) > _MOST_TEXTS:
            return ""
        word = page.block_text(block).strip().lower()
        word = _ALIASES.get(word, word)
        if word not in _LANGUAGES and word not in _LABELS and word != self.find_language(node):
            return ""
        above = node
        for _ in range(_LEVELS + 1):
            above = int(page.nodes.parent[above])
            if above < 0:
                break
            if text in find_texts(page.nodes, above):
                is_code = _AROUND.search(page.attribute(above, "class") or "")
                return "" if not is_code else " " if word in _LABELS else word
        return ""

    def find_beside_code(self, texts: Indexes) -> list[int]:
        """Which of these texts in listings are line numbers or on buttons."""
        columns = self.page.texts
        # A textarea is a control, too, but may hold the listing itself.
        buttons = (columns.flags[texts] & tags.IN_CONTROL != 0) & (
            self.page.nodes.tag[columns.node[texts]] != tags.ID["textarea"]
        )
        beside: list[int] = texts[buttons].tolist() + self._find_headers()
        numbers = texts[columns.chars[texts] == columns.digits[texts]]
        if len(numbers):
            self._open()
            nodes = columns.node[numbers].tolist()
            for text, node in limits.check_each(zip(numbers.tolist(), nodes, strict=True)):
                if self._is_in_gutter(node):
                    beside.append(text)
        return beside

    def _find_headers(self) -> list[int]:
        """The first texts of listings that are in a header with the name of the language."""
        nodes = self.page.nodes
        headers = []
        for pre in limits.check_each(np.flatnonzero(nodes.tag == _PRE).tolist()):
            for text in find_texts(nodes, pre)[:2]:
                node = int(self.page.texts.node[text])
                for _ in range(_LEVELS):
                    if node <= pre:
                        break
                    if _HEADER.search(self.page.attribute(node, "class") or ""):
                        headers.append(text)
                        break
                    node = int(nodes.parent[node])
        return headers

    def _is_in_gutter(self, node: int) -> bool:
        """Whether an element is for line numbers, or an ancestor with no text but numbers."""
        level = 0
        while level < _LEVELS and node >= 0 and not self.words[node]:
            if self._is_gutter(node):
                return True
            node = self.parents[node]
            level += 1
        return False

    def _is_gutter(self, node: int) -> bool:
        """Whether an element says that it is for line numbers, or not to be copied."""
        is_gutter = self.gutters.get(node)
        if is_gutter is None and self.attributes is not None:
            names, style = self.attributes.raw(node, _CLASS), self.attributes.raw(node, _STYLE)
            is_gutter = self.gutters_of_names.get((names, style))
            if is_gutter is None:
                is_gutter = bool(
                    (names and _GUTTER.search(value_of(names)))
                    or (style and _UNSELECTABLE.search(value_of(style)))
                )
                self.gutters_of_names[names, style] = is_gutter
            self.gutters[node] = is_gutter
        return bool(is_gutter)


def _read_language(start_tag: bytes) -> str:
    if b"=" not in start_tag:
        return ""  # as with most
    attributes = parse_attributes(start_tag)
    for name in ("data-lang", "data-language", "language"):
        if attributes.get(name):
            return _check_language(attributes[name])
    declared = f"{attributes.get('class', '')} {attributes.get(_PARAMETERS, '')}"
    names = declared.replace("brush: ", "brush:").replace(";", " ").split()
    for match in filter(None, map(_NAMED.fullmatch, names)):
        language = _check_language(match[1])
        if language:
            return language
    return next((name.lower() for name in names if name.lower() in _LANGUAGES), "")


def _check_language(name: str) -> str:
    name = name.strip(" ;").lower()
    return "" if name in _NO_LANGUAGE or not re.fullmatch(r"[\w+#.-]{1,30}", name) else name


# Elements of lines, in a `pre` or without one, as editors and highlighters write them


def find_code_elements(page: Page, named: list[tuple[int, str]]) -> dict[int, set[int]]:
    """Elements whose children are lines of code, and texts beside them that number these."""
    nodes = page.nodes
    counts: dict[int, int] = {}
    is_line = cache(_LINE.search)
    for node, names in named:
        first = int(nodes.first_text[node])
        if not is_line(names) or first == nodes.end_text[node]:
            continue
        if page.texts.chars[first] == page.texts.digits[first]:
            continue  # the number of a line
        above = int(nodes.parent[node])
        if nodes.tag[node] == _CELL:
            above = int(nodes.parent[above])
        if above >= 0 and nodes.tag[above] == _TBODY:
            above = int(nodes.parent[above])
        if above >= 0:
            counts[above] = counts.get(above, 0) + 1
    return {node: _find_line_numbers(page, node) for node, count in counts.items() if count > 1}


def _find_line_numbers(page: Page, node: int) -> set[int]:
    """Texts in the same table before the code that are only digits."""
    nodes, texts = page.nodes, page.texts
    table = node
    for _ in range(_LINE_LEVELS):
        if table < 0 or nodes.tag[table] == _TABLE:
            break
        table = int(nodes.parent[table])
    if table < 0 or nodes.tag[table] != _TABLE:
        return set()
    end = nodes.end_text[table] if table == node else nodes.first_text[node]
    inside = range(int(nodes.first_text[table]), int(end))
    return {text for text in inside if texts.chars[text] == texts.digits[text]}


def add_indent(page: Page, code: str, text: int, before: int, now: int) -> str:
    """Code that begins a block, with the white space and the empty lines before it.

    `before` and `now` are the elements of its line and of the one before; -1 if there is none.
    """
    empty = _count_empty_lines(page, before, now) if before >= 0 else 0
    white = _read_indent(page.source, int(page.texts.start[text]))
    if not empty and not white:
        return code
    line = code.lstrip("\n")
    return code[: len(code) - len(line)] + "\n" * empty + white + line


def _read_indent(source: bytes, place: int) -> str:
    """The white space between the begin of a line and a place in it, without the tags between."""
    white = ""
    for _ in range(_MOST_TAGS):
        begin = place
        while place > 0 and source[place - 1] in b" \t":
            place -= 1
        white = source[place:begin].decode() + white
        while source[max(0, place - len(_NBSP)) : place] == _NBSP:
            place -= len(_NBSP)
            white = " " + white
        if place < 1 or source[place - 1 : place] != b">":
            break
        place = source.rfind(b"<", max(0, place - _LONGEST_TAG), place)
        if place < 0 or _BEGIN_OF_LINE.match(source, place):
            break
    return white


def _count_empty_lines(page: Page, before: int, now: int) -> int:
    """How many elements of lines without text are between two."""
    nodes = page.nodes
    above: list[int] = []
    while before >= 0 and len(above) < _LINE_LEVELS:
        above.append(before)
        before = int(nodes.parent[before])
    for _ in range(_LINE_LEVELS):
        if now < 0 or int(nodes.parent[now]) in above:
            break
        now = int(nodes.parent[now])
    if now < 0 or int(nodes.parent[now]) not in above[1:]:
        return 0
    sibling = int(nodes.last[above[above.index(int(nodes.parent[now])) - 1]]) + 1
    empty = 0
    while sibling < now:
        empty += bool(nodes.tag[sibling] == nodes.tag[now])
        sibling = int(nodes.last[sibling]) + 1
    return empty
