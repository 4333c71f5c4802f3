"""Groups of blocks that belong together, and what is pooled over them."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import pytest

from tamis.model.features import group_features, spec
from tamis.model.features.batch import Batch
from tamis.page.reader import parse
from tests.uncompiled import from_source

Floats = npt.NDArray[np.float64]

THREAD = "<main>{}</main>".format(
    "".join(
        f"<div class=post id=post-{number}><p class=name>User {number}</p>"
        f"<p class=message>This is message number {number} of the thread</p></div>"
        for number in range(5)
    )
)
TAKEN = np.arange(len(group_features.TAKEN), dtype=np.intc)


def groups_of(html: str) -> dict[str, list[int]]:
    groups = group_features.find_groups(Batch.from_pages([parse(html)]).columns)
    return dict(zip(group_features.GROUP_NAMES, groups.tolist(), strict=True))


def columns_of(batch: Batch, odds: Floats) -> dict[str, list[float]]:
    groups = group_features.find_groups(batch.columns)
    features = np.zeros((len(odds), len(group_features.TAKEN)), np.float32)
    values = group_features.make_table(batch.columns, groups, odds, features, TAKEN)
    return dict(zip(group_features.COLUMNS, values.T.tolist(), strict=True))


def same(numbers: list[int]) -> list[list[int]]:
    """Which blocks have the same number, for each number."""
    return [
        [at for at, own in enumerate(numbers) if own == number] for number in dict.fromkeys(numbers)
    ]


# Groups


def test_a_post_is_a_unit_and_its_message_has_a_role() -> None:
    groups = groups_of(THREAD)
    assert same(groups["unit"]) == [[0, 1], [2, 3], [4, 5], [6, 7], [8, 9]]
    assert same(groups["family"]) == [list(range(10))]
    assert same(groups["role"]) == [[0, 2, 4, 6, 8], [1, 3, 5, 7, 9]]
    assert same(groups["class_path"]) == same(groups["role"])
    assert same(groups["path"]) == [list(range(10))]


def test_two_siblings_are_no_repeated_units() -> None:
    assert groups_of("<div class=a>x</div><div class=a>y</div>")["unit"] == [-1, -1]


def test_rows_of_a_table_are_units_inside_of_posts() -> None:
    table = "<table><tr><td>a<td>b<tr><td>c<td>d<tr><td>e<td>f</table>"
    groups = groups_of("".join(f"<div class=post>{table}</div>" for _ in range(3)))
    assert same(groups["unit"])[0] == [0, 1, 2, 3, 4, 5]
    assert same(groups["inner_unit"])[0] == [0, 1]
    assert same(groups["list"])[0] == [0, 1, 2, 3, 4, 5]


def test_a_section_reaches_from_a_heading_to_the_next() -> None:
    groups = groups_of("<p>a<h2>b</h2><p>c<p>d<h3>e</h3><p>f")
    assert same(groups["section"]) == [[0], [1, 2, 3], [4, 5]]
    assert groups["list"] == [-1] * 6


# Columns


def test_the_mean_is_weighted_by_words() -> None:
    html = "<ul><li>one two three<li>four</ul><p>five"
    columns = columns_of(Batch.from_pages([parse(html)]), np.array([2.0, -2.0, 1.0]))
    assert columns["list.mean"] == [1.0, 1.0, 1.0]
    assert columns["list.spread"] == pytest.approx([3**0.5, 3**0.5, 0.0])
    assert columns["list.highest"] == [2.0, 2.0, 1.0]
    assert columns["list.blocks"] == [2.0, 2.0, 0.0]
    assert columns["list.words"] == [4.0, 4.0, 0.0]


def test_neighbours_beyond_the_page_are_sure_noise() -> None:
    columns = columns_of(Batch.from_pages([parse("<p>a<p>b")]), np.array([1.0, 2.0]))
    assert columns["beside1"] == [2.0, -8.0]
    assert columns["beside-1"] == [-8.0, 1.0]


def test_where_a_block_is_in_its_page() -> None:
    columns = columns_of(
        Batch.from_pages([parse("<p>a<p>b<p>c<p>d")]), np.array([-8.0, 8.0, 0.0, 8.0])
    )
    assert columns["rank"] == [0.75, 0.0, 0.5, 0.25]
    assert columns["page.probable_share"] == [0.5] * 4
    assert columns["page.content"] == pytest.approx([2.5] * 4, abs=1e-2)
    # The two sure blocks, 2 * 2 / (2 + 2.5), or three, 2 * 2.5 / (3 + 2.5).
    assert columns["page.expected_f"] == pytest.approx([10 / 11] * 4, abs=1e-3)
    assert columns["above_cut"] == [-8.0, 8.0, 0.0, 8.0]


def test_a_page_has_the_same_columns_in_every_batch(sources: dict[str, bytes]) -> None:
    pages = [parse(source) for source in [*sources.values()][:3]]
    together = Batch.from_pages(pages)
    odds = np.random.default_rng(1).normal(-1, 3, len(together))
    whole = columns_of(together, odds)
    for page, first, end in zip(
        pages, together.first_block[:-1].tolist(), together.first_block[1:].tolist(), strict=True
    ):
        alone = columns_of(Batch.from_pages([page]), odds[first:end])
        assert all(alone[name] == whole[name][first:end] for name in group_features.COLUMNS)


def test_the_features_that_are_taken_have_names() -> None:
    assert set(group_features.TAKEN) <= set(spec.NAMES)


def test_the_columns_are_the_same_uncompiled(sources: dict[str, bytes]) -> None:
    slow = from_source("model.features.group_features")[0]
    for source in [*sources.values()][:2]:
        batch = Batch.from_pages([parse(source)])
        odds = np.random.default_rng(2).normal(-1, 3, len(batch))
        groups = group_features.find_groups(batch.columns)
        features = np.zeros((len(odds), len(group_features.TAKEN)), np.float32)
        np.testing.assert_array_equal(groups, slow.find_groups(slow_columns(batch)))
        np.testing.assert_array_equal(
            group_features.make_table(batch.columns, groups, odds, features, TAKEN),
            slow.make_table(slow_columns(batch), groups, odds, features, TAKEN),
        )


def slow_columns(batch: Batch) -> object:
    """The columns of a batch, for a pass that was not compiled."""
    return from_source("model.features.columns")[0].BatchColumns(batch)
