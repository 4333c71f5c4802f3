"""Listings of code: their language, and what stands beside the code but is no part of it."""

from __future__ import annotations

import re

import numpy as np
import numpy.typing as npt

from tamis.page import tags
from tamis.page.table import Page

# How many elements above a listing may name its language.
_LEVELS = 6
# An element with more texts than this is not looked at: it holds more than a listing.
_MANY_TEXTS = 20_000

_NAMED = re.compile(
    r"(?:language|lang|highlight-source|highlight-text|brush|code|src|highlight)[-:](.+)"
)
# Said of every listing, or of none.
_NO_LANGUAGE = frozenset(
    "text plain plaintext none nohighlight default txt wrap wrapper container block source code"
    " pre example inline listing output unknown highlight body snippet box".split()
)
_LANGUAGES = frozenset(
    "asm awk bash basic c clojure cmake cpp csharp css dart diff dockerfile elixir elm erlang"
    " fortran fsharp go graphql groovy haskell html http ini java javascript js json jsx julia"
    " kotlin latex lean less lisp lua make makefile markdown matlab md nginx nim nix objc ocaml"
    " pascal perl php powershell prolog protobuf python py r rb ruby rust rs sass scala scheme scss"
    " sh shell sql swift tcl tex toml ts tsx typescript vb vim xml yaml yml zig zsh".split()
)
_GUTTER = re.compile(
    r"(?:^|[\s_-])(?:line-?nos?|line-?num(?:ber)?s?|linenodiv|gutter|lnt?|lno|blob-num)(?:$|[\s_-])",
    re.IGNORECASE,
)
_UNSELECTABLE = re.compile(r"user-select\s*:\s*none")


def language(page: Page, node: int) -> str:
    """The language of the listing in a `pre`, empty if nothing says it."""
    candidates = [node]
    if page.nodes.last[node] > node and page.tag_name(node + 1) == "code":
        candidates.insert(0, node + 1)
    own = _other_than_numbers(page, node)
    for _ in range(_LEVELS):
        node = int(page.nodes.parent[node])
        # An element with other text around the listing speaks of more than the listing.
        if node < 0 or _other_than_numbers(page, node) != own:
            break
        candidates.append(node)
    for candidate in candidates:
        found = _language_of(page.attributes(candidate))
        if found:
            return found
    return ""


def _other_than_numbers(page: Page, node: int) -> int:
    """Texts below an element that are not only digits."""
    first, end = int(page.nodes.first_text[node]), int(page.nodes.end_text[node])
    if end - first > _MANY_TEXTS:
        return -1
    return int(np.count_nonzero(page.texts.chars[first:end] != page.texts.digits[first:end]))


def _language_of(attributes: dict[str, str]) -> str:
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


def beside_code(page: Page, texts: npt.NDArray[np.intp]) -> list[int]:
    """Those of some texts in listings that are line numbers or on buttons."""
    columns = page.texts
    other = np.append(0, np.cumsum(columns.chars != columns.digits))
    numbers = texts[columns.chars[texts] == columns.digits[texts]]
    # A textarea is a control, too, but may hold the listing itself.
    buttons = (columns.flags[texts] & tags.IN_CONTROL != 0) & (
        page.nodes.tag[columns.node[texts]] != tags.ID["textarea"]
    )
    found: list[int] = texts[buttons].tolist()
    gutters: dict[int, bool] = {}
    for text, node in zip(numbers.tolist(), columns.node[numbers].tolist(), strict=True):
        if node not in gutters:
            gutters[node] = _is_gutter(page, node, other)
        if gutters[node]:
            found.append(text)
    return found


def _is_gutter(page: Page, node: int, other: npt.NDArray[np.intp]) -> bool:
    """Whether an element, or one above it with no other text than numbers, says so."""
    nodes = page.nodes
    for _ in range(_LEVELS):
        if node < 0 or other[nodes.end_text[node]] > other[nodes.first_text[node]]:
            return False
        attributes = page.attributes(node)
        if _GUTTER.search(attributes.get("class", "")):
            return True
        if _UNSELECTABLE.search(attributes.get("style", "")):
            return True
        node = int(nodes.parent[node])
    return False
