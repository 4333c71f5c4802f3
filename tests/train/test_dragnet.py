"""Fitting of Dragnet, and that what is saved scores as what was fitted."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.train.ferries import made_up

import tamis
from tamis.errors import WeightsError
from tamis.methods._shared.layout_blocks import PUBLISHED_TOKENS
from tamis.methods.dragnet import Dragnet, columns_of, units_of
from tamis.model.weights.load import Card, save
from tamis.train import dragnet
from tamis.train.dragnet import DragnetTraining, mixes_of
from tamis.train.feature_table import FeatureTable

DOCUMENTS = [made_up(number) for number in range(40)]
EVERYTHING = "st+ic+cetr+cetd"
CARD = Card(method="dragnet", spec=1, features=(), training_sets={})

both_blocks = pytest.mark.parametrize("blocks", ["text", "paper"])


@pytest.fixture(scope="module")
def tables() -> dict[str, FeatureTable]:
    return {
        blocks: dragnet.block_table(DragnetTraining(blocks), DOCUMENTS)
        for blocks in ("text", "paper")
    }


@pytest.fixture(scope="module")
def rich_tables() -> dict[str, FeatureTable]:
    """With all feature sets, also those that are not the paper's."""
    return {
        blocks: dragnet.block_table(DragnetTraining(blocks, EVERYTHING), DOCUMENTS)
        for blocks in ("text", "paper")
    }


def test_rows_are_those_of_the_blocks(tables: dict[str, FeatureTable]) -> None:
    for table in tables.values():
        assert len(np.unique(table.page)) == 40
        assert len(table.tokens) == len(table) == len(table.content)
    # The menu is a list: twelve blocks of the page, but one that no layout tag separates.
    page = tamis.parse(DOCUMENTS[0].html)
    assert (tables["text"].page == 0).sum() == len(page.blocks)
    assert (tables["paper"].page == 0).sum() == len(page.blocks) - 11


@both_blocks
def test_the_saved_model_scores_as_the_fitted_one(
    rich_tables: dict[str, FeatureTable], blocks: str, tmp_path: Path
) -> None:
    path = tmp_path / "model.npz"
    training = DragnetTraining(blocks, EVERYTHING)
    arrays = dragnet.fit_weights(training, rich_tables[blocks])
    save(path, arrays, CARD)
    page = tamis.parse(made_up(99).html)
    units = units_of(page, blocks)
    for mix in mixes_of(training):
        columns = columns_of(units, mix, arrays["tokens"].tolist())
        odds = columns @ arrays[f"{mix}.coefficients"] + arrays[f"{mix}.intercept"]
        scores = Dragnet(features=mix, blocks=blocks, weights=str(path)).score(page)
        np.testing.assert_array_equal(scores, units.on_blocks(1 / (1 + np.exp(-odds))))


@both_blocks
def test_columns_of_training_are_those_of_scoring(
    rich_tables: dict[str, FeatureTable], blocks: str
) -> None:
    table, training = rich_tables[blocks], DragnetTraining(blocks, EVERYTHING)
    tokens = dragnet.listed_tokens(training, table)
    units = units_of(tamis.parse(DOCUMENTS[0].html), blocks)
    assert len(mixes_of(training)) == 15
    for mix in mixes_of(training):
        np.testing.assert_array_equal(
            dragnet.mix_columns(training, table, mix, tokens)[table.page == 0],
            columns_of(units, mix, tokens),
        )


@both_blocks
def test_a_page_like_those_it_learned_from_is_told_apart(
    tables: dict[str, FeatureTable], blocks: str, tmp_path: Path
) -> None:
    path = tmp_path / "model.npz"
    save(path, dragnet.fit_weights(DragnetTraining(blocks), tables[blocks]), CARD)
    page = tamis.parse(made_up(99).html)
    scores = Dragnet(weights=str(path), blocks=blocks).score(page)
    texts = page.block_texts(np.arange(len(page.blocks)))
    for text, score in zip(texts, scores, strict=True):
        assert (score >= 0.5) == text.startswith(("On day", "Ferry")), text


def test_weights_for_other_blocks_are_refused(
    tables: dict[str, FeatureTable], tmp_path: Path
) -> None:
    path = tmp_path / "model.npz"
    save(path, dragnet.fit_weights(DragnetTraining("paper"), tables["paper"]), CARD)
    with pytest.raises(WeightsError, match=r"made for blocks=paper, not for blocks=text"):
        Dragnet(weights=str(path)).score(tamis.parse("<p>x"))


def test_more_sets_change_nothing_in_the_mixes_without_them(
    tables: dict[str, FeatureTable], rich_tables: dict[str, FeatureTable]
) -> None:
    mixes = ("st", "st+ic+cetr")
    plain = dragnet.fit_weights(DragnetTraining(), tables["text"], mixes=mixes)
    rich = dragnet.fit_weights(
        DragnetTraining(features=EVERYTHING), rich_tables["text"], mixes=mixes
    )
    assert plain.keys() == rich.keys()
    for name in plain:
        np.testing.assert_array_equal(plain[name], rich[name])


