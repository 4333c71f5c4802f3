"""The readings of a page that follow from the probabilities of its blocks."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from tamis.decide.decision import best_expected_f
from tamis.decide.readings.candidates import SURE, find_readings
from tamis.model.features.reading_features import READINGS
from tamis.page.reader import parse

WORDS = " ".join(["ferry"] * 20)


def read(html: str, probabilities: list[float]) -> dict[str, list[int]]:
    readings = find_readings(parse(html), np.array(probabilities))
    return {name: np.flatnonzero(kept).tolist() for name, kept in readings.items()}


def paragraphs(count: int) -> str:
    return f"<p>{WORDS}" * count


def test_the_best_comes_first_and_no_reading_is_there_twice() -> None:
    assert read(paragraphs(3), [0.99, 0.98, 0.99]) == {"best": [0, 1, 2]}


def test_a_doubtful_part_is_left_out_of_the_precise_and_the_sure_reading() -> None:
    readings = read(paragraphs(6), [0.95, 0.9, 0.7, 0.7, 0.45, 0.45])
    assert next(iter(readings)) == "best"
    assert readings["sure"] == [0, 1]
    assert set(readings["precise"]) < set(readings["best"])


def test_a_gap_ends_a_run() -> None:
    story, gap, feed = [0.8] * 4, [0.01] * 7, [0.6] * 3
    readings = read(paragraphs(14), [*story, *gap, *feed])
    assert readings["best"] == [0, 1, 2, 3, 11, 12, 13]
    assert readings["longest run"] == [0, 1, 2, 3]
    assert "two runs" not in readings


def test_six_dropped_blocks_and_hidden_ones_end_no_run() -> None:
    assert "longest run" not in read(paragraphs(9), [0.9, *[0.01] * 6, 0.9, 0.9])
    html = f"<p>{WORDS}{f'<p hidden>{WORDS}' * 8}<p>{WORDS}<p>{WORDS}"
    assert "longest run" not in read(html, [0.8, *[0.01] * 8, 0.8, 0.8])


def test_of_three_runs_the_two_with_most_content_are_one_reading() -> None:
    gap = [0.01] * 7
    probabilities = [*[0.9] * 3, *gap, *[0.8] * 5, *gap, 0.85, 0.85]
    readings = read(paragraphs(len(probabilities)), probabilities)
    assert readings["longest run"] == [10, 11, 12, 13, 14]
    assert readings["two runs"] == [0, 1, 2, 10, 11, 12, 13, 14]


def test_the_deepest_element_with_half_of_the_words_is_a_reading() -> None:
    html = f"<div><p>{WORDS}<div>{paragraphs(4)}</div></div><div>{paragraphs(2)}</div>"
    readings = read(html, [0.9] * 7)
    assert readings["element"] == [1, 2, 3, 4]


@given(st.lists(st.floats(0, 1), min_size=1, max_size=30))
def test_any_probabilities_have_readings(probabilities: list[float]) -> None:
    page = parse(paragraphs(len(probabilities)))
    values = np.array(probabilities)
    readings = find_readings(page, values)
    kept, _ = best_expected_f(values, page.blocks.words.astype(float))
    assert (readings["best"] == kept).all()
    assert set(readings) <= set(READINGS)
    assert all(own.any() for own in readings.values())
    if "sure" in readings:
        assert (values[readings["sure"]] >= SURE).all()
