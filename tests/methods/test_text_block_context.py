"""Text block context: the paper's tree on the units of a page."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import tamis
from tamis.errors import WeightsError
from tamis.methods.text_block_context import BINARY_NAMES, SPEC, TextBlockContext
from tamis.model.weights.decision_tree import LEAF
from tamis.model.weights.load import Card, save

CARD = Card(method="text_block_context", spec=SPEC, features=BINARY_NAMES, training_sets={})


def long_words_tree(path: Path, text: str | None = None) -> str:
    """Weights that say 1 for units of more than three words, else 0.25."""
    arrays = {
        "feature": np.array([BINARY_NAMES.index("word_density[+0]"), LEAF, LEAF]),
        "threshold": np.array([3.5, 0, 0]),
        "left": np.array([1, -1, -1]),
        "right": np.array([2, -1, -1]),
        "value": np.array([0.5, 0.25, 1.0]),
    }
    if text:
        arrays["text"] = np.array(text)
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


def test_a_tree_with_shares_below_0_is_refused(tmp_path: Path) -> None:
    leaf = {name: np.array([-1]) for name in ("feature", "left", "right")}
    leaf |= {"threshold": np.zeros(1), "value": np.array([-0.5])}
    save(tmp_path / "tree.npz", leaf, CARD)
    with pytest.raises(WeightsError, match="not between 0 and 1"):
        TextBlockContext(weights=str(tmp_path / "tree.npz")).score(tamis.parse("<p>x"))


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


def test_every_unit_has_its_place_its_attributes_and_a_verdict(tmp_path: Path) -> None:
    method = TextBlockContext(weights=long_words_tree(tmp_path / "tree.npz"))
    page = tamis.parse("<p>one two <a href=/>three</a> four<p>a <b>five</b>")
    first, second, third = method.units(page)
    assert (first.text, second.text, third.text) == ("one two three four", "a", "five")
    assert [unit.block for unit in (first, second, third)] == [0, 1, 1]
    assert [(unit.score, unit.content) for unit in (first, second)] == [(1, True), (0.25, False)]
    assert page.source[first.start : first.end] == b"one two <a href=/>three</a> four"
    assert page.source[third.start : third.end] == b"five"
    assert first.attributes == {
        "word_density": 4,
        "link_density": 0.25,
        "parent": "p",
        "lines_before": 0,
        "lines_after": 1,
    }
    assert third.attributes["parent"] == "b"


def test_units_score_what_their_blocks_score(sources: dict[str, bytes]) -> None:
    method = TextBlockContext()
    page = tamis.parse(sources["news-en"])
    scores = method.score(page)
    units = method.units(page)
    alone = [unit for unit in units if sum(unit.block == other.block for other in units) == 1]
    assert len(alone) > 5
    assert [unit.score for unit in alone] == pytest.approx([scores[unit.block] for unit in alone])


def test_all_text_can_be_read_as_the_paper_does(tmp_path: Path) -> None:
    page = tamis.parse("<p>one<p hidden>two three<p>***<p>four")
    texts = {}
    for text in ("visible", "all"):
        weights = long_words_tree(tmp_path / f"{text}.npz", text)
        method = TextBlockContext(weights=weights, text=text)
        texts[text] = [unit.text for unit in method.units(page)]
    assert texts == {"visible": ["one", "four"], "all": ["one", "two three", "***", "four"]}
    with pytest.raises(ValueError, match="visible, all"):
        TextBlockContext(text="some")


def test_each_text_has_weights_of_its_own(sources: dict[str, bytes]) -> None:
    # The page has no hidden text: what differs is what was learned.
    page = tamis.parse("<p>One two three four five six.<p><b>Seven</b> eight<ul><li>Nine</ul>")
    shares = [
        [unit.score for unit in TextBlockContext(text=text).units(page)]
        for text in ("visible", "all")
    ]
    assert len(shares[0]) == len(shares[1])
    assert shares[0] != shares[1]


def test_weights_of_another_text_are_refused(tmp_path: Path) -> None:
    page = tamis.parse("<p>one")
    weights = long_words_tree(tmp_path / "all.npz", "all")
    with pytest.raises(WeightsError, match="learned from text=all, not from text=visible"):
        TextBlockContext(weights=weights).score(page)
    # Weights that do not say it were made before there was a choice.
    weights = long_words_tree(tmp_path / "older.npz")
    assert TextBlockContext(weights=weights).score(page).tolist() == [0.25]
    with pytest.raises(WeightsError, match="train with --parameter text=all"):
        TextBlockContext(weights=weights, text="all").score(page)


def test_methods_that_decide_on_blocks_have_no_units() -> None:
    assert tamis.extract("<p>one", method="boilerpipe").units == ()


def test_the_dictionary_of_a_result_has_the_units_of_a_method_that_has_such() -> None:
    result = tamis.extract("<p>one <b>two</b>", method="text_block_context").to_dict()
    assert [unit["text"] for unit in result["units"]] == ["one", "two"]
    assert "units" not in tamis.extract("<p>one <b>two</b>").to_dict()
