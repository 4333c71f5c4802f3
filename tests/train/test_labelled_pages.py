"""From examples to labels: by gold text, by snippets, by the other pages of a site."""

from __future__ import annotations

import math

import numpy as np

from tamis.labels.datasets import Example
from tamis.page.reader import parse
from tamis.train.labelled_pages import LabelledPage, label_by_snippets, label_content, relabel_pages

STORY = "The ferry left the harbour at six in the morning"
FOG = "nobody had expected the fog from the hills"


def example(html: str | bytes, text: str | None = None, **more: object) -> Example:
    return Example(id="1", dataset="made", html=html, text=text, **more)  # type: ignore[arg-type]


def labels_of(html: str, text: str | None = None, **more: object) -> list[float]:
    return label_content(parse(html), example(html, text, **more)).tolist()


# Labels from a gold text


def test_a_label_is_the_share_of_a_blocks_words_in_the_gold() -> None:
    assert labels_of(f"<p>Menu<p>{STORY}<p>the fog and more", f"{STORY} the fog") == [0, 1, 0.5]


def test_visible_text_is_preferred_to_hidden_text() -> None:
    assert labels_of(f"<p hidden>{STORY}</p><p>{STORY}", STORY) == [0, 1]
    assert labels_of(f"<p>{STORY}</p><noscript><p>{STORY}</noscript>", STORY) == [1, 0]


def test_hidden_text_is_found_when_the_visible_page_has_it_not() -> None:
    assert labels_of(f"<p>Loading<noscript><p>Menu<p>{STORY}</noscript>", STORY) == [0, 0, 1]
    assert labels_of(f"<p>Loading<template><p>{STORY}</template>", STORY) == [0, 1]


def test_hidden_text_is_compared_with_what_the_visible_page_leaves() -> None:
    html = f"<p>{STORY}<div hidden><p>{STORY}<p>{FOG}</div>"
    assert labels_of(html, f"{STORY} {FOG}") == [1, 0, 1]


def test_a_few_missing_words_do_not_make_hidden_text_content() -> None:
    words = " ".join(f"word{number}" for number in range(100))
    assert labels_of(f"<p>{words}<p hidden>word7 extra", f"{words} extra") == [1, 0]


def test_an_empty_gold_makes_nothing_content() -> None:
    assert labels_of(f"<p>{STORY}<p hidden>{FOG}", "") == [0, 0]
    assert labels_of("", STORY) == []


# Labels from snippets


def test_snippets_label_their_blocks_and_nothing_is_known_of_the_others() -> None:
    html = f"<h1>Title</h1><p>{STORY}</p><div>Menu of the day</div><h2>More</h2>"
    known = labels_of(html, with_=("LEFT the  harbour",), without=("Menu of",))
    np.testing.assert_array_equal(known, [np.nan, 1, 0, np.nan])


def test_blocks_like_the_labelled_one_beside_it_get_the_same_label() -> None:
    html = f"<div><p>{STORY}</p><p>{FOG}</p><h2>x</h2></div><ul><li>Home<li>News</ul>"
    known = labels_of(html, with_=("harbour",), without=("Home",))
    np.testing.assert_array_equal(known, [1, 1, np.nan, 0, 0])


def test_a_block_with_a_snippet_of_its_own_keeps_its_label() -> None:
    html = f"<div><p>{STORY}</p><p>Advertisement here</p><p>{FOG}</p></div>"
    known = labels_of(html, with_=("harbour",), without=("Advertisement",))
    assert known[:2] == [1, 0]


# Pages of which only is known what must be there


def book(title: str, isbn: str, site: str = "books.example") -> LabelledPage:
    """A page of a shop for books."""
    html = (
        "<nav><a href=/>Home</a></nav><div>Welcome to our shop for old and new books</div>"
        f"<div><h1>{title}</h1><table><tr><td>ISBN:</td><td>{isbn}</td></tr></table></div>"
        f"<p>What readers of {title} say about it in a long sentence of their own"
    )
    example = Example(id=title, dataset="made", html=html, with_=(title, isbn))
    page = parse(html)
    return LabelledPage(example, page, site, label_by_snippets(page, example))


def by_text(page: LabelledPage) -> dict[str, float]:
    texts = page.page.block_texts(np.arange(len(page.labels)))
    return dict(zip(texts, page.labels.tolist(), strict=True))


def test_the_template_of_a_site_is_no_content_but_labels_beside_values_are() -> None:
    pages = [book("Blue Harbour", "9781"), book("The Fog", "9782"), book("Two Capes", "9783")]
    for page, title, isbn in zip(
        relabel_pages(pages),
        ("Blue Harbour", "The Fog", "Two Capes"),
        ("9781", "9782", "9783"),
        strict=True,
    ):
        known = by_text(page)
        assert known[title] == known[isbn] == known["ISBN:"] == 1
        assert known["Home"] == known["Welcome to our shop for old and new books"] == 0


def test_a_value_inside_a_long_sentence_says_nothing_about_the_sentence() -> None:
    known = by_text(next(relabel_pages([book("Blue Harbour", "9781")])))
    (sentence,) = [text for text in known if text.startswith("What readers")]
    assert math.isnan(known[sentence])


def test_a_value_is_no_part_of_a_word() -> None:
    page = book("The Fog", "978")
    other = parse("<p>9781<p>978")
    example = Example(id="1", dataset="made", html="", with_=("978",))
    (known,) = relabel_pages(
        [LabelledPage(example, other, page.site, label_by_snippets(other, example))]
    )
    assert math.isnan(known.labels[0])
    assert known.labels[1] == 1


def test_pages_keep_their_order_and_those_with_both_kinds_of_snippets_their_labels() -> None:
    html = "<p>The ferry left<p>Imprint"
    example = Example(id="1", dataset="made", html=html, with_=("ferry",), without=("Imprint",))
    both = LabelledPage(example, parse(html), "a.example", label_by_snippets(parse(html), example))
    pages = [book("The Fog", "9782"), both, book("Two Capes", "9783", "other.example")]
    result = [*relabel_pages(pages)]
    assert [page.site for page in result] == ["books.example", "a.example", "other.example"]
    assert result[1].labels.tolist() == [1, 0]
