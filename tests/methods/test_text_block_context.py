"""Text block context: the paper's tree on the units of a page."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import tamis
from tamis.errors import WeightsError
from tamis.methods.text_block_context import BINARY_NAMES, SPEC, TextBlockContext
from tamis.model.weights.load import Card, save
from tamis.model.weights.trees import LEAF

CARD = Card(method="text_block_context", spec=SPEC, features=BINARY_NAMES, training_sets={})


def long_words_tree(path: Path) -> str:
    """Weights that say 1 for units of more than three words, else 0.25."""
    arrays = {
        "feature": np.array([BINARY_NAMES.index("word_density[+0]"), LEAF, LEAF]),
        "threshold": np.array([3.5, 0, 0]),
        "left": np.array([1, -1, -1]),
        "right": np.array([2, -1, -1]),
        "value": np.array([0.5, 0.25, 1.0]),
    }
    save(path, arrays, CARD)
    return str(path)


def test_a_block_scores_the_mean_over_the_words_of_its_units(tmp_path: Path) -> None:
    method = TextBlockContext(weights=long_words_tree(tmp_path / "tree.npz"))
    page = tamis.parse("<p>one two three four<p>five<p>one two three four <b>five</b>")
    assert method.score(page) == pytest.approx([1, 0.25, (4 + 0.25) / 5])


def test_a_block_without_words_is_not_content(tmp_path: Path) -> None:
    method = TextBlockContext(weights=long_words_tree(tmp_path / "tree.npz"))
    assert method.score(tamis.parse("<p>***<p>one")).tolist() == [0, 0.25]


def test_an_article_is_told_from_its_menu(sources: dict[str, bytes]) -> None:
    options = tamis.Options(method="text_block_context")
    for name in ("news-en", "news-de"):
        text = tamis.extract(sources[name], options=options).text
        everything = tamis.extract(sources[name], options=tamis.Options(method="baseline")).text
        assert 0.3 * len(everything) < len(text) < len(everything)


def test_a_tree_for_more_columns_than_there_are_is_refused(tmp_path: Path) -> None:
    arrays = {
        "feature": np.array([len(BINARY_NAMES), LEAF, LEAF]),
        "threshold": np.zeros(3),
        "left": np.array([1, -1, -1]),
        "right": np.array([2, -1, -1]),
        "value": np.zeros(3),
    }
    save(tmp_path / "tree.npz", arrays, CARD)
    with pytest.raises(WeightsError, match="no tree"):
        TextBlockContext(weights=str(tmp_path / "tree.npz")).score(tamis.parse("<p>x"))


def test_weights_that_are_not_there_are_named() -> None:
    with pytest.raises(WeightsError, match="nowhere"):
        TextBlockContext(weights="nowhere.npz").score(tamis.parse("<p>x"))
