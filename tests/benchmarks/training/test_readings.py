"""The training of the ranker of readings."""

from __future__ import annotations

import numpy as np
import pytest
from training import readings
from training.folds import FOLDS
from training.readings import RankedPage

from tamis.model.features.reading_features import NAMES
from tamis.model.weights.forest import Forest


def ranked(number: int, *, made_over: bool = False) -> RankedPage:
    """A page on which the second reading is better if it leaves out what nobody knows."""
    known = number % 2
    table = np.zeros((2, len(NAMES)), np.float32)
    table[1, NAMES.index("removed.known")] = known
    table[1, NAMES.index("removed.words")] = 10 + number % 7
    return RankedPage(
        number % FOLDS, 1.0, made_over, table, np.array([0.0, -0.2 if known else 0.2])
    )


def test_the_ranker_learns_which_readings_are_better() -> None:
    arrays, folds = readings.train([ranked(number) for number in range(400)], 0, lambda text: None)
    assert len(folds) == FOLDS
    for each in (arrays, *folds):
        forest = Forest.from_arrays(each, len(NAMES), "ranker.")
        assert forest.predict(ranked(0).table)[1] > 0.1
        assert forest.predict(ranked(1).table)[1] < -0.1
        assert each["ranker.margin"] >= 0


def test_a_few_pages_teach_nothing() -> None:
    assert readings.train([ranked(number) for number in range(20)], 0, lambda text: None) == (
        {},
        [{}] * FOLDS,
    )


def test_the_same_seed_makes_the_same_ranker() -> None:
    pages = [ranked(number, made_over=number % 3 == 0) for number in range(200)]
    once, again = (readings.train(pages, 1, lambda text: None)[0] for _ in range(2))
    assert {name: array.tolist() for name, array in once.items()} == {
        name: array.tolist() for name, array in again.items()
    }


def test_a_margin_must_be_beaten() -> None:
    pages = [
        (np.array([0.0, 0.03]), np.array([0.0, -0.5])),
        (np.array([0, 0.2]), np.array([0, 0.1])),
    ]
    assert readings._mean_gain(pages, 0.0) == pytest.approx(-0.2)
    assert readings._mean_gain(pages, 0.05) == pytest.approx(0.05)
