"""Cards: a link around picture, title and text is one link."""

from __future__ import annotations

from collections.abc import Callable

import pytest

View = Callable[..., str]

CARD = """<a class="card" href="/ferry"><div class="card__media">
<img src="/boat.jpg" alt="A boat"></div>
<div class="card__body"><span class="card__label">News</span><h3 class="card__title">Nine minutes
to <em>Marrow</em></h3><p>The ferry is fast.</p><ul><li>Electric</li><li>Quiet</li></ul>
<span>By Ines</span></div></a>"""


def test_a_card_is_one_link_on_its_heading(as_markdown: View, as_html: View) -> None:
    expected = """![A boat](https://example.org/boat.jpg)

News

### [Nine minutes to *Marrow*](https://example.org/ferry)

The ferry is fast.

- Electric
- Quiet

By Ines"""
    assert as_markdown(CARD) == expected
    assert as_html(CARD).count("<a ") == 1
    assert as_markdown(CARD * 3).count("(https://example.org/ferry)") == 3


@pytest.mark.parametrize(
    ("card", "expected"),
    [
        (
            "<a href=/a><div>Kicker</div><p>Text</p></a>",
            "[Kicker](https://example.org/a)\n\nText",
        ),
        (
            "<a href=/a><div><img src=/i.jpg></div><div>—</div><p>Text</p></a>",
            "![](https://example.org/i.jpg)\n\n—\n\n[Text](https://example.org/a)",
        ),
        (
            "<p>See <a href=/a>the <b>fast</b> one</a> and <a href=/a>again</a>",
            "See [the **fast** one](https://example.org/a) and [again](https://example.org/a)",
        ),
        ("<a href=/a><h3>Only</h3></a>", "### [Only](https://example.org/a)"),
    ],
)
def test_one_link_for_each_element_that_links(as_markdown: View, card: str, expected: str) -> None:
    assert as_markdown(card) == expected


def test_a_picture_and_the_text_after_it_are_apart(as_markdown: View) -> None:
    source = "<p>A</p><div><img src=/i.jpg>News</div>"
    assert as_markdown(source) == "A\n\n![](https://example.org/i.jpg) News"
