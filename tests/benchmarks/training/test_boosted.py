"""Training of the default method, on a few generated pages and with a few small trees."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from training import boosted, corpus
from training.boosted import (
    Stage,
    Trained,
    TrainingTable,
    calibration,
    expected_calibration_error,
    train,
)
from training.folds import FOLDS, fold_of
from training.reading import labelled_pages

import tamis
from tamis.labels.datasets import Example
from tamis.methods.tamis import NOTHING, Tamis
from tamis.model.features import spec
from tamis.model.features.token_weights import TokenTable
from tamis.model.weights.load import Card, load, save
from tamis.train import block_table
from tamis.train import labelled_pages as labels
from tamis.train.block_table import TrainingPage
from tamis.train.weights import forest_of

PAGES = 30
SITES = 10
WORDS = "ferry harbour morning fog hills cape sound people bridge winter storm river field".split()


def sentence(random: np.random.Generator, words: int) -> str:
    return " ".join(random.choice(WORDS, words)).capitalize() + "."


def example(number: int) -> Example:
    """A page with a menu, a story and a footer, on one of ten sites."""
    random = np.random.default_rng(number)
    story = [sentence(random, int(random.integers(15, 60))) for _ in range(random.integers(3, 8))]
    menu = "".join(f'<li class="item"><a href="/{n}">Part {n}</a></li>' for n in range(12))
    teasers = "".join(
        f'<div class="teaser"><a href="/{n}">{sentence(random, 6)}</a></div>' for n in range(6)
    )
    title = sentence(random, 5)
    html = (
        f"<title>{title}</title><nav class='menu'><ul>{menu}</ul></nav><div class='content'>"
        f"<h1>{title}</h1>{''.join(f'<p>{text}</p>' for text in story)}</div>"
        f"<aside class='related'>{teasers}</aside><footer class='footer'><p>Imprint and terms</p>"
    )
    return Example(
        id=str(number),
        dataset="made",
        html=html,
        text="\n".join((title, *story)),
        site=f"www.site{number % SITES}.example",
    )


@pytest.fixture(scope="module")
def small() -> Iterator[None]:
    """Few and small trees, few refusals."""
    with pytest.MonkeyPatch.context() as patch:
        few = Stage(10, {"min_data_in_leaf": 5, "learning_rate": 0.3, "num_threads": 1})
        patch.setattr(boosted, "FIRST", few)
        patch.setattr(boosted, "SECOND", few)
        patch.setattr(corpus, "_REFUSALS", 20)
        yield


@pytest.fixture(scope="module")
def samples() -> list[TrainingPage]:
    return list(corpus.samples(labelled_pages(example(number) for number in range(PAGES))))


@pytest.fixture(scope="module")
def whole(samples: list[TrainingPage]) -> TrainingTable:
    return TrainingTable(samples)


@pytest.fixture(scope="module")
def messages() -> list[str]:
    """What the training printed about its progress."""
    return []


@pytest.fixture(scope="module")
def trained(small: None, whole: TrainingTable, messages: list[str]) -> Trained:
    return train(whole, list(corpus.refusals()), say=messages.append)


def saved(folder: Path, arrays: boosted.Arrays) -> Tamis:
    path = folder / "made.npz"
    card = Card(method="tamis", spec=spec.VERSION, features=spec.NAMES, training_sets={})
    save(path, arrays, card)
    return Tamis(weights=str(path))


# Folds


def test_the_fold_of_a_site_is_always_the_same() -> None:
    assert [fold_of(f"site{number}.example") for number in range(8)] == [4, 4, 3, 0, 4, 1, 2, 0]


@pytest.mark.parametrize(
    "hosts",
    [
        (
            "example.com",
            "www.example.com",
            "blog.example.com",
            "a.b.example.com",
            "WWW.Example.com",
        ),
        ("example.co.uk", "www.example.co.uk", "news.example.co.uk"),
        ("example.com.au", "shop.example.com.au"),
        ("beispiel.de", "www.beispiel.de", "m.beispiel.de"),
        ("taz.de", "www.taz.de", "blogs.taz.de"),
    ],
    ids=lambda hosts: hosts[0],
)
def test_the_hosts_of_a_domain_are_in_one_fold(hosts: tuple[str, ...]) -> None:
    assert len({fold_of(host) for host in hosts}) == 1


def test_different_domains_below_a_common_ending_are_spread_over_all_folds() -> None:
    for ending in ("com", "co.uk", "example"):
        folds = [fold_of(f"www.site{number}.{ending}") for number in range(200)]
        assert np.bincount(folds, minlength=FOLDS).min() > 20


# The corpus


def test_rows_of_pages_follow_each_other(samples: list[TrainingPage], whole: TrainingTable) -> None:
    assert len(whole) == sum(len(page.words) for page in samples)
    for number, page in enumerate(samples):
        np.testing.assert_array_equal(whole.labels[whole.rows(number)], page.labels)
        np.testing.assert_array_equal(whole.words[whole.rows(number)], page.words)
        assert set(whole.fold[whole.rows(number)]) == {fold_of(page.site)}


def test_nothing_is_learned_from_blocks_of_which_nothing_is_known(
    samples: list[TrainingPage],
) -> None:
    unknown = replace(samples[0], labels=np.full(len(samples[0].labels), np.nan))
    made = TrainingTable([unknown, *samples[1:]])
    assert not made.learned[made.rows(0)].any()
    assert made.learned[made.rows(1)].all()


def test_a_long_page_is_learned_from_in_part(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(block_table, "MOST_BLOCKS", 10)
    html = "<p>One two three.</p>" * 500
    long = Example(id="1", dataset="made", html=html, text="One two three." * 500, site="a.example")
    made = TrainingTable(list(corpus.samples(labelled_pages([long])))[:1])
    assert 0 < made.learned.sum() < 40


# Tokens


def same(first: TokenTable, second: TokenTable) -> bool:
    ours, theirs = first.to_arrays(), second.to_arrays()
    return all(np.array_equal(ours[name], theirs[name]) for name in ours)


@pytest.mark.parametrize("fold", sorted({fold_of(f"site{n}.example") for n in range(SITES)}))
def test_tokens_without_a_fold_do_not_depend_on_its_labels(
    fold: int, samples: list[TrainingPage], whole: TrainingTable
) -> None:
    changed = TrainingTable(
        [
            replace(page, labels=1 - page.labels) if fold_of(page.site) == fold else page
            for page in samples
        ]
    )
    without = frozenset((fold, (fold + 1) % FOLDS))
    assert same(whole.token_table(without), changed.token_table(without))
    another = frozenset(((fold + 1) % FOLDS,))
    assert not same(whole.token_table(another), changed.token_table(another))


def test_tokens_of_few_sites_are_not_learned(samples: list[TrainingPage]) -> None:
    assert len(TrainingTable(samples).token_table()) > 5
    two_sites = [page for page in samples if page.site in (samples[0].site, samples[1].site)]
    assert len(TrainingTable(two_sites).token_table()) == 0


# Training


def test_trained_weights_distinguish_content_from_the_rest(
    trained: Trained, tmp_path: Path
) -> None:
    method = saved(tmp_path, trained.arrays)
    new = example(PAGES + 1)
    page = tamis.parse(new.html)
    known = labels.label_content(page, new)
    scores = method.score(page)
    assert scores[known > 0.5].mean() > scores[known < 0.5].mean() + 0.3
    result = tamis.extract(new.html, options=tamis.Options(parameters={"weights": method.weights}))
    assert new.text is not None
    assert new.text.split("\n")[-1] in result.text
    assert "Imprint" not in result.text


def test_trained_weights_load_and_have_the_parts_of_the_method(
    trained: Trained, tmp_path: Path
) -> None:
    for arrays in (trained.arrays, *trained.folds):
        stored = load(saved(tmp_path, arrays).weights, method="tamis", spec=spec.VERSION)
        assert set(stored.arrays) == set(arrays)
        assert stored.arrays["nothing"].shape == (len(NOTHING) + 1,)
        page = tamis.parse("<p>A page.")
        assert len(saved(tmp_path, arrays).score(page)) == 1
    assert len(trained.folds) == FOLDS


def test_the_probabilities_of_a_page_are_those_of_the_weights_of_its_fold(
    trained: Trained, whole: TrainingTable, tmp_path: Path
) -> None:
    for number in range(8):
        source = example(number)
        assert source.site is not None
        method = saved(tmp_path, trained.folds[fold_of(source.site)])
        scores = method.score(tamis.parse(source.html))
        np.testing.assert_allclose(scores, trained.probabilities[whole.rows(number)], atol=1e-6)


def test_a_seed_always_gives_the_same_weights(
    trained: Trained, whole: TrainingTable, small: None
) -> None:
    again = train(whole, list(corpus.refusals()))
    assert set(again.arrays) == set(trained.arrays)
    for name, values in trained.arrays.items():
        np.testing.assert_array_equal(again.arrays[name], values)


def test_another_seed_gives_other_trees(whole: TrainingTable, small: None) -> None:
    table = whole.table(np.zeros((len(whole), len(spec.GROUPS["tokens"])), np.float32))
    boosters = (whole.boosted(table, (0,), seed, boosted.FIRST) for seed in (0, 1))
    first, second = (forest_of(booster).to_arrays() for booster in boosters)
    assert not np.array_equal(first["value"], second["value"])


@pytest.mark.usefixtures("trained")
def test_progress_is_printed(messages: list[str]) -> None:
    assert len(messages) > FOLDS
    assert all(messages)


# Calibration


def test_the_calibration_curve_rises(trained: Trained) -> None:
    for arrays in (trained.arrays, *trained.folds):
        odds, probability = arrays["calibration.odds"], arrays["calibration.probability"]
        assert (np.diff(odds) > 0).all()
        assert (np.diff(probability) >= 0).all()
        assert 0 <= probability[0] <= probability[-1] <= 1


def test_the_calibration_curve_says_the_share_of_content(whole: TrainingTable) -> None:
    random = np.random.default_rng(1)
    odds = np.where(whole.labels > 0.5, 1.0, -1.0) + random.normal(0, 1e-3, len(whole))
    curve = calibration(whole, odds, np.ones(len(whole), bool))
    predicted = np.interp([-1.0, 1.0], curve["odds"], curve["probability"])
    np.testing.assert_allclose(predicted, [0, 1], atol=0.05)
    upside_down = calibration(whole, -odds, np.ones(len(whole), bool))
    assert (np.diff(upside_down["probability"]) >= 0).all()
    share = np.average(whole.labels, weights=whole.weight)
    middle = np.interp([-1.0, 1.0], upside_down["odds"], upside_down["probability"])
    np.testing.assert_allclose(middle, share, atol=0.05)


def test_the_calibration_error_is_the_mean_difference_by_words() -> None:
    def error(predicted: list[float], true: list[float], words: list[float]) -> float:
        return expected_calibration_error(np.array(predicted), np.array(true), np.array(words))

    assert error([0, 1], [0, 1], [5, 7]) == 0
    assert error([1, 0], [0, 1], [5, 7]) == 1
    assert error([0.5, 0.5], [0, 1], [10, 10]) == pytest.approx(0)
    assert error([0.25, 0.25], [0, 1], [10, 10]) == pytest.approx(0.25)
    # 30 words are 0.2 off and 10 are right.
    assert error([0.8, 0.0], [1, 0], [30, 10]) == pytest.approx(0.15)
    # In two bins, too high and too low do not make up for each other.
    assert error([0.35, 0.65], [0.45, 0.55], [10, 10]) == pytest.approx(0.1)
    assert error([0.8, 0.3], [1, np.nan], [10, 99]) == pytest.approx(0.2)
