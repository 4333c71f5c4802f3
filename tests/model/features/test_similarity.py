"""A block beside what the page declares."""

from __future__ import annotations

from collections.abc import Callable

import pytest

Column = Callable[[str, str], list[float]]


def test_words_of_the_title_are_found(column: Column) -> None:
    html = "<title>Sieves and Screens</title><h1>SIEVES and others</h1><p>Nothing.</p>"
    assert column(html, "title.share") == [pytest.approx(2 / 3, abs=1e-5), 0]
    assert column(html, "title.cover") == [pytest.approx(2 / 3, abs=1e-5), 0]
    assert column(html, "page.title_words") == [3, 3]


def test_titles_without_spaces_are_compared_by_characters(column: Column) -> None:
    html = "<title>今天天气</title><h1>今天很热</h1>"
    assert column(html, "title.share") == [0.5]


def test_pairs_of_the_description_are_found(column: Column) -> None:
    html = "<meta name=description content='a fine sieve'><p>It is a fine sieve.</p><p>fine a</p>"
    assert column(html, "description.share") == [0.5, 0]
    assert column(html, "description.words") == [3, 3]
    assert column(html, "description.cover") == [1, 1]


def test_pairs_go_over_inline_tags_but_not_over_blocks(column: Column) -> None:
    meta = "<meta name=description content='a fine sieve'>"
    assert column(meta + "<p>a <b>fine</b> sieve", "description.share") == [1]
    assert column(meta + "<p>a<p>fine<p>sieve", "description.share") == [0, 0, 0]


def test_structured_data_is_compared_with_escapes_resolved(column: Column) -> None:
    data = r'{"articleBody": "La cr\u00e8me br\u00fbl\u00e9e\nest bonne"}'
    html = f"<script type='application/ld+json'>{data}</script><p>La crème brûlée est bonne"
    assert column(html, "data.share") == [1]
    assert column(html, "data.words") == [6]
    assert column(html, "data.cover") == [0.8]


def test_blocks_with_the_same_words_are_duplicates(column: Column) -> None:
    html = "<p>Read more</p><p>read more!</p><p>more read</p><div hidden>Read more</div>"
    assert column(html, "duplicates") == [3, 3, 1, 3]
