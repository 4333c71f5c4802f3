"""The numbers about a page that its type is read from."""

from __future__ import annotations

import pytest

from tamis.describe.types.page_type import NUMBERS, describe
from tamis.page.reader import parse


def _describe(html: str) -> dict[str, float]:
    return dict(zip(NUMBERS, describe(parse(html)).numbers.tolist(), strict=True))


def test_elements_are_counted_by_kind_and_as_shares() -> None:
    described = _describe("<h1>a</h1><p>b</p><p>c</p><em>d</em>")
    assert described["count.h1"] == described["count.em i"] == 1
    assert described["count.p"] == 2
    assert described["share.p"] == pytest.approx(2 / described["nodes"])


def test_children_that_repeat_are_counted_with_their_words() -> None:
    items = "".join(f"<li><a href=/{number}>one two</a></li>" for number in range(4))
    described = _describe(f"<ul>{items}</ul><p>three four five six")
    assert described["links.most"] == described["links.count"] == 4
    assert described["links.words"] == pytest.approx(8 / 12)
    assert described["links.words_each"] == 2
    assert described["links_and_images.most"] == described["text.most"] == 0


def test_two_children_do_not_repeat() -> None:
    described = _describe("<ul><li><a href=/1>one two</a><li><a href=/2>one two</a></ul>")
    assert described["links.most"] == 2
    assert described["links.count"] == described["links.words"] == 0


def test_an_entry_has_two_words_and_a_text_has_fifteen() -> None:
    assert _describe("<ul><li><a href=/1>one</a></ul>")["links.most"] == 0
    assert _describe(f"<div><p>{'word ' * 14}</div>")["text.most"] == 0
    assert _describe(f"<div><p>{'word ' * 15}</div>")["text.most"] == 1


def test_words_are_summed_by_place_and_by_the_length_of_their_block() -> None:
    described = _describe(f"<main><p>{'word ' * 6}</main><p>{'word ' * 5}<p><a href=/>one</a>")
    assert described["words"] == 12
    assert described["link_density"] == pytest.approx(1 / 12)
    assert described["words.main"] == pytest.approx(6 / 12)
    assert described["blocks.5"] == 1  # more than five words
    assert described["long.5"] == pytest.approx(6 / 12)


def test_quantiles_are_of_the_words_of_blocks() -> None:
    described = _describe("<p>a<p>a b<p>a b c<p>a b c d")
    assert [described[f"quantile.{share}"] for share in (0.5, 0.75, 0.9, 1.0)] == [2, 3, 3, 4]


def test_links_are_seen_from_the_address_of_the_page() -> None:
    url = "https://example.org/blog/"
    hrefs = (
        "/blog/a https://example.org/blog/b?x=1 /blog/ /blog/?page=2 #top https://other.example/"
    )
    html = "".join(f'<a href="{href}">x</a>' for href in hrefs.split())
    described = dict(zip(NUMBERS, describe(parse(html), url).numbers.tolist(), strict=True))
    assert described["targets"] == 6
    assert described["targets.deeper"] == 2
    assert described["targets.same"] == described["targets.query"] == 1
    assert described["targets.fragment"] == 1
    assert described["targets.outside"] == pytest.approx(1 / 6)
    beside = describe(parse('<a href="/blog/b">x</a>'), "https://example.org/blog/a").numbers
    assert beside[NUMBERS.index("targets.beside")] == 1
