"""The features are the same whether their passes were compiled or not."""

from __future__ import annotations

from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

from tamis.model.features import (
    block_features,
    columns,
    page_features,
    spec,
    surrounding_features,
    token_weights,
)
from tamis.model.features.batch import Batch
from tamis.model.features.token_weights import PlacedTokens, TokenTable, list_chains
from tamis.page.reader import parse
from tests.uncompiled import from_source

ODD = [
    b"",
    b"x",
    b"<p>\xe0\xb8\xa0\xe0\xb8\xff\xc3&amp;&#x80;&",
    b"<div class='A1b-C\xc3\xa9 dE' id=x role=main itemprop=name>x<div>y",
    b'<script type=application/ld+json>{"a": "\\u00e9\\n\\ud83d\\</script><p>\xc3\xa9 a',
    "<title>今天 x</title><p>今天天气 สวัสดี x 😀 𠀀".encode(),
    b"<h1>a</h1><p hidden>b<p>c, d. <span hidden>e</span>" * 5,
]


@pytest.fixture(scope="module")
def uncompiled() -> ModuleType:
    """The names and the table of features, from source."""
    return from_source("model.features.spec")[0]


def _assert_same(uncompiled: ModuleType, sources: list[bytes]) -> None:
    pages = [parse(source) for source in sources]
    known = np.unique(list_chains(PlacedTokens.from_batch(Batch.from_pages(pages))).near_token)
    weights = np.random.default_rng(3).normal(size=(len(known), 2)).astype(np.float32)
    arrays = {"token": known, "weight": weights}
    tokens, same_tokens = TokenTable.from_arrays(arrays), uncompiled.TokenTable.from_arrays(arrays)
    np.testing.assert_array_equal(same_tokens.keys, tokens.keys)
    ours = spec.make_table(Batch.from_pages(pages), tokens)
    theirs = uncompiled.make_table(uncompiled.Batch.from_pages(pages), same_tokens)
    assert theirs.dtype == ours.dtype
    # Processors that multiply and add in one step may round the compiled sums differently.
    np.testing.assert_allclose(theirs, ours, rtol=1e-6, atol=1e-6)


@pytest.mark.parametrize("source", ODD)
def test_odd_pages_have_the_same_features(uncompiled: ModuleType, source: bytes) -> None:
    _assert_same(uncompiled, [source])


def test_a_batch_has_the_same_features(uncompiled: ModuleType) -> None:
    _assert_same(uncompiled, ODD)


def test_pages_have_the_same_features(uncompiled: ModuleType, folder: Path) -> None:
    _assert_same(uncompiled, [(folder / "source.html").read_bytes()[:20_000]])


@pytest.mark.parametrize(
    "module",
    [surrounding_features, block_features, columns, token_weights, page_features],
    ids=lambda it: it.__name__,
)
def test_numbers_of_columns_have_c_types(module: ModuleType) -> None:
    """One that the .pxd file has forgotten is a Python object: slow, but nothing else shows it."""
    (source,) = from_source(module.__name__.removeprefix("tamis."))
    numbers = {
        name for name, value in vars(source).items() if name.isupper() and type(value) is int
    }
    assert numbers
    if columns.COMPILED:
        assert not numbers & set(vars(module)) - {"UNLISTED"}
