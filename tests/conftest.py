"""The pages of tests/pages, and what a conforming parser sees of a page."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest
import turbohtml

FOLDERS = sorted(source.parent for source in Path(__file__).parent.glob("pages/*/source.html"))

_SHOWS_NOTHING = frozenset(
    ["audio", "canvas", "datalist", "desc", "iframe", "noembed", "noframes", "noscript", "rp", "script", "style", "template", "title", "video"]
)
_INLINE = frozenset(
    ["a", "abbr", "acronym", "b", "bdi", "bdo", "big", "cite", "code", "data", "del", "dfn", "em", "font", "i", "img", "ins", "kbd", "label", "map", "mark", "meter", "nobr", "output", "picture", "progress", "q", "rb", "rp", "rt", "rtc", "ruby", "s", "samp", "slot", "small", "span", "strike", "strong", "sub", "sup", "time", "tt", "u", "var", "wbr", "svg", "text", "tspan", "math", "input"]
)


@pytest.fixture(params=FOLDERS, ids=lambda folder: folder.name)
def folder(request: pytest.FixtureRequest) -> Path:
    """Each page of tests/pages in turn."""
    path: Path = request.param
    return path


@pytest.fixture(scope="session")
def sources() -> dict[str, bytes]:
    """The HTML of all pages of tests/pages, by their names."""
    return {folder.name: (folder / "source.html").read_bytes() for folder in FOLDERS}


@pytest.fixture(scope="session")
def words_seen() -> Callable[[str], list[str]]:
    """The words that a browser shows of a page, by a conforming parser, in document order."""
    return _words_seen


def _words_seen(html: str) -> list[str]:
    pieces: list[str] = []

    def walk(node: turbohtml.Node) -> None:
        if isinstance(node, turbohtml.Text):
            pieces.append(node.data)
        if not isinstance(node, turbohtml.Element) or _is_hidden(node):
            return
        separator = "" if node.tag in _INLINE or "-" in node.tag else "\n"
        pieces.append(separator)
        for child in node.children:
            walk(child)
        pieces.append(separator)

    root = turbohtml.parse(html, scripting=True).root
    assert root is not None
    walk(root)
    return "".join(pieces).split()


def _is_hidden(element: turbohtml.Element) -> bool:
    if element.tag in _SHOWS_NOTHING or "hidden" in element.attrs:
        return True
    if element.tag == "dialog" and "open" not in element.attrs:
        return True
    style = re.sub(r"\s", "", str(element.attrs.get("style") or "")).lower()
    return "display:none" in style or "visibility:hidden" in style
