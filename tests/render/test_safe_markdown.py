"""Our Markdown of hostile pages stays text in every renderer, as far as a parser can tell.

Each page is rendered by one of the set-ups in turn; benchmarks/safety.py renders these pages and
ten thousand more by all of them, and opens the result in a browser.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from itertools import cycle
from pathlib import Path

import numpy as np
import pytest

import tamis
from tamis.render import markdown

BENCHMARKS = str(Path(__file__).parents[2] / "benchmarks")
URL = "https://example.org/sieves/silk.html"

sys.path.insert(0, BENCHMARKS)
try:
    import hostile
    import hostile_places
    import renderers
finally:
    sys.path.remove(BENCHMARKS)

EVERY = 3
"""Of the generated pages every third; the set-ups go round so that each meets each place."""


def as_markdown(page: bytes, url: str | None) -> str:
    """The Markdown of the whole page."""
    table = tamis.parse(page)
    return markdown.render(table, np.ones(len(table.blocks), bool), url, tamis.Options())


def failures(pages: dict[str, bytes], url: str | None) -> Iterator[str]:
    for (name, page), setup in zip(pages.items(), cycle(renderers.SETUPS), strict=False):
        for fault in renderers.faults(renderers.SETUPS[setup](as_markdown(page, url))):
            yield f"{name}, {setup}: {fault}"


@pytest.mark.parametrize("part", range(EVERY))
def test_the_text_of_a_page_is_never_markup_of_another(part: int) -> None:
    pages = list({**hostile.pages(), **hostile_places.pages()}.items())
    chosen = dict(pages[part :: EVERY * EVERY])
    assert list(failures(chosen, URL)) == []


def test_nor_without_an_address() -> None:
    targets = {name: page for name, page in hostile_places.pages().items() if "target" in name}
    for setup in ("Python-Markdown", "commonmark", "mistletoe"):
        for name, page in targets.items():
            output = renderers.SETUPS[setup](as_markdown(page, None))
            assert renderers.faults(output) == [], (name, setup, output)


@pytest.mark.parametrize("setup", renderers.SETUPS)
def test_what_is_harmless_is_shown_as_it_is(setup: str) -> None:
    source = "<p>If a &lt; b &amp; c, write <code>&lt;b&gt;</code> and <b>not</b> $5.<p>R&amp;D"
    output = renderers.SETUPS[setup](as_markdown(source.encode(), URL))
    document = next(renderers.elements(output))
    shown = " ".join(document.text.split())
    assert shown.startswith("If a < b & c, write <b> and not $5.")


def test_chunks_are_as_harmless() -> None:
    hostile_texts = "".join(
        f"<p>{hostile_places.escaped(t)}" for t in hostile_places.TEXTS.values()
    )
    page = hostile.page(hostile_texts)
    for chunk in tamis.extract(page, url=URL, method="baseline").chunks(max_tokens=40):
        for setup in ("Python-Markdown, extra", "markdown2", "commonmark"):
            assert renderers.faults(renderers.SETUPS[setup](chunk.text)) == [], chunk.text
