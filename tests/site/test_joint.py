"""Where the other pages of a site are heard, and where a page is left as it is."""

from __future__ import annotations

import numpy as np
import pytest

import tamis
from tamis.decide.decision import best_expected_f
from tamis.methods.tamis import Tamis
from tamis.site import joint
from tamis.site.counts import SiteCounts
from tamis.site.joint import NAMES, Alone, combine_counts, score_alone
from tests.site.pages import PROMOTION, article, car

OTHERS = 6


class Always:
    """A forest that says the same of every block."""

    def __init__(self, correction: float) -> None:
        self.correction = correction

    def predict(self, values: np.ndarray) -> np.ndarray:
        return np.full(len(values), self.correction)


def site(make: object, many: float = 0.0) -> tuple[SiteCounts, Alone, list[str]]:
    assert callable(make)
    counts = SiteCounts.make_empty()
    for number in range(OTHERS):
        counts = counts.add_page(score_alone(Tamis(), tamis.parse(make(number)), many).reading)
    page = tamis.parse(make(99))
    return counts, score_alone(Tamis(), page), page.block_texts(np.arange(len(page.blocks)))


def corrected(counts: SiteCounts, page: Alone, correction: float) -> np.ndarray:
    # It answers one number, as a forest would.
    return combine_counts(counts, page, Always(correction))  # type: ignore[arg-type]


def test_values_beside_labels_become_probable_and_nothing_else_does() -> None:
    counts, page, texts = site(car)
    # The page alone keeps its first block.
    first = np.where(np.arange(len(texts)) == 0, 0.9, 0.001)
    scores = corrected(counts, Alone(first, page.features, page.reading), 0.5)
    lifted = {text for text, score in zip(texts, scores, strict=True) if score >= 0.5}
    labels = ("Colour:", "Mileage:", "Owner:", "First registered:")
    assert {texts[texts.index(label) + 1] for label in labels} <= lifted
    assert any(text.startswith("$") for text in lifted)
    assert lifted.isdisjoint({*labels, "Cars", "Compare", PROMOTION, "© 2009 Harbour Cars."})


def test_a_value_is_lifted_only_if_the_forest_agrees() -> None:
    counts, page, texts = site(car)
    value = texts.index("Mileage:") + 1
    assert corrected(counts, page, -0.5)[value] == page.scores[value]


@pytest.mark.parametrize(("make", "many"), [(car, 0.9), (article, 0.0)])
def test_articles_and_pages_of_many_things_get_nothing_more(make: object, many: float) -> None:
    counts, page, _ = site(make, many)
    np.testing.assert_array_equal(corrected(counts, page, 3.0), page.scores)


def test_what_repeats_is_dropped_and_what_is_new_stays_as_it_is() -> None:
    counts, page, texts = site(article)
    scores = corrected(counts, page, -6.0)
    promotion = texts.index(PROMOTION)
    assert scores[promotion] < page.scores[promotion] / 2
    new = [number for number, text in enumerate(texts) if text.count(" ") > 30]
    kept = best_expected_f(page.scores, page.reading.words)[0]
    assert kept[new].all()
    assert best_expected_f(scores, page.reading.words)[0][new].all()
    assert (scores[new] >= page.scores[new]).all()


def test_the_title_of_the_page_is_no_template_though_every_page_links_to_it() -> None:
    values = np.zeros((2, len(NAMES)), np.float32)
    for name, number in {"words": 9, "text": 1, "place.texts": 0.2}.items():
        values[:, NAMES.index(name)] = number
    values[1, NAMES.index("title.cover")] = 0.9
    assert joint._is_template(values).tolist() == [True, False]


def test_from_a_page_that_is_a_guess_nothing_is_taken() -> None:
    counts, page, texts = site(article)
    unsure = Alone(np.full(len(texts), 0.1), page.features, page.reading)
    assert best_expected_f(unsure.scores, page.reading.words)[1] < joint.UNSURE
    np.testing.assert_array_equal(corrected(counts, unsure, -2.0), unsure.scores)
