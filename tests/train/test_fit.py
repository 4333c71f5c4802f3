"""Fitting, and that what is saved scores as what was fitted."""

from __future__ import annotations

import lzma
from pathlib import Path

import numpy as np
import pytest
from tests.train.ferries import made_up

import tamis
from tamis.errors import DatasetError
from tamis.evaluate.datasets import Example
from tamis.methods import text_block_context as context
from tamis.methods.text_block_context import TextBlockContext
from tamis.model.weights.load import Card, save
from tamis.train import fit
from tamis.train.documents import documents

DOCUMENTS = [made_up(number) for number in range(40)]
CARD = Card(method="", spec=1, features=(), training_sets={})


@pytest.fixture(scope="module")
def units() -> fit.FeatureTable:
    return fit.context_table(DOCUMENTS)


def test_rows_know_their_page_and_site(units: fit.FeatureTable) -> None:
    assert len(np.unique(units.page)) == 40
    assert len(np.unique(units.site)) == 7
    assert 0.1 < units.content.mean() < 0.9


def test_a_sample_is_of_that_size_and_the_same_each_time(units: fit.FeatureTable) -> None:
    sample = units.sample(100, seed=3)
    assert len(sample) == len(sample.content) == 100
    np.testing.assert_array_equal(sample.rows, units.sample(100, seed=3).rows)
    assert units.sample(10**6, seed=3) is units


def test_annotated_pages_are_labelled_by_their_classes() -> None:
    annotated = '<p><span class="x-nc-sel0">menu</span></p><p><span class="x-nc-sel2">text</span>'
    html = "<p>menu</p><p>text"
    example = Example(id="1", dataset="l3s", html=html, text="menu", annotated=annotated)
    assert fit.context_table([example]).content.tolist() == [False, True]


def test_no_pages_are_an_error() -> None:
    with pytest.raises(DatasetError, match="no page of these sets"):
        fit.context_table([])


# Text block context


def test_the_saved_tree_scores_as_the_fitted_one(units: fit.FeatureTable, tmp_path: Path) -> None:
    learner = fit.tree_learner().fit(context.binary(units.rows), units.content)
    path = tmp_path / "tree.npz"
    _, arrays, _ = fit.fit_and_measure_context(units)
    save(path, arrays, Card(**vars(CARD) | {"method": "text_block_context"}))
    page = tamis.parse(made_up(99).html)
    table = context.units(page)
    expected = learner.predict_proba(context.binary(context.attributes(table)))[:, 1]
    scores = TextBlockContext(weights=str(path)).score(page)
    np.testing.assert_allclose(scores, context.on_blocks(page, table, expected), atol=1e-6)


def test_the_exported_tree_decides_as_scikit_learn_on_any_numbers() -> None:
    random = np.random.default_rng(0)
    table = random.integers(0, 50, (2000, 4)) / random.integers(1, 50, (2000, 4))
    content = table[:, 0] + random.normal(0, 0.3, 2000) > table[:, 1]
    learner = fit.tree_learner().fit(table, content)
    other = random.integers(0, 50, (5000, 4)) / random.integers(1, 50, (5000, 4))
    np.testing.assert_allclose(
        fit.exported(learner).predict(other), learner.predict_proba(other)[:, 1], atol=1e-6
    )


@pytest.mark.parametrize("content", [True, False])
def test_pages_of_one_kind_alone_make_a_tree_that_says_so(
    units: fit.FeatureTable, content: bool
) -> None:
    table = fit.FeatureTable(
        units.rows, np.full(len(units), content), units.page, units.site, units.words
    )
    assert fit.fit_context(table)["value"].tolist() == [float(content)]


# Cross-validation


@pytest.mark.parametrize("by", ["block", "page", "site"])
def test_cross_validation_measures_the_content_class(units: fit.FeatureTable, by: str) -> None:
    measured = fit.cross_validated(context.binary(units.rows), units, by, fit.tree_learner, folds=5)
    assert measured.f1 > 0.8


def test_folds_keep_pages_and_sites_together(units: fit.FeatureTable) -> None:
    seen: list[tuple[set[int], set[int]]] = []

    class Spy:
        def fit(self, rows: np.ndarray, _: np.ndarray) -> Spy:
            self.learned = set(rows[:, 0].tolist())
            return self

        def predict(self, rows: np.ndarray) -> np.ndarray:
            seen.append((self.learned, set(rows[:, 0].tolist())))
            return np.zeros(len(rows), bool)

    for by, groups in (("page", units.page), ("site", units.site)):
        fit.cross_validated(groups[:, None].astype(float), units, by, Spy, folds=5)
    assert len(seen) == 10
    assert not any(learned & asked for learned, asked in seen)


# Data sets


def written(path: Path, *lines: str) -> Path:
    with lzma.open(path, "wt", encoding="utf-8") as file:
        file.write("\n".join(lines) + "\n")
    return path


def test_pages_with_gold_are_read(tmp_path: Path) -> None:
    path = written(
        tmp_path / "set.jsonl.xz",
        '{"id": 1, "html": "<p>x", "text": "x", "comments": "y", "url": "https://a.example/z"}',
        '{"id": 2, "html": "<p>no gold"}',
    )
    (example,) = documents(path, comments=True)
    assert (example.dataset, example.id, example.site) == ("set", "1", "a.example")
    assert example.text == "x\ny"
    assert next(documents(path)).text == "x"


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("{", "line 2: not valid JSON"),
        ("[]", "line 2: a JSON list"),
        ('{"id": 2, "text": "x"}', "line 2: field 'html'"),
        ('{"id": 2, "html": "x", "text": 5}', "line 2: field 'text'"),
    ],
)
def test_a_line_that_is_no_page_is_named(tmp_path: Path, line: str, message: str) -> None:
    path = written(tmp_path / "set.jsonl.xz", '{"id": 1, "html": "", "text": ""}', line)
    with pytest.raises(DatasetError, match=message):
        list(documents(path))


def test_a_file_that_is_no_xz_is_named(tmp_path: Path) -> None:
    path = tmp_path / "set.jsonl.xz"
    path.write_bytes(b"no xz")
    with pytest.raises(DatasetError, match=r"set.jsonl.xz, after line 0: the file is damaged"):
        list(documents(path))
