# cython: annotation_typing=False, wraparound=True
"""Listings of code: their language, and texts beside the code that are not part of it."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import numpy.typing as npt

from tamis._runtime import limits
from tamis.page import tags
from tamis.page.attributes import Attributes, value_of
from tamis.page.table import Page, attributes_of
from tamis.page.tags import IMPLIED

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

    def language(self, node: int) -> str:
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
            tag = self._start_tag(node)
            language = self.languages_of_tags.get(tag)
            if language is None:
                language = self.languages_of_tags[tag] = _language(tag)
            self.languages[node] = language
        return language

    def _start_tag(self, node: int) -> bytes:
        """The start tag of an element and what follows, up to its text or first child."""
        if self.flags[node] & IMPLIED:
            return b""
        first = self.first_texts[node]
        end = self.text_starts[first] if first < self.end_texts[node] else self.closes[node]
        if self.lasts[node] > node:
            end = min(end, self.starts[node + 1])
        return self.page.source[self.starts[node] : end]

    def label(self, node: int, text: int) -> str:
        """The language that a text beside a listing names, a space for a button, else nothing."""
        page = self.page
        block = int(page.texts.block[text])
        if page.blocks.chars[block] > _LONGEST_LABEL or page.texts.chars[text] > _LONGEST_LABEL:
            return ""
        first, end = int(page.blocks.first_text[block]), int(page.blocks.end_text[block])
        if end - first > _MOST_TEXTS:
            return ""
        word = page.block_text(block).strip().lower()
        word = _ALIASES.get(word, word)
        if word not in _LANGUAGES and word not in _LABELS and word != self.language(node):
            return ""
        above = node
        for _ in range(_LEVELS + 1):
            above = int(page.nodes.parent[above])
            if above < 0:
                break
            if page.nodes.first_text[above] <= text < page.nodes.end_text[above]:
                names = page.attribute(above, "class") or ""
                if not _AROUND.search(names):
                    return ""
                return " " if word in _LABELS else word
        return ""

    def beside_code(self, texts: npt.NDArray[np.intp]) -> list[int]:
        """Which of these texts in listings are line numbers or on buttons."""
        columns = self.page.texts
        # A textarea is a control, too, but may hold the listing itself.
        buttons = (columns.flags[texts] & tags.IN_CONTROL != 0) & (
            self.page.nodes.tag[columns.node[texts]] != tags.ID["textarea"]
        )
        beside: list[int] = texts[buttons].tolist() + self._headers(texts)
        numbers = texts[columns.chars[texts] == columns.digits[texts]]
        if len(numbers):
            self._open()
            places = zip(numbers.tolist(), columns.node[numbers].tolist(), strict=True)
            for place, (text, node) in enumerate(places, 1):
                if place % _OFTEN == 0:
                    limits.check()
                if self._is_gutter(node):
                    beside.append(text)
        return beside

    def _headers(self, texts: npt.NDArray[np.intp]) -> list[int]:
        """The first texts of listings that are in a header with the name of the language."""
        nodes = self.page.nodes
        headers = []
        for pre in limits.checked(np.flatnonzero(nodes.tag == _PRE).tolist()):
            first = int(nodes.first_text[pre])
            for text in range(first, min(first + 2, int(nodes.end_text[pre]))):
                node = int(self.page.texts.node[text])
                for _ in range(_LEVELS):
                    if node <= pre:
                        break
                    if _HEADER.search(self.page.attribute(node, "class") or ""):
                        headers.append(text)
                        break
                    node = int(nodes.parent[node])
        return headers

    def _is_gutter(self, node: int) -> bool:
        """Whether an element is for line numbers, or an ancestor with no text but numbers."""
        level = 0
        while level < _LEVELS and node >= 0 and not self.words[node]:
            if self._says_gutter(node):
                return True
            node = self.parents[node]
            level += 1
        return False

    def _says_gutter(self, node: int) -> bool:
        """Whether an element says that it is for line numbers, or not to be copied."""
        gutter = self.gutters.get(node)
        if gutter is None and self.attributes is not None:
            names, style = self.attributes.raw(node, _CLASS), self.attributes.raw(node, _STYLE)
            gutter = self.gutters_of_names.get((names, style))
            if gutter is None:
                gutter = self.gutters_of_names[names, style] = _is_for_numbers(names, style)
            self.gutters[node] = gutter
        return bool(gutter)


def _is_for_numbers(names: bytes | None, style: bytes | None) -> bool:
    if names and _GUTTER.search(value_of(names)):
        return True
    return bool(style and _UNSELECTABLE.search(value_of(style)))


def _language(start_tag: bytes) -> str:
    if b"=" not in start_tag:
        return ""  # as with most
    attributes = attributes_of(start_tag)
    for name in ("data-lang", "data-language", "language"):
        if attributes.get(name):
            return _known(attributes[name])
    declared = f"{attributes.get('class', '')} {attributes.get(_PARAMETERS, '')}"
    names = declared.replace("brush: ", "brush:").replace(";", " ").split()
    for name in names:
        match = _NAMED.fullmatch(name)
        if match and _known(match[1]):
            return _known(match[1])
    return next((name.lower() for name in names if name.lower() in _LANGUAGES), "")


def _known(name: str) -> str:
    name = name.strip(" ;").lower()
    return "" if name in _NO_LANGUAGE or not re.fullmatch(r"[\w+#.-]{1,30}", name) else name
