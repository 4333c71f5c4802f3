"""Listings of code: their language, and texts beside the code that are not part of it."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache, cached_property
from pathlib import Path

import numpy as np
import numpy.typing as npt

from tamis import limits
from tamis.page import tags
from tamis.page.table import Page, attributes_of

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
    r"(?:^|[\s_-])(?:line-?nos?|line-?num(?:ber)?s?|linenodiv|gutter|lnt?|lno|blob-num)(?:$|[\s_-])",
    re.IGNORECASE,
)
_UNSELECTABLE = re.compile(r"user-select\s*:\s*none")


class Listings:
    """What the elements of a page say about listings; each element is read once."""

    def __init__(self, page: Page) -> None:
        self._page = page

    @cached_property
    def _language_of(self) -> Callable[[bytes], str]:
        return cache(_language)

    @cached_property
    def _says_gutter(self) -> Callable[[str, str], bool]:
        return cache(_says_gutter)

    def language(self, node: int) -> str:
        """The language of the listing in a `pre`, empty if nothing says it."""
        nodes = self._page.nodes
        candidates = [node]
        if nodes.last[node] > node and self._page.tag_name(node + 1) == "code":
            candidates.insert(0, node + 1)
        words = self._words[node]
        for _ in range(_LEVELS):
            node = int(nodes.parent[node])
            # An element with other text around the listing speaks of more than the listing.
            if node < 0 or self._words[node] != words:
                break
            candidates.append(node)
        start_tags = map(self._start_tag, candidates)
        return next(filter(None, map(self._language_of, start_tags)), "")

    def _start_tag(self, node: int) -> bytes:
        """The start tag of an element and what follows, up to its text or first child."""
        nodes, texts = self._page.nodes, self._page.texts
        if nodes.flags[node] & tags.IMPLIED:
            return b""
        first = nodes.first_text[node]
        end = int(texts.start[first] if first < nodes.end_text[node] else nodes.close[node])
        if nodes.last[node] > node:
            end = min(end, int(nodes.start[node + 1]))
        return self._page.source[int(nodes.start[node]) : end]

    def beside_code(self, texts: npt.NDArray[np.intp]) -> list[int]:
        """Which of these texts in listings are line numbers or on buttons."""
        columns = self._page.texts
        numbers = texts[columns.chars[texts] == columns.digits[texts]]
        # A textarea is a control, too, but may hold the listing itself.
        buttons = (columns.flags[texts] & tags.IN_CONTROL != 0) & (
            self._page.nodes.tag[columns.node[texts]] != tags.ID["textarea"]
        )
        beside: list[int] = texts[buttons].tolist()
        if not len(numbers):
            return beside
        numbers = numbers[self._words[columns.node[numbers]] == 0]
        is_gutter = cache(self._is_gutter)
        places = zip(numbers.tolist(), columns.node[numbers].tolist(), strict=True)
        beside += [text for text, node in limits.checked(places) if is_gutter(node)]
        return beside

    @cached_property
    def _words(self) -> npt.NDArray[np.generic]:
        """Texts below each element that are not only digits."""
        texts = self._page.texts
        return self._page.sums_below((texts.chars != texts.digits).astype(np.intc))

    def _is_gutter(self, node: int) -> bool:
        """Whether an element is for line numbers, or an ancestor with no text but numbers."""
        for _ in range(_LEVELS):
            if node < 0 or self._words[node]:
                return False
            names = self._page.attribute(node, "class") or ""
            if self._says_gutter(names, self._page.attribute(node, "style") or ""):
                return True
            node = int(self._page.nodes.parent[node])
        return False


def _says_gutter(names: str, style: str) -> bool:
    return bool(_GUTTER.search(names) or _UNSELECTABLE.search(style))


def _language(start_tag: bytes) -> str:
    limits.check()
    attributes = attributes_of(start_tag)
    for name in ("data-lang", "data-language"):
        if attributes.get(name):
            return _known(attributes[name])
    names = attributes.get("class", "").replace("brush: ", "brush:").split()
    for name in names:
        match = _NAMED.fullmatch(name)
        if match and _known(match[1]):
            return _known(match[1])
    return next((name.lower() for name in names if name.lower() in _LANGUAGES), "")


def _known(name: str) -> str:
    name = name.strip(" ;").lower()
    return "" if name in _NO_LANGUAGE or not re.fullmatch(r"[\w+#.-]{1,30}", name) else name
