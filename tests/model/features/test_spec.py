"""All features together."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from types import ModuleType

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tamis._runtime import limits
from tamis.model.features import (
    block_features,
    page_features,
    spec,
    surrounding_features,
)
from tamis.model.features.batch import Batch
from tamis.model.features.columns import Span
from tamis.model.features.token_weights import TokenTable
from tamis.options import Options
from tamis.page.arrays import Matrix
from tamis.page.reader import parse

CLASSES = " ".join(f"name-{number}" for number in range(150_000))

ODD = {
    "nothing": "",
    "one word": "x",
    "one mark": "<p>»",
    "all hidden": "<div hidden><p>a b c<p>d</div>",
    "all links": "<a href=x>a b</a>" * 50,
    "deep": "<div class=x>" * 500 + "x",
    "deep with text": "<div>x" * 500,
    "wide": "<p>a, b <a href=x>c</a></p>" * 50_000,
    "wide and hidden": "<p hidden>a</p><p>b</p>" * 10_000,
    "broken data": '<script type=application/ld+json>{"a": "\\u12</script><p>a',
    "megabytes of names": f"<div class='{CLASSES}'><p id='{CLASSES}'>a<p>b</div>",
    "a long word": "<p>" + "x" * 1_000_000,
    "a long text": "<p>" + "word, " * 300_000,
    "a long title": "<title>" + "word " * 200_000 + "</title><p>word",
    "only references": "<p>" + "&amp;&nbsp;&#0;&" * 1000,
    "not text": "<p>\x01\x02\x7f</p><p>\U0001f600\U000e0041</p>",
    "one class": "<b class=a>x</b>" * 20_000,
}


def _table(html: str | bytes) -> Matrix:
    page = parse(html, Options(max_nodes=2_000_000))
    batch = Batch.from_pages([page])
    tokens = np.unique(batch.paths.names.token)[:1000]
    weights = np.full((len(tokens), 2), -1.5, np.float32)
    features = spec.make_table(batch, TokenTable.from_arrays({"token": tokens, "weight": weights}))
    assert features.shape == (len(page.blocks), len(spec.NAMES))
    return features


@pytest.mark.parametrize("name", ODD)
def test_odd_pages_have_finite_features(name: str) -> None:
    assert np.isfinite(_table(ODD[name])).all()


def test_a_million_nodes_have_finite_features() -> None:
    html = "<p><b>a</b><i>b</i></p>" * 340_000
    assert np.isfinite(_table(html)).all()


@given(st.binary(max_size=300))
def test_any_bytes_have_finite_features(source: bytes) -> None:
    assert np.isfinite(_table(b"<p>" + source)).all()


@given(st.text(max_size=60), st.text(max_size=60))
def test_any_text_has_finite_features(text: str, name: str) -> None:
    assert np.isfinite(_table(f"<title>{text}</title><p class='{name}'>{text}<p>{name}")).all()


def test_the_table_is_what_a_forest_reads() -> None:
    values = _table("<p>a<p>b")
    assert values.dtype == np.float32
    assert values.flags.c_contiguous


LONG = "<h2>a</h2><ul><li>b, c<li><a href=x>d</a></ul><p>e f. g</p>" * 200


@pytest.mark.parametrize("step", [1, 7, 256, 10_000])
def test_features_are_the_same_in_steps_of_any_size(
    monkeypatch: pytest.MonkeyPatch, sources: dict[str, bytes], step: int
) -> None:
    batch = Batch.from_pages([parse(LONG), parse(""), *map(parse, list(sources.values())[:3])])
    whole = spec.make_table(batch, TokenTable.make_empty())
    monkeypatch.setattr(spec, "STEP", step)
    assert spec.make_table(batch, TokenTable.make_empty()).tobytes() == whole.tobytes()


def test_no_step_has_more_blocks_than_a_cache_has_room_for() -> None:
    batch = Batch.from_pages([parse(LONG)])
    sizes = [end - first for first, end, _ in spec.compute_steps(batch, TokenTable.make_empty())]
    assert sum(sizes) == len(batch)
    assert max(sizes) <= spec.STEP


def test_the_deadline_is_looked_at_before_each_step(monkeypatch: pytest.MonkeyPatch) -> None:
    batch = Batch.from_pages([parse(LONG)])
    seen = []
    steps = spec.compute_steps(batch, TokenTable.make_empty())
    next(steps)
    monkeypatch.setattr(limits, "check", lambda: seen.append(1))
    assert len(list(steps)) == len(seen) > 0


def test_names_are_distinct_and_one_a_column() -> None:
    assert len(set(spec.NAMES)) == len(spec.NAMES)
    assert len(spec.NAMES) == _table("<p>a").shape[1]


@pytest.mark.parametrize(
    "written",
    [block_features, surrounding_features, page_features],
    ids=lambda module: module.__name__,
)
def test_every_column_is_written(written: ModuleType, sources: dict[str, bytes]) -> None:
    """Room that a pass left as it was would hold the numbers of another page."""
    batch = Batch.from_pages([parse(source) for source in sources.values()])
    for prepared in (block_features, surrounding_features, page_features):
        prepared.prepare(batch.columns)
    for page, first, end in batch.split_parts(0, len(batch)):
        out = np.full((len(written.NAMES), end - first + 2), np.nan, np.float32)
        written.write(batch.columns, Span(page, first, end, first - 1), out)
        filled = np.isfinite(out)
        assert filled[:, 1:-1].all(), np.flatnonzero(~filled[:, 1:-1].all(1))
        assert not filled[:, [0, -1]].any()


def test_hidden_blocks_have_rows_too() -> None:
    assert len(_table("<p hidden>a</p><p>b</p>")) == 2


def test_threads_get_the_same_features(sources: dict[str, bytes]) -> None:
    batches = list(sources.values()) * 3
    alone = [_table(source).tobytes() for source in batches]
    with ThreadPoolExecutor(4) as pool:
        assert [features.tobytes() for features in pool.map(_table, batches)] == alone
