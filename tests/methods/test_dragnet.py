"""Dragnet: three feature sets in one model."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import tamis
from tamis.errors import MethodError, WeightsError
from tamis.methods.dragnet import NAMES, SPEC, Dragnet, columns_of, units_of
from tamis.model.weights.load import Card, load, save, shipped

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


@pytest.mark.parametrize("features", ["", "xx", "st+", "st+st", "st,ic"])
def test_an_unknown_mix_is_refused(features: str) -> None:
    with pytest.raises(MethodError, match="features is a mix of st, ic, cetr"):
        tamis.extract("<p>x", method="dragnet", parameters={"features": features})


def test_weights_without_the_mix_are_refused(tmp_path: Path) -> None:
    arrays = dict(load(shipped("dragnet"), method="dragnet", spec=SPEC).arrays)
    del arrays["st.coefficients"]
    card = Card(method="dragnet", spec=SPEC, features=(), training_sets={})
    save(tmp_path / "part.npz", arrays, card)
    page = tamis.parse("<p>x")
    assert len(Dragnet(weights=str(tmp_path / "part.npz")).score(page)) == 1
    with pytest.raises(WeightsError, match=r"no 'st.coefficients'"):
        Dragnet(features="st", weights=str(tmp_path / "part.npz")).score(page)


@pytest.mark.parametrize("token", ["class:nav", "src:nav", "nav", "class:\ud800"])
def test_tokens_of_no_attribute_or_twice_are_refused(token: str, tmp_path: Path) -> None:
    arrays = dict(load(shipped("dragnet"), method="dragnet", spec=SPEC).arrays)
    arrays["tokens"] = arrays["tokens"].copy()
    arrays["tokens"][:2] = "class:nav", token
    card = Card(method="dragnet", spec=SPEC, features=(), training_sets={})
    save(tmp_path / "odd.npz", arrays, card)
    with pytest.raises(WeightsError, match="a token twice, or one of another kind"):
        Dragnet(weights=str(tmp_path / "odd.npz")).score(tamis.parse("<p>x"))


def test_coefficients_for_another_number_of_features_are_refused(tmp_path: Path) -> None:
    arrays = dict(load(shipped("dragnet"), method="dragnet", spec=SPEC).arrays)
    arrays["st.coefficients"] = np.zeros(2)
    card = Card(method="dragnet", spec=SPEC, features=(), training_sets={})
    save(tmp_path / "short.npz", arrays, card)
    with pytest.raises(WeightsError, match="coefficients for 6 features"):
        Dragnet(features="st", weights=str(tmp_path / "short.npz")).score(tamis.parse("<p>x"))
