"""Labels of pages of which only snippets are known."""

from __future__ import annotations

import math

import numpy as np

from tamis.evaluate.datasets import Example
from tamis.page.read import parse
from tamis.train.documents import LabelledPage
from tamis.train.snippets import labels, relabel_pages


def book(title: str, isbn: str, site: str = "books.example") -> LabelledPage:
    """A page of a shop for books."""
    html = (
        "<nav><a href=/>Home</a></nav><div>Welcome to our shop for old and new books</div>"
        f"<div><h1>{title}</h1><table><tr><td>ISBN:</td><td>{isbn}</td></tr></table></div>"
        f"<p>What readers of {title} say about it in a long sentence of their own"
    )
    example = Example(id=title, dataset="made", html=html, with_=(title, isbn))
    page = parse(html)
    return LabelledPage(example, page, site, labels(page, example))


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
    (known,) = relabel_pages([LabelledPage(example, other, page.site, labels(other, example))])
    assert math.isnan(known.labels[0])
    assert known.labels[1] == 1


def test_pages_keep_their_order_and_those_with_both_kinds_of_snippets_their_labels() -> None:
    html = "<p>The ferry left<p>Imprint"
    example = Example(id="1", dataset="made", html=html, with_=("ferry",), without=("Imprint",))
    both = LabelledPage(example, parse(html), "a.example", labels(parse(html), example))
    pages = [book("The Fog", "9782"), both, book("Two Capes", "9783", "other.example")]
    result = [*relabel_pages(pages)]
    assert [page.site for page in result] == ["books.example", "a.example", "other.example"]
    assert result[1].labels.tolist() == [1, 0]
