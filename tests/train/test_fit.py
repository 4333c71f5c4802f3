"""Fitting, and that what is saved scores as what was fitted."""

from __future__ import annotations

import lzma
from pathlib import Path

import numpy as np
import pytest

import tamis
from tamis.errors import DatasetError
from tamis.evaluate.datasets import Example
from tamis.methods import text_block_context as context
from tamis.methods._base import visible_blocks
from tamis.methods.dragnet import Dragnet, columns_of
from tamis.methods.text_block_context import TextBlockContext
from tamis.model.weights.load import Card, save
from tamis.train import fit
from tamis.train.documents import documents


def made_up(number: int) -> Example:
    """A page of a site of three, different each time, with a menu, an article and a footer."""
    random = np.random.default_rng(number)
    sentence = "On day {} the ferry carried {} people across the sound, and the wind was mild."
    paragraphs = [
        sentence.format(*random.integers(1, 99, 2)) * int(random.integers(1, 4))
        for _ in range(random.integers(3, 8))
    ]
    links = "".join(
        f"<li class='menu item'><a href=/{link}>Page {link}</a>"
        for link in random.integers(1, 99, 12)
    )
    article = "".join(f"<p class=story>{paragraph}</p>" for paragraph in paragraphs)
    html = (
        f"<ul id=nav>{links}</ul><div><h1>Ferry news {number}</h1>{article}</div>"
        "<div class=footer>All rights reserved</div>"
    )
    gold = "\n".join((f"Ferry news {number}", *paragraphs))
    return Example(
        id=str(number), dataset="made-up", html=html, text=gold, site=f"site{number % 7}"
    )


DOCUMENTS = [made_up(number) for number in range(40)]
CARD = Card(method="", spec=1, features=(), training_sets={})


@pytest.fixture(scope="module")
def blocks() -> fit.FeatureTable:
    return fit.block_table(DOCUMENTS)


@pytest.fixture(scope="module")
def units() -> fit.FeatureTable:
    return fit.context_table(DOCUMENTS)


def test_rows_know_their_page_and_site(blocks: fit.FeatureTable, units: fit.FeatureTable) -> None:
    for table in (blocks, units):
        assert len(np.unique(table.page)) == 40
        assert len(np.unique(table.site)) == 7
        assert 0.1 < table.content.mean() < 0.9


def test_a_sample_is_of_that_size_and_the_same_each_time(blocks: fit.FeatureTable) -> None:
    sample = blocks.sample(100, seed=3)
    assert len(sample) == len(sample.tokens) == len(sample.content) == 100
    np.testing.assert_array_equal(sample.rows, blocks.sample(100, seed=3).rows)
    assert blocks.sample(10**6, seed=3) is blocks


def test_annotated_pages_are_labelled_by_their_classes() -> None:
    annotated = '<p><span class="x-nc-sel0">menu</span></p><p><span class="x-nc-sel2">text</span>'
    html = "<p>menu</p><p>text"
    example = Example(id="1", dataset="l3s", html=html, text="menu", annotated=annotated)
    assert fit.context_table([example]).content.tolist() == [False, True]


def test_no_pages_are_an_error() -> None:
    with pytest.raises(DatasetError, match="no page of these sets"):
        fit.block_table([])


# Text block context


def test_the_saved_tree_scores_as_the_fitted_one(units: fit.FeatureTable, tmp_path: Path) -> None:
    learner = fit.tree_learner().fit(context.binary(units.rows), units.content)
    path = tmp_path / "tree.npz"
    _, arrays, _ = fit.fit("text_block_context", units)
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


# Dragnet


def test_the_saved_model_scores_as_the_fitted_one(blocks: fit.FeatureTable, tmp_path: Path) -> None:
    path = tmp_path / "model.npz"
    arrays = fit.fit_dragnet(blocks)
    save(path, arrays, Card(**vars(CARD) | {"method": "dragnet"}))
    page = tamis.parse(made_up(99).html)
    seen = visible_blocks(page)
    for mix in fit.MIXES:
        columns = columns_of(page, seen, mix, arrays["tokens"].tolist())
        odds = columns @ arrays[f"{mix}.coefficients"] + arrays[f"{mix}.intercept"]
        scores = Dragnet(features=mix, weights=str(path)).score(page)
        np.testing.assert_array_equal(scores[seen], 1 / (1 + np.exp(-odds)))


def test_columns_of_training_are_those_of_scoring(blocks: fit.FeatureTable) -> None:
    tokens = fit.select_tokens(blocks)
    page = tamis.parse(DOCUMENTS[0].html)
    for mix in fit.MIXES:
        np.testing.assert_array_equal(
            fit.mix_columns(blocks, mix, tokens)[blocks.page == 0],
            columns_of(page, visible_blocks(page), mix, tokens),
        )


def test_a_page_like_those_it_learned_from_is_told_apart(
    blocks: fit.FeatureTable, tmp_path: Path
) -> None:
    path = tmp_path / "model.npz"
    save(path, fit.fit_dragnet(blocks), Card(**vars(CARD) | {"method": "dragnet"}))
    page = tamis.parse(made_up(99).html)
    scores = Dragnet(weights=str(path)).score(page)
    texts = page.block_texts(np.arange(len(page.blocks)))
    for text, score in zip(texts, scores, strict=True):
        assert (score >= 0.5) == text.startswith(("On day", "Ferry")), text


def test_tokens_that_tell_content_apart_are_chosen(blocks: fit.FeatureTable) -> None:
    tokens = fit.select_tokens(blocks)
    assert "class:menu" in tokens
    assert "class:story" in tokens
    assert "class:footer" in tokens


def test_a_token_of_a_single_page_is_not_chosen(blocks: fit.FeatureTable) -> None:
    many = fit.FeatureTable(
        np.tile(blocks.rows, (5, 1)),
        np.tile(blocks.content, 5),
        np.concatenate([blocks.page + 40 * copy for copy in range(5)]),
        np.tile(blocks.site, 5),
        np.tile(blocks.words, 5),
        tuple(
            own | {"class:only"} if number == 0 else own
            for number, own in zip(
                np.concatenate([blocks.page + 40 * copy for copy in range(5)]).tolist(),
                blocks.tokens * 5,
                strict=True,
            )
        ),
    )
    assert "class:only" not in fit.select_tokens(many)


def test_the_same_seed_gives_the_same_weights(blocks: fit.FeatureTable) -> None:
    once, twice = fit.fit_dragnet(blocks, 5), fit.fit_dragnet(blocks, 5)
    for name in once:
        np.testing.assert_array_equal(once[name], twice[name])


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
