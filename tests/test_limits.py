"""The limits of a call: of nested ones the first to end holds, and every view keeps to them."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace

import pytest

import tamis
from tamis import limits

STORY = "The county voted two years ago to replace its ferries, and hardly anyone was pleased. "
PAGE = (
    f"<title>Ferry</title><nav><a href=/>Home</a></nav><h1>The ferry</h1><p>{STORY * 9}<p>{STORY}"
)

VIEWS: dict[str, Callable[[tamis.Result], object]] = {
    "text": lambda result: result.text,
    "markdown": lambda result: result.markdown,
    "html": lambda result: result.html,
    "to_dict": lambda result: result.to_dict(),
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


@pytest.mark.parametrize("name", ["text", "markdown", "html", "to_dict", "explain"])
def test_every_rendering_has_a_limit_on_its_size(name: str) -> None:
    result = tamis.extract(PAGE, max_output=100)
    with pytest.raises(tamis.TooMuchOutputError, match=r"raise Options\.max_output"):
        VIEWS[name](result)
