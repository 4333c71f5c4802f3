"""From scores to blocks: the best expected F, thresholds, and pages with nothing in them."""

from __future__ import annotations

from dataclasses import dataclass

import hypothesis
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.uncompiled import from_source

import tamis
from tamis.decide.decision import best_expected_f, decide
from tamis.methods._base import Method, Scores
from tamis.options import FOCI, Options


def best(probabilities: list[float], words: list[float], beta: float = 1.0) -> tuple[str, float]:
    """The kept blocks as numbers in a string, and the expected F."""
    kept, expected = best_expected_f(np.array(probabilities), np.array(words), beta)
    return "".join(map(str, np.flatnonzero(kept))), expected


# Pages as lists of blocks: probability, in 1/8 so that sums are exact and ties are ties, and words.
blocks = st.lists(
    st.tuples(st.integers(0, 8).map(lambda n: n / 8), st.integers(0, 20)), min_size=1, max_size=8
)


# The best expected F


def expected_f(page: list[tuple[float, int]], count: int, beta: float) -> float:
    """What the `count` most probable blocks are worth, by the words of `best_expected_f`."""
    ranked = sorted(page, key=lambda block: -block[0])
    square = beta**2
    kept = sum(words for _, words in ranked[:count])
    content = sum(p * words for p, words in ranked[:count])
    bottom = kept + square * sum(p * words for p, words in page)
    alone = (1 + square) * content / bottom if bottom else 0.0
    together = 0.0
    for world in range(20):
        gold = sum(words for p, words in page if p >= (world + 0.5) / 20)
        if kept + square * gold:
            together += (1 + square) * min(kept, gold) / (kept + square * gold) / 20
    return (alone + together) / 2


def test_sure_blocks_are_kept_and_sure_others_are_not() -> None:
    assert best([1, 0, 1, 0], [10, 10, 5, 99]) == ("02", 1.0)


def test_a_block_is_kept_if_it_raises_the_expected_f() -> None:
    # Both kept: 2 * 14 / (20 + 14) if each is content by itself. If they stand and fall together
    # both are content in 10 of 20 worlds (F 1), the first in 8 (F 2/3), none in 2.
    kept, expected = best([0.9, 0.5], [10, 10])
    assert (kept, expected) == ("01", pytest.approx((28 / 34 + (10 + 8 * 2 / 3) / 20) / 2))
    # The first kept: 2 * 9 / (10 + 10); both are content in 2 worlds (F 2/3), the first in 16.
    kept, expected = best([0.9, 0.1], [10, 10])
    assert (kept, expected) == ("0", pytest.approx((0.9 + (16 + 2 * 2 / 3) / 20) / 2))


def test_beta_weighs_recall_against_precision() -> None:
    # Both are content in 8 worlds, the first in 10; (1 + b²) C / (W + b² E) with E 13 or 20 or 10.
    kept, expected = best([0.9, 0.4], [10, 10], 0.5)
    together = (8 * 1.25 * 10 / (10 + 0.25 * 20) + 10) / 20
    assert (kept, expected) == ("0", pytest.approx((1.25 * 9 / (10 + 0.25 * 13) + together) / 2))
    kept, expected = best([0.9, 0.4], [10, 10], 2.0)
    together = (8 + 10 * 5 * 10 / (20 + 4 * 10)) / 20
    assert (kept, expected) == ("01", pytest.approx((5 * 13 / (20 + 4 * 13) + together) / 2))


def test_words_count_and_blocks_do_not() -> None:
    assert best([0.9, 0.3], [1, 1])[0] == "0"
    # Beside 100 uncertain words the sure one is little.
    assert best([0.9, 0.3], [1, 100])[0] == "01"


def test_blocks_are_taken_by_their_probability_and_not_by_their_place() -> None:
    assert best([0.0, 0.1, 0.9, 0.0, 0.8], [10, 10, 10, 10, 10])[0] == "24"


def test_equal_blocks_are_kept_together() -> None:
    assert best([0.5, 0.2, 0.5], [10, 10, 10])[0] == "02"
    assert best([0.1, 0.1], [10, 10])[0] == "01"


