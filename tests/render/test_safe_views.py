"""Explain pages and clouds of hostile pages: what the pages say is text in them."""

from __future__ import annotations

import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest

import tamis

BENCHMARKS = str(Path(__file__).parents[2] / "benchmarks")
URL = 'https://example.org/"><img src=x onerror=ran(1)>'

sys.path.insert(0, BENCHMARKS)
try:
    import hostile
    import hostile_places
    import renderers
finally:
    sys.path.remove(BENCHMARKS)


@pytest.fixture(scope="module")
def result() -> tamis.Result:
    """A page with every hostile text in its title, its headings and its paragraphs."""
    texts = [hostile_places.escaped(text) for text in hostile_places.TEXTS.values()]
    content = "".join(f"<h2 id='{text}'>{text}</h2><p>{text}" for text in texts)
    page = hostile.page(content * 2, f"<title>{' '.join(texts)}</title>")
    return tamis.extract(page, url=URL, method="baseline")


def check(source: str) -> None:
    """No element runs or loads anything, no attribute does; links lead into the file or page."""
    for element in renderers.elements(source):
        assert element.tag not in ("script", "img", "iframe", "object", "embed", "base", "form")
        for name, value in element.attrs.items():
            assert not name.startswith("on") and name not in ("src", "srcdoc", "xlink:href")
            assert name != "href" or str(value).startswith(("#", URL))


def test_an_explain_page(result: tamis.Result) -> None:
    check(result.explain())
    assert "&lt;script&gt;ran(1)" in result.explain()


def test_what_a_notebook_shows(result: tamis.Result) -> None:
    frames = [e for e in renderers.elements(result._repr_html_()) if e.tag == "iframe"]
    assert len(frames) == 1 and "sandbox" in frames[0].attrs


def test_clouds(result: tamis.Result) -> None:
    cloud = result.cloud()
    check(cloud.svg())
    check(cloud.html())
    ElementTree.fromstring(cloud.svg())  # XML, in which control characters are errors
