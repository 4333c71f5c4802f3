"""The limits of a call: of nested ones the first to end holds, and every view keeps to them."""

from __future__ import annotations

import math
import tracemalloc
from collections.abc import Callable
from dataclasses import replace

import pytest

import tamis
from tamis._runtime import limits

STORY = "The county voted two years ago to replace its ferries, and hardly anyone was pleased. "
PAGE = (
    f"<title>Ferry</title><nav><a href=/>Home</a></nav><h1>The ferry</h1><p>{STORY * 9}<p>{STORY}"
)

VIEWS: dict[str, Callable[[tamis.Result], object]] = {
    "text": lambda result: result.text,
    "markdown": lambda result: result.markdown,
    "html": lambda result: result.html,
    "to_dict": lambda result: result.to_dict(),
    "chunks": lambda result: result.chunks(),
    "posts": lambda result: result.posts,
    "units": lambda result: result.units,
    "comments": lambda result: result.comments,
    "explain": lambda result: result.explain(),
    "metadata": lambda result: result.metadata,
    "page_types": lambda result: result.page_types,
    "items": lambda result: result.items,
    "regions": lambda result: result.regions,
    "reasons": lambda result: result.reasons,
    "blocks": lambda result: result.blocks,
    "cloud": lambda result: result.cloud(),
}
every_view = pytest.mark.parametrize("view", VIEWS.values(), ids=VIEWS.keys())


def test_outside_of_a_call_there_is_no_limit() -> None:
    limits.check()
    limits.check_output(10**12)
    assert limits.end() == math.inf


def test_of_nested_limits_the_first_to_end_holds() -> None:
    with limits.within(1000, 10):
        outer = limits.end()
        with limits.within(5000, 20):
            assert limits.end() == outer
            with pytest.raises(tamis.TooMuchOutputError, match="more than 10 characters"):
                limits.check_output(11)
        with limits.within(500):
            assert limits.end() < outer
    assert limits.end() == math.inf


def test_what_ends_too_late_is_an_error_that_names_the_limit() -> None:
    message = r"longer than 1e-09 s; raise Options\.max_seconds"
    with pytest.raises(tamis.DeadlineError, match=message), limits.within(1e-9):
        pass
    with pytest.raises(tamis.DeadlineError):
        tamis.extract(PAGE, max_seconds=1e-9)


@every_view
def test_every_view_has_a_deadline(view: Callable[[tamis.Result], object]) -> None:
    result = tamis.extract(PAGE)
    hurried = replace(result, options=replace(result.options, max_seconds=1e-9))
    with pytest.raises(tamis.DeadlineError):
        view(hurried)
    assert view(replace(result)) is not None


COMMENTED = PAGE + "".join(
    f"<div class=comment id=c{number}><a class=author href=/u/{number}>Ann {number}</a>"
    f" <time datetime=2020-05-0{number}>{number} May 2020</time><p>{STORY}</p></div>"
    for number in range(1, 8)
)
TEASERS = "<title>Ferries</title>" + "".join(
    f"<article><h3><a href=/{number}>The ferry number {number}</a></h3><p>{STORY}</article>"
    for number in range(9)
)
OF_OTHER_PAGES = {"posts": COMMENTED, "comments": COMMENTED, "items": TEASERS}
WITHOUT_TEXT = {"page_types", "regions"}


@pytest.mark.parametrize("name", sorted(VIEWS.keys() - WITHOUT_TEXT))
def test_every_view_with_text_has_a_limit_on_its_size(name: str) -> None:
    method = "text_block_context" if name == "units" else "tamis"
    page = OF_OTHER_PAGES.get(name, PAGE)
    result = tamis.extract(page, url="https://example.org/", method=method)
    if name == "items":
        result.__dict__["overview"] = 1.0
    assert VIEWS[name](result)
    less = replace(result, options=replace(result.options, max_output=5))
    less.__dict__.update({"overview": result.overview})
    with pytest.raises(tamis.TooMuchOutputError, match=r"raise Options\.max_output"):
        VIEWS[name](less)


def test_the_parts_of_a_dictionary_count_together() -> None:
    result = tamis.extract(PAGE)
    values = result.to_dict()
    whole = limits.count_characters({name: values[name] for name in ("text", "document", "blocks")})
    less = tamis.extract(PAGE, max_output=whole - 100)
    assert less.text and less.blocks and less.metadata
    with pytest.raises(tamis.TooMuchOutputError):
        less.to_dict()


LONG = "x" * 99
DEEP = f"<p>{STORY}</p>" + f"<x{LONG}>" * 60 + "<p>y" * 3_000
BASE = f"<base href=https://example.org/{'q' * 1_900}/><p>{STORY}"
LARGE = {
    "XPaths of blocks": (DEEP, "blocks"),
    "XPaths of chunks": (DEEP + "<h2>z</h2><p>y" * 1_000, "chunks"),
    "explained blocks": (DEEP, "explain"),
    "all": (DEEP, "to_dict"),
    "links of one block": (BASE + "<a href=y>z</a> " * 20_000, "markdown"),
    "links in HTML": (BASE + "<a href=y>z</a> " * 20_000, "html"),
    "pictures": (BASE + "<img src=y.jpg alt=z> " * 20_000, "markdown"),
}


@pytest.mark.parametrize("kind", LARGE)
def test_little_more_than_the_limit_is_built_before_the_error(kind: str) -> None:
    page, view = LARGE[kind]
    result = tamis.extract(page, method="baseline", max_output=200_000)
    tamis.extract(page[:5_000], method="baseline").to_dict()  # loads what is loaded once
    tracemalloc.start()
    with pytest.raises(tamis.TooMuchOutputError):
        VIEWS[view](result)
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert most < 15_000_000
