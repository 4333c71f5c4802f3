"""Odds that are the same for blocks that belong together."""

from __future__ import annotations

import numpy as np

from tamis.model.features import settle, structure
from tamis.model.features.batch import Batch
from tamis.page.read import parse
from tests.model.features.test_structure import THREAD, slow_columns
from tests.uncompiled import from_source


def settled(html: str, odds: list[float]) -> list[float]:
    batch = Batch.of([parse(html)])
    groups = structure.groups(batch.columns)
    return settle.settled(batch.columns, groups, *[np.array(odds)] * 2).round(6).tolist()


def test_posts_that_agree_get_the_same_odds() -> None:
    names, messages = [-3.0] * 5, [0.2, -0.4, 0.6, 0.1, -0.3]
    odds = [value for pair in zip(names, messages, strict=True) for value in pair]
    result = settled(THREAD, odds)
    assert len(set(result[1::2])) == 1
    assert result[0::2] == names


def test_a_block_with_strong_evidence_keeps_its_own() -> None:
    items = "<ul>{}</ul>".format("".join(f"<li>{'word ' * 6}" for _ in range(6)))
    result = settled(items, [0.0, 0.1, -0.1, 0.0, 0.0, 6.0])
    assert result[5] == 6.0
    assert len({round(odds, 6) for odds in result[:5]}) == 1


def test_cells_of_a_data_table_stay_together_but_not_of_one_that_lays_out_the_page() -> None:
    data = "<table><tr><th>Year<th>Boats<tr><td>1999<td>7<tr><td>2004<td>9</table>"
    assert len(set(settled(data, [-1.0, -1.2, 1.0, 1.2, 1.0, 0.8]))) == 1
    layout = "<table><tr><td><p>a</p><div>b</div><pre>c</pre><center>d</center></table>"
    assert settled(layout, [-1.0, -1.2, 1.0, 1.2]) == [-1.0, -1.2, 1.0, 1.2]


def test_a_heading_goes_with_what_follows_it() -> None:
    assert settled("<p>a<h2>b</h2><p>c", [-5.0, -1.0, 1.5]) == [-5.0, 1.5, 1.5]
    # But not if it is far below, nor down.
    assert settled("<p>a<h2>b</h2><p>c", [-5.0, -4.0, 1.5]) == [-5.0, -4.0, 1.5]
    assert settled("<p>a<h2>b</h2><p>c", [-5.0, 2.0, -1.5]) == [-5.0, 2.0, -1.5]


def test_headings_in_a_row_go_with_the_block_below() -> None:
    assert settled("<h2>a</h2><h3>b</h3><p>c", [0.0, -1.0, 1.0]) == [1.0, 1.0, 1.0]


def test_a_headline_keeps_its_own() -> None:
    assert settled("<h1>a</h1><h2>b</h2><p>c", [0.0, -1.0, 1.0]) == [0.0, 1.0, 1.0]


def test_a_fifth_of_the_first_models_odds_counts() -> None:
    batch = Batch.of([parse("<p>a")])
    groups = structure.groups(batch.columns)
    result = settle.settled(batch.columns, groups, np.array([5.0]), np.array([0.0]))
    assert result.tolist() == [1.0]


def test_no_blocks_are_settled_to_nothing() -> None:
    assert settled("", []) == []


def test_a_button_inside_a_heading_is_a_heading() -> None:
    html = "<p>a<h3><button>b</button></h3><p>c"
    assert settled(html, [-5.0, -1.0, 1.5]) == [-5.0, 1.5, 1.5]


def test_odds_are_settled_alike_uncompiled(sources: dict[str, bytes]) -> None:
    slow = from_source("model.features.settle")[0]
    for source in [*sources.values()][:2]:
        batch = Batch.of([parse(source)])
        odds = np.random.default_rng(2).normal(-1, 3, len(batch))
        groups = structure.groups(batch.columns)
        np.testing.assert_array_equal(
            settle.settled(batch.columns, groups, odds, odds),
            slow.settled(slow_columns(batch), groups, odds, odds),
        )
