"""The features are the same whether their passes were compiled or not."""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

import tamis.model.features
from tamis.model.features import (
    around,
    batch,
    block,
    declared,
    place,
    repetition,
    similarity,
    spec,
    token_weights,
    whole,
)
from tamis.model.features.batch import Batch
from tamis.model.features.token_weights import Names, TokenTable, chains
from tamis.page.read import parse

MODULES = ("sequence", "walk", "words")
USERS = (around, batch, block, declared, place, repetition, similarity, token_weights, whole)

ODD = [
    b"",
    b"x",
    b"<p>\xe0\xb8\xa0\xe0\xb8\xff\xc3&amp;&#x80;&",
    b"<div class='A1b-C\xc3\xa9 dE' id=x role=main itemprop=name>x<div>y",
    b'<script type=application/ld+json>{"a": "\\u00e9\\n\\ud83d\\</script><p>\xc3\xa9 a',
    "<title>今天 x</title><p>今天天气 สวัสดี x 😀 𠀀".encode(),
    b"<h1>a</h1><p hidden>b<p>c, d. <span hidden>e</span>" * 5,
]


def _from_source(name: str) -> ModuleType:
    path = Path(tamis.model.features.__file__).with_name(f"{name}.py")
    found = importlib.util.spec_from_file_location(f"uncompiled_{name}", path)
    assert found is not None and found.loader is not None
    module = importlib.util.module_from_spec(found)
    found.loader.exec_module(module)
    return module


@pytest.fixture(scope="module", params=[False, True], ids=["with Cython", "without Cython"])
def uncompiled(request: pytest.FixtureRequest) -> Iterator[dict[str, ModuleType]]:
    """The passes from their source, on a machine with or without Cython."""
    with pytest.MonkeyPatch.context() as patch:
        if request.param:
            for name in ("cython", "Cython"):
                patch.setitem(sys.modules, name, None)
        yield {name: _from_source(name) for name in MODULES}


def _table(sources: list[bytes], tokens: TokenTable) -> spec.Features:
    return spec.table(Batch.of([parse(source) for source in sources]), tokens)


def _assert_same(uncompiled: dict[str, ModuleType], sources: list[bytes]) -> None:
    pages = [parse(source) for source in sources]
    known = np.unique(chains(Names.of(Batch.of(pages))).near_token)
    weights = np.random.default_rng(3).normal(size=(len(known), 2)).astype(np.float32)
    tokens = TokenTable.of({"token": known, "weight": weights})
    ours = spec.table(Batch.of(pages), tokens).values
    with pytest.MonkeyPatch.context() as patch:
        for user in USERS:
            for name, module in uncompiled.items():
                if hasattr(user, name) and isinstance(getattr(user, name), ModuleType):
                    patch.setattr(user, name, module)
        for name in ("Marks", "pairs_of", "words_of", "words_of_json"):
            patch.setattr(declared, name, getattr(uncompiled["words"], name))
        table = TokenTable.of({"token": known, "weight": weights})
        theirs = spec.table(Batch.of(pages), table).values
        np.testing.assert_array_equal(table.keys, tokens.keys)
    assert theirs.dtype == ours.dtype
    # Processors that multiply and add in one step may round the compiled sums differently.
    np.testing.assert_allclose(theirs, ours, rtol=1e-6, atol=1e-6)


def test_the_source_is_not_the_compiled_module(uncompiled: dict[str, ModuleType]) -> None:
    assert not any(module.COMPILED for module in uncompiled.values())


@pytest.mark.parametrize("source", ODD)
def test_odd_pages_have_the_same_features(uncompiled: dict[str, ModuleType], source: bytes) -> None:
    _assert_same(uncompiled, [source])


def test_a_batch_has_the_same_features(uncompiled: dict[str, ModuleType]) -> None:
    _assert_same(uncompiled, ODD)


def test_pages_have_the_same_features(uncompiled: dict[str, ModuleType], folder: Path) -> None:
    _assert_same(uncompiled, [(folder / "source.html").read_bytes()[:20_000]])
