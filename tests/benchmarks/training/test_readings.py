"""The training of the ranker of readings."""

from __future__ import annotations

import numpy as np
import pytest
from training import readings
from training.folds import FOLDS
from training.readings import RankedPage

from tamis.model.features.reading_features import NAMES, READINGS
from tamis.model.weights.forest import Forest


def ranked(number: int, dataset: str = "made") -> RankedPage:
    """A page on which the second reading is better if it leaves out what nobody knows."""
    known = number % 2
    table = np.zeros((2, len(NAMES)), np.float32)
    table[1, NAMES.index("removed.known")] = known
    table[1, NAMES.index("removed.words")] = 10 + number % 7
    gains = np.array([0.0, -0.2 if known else 0.2])
    return RankedPage(number % FOLDS, 1.0, dataset, table, gains)


def test_the_ranker_learns_which_readings_are_better() -> None:
    arrays, folds = readings.train([ranked(number) for number in range(400)], 0, lambda text: None)
    assert len(folds) == FOLDS
    for each in (arrays, *folds):
        forest = Forest.from_arrays(each, len(NAMES), "ranker.")
        assert forest.predict(ranked(0).table)[1] > 0.1
        assert forest.predict(ranked(1).table)[1] < -0.1
        assert len(each["ranker.margins"]) == len(READINGS)


def test_a_few_pages_teach_nothing() -> None:
    assert readings.train([ranked(number) for number in range(20)], 0, lambda text: None) == (
        {},
        [{}] * FOLDS,
    )


def test_the_same_seed_makes_the_same_ranker() -> None:
    pages = [ranked(number, "" if number % 3 == 0 else "made") for number in range(200)]
    once, again = (readings.train(pages, 1, lambda text: None)[0] for _ in range(2))
    assert {name: array.tolist() for name, array in once.items()} == {
        name: array.tolist() for name, array in again.items()
    }


def test_margins_are_chosen_by_what_they_gain_and_threads_have_their_own() -> None:
    predicted = []
    for kind, said, true in (("sure", 0.012, -0.5), ("sure", 0.2, 0.1), ("thread", -0.015, 0.3)):
        table = np.zeros((2, len(NAMES)), np.float32)
        table[1, NAMES.index(kind)] = 1
        page = RankedPage(0, 1.0, kind, table, np.array([0.0, true]))
        predicted.append((page, np.array([0.0, said])))
    margins, gain = readings.choose_margins(predicted)
    by_kind = dict(zip(READINGS, margins.tolist(), strict=True))
    assert 0.012 < by_kind["sure"] < 0.2
    assert by_kind["thread"] < -0.015
    assert gain == pytest.approx((0.1 / 2 + 0.3) / 2)