def test_of_choices_that_are_as_good_the_one_that_keeps_most_is_taken() -> None:
    assert best([1, 0.45, 0.31], [10000, 10, 0]) == ("012", pytest.approx(0.9998, abs=1e-3))
    # But not what is improbable.
    assert best([1, 0.5, 0.2], [10, 0, 0]) == ("01", 1.0)


def test_a_page_without_words_or_without_content_is_worth_nothing() -> None:
    assert best([0.9, 0.5], [0, 0])[1] == 0.0
    assert best([0.0, 0.0], [10, 10])[1] == 0.0


def test_a_page_without_blocks_has_nothing_to_keep() -> None:
    kept, expected = best_expected_f(np.zeros(0), np.zeros(0))
    assert (kept.shape, kept.dtype, expected) == ((0,), np.bool_, 0.0)


@given(blocks, st.sampled_from([0.5, 1.0, 2.0]))
def test_no_other_probability_to_start_from_has_a_better_expected_f(
    page: list[tuple[float, int]], beta: float
) -> None:
    cuts = [1 - cut / 50 for cut in range(1, 50)]
    counts = {max(1, sum(p >= cut for p, _ in page)) for cut in cuts}
    kept, expected = best_expected_f(
        np.array([p for p, _ in page]), np.array([float(words) for _, words in page]), beta
    )
    best_of_all = max(expected_f(page, count, beta) for count in counts)
    assert expected == pytest.approx(best_of_all, abs=1e-6)
    # What is kept may be as good, but a little more.
    assert expected == pytest.approx(expected_f(page, int(kept.sum()), beta), abs=0.0015 + 1e-6)
    lowest = min(p for (p, _), is_kept in zip(page, kept, strict=True) if is_kept)
    dropped = [p for (p, _), is_kept in zip(page, kept, strict=True) if not is_kept]
    assert max(dropped, default=0.0) <= lowest


def test_the_expected_f_is_the_same_compiled_or_not() -> None:
    (uncompiled,) = from_source("decide.decision")
    rng = np.random.default_rng(0)
    for blocks in (1, 2, 7, 40, 300):
        for beta in (0.5, 1.0, 2.0):
            probabilities, words = (
                rng.random(blocks) ** 3,
                rng.integers(0, 99, blocks).astype(float),
            )
            kept, expected = best_expected_f(probabilities, words, beta)
            kept_there, expected_there = uncompiled.best_expected_f(probabilities, words, beta)
            assert (kept.tolist(), expected) == (kept_there.tolist(), expected_there)


def test_any_array_of_numbers_can_be_decided_on() -> None:
    probabilities, words = np.array([0.9, 0.1, 0.8, 0.1]), np.array([10.0, 10.0, 10.0, 10.0])
    words.flags.writeable = probabilities.flags.writeable = False
    for given_as in (
        probabilities,
        probabilities.astype(np.float32),
        np.repeat(probabilities, 2)[::2],
    ):
        page = tamis.parse("<p>ten words</p>" * 4)
        assert decide(page, given_as, Calibrated(()), Options()).kept.tolist() == [1, 0, 1, 0]


# The decision


@dataclass(frozen=True)
class Given(Method):
    """A method whose scores are given."""

    scores: tuple[float, ...]
    nothing: float = 0.0

    def score(self, page: tamis.Page) -> Scores:
        return np.array(self.scores)

    def chance_of_nothing(self, page: tamis.Page, scores: Scores, expected: float) -> float:
        return self.nothing


@dataclass(frozen=True)
class Calibrated(Given):
    """One whose scores are probabilities."""

    calibrated = True


def decided(method: Given, options: Options | None = None, words: int = 10) -> list[bool]:
    page = tamis.parse(f"<p>{'word ' * words}</p>" * len(method.scores))
    return decide(page, method.score(page), method, options or Options()).kept.tolist()


def test_a_threshold_decides_alone() -> None:
    for kind in (Given, Calibrated):
        for focus in FOCI:
            options = Options(threshold=0.3, focus=focus)
            assert decided(kind((0.29, 0.3, 0.9), nothing=1.0), options) == [False, True, True]


def test_a_threshold_of_0_is_a_threshold() -> None:
    assert decided(Calibrated((0.0, 0.9), nothing=1.0), Options(threshold=0)) == [True, True]


