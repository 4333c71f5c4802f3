"""The names of a page as bags of hashes, and what they weigh."""

from __future__ import annotations

import numpy as np
import pytest

from tamis.describe.types.name_bags import BAGS, NameWeights
from tamis.describe.types.page_type import PLACES
from tamis.errors import WeightsError


def _weigh(places: list[int]) -> list[list[float]]:
    row_of = np.zeros(len(BAGS) * PLACES, np.intc)
    row_of[[5, PLACES + 7]] = 1, 2
    weights = np.array([[0, 0], [1, 2], [4, 8]], np.float32)
    sums = np.zeros(2 * len(BAGS), np.float32)
    NameWeights(row_of, weights).weigh(np.array(places, np.intc), sums)
    return sums.reshape(-1, 2).tolist()


def test_each_bag_has_sums_of_its_own() -> None:
    assert _weigh([5, PLACES + 7])[:2] == [[1, 2], [4, 8]]


def test_a_name_counts_once_however_often_a_page_has_it() -> None:
    assert _weigh([5, 5, 5])[0] == [1, 2]


def test_a_name_without_weights_adds_nothing() -> None:
    assert np.sum(_weigh([6, PLACES + 5, 7])) == 0


def test_a_name_needs_a_row_of_the_weights() -> None:
    with pytest.raises(WeightsError, match="no row"):
        NameWeights(np.array([0, 3], np.intc), np.zeros((3, 7), np.float32))
