"""The importance of elements, worked out by hand on small sites."""

from __future__ import annotations

import math

import numpy as np
import pytest

import tamis
from tamis.methods.site.site_style_tree import Elements, SiteStyleTree, StyleTree


def importance(pages: list[str], gamma: float = 0.9) -> list[float]:
    """Of the elements of the first page, the root first."""
    parsed = [tamis.parse(page) for page in pages]
    tree: StyleTree = SiteStyleTree(gamma=gamma).fit(parsed).known
    return tree.find_importance(Elements.from_page(parsed[0])).tolist()


def test_the_same_words_at_the_same_place_are_worth_nothing() -> None:
    *_, same, changing = importance([f"<body><p>menu</p><p>w{n}</p>" for n in range(4)])
    assert same == pytest.approx(0.0)
    assert changing == pytest.approx(1.0)


def test_content_is_one_less_the_mean_entropy_of_the_words() -> None:
    *_, leaf = importance([f"<body><p>same w{n} v{n}</p>" for n in range(5)])
    # Eleven words in all, of which one is on all pages.
    assert leaf == pytest.approx(1 - 1 / 11)


def test_an_element_joins_its_styles_and_what_is_below() -> None:
    # Three pages have one paragraph, one has two: two styles, the children of each the mean.
    pages = ["<body><p>menu</p>"] * 3 + ["<body><p>menu</p><p>more</p>"]
    pages = [f"{page}<!-- {n} --><h1>w{n}</h1>" for n, page in enumerate(pages)]
    _, body, *_ = importance(pages)
    styles = -(0.75 * math.log(0.75, 4) + 0.25 * math.log(0.25, 4))
    often = (0 + 1) / 2
    once = 1.0
    below = 0.75 * often + 0.25 * once
    assert body == pytest.approx((1 - 0.9**2) * styles + 0.9**2 * below)


def test_a_place_that_no_page_has_is_content() -> None:
    pages = [tamis.parse(f"<body><p>menu</p><p>w{n}</p>") for n in range(4)]
    page = tamis.parse("<body><section><p>menu</p></section>")
    assert SiteStyleTree().fit(pages).score(page).tolist() == [1.0]


def test_inline_elements_belong_to_the_text_of_their_block() -> None:
    left, right = "<body><p>menu <b>bold</b></p><p>x</p>", "<body><p><i>menu</i> bold</p><p>y</p>"
    assert importance([left, right])[-2] == pytest.approx(0.0)


def test_the_score_is_one_half_at_the_threshold() -> None:
    pages = [tamis.parse(f"<body><p>same w{n} v{n}</p>") for n in range(5)]
    for threshold, score in ((10 / 11, 0.5), (0.95, 10 / 11 / 1.9)):
        fitted = SiteStyleTree(threshold=threshold).fit(pages)
        np.testing.assert_allclose(fitted.score(pages[0]), [score])


def test_of_very_many_pages_a_part_is_learnt(monkeypatch: pytest.MonkeyPatch) -> None:
    from tamis.methods.site import site_style_tree

    monkeypatch.setattr(site_style_tree, "_MOST_PAGES", 5)
    pages = [tamis.parse(f"<body><p>menu</p><p>w{n}</p>") for n in range(50)]
    assert SiteStyleTree().fit(pages).score(pages[7]).tolist() == [0.0, 1.0]


@pytest.mark.parametrize("threshold", [0.0, 1.0])
def test_a_threshold_at_an_end_is_refused(threshold: float) -> None:
    with pytest.raises(ValueError, match="between 0 and 1"):
        SiteStyleTree(threshold=threshold)
