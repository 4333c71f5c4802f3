"""Fitting of text block context, and that what is saved scores as what was fitted."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from tests.train.ferries import made_up

import tamis
from tamis.labels.datasets import Example
from tamis.methods import text_block_context as context
from tamis.methods.text_block_context import TextBlockContext
from tamis.model.weights.decision_tree import Tree
from tamis.model.weights.load import Card, save
from tamis.train import c45
from tamis.train import text_block_context as training
from tamis.train.feature_table import FeatureTable
from tamis.train.text_block_context import ContextTraining

DOCUMENTS = [made_up(number) for number in range(40)]
CARD = Card(method="text_block_context", spec=1, features=(), training_sets={})


@pytest.fixture(scope="module")
def units() -> FeatureTable:
    return training.unit_table("visible", DOCUMENTS)


def test_all_text_is_learned_from_if_that_is_wanted() -> None:
    html = "<p>The first ferry<p hidden>The last ferry<p>***<p>Imprint"
    page = Example(id="1", dataset="made-up", html=html, text="The first ferry")
    for text, content in (("visible", [True, False]), ("all", [True, False, False, False])):
        assert training.unit_table(text, [page]).content.tolist() == content


def test_the_weights_say_which_text_they_are_from() -> None:
    trees = {}
    hidden = [replace(page, html=f"{page.html!s}<p hidden>{page.text}</p>") for page in DOCUMENTS]
    for text in context.TEXTS:
        table = training.unit_table(text, hidden)
        trees[text] = training.fit_weights(ContextTraining(text=text), table)
        assert str(trees[text]["text"]) == text
    assert {name: array.tolist() for name, array in trees["visible"].items()} != {
        name: array.tolist() for name, array in trees["all"].items()
    }


@pytest.mark.parametrize("smoothing", [0, 1])
def test_the_saved_tree_scores_as_the_fitted_one(
    units: FeatureTable, tmp_path: Path, smoothing: float
) -> None:
    chosen = ContextTraining(least=2, smoothing=smoothing)
    learned = chosen.learner(units).fit(training.columns_of(units), units.content)
    path = tmp_path / "tree.npz"
    _, arrays, _ = training.fit_and_measure(chosen, units)
    save(path, arrays, CARD)
    page = tamis.parse(made_up(99).html)
    table = context.cut_units(page)
    expected = learned.shares(context.measure_units(table).astype(np.float32))[:, 1]
    scores = TextBlockContext(weights=str(path)).score(page)
    np.testing.assert_allclose(scores, context.on_blocks(page, table, expected), atol=1e-4)


@pytest.mark.parametrize("smoothing", [0.0, 7.0])
def test_the_binary_tree_answers_as_the_tree_of_c45_on_any_attributes(smoothing: float) -> None:
    table, other = random_attributes(4000, 0), random_attributes(9000, 1)
    noise = np.random.default_rng(2).random(len(table))
    content = (table[:, 0] * (table[:, 2] % 3) > 30 * noise) ^ (table[:, 12] == 7)
    learner = c45.Learner(0.7, 2, smoothing, training.NOMINAL)
    learned = learner.fit(table, content)
    # Values of the parent that no row has are among those that are asked for.
    kinds = {node.column in training.NOMINAL for node in c45.walk(learned.root) if node.children}
    assert kinds == {True, False}
    tree = training.binary_tree(learned)
    Tree.from_arrays(tree.to_arrays(), len(context.BINARY_NAMES))  # no WeightsError
    np.testing.assert_allclose(
        tree.predict(context.expand_parents(other.astype(float))),
        learned.shares(other)[:, 1],
        atol=1e-4,
    )


def random_attributes(count: int, seed: int) -> np.ndarray:
    """Attributes of text blocks, in single precision; parents from 20 on are rare."""
    random = np.random.default_rng(seed)
    table = random.integers(0, 50, (count, 25)) / random.integers(1, 50, (count, 25))
    for column, values in training.NOMINAL.items():
        table[:, column] = random.integers(0, 20, count)
        rare = random.random(count) < 0.001
        table[rare, column] = random.integers(20, values, int(rare.sum()))
    return table.astype(np.float32)


@pytest.mark.parametrize("content", [True, False])
def test_pages_of_one_kind_alone_make_a_tree_that_says_so(
    units: FeatureTable, content: bool
) -> None:
    table = FeatureTable(
        units.rows, np.full(len(units), content), units.page, units.site, units.words
    )
    assert training.fit_weights(ContextTraining(), table)["value"].tolist() == [float(content)]


def test_the_parameters_are_those_of_the_paper(units: FeatureTable) -> None:
    learner = ContextTraining().learner(units)
    assert (learner.confidence, learner.least) == (0.7, 10)
    assert learner.nominal == {2: 23, 7: 23, 12: 23, 17: 23, 22: 23}
    # Beside them: few pages are not drawn to the mean as much as many are.
    assert learner.smoothing == units.content.sum() / 40
    assert ContextTraining(smoothing=0).learner(units).smoothing == 0
