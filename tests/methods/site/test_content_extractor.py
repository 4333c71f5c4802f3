"""The feature vector and the elements that are compared."""

from __future__ import annotations

import numpy as np
import pytest

import tamis
from tamis.methods.site.content_extractor import ContentExtractor


def article(number: int) -> str:
    return f"<p>{' '.join(f'w{number}x{word}' for word in range(8))}</p>"


def scores_of(boxes: list[str], **parameters: float) -> np.ndarray:
    """Scores of the first of some pages, each an article and then a box."""
    pages = [tamis.parse(f"<body>{article(n)}{box}") for n, box in enumerate(boxes)]
    return ContentExtractor(**parameters).fit(pages).score(pages[0])  # type: ignore[arg-type]


def test_the_same_box_on_two_pages_is_template() -> None:
    own, box = scores_of(["<div>Follow us everywhere</div>"] * 2)
    assert own == 1.0
    assert box < 0.5


def test_lists_and_rows_are_blocks_too() -> None:
    listed = "<ul><li>Home<li>News<li>Sport</ul><table><tr><td>Contact<td>Imprint</table>"
    assert (scores_of([listed] * 3)[1:] < 0.5).all()


def test_the_cosine_is_over_words_and_counts() -> None:
    # Words 4 and 4 with 3 in common, images 2 and 1, links 1 and 1: (3 + 2 + 1) / sqrt(9 * 6).
    boxes = [
        "<div>one two <a href=x>three</a> four<img src=a><img src=b></div>",
        "<div>one two <a href=x>three</a> five<img src=c></div>",
    ]
    assert 0.81 < 6 / np.sqrt(54) < 0.82
    assert scores_of(boxes, epsilon=0.81)[1] < 0.5
    assert scores_of(boxes, epsilon=0.82)[1] == 1.0


def test_all_pairs_give_the_same_verdict() -> None:
    boxes = [f"<div>Written by the editors at {n} o'clock</div>{article(n + 50)}" for n in range(8)]
    pages = [tamis.parse(f"<body>{article(n)}{box}") for n, box in enumerate(boxes)]
    quick = ContentExtractor(epsilon=0.8).fit(pages)
    exact = ContentExtractor(epsilon=0.8, search="all").fit(pages)
    for page in pages:
        np.testing.assert_array_equal(quick.score(page), exact.score(page))
    assert quick.score(pages[0])[1] < 0.5


def test_a_search_that_is_none_is_refused() -> None:
    with pytest.raises(ValueError, match="search is one of"):
        ContentExtractor(search="some")
