"""Dragnet: three feature sets in one model."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import tamis
from tamis.errors import MethodError, WeightsError
from tamis.methods._shared.features import measure_densities
from tamis.methods.dragnet import NAMES, SPEC, Dragnet, columns_of, units_of
from tamis.model.weights.load import Card, load, path_of_shipped, save

MIXES = ("st", "ic", "cetr", "st+ic", "st+cetr", "ic+cetr", "st+ic+cetr")
PAGE = (
    "<ul class=menu><li><a href=1>One</a><li><a href=2>Two</a></ul>"
    f"<p class=story>{'The ferry left the harbour at six. ' * 8}</p>"
    f"<p class=story>{'It carried forty people across the sound. ' * 8}</p>"
    "<p class=footer>All rights reserved"
)


def columns(html: str, features: str, tokens: tuple[str, ...] = ()) -> np.ndarray:
    return columns_of(units_of(tamis.parse(html), "text"), features, tokens)


def test_shallow_features_are_those_of_the_block_and_its_neighbours() -> None:
    table = columns("<p>one two<p><a href=x>three</a><p hidden>x<p>four five six", "st")
    assert table.tolist() == [
        [0, 2, 1, 0, 0, 1],
        [2, 1, 3, 0, 1, 0],
        [1, 3, 0, 1, 0, 0],
    ]


def test_the_sets_stand_in_one_order_however_they_are_named() -> None:
    tokens = ("class:story", "class:menu")
    mixed = columns(PAGE, "cetr+ic+st", tokens)
    parts = [columns(PAGE, name, tokens) for name in ("st", "ic", "cetr")]
    np.testing.assert_array_equal(mixed, np.concatenate(parts, axis=1))
    assert parts[0].shape[1] == len(NAMES["st"])
    assert parts[2].shape[1] == len(NAMES["cetr"])


@pytest.mark.parametrize("blocks", ["text", "paper"])
@pytest.mark.parametrize("mix", MIXES)
def test_shipped_weights_know_every_mix(mix: str, blocks: str) -> None:
    page = tamis.parse(PAGE)
    scores = Dragnet(features=mix, blocks=blocks).score(page)
    assert scores.shape == (len(page.blocks),)
    turned = "+".join(mix.split("+")[::-1])
    np.testing.assert_array_equal(scores, Dragnet(features=turned, blocks=blocks).score(page))


def test_a_mix_may_be_written_with_commas() -> None:
    page = tamis.parse(PAGE)
    with_commas, usual = Dragnet(features="st,ic"), Dragnet(features="st+ic")
    np.testing.assert_array_equal(with_commas.score(page), usual.score(page))


def test_densities_are_those_of_the_element_and_of_the_elements_beside_it() -> None:
    html = f"<div><p>{'x' * 30}<p>{'x' * 10}</div><ul><li><a href=1>{'x' * 6}</a></ul>"
    table = columns(html, "cetd")
    assert table.shape == (3, len(NAMES["cetd"]))
    tree = measure_densities(tamis.parse(html))
    page = tamis.parse(html)
    around = page.nodes.parent[page.blocks.node]
    np.testing.assert_allclose(np.expm1(table[:, 0]), tree.density[page.blocks.node])
    np.testing.assert_allclose(np.expm1(table[:, 1]), tree.sums[around])
    # The paragraphs have one sum, and CETD takes the element around them, not the link.
    assert table[0, 1] == table[1, 1] > table[2, 1]
    assert table[:, 2].tolist() == [1, 1, 0]


@pytest.mark.parametrize("blocks", ["text", "paper"])
@pytest.mark.parametrize(
    "html", ["", "<title>The ferry</title>", "<p hidden>x</p>", "<title>A ferry</title><p>x"]
)
def test_densities_of_pages_with_little_are_numbers(html: str, blocks: str) -> None:
    units = units_of(tamis.parse(html), blocks)
    table = columns_of(units, "cetd", ())
    assert table.shape == (len(units.texts), 3)
    assert np.isfinite(table).all()


def test_densities_stand_in_reasons_and_units(tmp_path: Path) -> None:
    arrays = {
        "blocks": np.array("paper"),
        "tokens": np.array(["class:nav"]),
        "cetd.coefficients": np.array([0.5, 0.25, 2.0]),
        "cetd.intercept": np.array(-2.0),
    }
    path = tmp_path / "cetd.npz"
    save(path, arrays, Card(method="dragnet", spec=SPEC, features=(), training_sets={}))
    method = Dragnet(features="cetd", blocks="paper", weights=str(path))
    page = tamis.parse(PAGE)
    (reason,) = method.because(page, np.array([2]))
    assert "+2.00 by CETD verdict 1" in reason
    assert set(method.units(page)[0].attributes) == set(NAMES["cetd"])


def test_the_mixes_score_differently() -> None:
    page = tamis.parse(PAGE)
    assert len({tuple(Dragnet(features=mix).score(page)) for mix in MIXES}) == len(MIXES)


def test_shipped_weights_tell_an_article_from_its_menu() -> None:
    page = tamis.parse(PAGE)
    assert (Dragnet().score(page) >= 0.5).tolist() == [False, False, True, True, False]
    # The published tokens know no footer.
    published = Dragnet(blocks="paper").score(page)[:4]
    assert (published >= 0.5).tolist() == [False, False, True, True]


def test_published_blocks_score_what_is_in_one_of_them_alike() -> None:
    scores = Dragnet(blocks="paper").score(tamis.parse(PAGE))
    assert scores[0] == scores[1]  # a list is no layout tag
    assert len(set(scores.tolist())) == 4


def test_unknown_blocks_are_refused() -> None:
    with pytest.raises(MethodError, match="blocks is one of text, paper"):
        tamis.extract("<p>x", method="dragnet", parameters={"blocks": "dom"})


@pytest.mark.parametrize("features", ["", "xx", "st+", "st+st", "st,ic,st", "st ic"])
def test_an_unknown_mix_is_refused(features: str) -> None:
    with pytest.raises(MethodError, match="features is a mix of st, ic, cetr, cetd"):
        tamis.extract("<p>x", method="dragnet", parameters={"features": features})


def test_weights_without_the_mix_are_refused(tmp_path: Path) -> None:
    arrays = dict(load(path_of_shipped("dragnet"), method="dragnet", spec=SPEC).arrays)
    del arrays["st.coefficients"]
    card = Card(method="dragnet", spec=SPEC, features=(), training_sets={})
    save(tmp_path / "part.npz", arrays, card)
    page = tamis.parse("<p>x")
    assert len(Dragnet(weights=str(tmp_path / "part.npz")).score(page)) == 1
    with pytest.raises(WeightsError, match=r"no 'st.coefficients'"):
        Dragnet(features="st", weights=str(tmp_path / "part.npz")).score(page)


@pytest.mark.parametrize("token", ["class:nav", "src:nav", "nav", "class:\ud800"])
def test_tokens_of_no_attribute_or_twice_are_refused(token: str, tmp_path: Path) -> None:
    arrays = dict(load(path_of_shipped("dragnet"), method="dragnet", spec=SPEC).arrays)
    arrays["tokens"] = arrays["tokens"].copy()
    arrays["tokens"][:2] = "class:nav", token
    card = Card(method="dragnet", spec=SPEC, features=(), training_sets={})
    save(tmp_path / "odd.npz", arrays, card)
    with pytest.raises(WeightsError, match="a token twice, or one of another kind"):
        Dragnet(weights=str(tmp_path / "odd.npz")).score(tamis.parse("<p>x"))


def test_coefficients_for_another_number_of_features_are_refused(tmp_path: Path) -> None:
    arrays = dict(load(path_of_shipped("dragnet"), method="dragnet", spec=SPEC).arrays)
    arrays["st.coefficients"] = np.zeros(2)
    card = Card(method="dragnet", spec=SPEC, features=(), training_sets={})
    save(tmp_path / "short.npz", arrays, card)
    with pytest.raises(WeightsError, match="coefficients for 6 features"):
        Dragnet(features="st", weights=str(tmp_path / "short.npz")).score(tamis.parse("<p>x"))
