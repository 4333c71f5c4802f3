"""Tag ratios, their curve and their clusters against plain transcriptions."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import tamis
from tamis.methods import cetr
from tamis.methods._base import kept_share
from tamis.methods._shared import features

curves = st.lists(st.floats(0, 1000), max_size=40)


def tag_ratios(html: str) -> list[float]:
    page = tamis.parse(html)
    return features.tag_ratios(page, np.arange(len(page.blocks))).tolist()


# Ratios of blocks


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ("", []),
        ("word", [4.0]),
        ("<p>four five</p>", [8.0]),
        ("<div><p>four</p></div>", [2.0]),
        ("<p>four</p><p>five six</p>", [4.0, 3.5]),  # the end tag counts to the next block
        ("<p>four <b>five</b> six</p>", [11 / 3]),
        ("<p>one</p><!-- <p> --><p>two</p>", [3.0, 1.5]),
    ],
)
def test_the_ratio_is_characters_over_tags(html: str, expected: list[float]) -> None:
    assert tag_ratios(html) == pytest.approx(expected)


def test_ratios_of_some_blocks_are_those_of_all() -> None:
    page = tamis.parse("<p>one<p hidden>two<p>three <b>four</b><p>five")
    of_all = features.tag_ratios(page, np.arange(len(page.blocks)))
    chosen = np.array([0, 2])
    np.testing.assert_array_equal(features.tag_ratios(page, chosen), of_all[chosen])


# Ratios of lines


def test_lines_have_the_characters_and_the_tags_that_stand_on_them() -> None:
    page = tamis.parse("<div>\n<p>four\nfive6</p>\n\n</div>\n<p>x<br>y</p><b>z</b>")
    lines = cetr.split_lines(page)
    assert lines.tags.tolist() == [1, 1, 1, 1, 5]
    # A run of 10 bytes and 9 characters over two lines: 4 bytes on the first, 6 with its end.
    assert lines.chars.tolist() == pytest.approx([0, 3.6, 5.4, 0, 3])


def test_scripts_styles_comments_and_hidden_text_are_no_lines() -> None:
    page = tamis.parse(
        "<p>seen</p>\n<script>\nlet x = 1\n</script>\n<style>p {}</style>\n<!-- <p> -->\n"
        "<p hidden>not seen</p>"
    )
    lines = cetr.split_lines(page)
    assert lines.tags.tolist() == [2, 2]
    assert lines.chars.tolist() == [4, 0]


def test_an_end_tag_that_closes_several_elements_is_one_tag() -> None:
    lines = cetr.split_lines(tamis.parse("<div><p><b>x</div>"))
    assert lines.tags.tolist() == [4]


@pytest.mark.parametrize("kept", [[True, False], [False, True], [True, True], [False, False]])
def test_the_share_of_a_text_is_that_of_its_bytes_on_kept_lines(kept: list[bool]) -> None:
    page = tamis.parse("<p>abc\ndefg</p>")
    lines = cetr.split_lines(page)
    first, second = kept
    (share,) = lines.measure_kept(page, np.array(kept)).tolist()
    assert share == pytest.approx((3 * first + 5 * second) / 8)


def test_an_empty_page_has_no_lines() -> None:
    page = tamis.parse("")
    lines = cetr.split_lines(page)
    assert len(lines.ratios) == 0
    assert len(lines.measure_kept(page, np.zeros(0, bool))) == 0


# The curve


def plain_smoothed(values: Sequence[float], deviation: float) -> list[float]:
    reach = math.ceil(4 * deviation)
    result = []
    for i in range(len(values)):
        near = [j for j in range(i - reach, i + reach + 1) if 0 <= j < len(values)]
        weights = [math.exp(-((i - j) ** 2) / (2 * deviation**2)) for j in near]
        summed = sum(w * values[j] for w, j in zip(weights, near, strict=True))
        result.append(summed / sum(weights))
    return result


def plain_derivative(values: Sequence[float], window: int) -> list[float]:
    result = []
    for i, value in enumerate(values):
        following = values[i + 1 : i + 1 + window]
        result.append(sum(following) / len(following) - value if following else 0.0)
    return result


@given(curves, st.sampled_from([0.5, 1.0, 2.0]))
def test_smoothing_is_a_gaussian_mean(values: list[float], deviation: float) -> None:
    got = features.smooth_values(np.array(values), deviation)
    np.testing.assert_allclose(got, plain_smoothed(values, deviation), atol=1e-8)


@given(curves)
def test_no_deviation_is_no_smoothing(values: list[float]) -> None:
    np.testing.assert_array_equal(features.smooth_values(np.array(values), 0), values)


@given(curves, st.integers(1, 5))
def test_the_derivative_is_the_mean_of_the_next_less_the_value(
    values: list[float], window: int
) -> None:
    got = features.derive_values(np.array(values), window)
    np.testing.assert_allclose(got, plain_derivative(values, window), atol=1e-6)


@given(curves)
def test_the_absolute_derivative_is_smoothed_before_the_sign_goes(values: list[float]) -> None:
    got = features.absolute_derivative(np.array(values))
    expected = np.abs(plain_smoothed(plain_derivative(values, 3), 1.0))
    np.testing.assert_allclose(got, expected, atol=1e-6)


# The clusters


def plain_verdict(xs: Sequence[float], ys: Sequence[float], clusters: int) -> list[bool]:
    points = list(zip(xs, ys, strict=True))
    if not points:
        return []
    centroids = [
        (max(xs) * (c / (clusters - 1)), max(ys) * (c / (clusters - 1))) for c in range(clusters)
    ]
    nearest: list[int] = []
    for _ in range(101):
        before = nearest
        nearest = [
            min(
                range(clusters),
                key=lambda c: (x - centroids[c][0]) ** 2 + (y - centroids[c][1]) ** 2,
            )
            for x, y in points
        ]
        if nearest == before:
            break
        for c in range(1, clusters):
            members = [p for p, n in zip(points, nearest, strict=True) if n == c]
            if members:
                centroids[c] = (
                    sum(x for x, _ in members) / len(members),
                    sum(y for _, y in members) / len(members),
                )
    return [n != 0 for n in nearest]


@given(
    # Whole numbers: sums are exact, so equal distances stay equal.
    st.lists(st.tuples(st.integers(0, 100), st.integers(0, 100)), max_size=40),
    st.integers(2, 4),
)
def test_clusters_are_those_of_plain_k_means(points: list[tuple[int, int]], clusters: int) -> None:
    xs, ys = [float(x) for x, _ in points], [float(y) for _, y in points]
    got = features.leave_origin(np.array(xs), np.array(ys), clusters)
    assert got.tolist() == plain_verdict(xs, ys, clusters)


def test_random_starts_are_points_of_the_page_and_the_same_each_time() -> None:
    # Of these points a random start takes two of the low ones, which then stand for themselves.
    ratios = np.array([1.0, 2.0] * 20 + [100.0])
    none = np.zeros(len(ratios))
    once = features.leave_origin(ratios, none, start="random")
    np.testing.assert_array_equal(once, features.leave_origin(ratios, none, start="random"))
    assert features.leave_origin(ratios, none).sum() == 1
    assert once.sum() > 1
    assert not features.leave_origin(none, none, start="random").any()


def test_what_is_near_the_origin_is_not_content() -> None:
    verdict = features.leave_origin(np.array([1.0, 2.0, 90.0, 80.0, 0.0]), np.zeros(5))
    assert verdict.tolist() == [False, False, True, True, False]


def test_points_at_the_origin_are_not_content() -> None:
    assert not features.leave_origin(np.zeros(3), np.zeros(3)).any()


# From texts to blocks


def test_a_block_has_the_share_of_its_visible_characters() -> None:
    page = tamis.parse("<p>four <b>five</b> <i hidden>six</i><p hidden>seven")
    assert kept_share(page, np.ones(len(page.texts), bool)).tolist() == [1, 0]
    assert kept_share(page, [1, 0, 1, 1]).tolist() == [0.5, 0]
    assert kept_share(page, [0, 0.5, 1, 1]).tolist() == [0.25, 0]
