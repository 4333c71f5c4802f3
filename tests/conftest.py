"""The pages of tests/pages, and what a conforming parser sees of a page."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
import turbohtml
from hypothesis import settings

from tests.browser import required
from tests.browser.chromium import Browser

# Threads of BLAS and OpenMP that wait for a processor keep it busy: with two other processes on a
# machine of two cores, the tests of training take six times as long. Read when numpy is loaded.
for _library in ("OMP", "OPENBLAS", "MKL"):
    os.environ.setdefault(f"{_library}_NUM_THREADS", "1")

# No test asserts a time, and a deadline would: machines differ.
settings.register_profile("tamis", deadline=None)
settings.load_profile("tamis")

# Their Markdown is what a page should become, no documentation with examples.
collect_ignore = ["generators"]

FOLDERS = sorted(source.parent for source in Path(__file__).parent.glob("pages/*/source.html"))


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


_SHOWS_NOTHING = _words(
    "audio canvas datalist desc iframe noembed noframes noscript rp script style template title"
    " video"
)
_SEPARATES = _words(
    "address applet article aside audio blockquote body br button canvas caption center col"
    " colgroup dd details dialog dir div dl dt fieldset figcaption figure footer form frameset h1"
    " h2 h3 h4 h5 h6 header hgroup hr html iframe legend li listing main marquee menu nav noembed"
    " noframes noscript object ol optgroup option p plaintext pre search section select summary"
    " table tbody td template textarea tfoot th thead tr ul video xmp"
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
def chromium() -> Iterator[Browser]:
    """A real browser."""
    with required.chromium() as browser:
        yield browser


@pytest.fixture(scope="session")
def words_seen() -> Callable[[str], list[str]]:
    """The words that a browser shows of a page, by a conforming parser, in document order."""
    return _words_seen


@pytest.fixture(scope="session")
def words_written() -> Callable[[str], list[str]]:
    """The words of a page by a conforming parser, those too that a browser hides, in order."""
    return _words_written


def _words_seen(html: str) -> list[str]:
    root = turbohtml.parse(html, scripting=True).root
    assert root is not None
    return _words_below(root, _is_hidden)


def _words_written(html: str) -> list[str]:
    # Without scripting the parser reads what is in noscript.
    root = turbohtml.parse(html, scripting=False).root
    assert root is not None
    return _words_below(root, lambda element: element.tag in ("script", "style"))


def _words_below(root: turbohtml.Node, left_out: Callable[[turbohtml.Element], bool]) -> list[str]:
    pieces: list[str] = []

    def walk(node: turbohtml.Node) -> None:
        if isinstance(node, turbohtml.Text):
            pieces.append(node.data)
        if isinstance(node, turbohtml.DocumentFragment):  # what is in a template
            for child in node.children:
                walk(child)
        if not isinstance(node, turbohtml.Element):
            return
        # Our reading: a block-level tag separates words even if nothing is shown of it.
        separator = "\n" if node.tag in _SEPARATES else ""
        pieces.append(separator)
        if not left_out(node):
            for child in node.children:
                walk(child)
        pieces.append(separator)

    walk(root)
    return "".join(pieces).split()


def _is_hidden(element: turbohtml.Element) -> bool:
    if element.tag in _SHOWS_NOTHING or "hidden" in element.attrs:
        return True
    if element.tag == "dialog" and "open" not in element.attrs:
        return True
    style = re.sub(r"\s", "", str(element.attrs.get("style") or "")).lower()
    return "display:none" in style or "visibility:hidden" in style
