"""Pages and readers that the tests of several renderers share."""

from __future__ import annotations

import re
from collections.abc import Callable

import numpy as np
import pytest

import tamis
from tamis.render import clean_html, document, markdown, text

URL = "https://example.org/blog/post.html"


def whole(source: str, **options: object) -> tuple[tamis.Page, np.ndarray, str, tamis.Options]:
    """A page of which every block is kept, as the renderers want it."""
    page = tamis.parse(source)
    return page, np.ones(len(page.blocks), bool), URL, tamis.Options(**options)  # type: ignore[arg-type]


@pytest.fixture
def as_markdown() -> Callable[..., str]:
    """Markdown of a whole page."""
    return lambda source, **options: markdown.render(*whole(source, **options))


@pytest.fixture
def as_html() -> Callable[..., str]:
    """HTML of a whole page."""
    return lambda source, **options: clean_html.render(*whole(source, **options))


@pytest.fixture
def as_json() -> Callable[..., list[dict[str, object]]]:
    """The structured document of a whole page."""
    return lambda source, **options: document.render(*whole(source, **options))


@pytest.fixture
def as_text() -> Callable[[str], str]:
    """Text of a whole page."""
    return lambda source: text.render(*whole(source)[:2])


def words(string: str) -> list[str]:
    """Runs of letters and digits."""
    return re.findall(r"\w+", string)