def test_scores_that_are_no_probabilities_are_content_from_one_half_on() -> None:
    for focus in FOCI:
        options = Options(focus=focus)
        assert decided(Given((0.49, 0.5, 1.0), nothing=1.0), options) == [False, True, True]


def test_probabilities_are_decided_by_the_expected_f_of_the_page() -> None:
    assert decided(Calibrated((0.9, 0.5, 0.1))) == [True, True, False]
    # The same 0.4 is content where nothing is better, and not beside what is sure.
    assert decided(Calibrated((0.4, 0.01))) == [True, False]
    assert decided(Calibrated((1.0, 0.4))) == [True, False]


def test_the_focus_decides_how_sure_a_block_must_be() -> None:
    scores = (0.95, 0.7, 0.55, 0.25)
    kept = {focus: sum(decided(Calibrated(scores), Options(focus=focus))) for focus in FOCI}
    assert kept == {"precision": 2, "balanced": 3, "recall": 4}


def test_nothing_is_kept_of_a_page_that_more_likely_has_nothing() -> None:
    # Kept if expected F * (1 - chance of nothing) is more than the chance of nothing: F is 0.9.
    assert decided(Calibrated((0.9, 0.0), nothing=0.45)) == [True, False]
    assert decided(Calibrated((0.9, 0.0), nothing=0.5)) == [False, False]
    assert decided(Calibrated((0.9, 0.0), nothing=1.0)) == [False, False]


@given(
    st.lists(st.integers(0, 100).map(lambda n: n / 100), min_size=1, max_size=6),
    st.integers(0, 100).map(lambda n: n / 100),
)
def test_where_precision_finds_something_the_others_do_too(
    scores: list[float], nothing: float
) -> None:
    method = Calibrated(tuple(scores), nothing)
    found = [any(decided(method, Options(focus=focus))) for focus in FOCI]
    assert found == sorted(found)


def test_the_focus_decides_how_likely_a_page_may_have_nothing() -> None:
    # Expected F is 0.9; beta squared times 0.9 (1 - chance) against the chance.
    for chance, kept in ((0.15, 3), (0.3, 2), (0.6, 1), (0.8, 0)):
        method = Calibrated((0.9, 0.0), nothing=chance)
        assert sum(any(decided(method, Options(focus=focus))) for focus in FOCI) == kept


@given(
    st.lists(
        st.tuples(st.integers(0, 100).map(lambda n: n / 100), st.integers(0, 9999)),
        min_size=1,
        max_size=8,
    )
)
@hypothesis.example([(0.21, 835), (0.11, 4752), (0.14, 5982), (0.52, 159), (0.95, 1)])
def test_precision_keeps_no_more_and_recall_no_less_than_balanced(
    blocks: list[tuple[float, int]],
) -> None:
    page = tamis.parse("".join(f"<p>{'w ' * words}</p>" for _, words in blocks if words))
    method = Calibrated(tuple(p for p, words in blocks if words))
    kept = [decide(page, method.score(page), method, Options(focus=focus)).kept for focus in FOCI]
    assert not (kept[0] & ~kept[1]).any()
    assert not (kept[1] & ~kept[2]).any()


def test_a_page_without_words_has_nothing() -> None:
    page = tamis.parse("<p>***<p>---")
    method = Calibrated((0.9, 0.9))
    assert decide(page, method.score(page), method, Options()).kept.tolist() == [False, False]


def test_an_empty_page_has_no_labels() -> None:
    assert decided(Calibrated(())) == []
    assert decided(Given(())) == []


# What is recorded


def test_the_cut_is_the_lowest_score_that_was_kept_or_the_threshold() -> None:
    page = tamis.parse("<p>one two three</p>" * 3)
    method = Calibrated((0.9, 0.5, 0.1))
    assert decide(page, method.score(page), method, Options()).cut == 0.5
    assert decide(page, method.score(page), method, Options(threshold=0.3)).cut == 0.3


def test_a_page_that_was_dropped_as_a_whole_has_a_cut_above_1_and_its_chance() -> None:
    page = tamis.parse("<p>one two three</p>")
    method = Calibrated((0.9,), nothing=0.75)
    decision = decide(page, method.score(page), method, Options())
    assert decision.cut > 1
    assert decision.chance_of_nothing == 0.75
