"""Training of the joint decision, on a few generated sites and with a few small trees."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from tests.site.pages import article, front
from training import site_corrections as site
from training.folds import FOLDS
from training.reading import labelled_pages

from tamis.labels.datasets import Example
from tamis.methods.tamis import Tamis
from tamis.model.weights.load import load, path_of_shipped
from tamis.site.joint import FEWEST_PAGES, NAMES, VERSION

SITES = 12


@pytest.fixture(autouse=True)
def _small(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(site, "TREES", 3)
    small = {"num_leaves": 4, "min_data_in_leaf": 5, "num_threads": 1}
    monkeypatch.setattr(site, "PARAMETERS", {**site.PARAMETERS, **small})


def examples() -> list[Example]:
    pages = []
    for number in range(SITES):
        for page in range(1 + number % 6):
            html = article(10 * number + page)
            gold = " ".join(line for line in html.split("<p>") if line.count(" ") > 30)
            name = f"site{number}.example"
            pages.append(
                Example(id=f"{name}-{page}", dataset="made", html=html, text=gold, site=name)
            )
    return pages


@pytest.fixture
def pages() -> list[site.Neighbour]:
    return list(site.neighbours(labelled_pages(examples()), [Tamis()] * FOLDS))


def test_only_sites_with_enough_pages_are_learned_from(pages: list[site.Neighbour]) -> None:
    assert pages
    assert all(page.values is not None for page in pages)
    assert {page.source.site for page in pages} == {
        f"site{number}.example" for number in range(SITES) if number % 6 >= FEWEST_PAGES
    }


def test_each_fold_has_a_forest_that_did_not_see_it(pages: list[site.Neighbour]) -> None:
    forest, forests = site.train(pages)
    assert len(forests) == FOLDS
    values = pages[0].values
    assert values is not None
    assert np.isfinite(forest.predict(values)).all()


def test_the_same_seed_gives_the_same_forest(pages: list[site.Neighbour]) -> None:
    first, second = (site.train(pages, seed=3)[0].to_arrays() for _ in range(2))
    assert all(np.array_equal(first[name], second[name]) for name in first)


def test_pages_without_evidence_are_measured_and_not_learned_from() -> None:
    mixed = [
        Example(id=str(number), dataset="made", html=html, text="some words", site="a.example")
        for number, html in enumerate((*map(article, range(4)), front()))
    ]
    methods = [Tamis()] * FOLDS
    alone = list(site.neighbours(labelled_pages(mixed), methods))
    assert any(page.values is None for page in alone)
    _, forests = site.train([*alone, *site.neighbours(labelled_pages(examples()), methods)])
    wrong = list(site.measure_pages(alone, methods, forests))
    assert len(wrong) == 5
    assert wrong[4].alone == wrong[4].together


def test_a_run_writes_weights_with_a_card(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(site, "read", lambda paths, say: labelled_pages(examples()))
    monkeypatch.setattr(site, "load_methods", lambda folder: [Tamis()] * FOLDS)
    figures = site.run([Path("made.jsonl")], tmp_path / "site-1.npz", folds=tmp_path)
    card = json.loads((tmp_path / "site-1.json").read_text("utf-8"))
    assert card["measures"] == figures
    assert tuple(load(tmp_path / "site-1.npz", method="site", spec=VERSION).card.features) == NAMES


def test_the_shipped_weights_are_of_this_version_and_of_sets_that_allow_it() -> None:
    card = load(path_of_shipped("site"), method="site", spec=VERSION).card
    assert tuple(card.features) == NAMES
    assert set(card.training_sets) == {"wcxb-dev", "records"}