def test_training_without_a_parameter_makes_the_mixes_of_the_paper(
    tables: dict[str, FeatureTable],
) -> None:
    arrays = dragnet.fit_weights(DragnetTraining(), tables["text"])
    assert len(mixes_of(DragnetTraining())) == 7
    assert not any("cetd" in name for name in arrays)


@pytest.mark.parametrize("features", ["ic", "cetd", "ic,cetd", "cetr+st"])
def test_fewer_sets_are_trained_alone(features: str, tmp_path: Path) -> None:
    training = DragnetTraining(features=features)
    table = dragnet.block_table(training, DOCUMENTS[:10])
    (_, _, names), arrays, _ = dragnet.fit_and_measure(training, table)
    assert len(arrays[f"{training.mix}.coefficients"]) == len(names)
    path = tmp_path / "few.npz"
    save(path, arrays, CARD)
    page = tamis.parse(made_up(99).html)
    assert len(Dragnet(features=features, weights=str(path)).score(page)) == len(page.blocks)
    with pytest.raises(WeightsError, match=r"features=st\+ic\+cetr` makes some"):
        Dragnet(weights=str(path)).score(page)


# Tokens


def test_tokens_that_tell_content_apart_are_chosen(tables: dict[str, FeatureTable]) -> None:
    tokens = dragnet.listed_tokens(DragnetTraining(), tables["text"])
    assert {"class:menu", "class:story", "class:footer"} <= set(tokens)


def test_published_blocks_have_the_published_tokens(tables: dict[str, FeatureTable]) -> None:
    assert dragnet.listed_tokens(DragnetTraining("paper"), tables["paper"]) == list(
        PUBLISHED_TOKENS
    )


def with_tokens(table: FeatureTable, *names: str) -> FeatureTable:
    """The table with these classes on every other block."""
    own = frozenset(f"class:{name}" for name in names)
    return replace(
        table,
        content=np.arange(len(table)) % 2 == 0,
        tokens=tuple(own if row % 2 else frozenset() for row in range(len(table))),
    )


def test_tokens_without_a_plain_meaning_can_be_left_out(tables: dict[str, FeatureTable]) -> None:
    table = with_tokens(tables["text"], "rounded", "white", "xs", "elementor", "sidebar")
    assert dragnet.listed_tokens(DragnetTraining(tokens="meaning"), table) == ["class:sidebar"]
    assert len(dragnet.listed_tokens(DragnetTraining(), table)) == 5


def test_a_token_of_a_single_page_is_not_chosen(tables: dict[str, FeatureTable]) -> None:
    table = tables["text"]
    pages = np.concatenate([table.page + 40 * copy for copy in range(5)])
    tokens = tuple(
        own | {"class:story"} if number == 0 else own - {"class:story"}
        for number, own in zip(pages.tolist(), table.tokens * 5, strict=True)
    )
    many = FeatureTable(
        np.tile(table.rows, (5, 1)),
        np.tile(table.content, 5),
        pages,
        np.tile(table.site, 5),
        np.tile(table.words, 5),
        tokens,
    )
    assert "class:story" not in dragnet.frequent_tokens(many)


def test_odds_and_shares_are_those_of_table_1() -> None:
    table = FeatureTable(
        np.zeros((10, 9)),
        np.array([True] * 4 + [False] * 6),
        np.zeros(10, np.intp),
        np.zeros(10, np.intp),
        np.ones(10),
        tuple(frozenset({"class:nav"} if row in (0, 5, 6, 7) else ()) for row in range(10)),
    )
    (count,) = dragnet.token_counts(table)
    # In 1 of 4 content blocks and in 3 of 6 others, half a block more on each side.
    assert count.token == "class:nav"
    assert count.odds_ratio == pytest.approx((1.5 / 3.5) / (3.5 / 3.5))
    assert count.share == 3 / 6


# The model


def test_blocks_weigh_as_many_as_they_have_words_up_to_a_limit() -> None:
    words = np.array([0.0, 1.0, 30.0, 900.0])
    assert dragnet.words_that_weigh(words, 0).tolist() == [0, 1, 30, 900]
    assert dragnet.words_that_weigh(words, 200).tolist() == [0, 1, 30, 200]
    assert dragnet.words_that_weigh(words, 1).tolist() == [0, 1, 1, 1]


def test_the_same_seed_gives_the_same_weights(tables: dict[str, FeatureTable]) -> None:
    once, twice = (dragnet.fit_weights(DragnetTraining(), tables["text"], 5) for _ in range(2))
    for name in once:
        np.testing.assert_array_equal(once[name], twice[name])


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"blocks": "dom"}, "blocks is one of text, paper"),
        ({"tokens": "none"}, "tokens is one of all, meaning"),
        ({"most_words": -1}, "most_words is at least 0"),
        ({"features": "st+cetd+xx"}, "features is a mix of st, ic, cetr, cetd"),
    ],
)
def test_what_means_nothing_is_refused(parameters: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        DragnetTraining(**parameters)
