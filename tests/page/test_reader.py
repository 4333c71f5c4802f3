"""A page over a limit ends with an error that names the limit, before it takes the machine down."""

from __future__ import annotations

import pytest

import tamis
from tamis.errors import (
    DeadlineError,
    LimitError,
    TooDeepError,
    TooLargeError,
    TooManyNodesError,
)

OVER = [
    (TooLargeError, "max_bytes", tamis.Options(max_bytes=10), "<p>one</p> two"),
    (TooManyNodesError, "max_nodes", tamis.Options(max_nodes=10), "<p>one" * 20),
    (TooDeepError, "max_depth", tamis.Options(max_depth=10), "<div>one" * 20),
    (DeadlineError, "max_seconds", tamis.Options(max_seconds=1e-12), "<p>one"),
    (DeadlineError, "max_seconds", tamis.Options(max_seconds=1e-9), "<p>one" * 100_000),
]


@pytest.mark.parametrize(("error", "limit", "options", "html"), OVER)
@pytest.mark.parametrize("as_bytes", [False, True])
def test_a_limit_has_its_own_error_that_names_the_option(
    error: type[LimitError], limit: str, options: tamis.Options, html: str, as_bytes: bool
) -> None:
    page = html.encode() if as_bytes else html
    with pytest.raises(error, match=rf"Options\.{limit}\b"):
        tamis.parse(page, options=options)
    with pytest.raises(error, match=rf"Options\.{limit}\b"):
        tamis.extract(page, options=options)


def test_every_limit_is_a_tamis_error() -> None:
    for error in (TooLargeError, TooManyNodesError, TooDeepError, DeadlineError):
        assert issubclass(error, LimitError)
        assert issubclass(error, tamis.TamisError)


# Exactly at the limit


@pytest.mark.parametrize("page", ["é" * 10, ("é" * 10).encode(), bytearray(b"x" * 20)])
def test_bytes_are_counted_in_utf8(page: str | bytes) -> None:
    assert len(tamis.parse(page, options=tamis.Options(max_bytes=20)).source) == 20
    with pytest.raises(TooLargeError):
        tamis.parse(page, options=tamis.Options(max_bytes=19))


def test_a_page_that_grows_when_decoded_is_measured_after_it() -> None:
    page = ("é" * 10).encode("latin-1")
    with pytest.raises(TooLargeError):
        tamis.parse(
            page, options=tamis.Options(max_bytes=15), content_type="text/html; charset=latin1"
        )


def test_implied_elements_count_as_nodes() -> None:
    assert len(tamis.parse("<p>x", options=tamis.Options(max_nodes=4)).nodes) == 4
    with pytest.raises(TooManyNodesError):
        tamis.parse("<p>x", options=tamis.Options(max_nodes=3))


def test_an_empty_page_needs_three_nodes() -> None:
    assert len(tamis.parse("", options=tamis.Options(max_nodes=3)).nodes) == 3
    with pytest.raises(TooManyNodesError):
        tamis.parse("", options=tamis.Options(max_nodes=2))


def test_depth_is_the_number_of_open_elements() -> None:
    html = "<div>" * 10  # and html and body around them
    assert tamis.parse(html, options=tamis.Options(max_depth=12)).nodes.depth.max() == 11
    with pytest.raises(TooDeepError):
        tamis.parse(html, options=tamis.Options(max_depth=11))


def test_elements_side_by_side_are_not_deep() -> None:
    html = "<div>x</div><br><p>y<p>z" * 1000
    assert tamis.parse(html, options=tamis.Options(max_depth=3)).nodes.depth.max() == 2


# The clock


@pytest.mark.parametrize(
    "html",
    ["<p>one" * 200_000, "<br>" * 200_000, "</x>" * 200_000, "<!---->" * 200_000],
    ids=["paragraphs", "breaks", "end tags", "comments"],
)
def test_the_deadline_is_honoured_inside_the_scan(html: str) -> None:
    with pytest.raises(DeadlineError, match=r"at byte (\d+) of") as caught:
        tamis.parse(html, max_seconds=1e-12)
    place = int(str(caught.value).split("at byte ")[1].split()[0])
    assert place < len(html) // 2


def test_a_page_that_took_too_long_gives_no_result_even_if_it_was_read_before() -> None:
    page = tamis.parse("<p>one")
    with pytest.raises(DeadlineError, match=r"Options\.max_seconds"):
        tamis.extract(page, max_seconds=1e-12)


# Defaults


@pytest.mark.parametrize("tag", ["<div>", "<b>", "<table><td>", "<ul><li>", "<x-y>"])
def test_a_million_nested_tags_end_with_an_error(tag: str) -> None:
    with pytest.raises(TooDeepError):
        tamis.parse(tag * 1_000_000)


def test_a_million_nested_tags_can_be_read_if_allowed() -> None:
    options = tamis.Options(max_nodes=1_000_010, max_depth=1_000_010)
    page = tamis.parse("<div>" * 1_000_000 + "x", options=options)
    assert page.nodes.depth.max() == 1_000_001
    assert page.block_text(0) == "x"


def test_default_limits_let_a_large_page_pass() -> None:
    page = tamis.parse("<p>one <b>two</b></p>" * 100_000)
    assert len(page.blocks) == 100_000


def test_default_depth_lets_an_ugly_page_pass() -> None:
    depth = tamis.Options().max_depth
    assert depth >= 1_000
    assert tamis.parse("<div>" * (depth - 2) + "x").block_text(0) == "x"


@pytest.mark.parametrize("limit", ["max_bytes", "max_nodes", "max_depth", "max_seconds"])
def test_a_limit_may_be_as_large_as_one_likes(limit: str) -> None:
    assert tamis.parse("<p>x", options=tamis.Options(**{limit: 10**12})).block_text(0) == "x"


@pytest.mark.parametrize("limit", ["max_bytes", "max_nodes", "max_depth", "max_seconds"])
def test_a_limit_below_zero_is_refused(limit: str) -> None:
    with pytest.raises(tamis.OptionsError, match=f"{limit} is -1"):
        tamis.parse("<p>x", options=tamis.Options(**{limit: -1}))


def test_the_paths_of_a_deep_page_stay_short() -> None:
    blocks = tamis.extract("<div>" * 1900 + "<p>x" * 2000).blocks
    assert blocks[6].xpath == "(//p)[7]"


def test_comments_with_an_exclamation_mark_are_read_in_linear_time() -> None:
    # Searching the whole rest of the page for each of them took hours.
    page = tamis.parse(b"<!--x--!>" * 500_000 + b"end", options=tamis.Options(max_seconds=20))
    assert page.block_text(0) == "end"
