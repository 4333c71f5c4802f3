"""The record that all passes read, compared with plain loops."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tamis.model.features import spec
from tamis.model.features.batch import Batch
from tamis.model.features.token_weights import TokenTable
from tamis.page.reader import parse
from tests.model.features.paths import path_to


def test_an_element_holds_the_blocks_of_the_texts_below(batch: Batch) -> None:
    first, end = batch.columns.first, batch.columns.end
    for node in range(0, len(batch.nodes), 7):
        texts = range(batch.nodes.first_text[node], batch.nodes.end_text[node])
        blocks = {int(batch.texts.block[text]) for text in texts}
        assert set(range(first[node], end[node])) == blocks


def test_levels_are_changes_of_the_number_of_blocks(batch: Batch) -> None:
    columns = batch.columns
    held = (np.asarray(columns.end) - np.asarray(columns.first)).tolist()
    for block in range(0, len(batch), 5):
        path = path_to(batch, int(batch.blocks.node[block]))
        counts = [held[node] for node in path]
        distinct = sorted(set(counts))
        assert columns.level[path[0]] == len(distinct) - 1
        near, at = [], path[0]
        for _ in range(4):
            above = [node for node in path if held[node] > held[at]]
            at = above[0] if above else path[-1]
            near.append(at)
        far = []
        for level in (1, 2, 3):
            at_level = [node for node in path if columns.level[node] <= level]
            far.append(at_level[0])
        assert np.asarray(columns.around)[block].tolist() == [*near, *far]


# Random pages, through the passes that read the record


def _features(html: str) -> dict[str, list[float]]:
    values = spec.make_table(Batch.from_pages([parse(html)]), TokenTable.make_empty())
    return dict(zip(spec.NAMES, values.T.tolist(), strict=True))


@given(st.lists(st.tuples(st.integers(1, 60), st.integers(0, 6)), min_size=1, max_size=40))
def test_headings_and_sections_are_what_a_reader_sees(blocks: list[tuple[int, int]]) -> None:
    names = [f"h{level}" if level else "p" for _, level in blocks]
    of = _features(
        "".join(f"<{n}>{'w ' * words}</{n}>" for n, (words, _) in zip(names, blocks, strict=True))
    )
    words, level = [list(column) for column in zip(*blocks, strict=True)]
    borders = sorted({0, *(place for place in range(len(words)) if level[place]), len(words)})
    for place in range(len(words)):
        since = [number for number in range(place + 1) if level[number]]
        assert of["heading.blocks_since"][place] == (place - since[-1] if since else -1)
        assert of["heading.level"][place] == (level[since[-1]] if since else 0)
        begin = max(border for border in borders if border <= place)
        end = min(border for border in borders if border > place)
        assert of["section.blocks"][place] == end - begin
        assert of["section.words"][place] == sum(words[begin:end])
        near = words[max(place - 3, 0) : place + 4]
        assert of["window3.words"][place] == pytest.approx(sum(near) / len(near))
    assert of["page.long_words"][0] == sum(number for number in words if number >= 15)


@given(st.lists(st.tuples(st.integers(1, 60), st.integers(0, 6)), min_size=1, max_size=30))
def test_tag_ratios_are_means_around_each_block(blocks: list[tuple[int, int]]) -> None:
    """The tags of a block are those from the last text before it to its own last text."""
    html = "".join(f"<p>{'<i></i>' * empty}{'w' * chars}</p>" for chars, empty in blocks)
    of = _features(f"<!doctype html><html><head></head><body>{html}</body></html>")
    ratios = [
        chars / (1 + 2 * empty + (4 if number == 0 else 1))
        for number, (chars, empty) in enumerate(blocks)
    ]
    for place in range(len(blocks)):
        near = ratios[max(place - 3, 0) : place + 4]
        after = ratios[place + 1 : place + 4]
        change = sum(after) / len(after) - ratios[place] if after else 0
        assert of["tag_ratio"][place] == pytest.approx(ratios[place], rel=1e-5)
        assert of["tag_ratio.around"][place] == pytest.approx(sum(near) / len(near), rel=1e-5)
        assert of["tag_ratio.change"][place] == pytest.approx(change, rel=1e-4, abs=1e-4)
