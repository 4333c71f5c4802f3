"""Reasons: that they are given in words, and that they are true of the model."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import pytest

import tamis
from tamis.decide.decision import NO_CUT, Decision
from tamis.describe import reasons as module
from tamis.describe.phrases import BlockPhrases
from tamis.describe.reasons import (
    FAMILIES,
    GIVEN,
    explain_blocks,
    find_family_columns,
    find_neutral,
)
from tamis.methods.tamis import Tamis
from tamis.model.features import element_hashes, spec
from tamis.model.features.batch import Batch
from tamis.model.features.token_weights import TokenTable
from tamis.options import Options
from tamis.page import tags

PAGE = """<!doctype html><html lang="en"><head><title>The ferry is quiet | Courier</title></head>
<body><nav class="main-menu"><ul><li><a href="/n">News</a></li><li><a href="/s">Sport</a></li>
<li><a href="/w">Weather today</a></li><li><a href="/t">Tides</a></li></ul></nav>
<main><article><h1>The ferry is quiet</h1>
<p>The first thing passengers notice about the new boat is what they cannot hear, and some of them,
to the surprise of the county, have begun to miss it.</p>
<p>When the county voted two years ago to replace its diesel ferries, hardly anyone on either shore
was pleased; a petition against the plan had more names than the two villages have people.</p>
<p>Six months on, the figures tell a different story: the boat missed nine sailings out of 5,840,
all of them in the January gales.</p></article></main>
<aside class="sidebar"><h3>Most read</h3><ul><li><a href="/1">Woman, 91, swims the harbour</a></li>
<li><a href="/2">Bakery fined for a loaf that was too large</a></li></ul></aside>
<footer class="site-footer"><a href="/p">Privacy</a> <p>Printed on the quay since 1887.</p></footer>
</body></html>"""


def explained(html: str = PAGE, options: Options | None = None) -> dict[str, module.Reason]:
    options = options or Options()
    result = tamis.extract(html, options=options)
    page = result.page
    explanations = explain_blocks(page, result.decision, options.make_method())
    return dict(zip(page.block_texts(np.arange(len(page.blocks))), explanations, strict=True))


def starting(explanations: Mapping[str, module.Reason], text: str) -> module.Reason:
    return next(reason for own, reason in explanations.items() if own.startswith(text))


def test_a_block_has_at_most_three_signals_the_strongest_first() -> None:
    for reason in explained().values():
        effects = [abs(signal.effect) for signal in reason.signals]
        assert 0 < len(effects) <= 3
        assert effects == sorted(effects, reverse=True)


def test_signals_are_told_in_words_on_the_side_they_are_on() -> None:
    explanations = explained()
    assert "100% of its words are links" in starting(explanations, "News").text
    assert starting(explanations, "News").text.startswith("Dropped: 0.0")
    story = starting(explanations, "When the county")
    assert story.decision.startswith("Kept: 0.9")
    assert story.because.startswith("For it: ")
    for reason in explanations.values():
        for side, sign in (("For it: ", 1), ("Against it: ", -1)):
            phrases = [signal.words for signal in reason.signals if sign * signal.effect > 0]
            assert (side in reason.because) == bool(phrases)
            assert all(phrase in reason.because for phrase in phrases)


def test_the_name_that_weighs_most_is_quoted() -> None:
    page = tamis.parse(
        '<body class="site"><div class="wide promo-box"><p>One<p id="x" class="lead">Two</div>'
    )
    own = np.array([[tags.ATTRIBUTE_ID["class"]], [0], [10]], np.intc)
    promo, _, lead, _ = element_hashes.read_tokens(b"promo lead", np.zeros(1, np.intc), own)[1]
    weights = {"token": np.array([promo, lead]), "weight": np.float32([[0, -2], [1, 0]])}
    nothing = np.zeros((2, len(spec.NAMES)), np.float32)
    phrases = BlockPhrases(
        Batch.from_pages([page]), nothing, nothing[0], TokenTable.from_arrays(weights)
    )
    assert phrases.write_phrase("names", 0, -1.0) == "class name “promo-box” on the path to it"
    assert phrases.write_phrase("names", 0, 1.0) == "no name of an element speaks against it"
    assert phrases.write_phrase("names", 1, 1.0) == "its class name “lead”"


@pytest.mark.parametrize("name", ["news-en", "news-th", "news-ar", "product-en", "forum-en"])
def test_without_the_named_signals_the_odds_move_as_claimed(
    name: str, sources: dict[str, bytes]
) -> None:
    page = tamis.parse(sources[name])
    model = Tamis().load_model()
    batch = Batch.from_pages([page])
    features = spec.make_table(batch, model.tokens)
    odds = model.forest.predict(features)
    usual, columns = find_neutral(model.forest), find_family_columns()
    signals = module.find_signals(batch, features, model)
    families = list(FAMILIES)
    # One signal alone: exactly as claimed.
    for block in range(0, len(odds), 7):
        for signal in signals[block]:
            row = features[block : block + 1].copy()
            own = columns[families.index(signal.name)]
            row[:, own] = usual[own]
            assert odds[block] - model.forest.predict(row)[0] == pytest.approx(signal.effect)
    # All of a block together: in the direction of their sum (`benchmarks/regions.py`: 99%).
    changed = features.copy()
    for block, own_signals in enumerate(signals):
        for signal in own_signals:
            own = columns[families.index(signal.name)]
            changed[block, own] = usual[own]
    moved = odds - model.forest.predict(changed)
    claimed = np.array([sum(signal.effect for signal in own) for own in signals])
    clear = np.abs(claimed) > 0.5
    assert np.mean(np.sign(moved[clear]) == np.sign(claimed[clear])) > 0.95


def test_every_feature_is_in_one_family_or_given_by_the_page() -> None:
    columns = np.concatenate(find_family_columns())
    assert len(columns) == len(set(columns.tolist()))
    left = {spec.NAMES[column] for column in set(range(len(spec.NAMES))) - set(columns.tolist())}
    assert left == {
        name for name in spec.NAMES if name.startswith("page.") or name in GIVEN.split()
    }


def test_a_block_of_neutral_values_is_undecided() -> None:
    forest = Tamis().load_model().forest
    assert abs(forest.predict(find_neutral(forest)[None])[0]) < 1.0


def test_what_an_option_decided_is_said_with_its_name() -> None:
    scores = np.array([0.1, 0.9, 0.8, 0.7])
    kept = np.array([True, False, True, True])
    switched = {
        "comments": np.array([True, False, False, False]),
        "tables": np.array([False, True, False, False]),
    }
    decision = Decision(scores, kept, cut=0.7, switched=switched)
    assert decision.chosen.tolist() == [False, True, True, True]
    verdicts = [sentence.split(":")[0] for sentence in module.write_verdicts(decision)]
    assert verdicts == [
        "Kept by the option comments",
        "Dropped by the option tables",
        "Kept",
        "Kept",
    ]


def test_a_page_with_nothing_to_extract_is_said_to_be_one() -> None:
    decision = Decision(np.array([0.4]), np.array([False]), NO_CUT)
    assert module.write_verdicts(decision) == [
        "Dropped: 0.40; the page looks like one with nothing to extract."
    ]


def test_a_threshold_is_the_cut() -> None:
    explanations = explained(options=Options(threshold=0.25))
    assert all("cut of 0.25" in reason.decision for reason in explanations.values())


@pytest.mark.parametrize("html", ["", "x", "<p>" * 3, "<div>" * 1500 + "a<br><br>" * 3000])
def test_any_page_has_one_reason_a_block(html: str) -> None:
    page = tamis.parse(html)
    scores = np.full(len(page.blocks), 0.5)
    decision = Decision(scores, scores > 0, cut=0.5)
    explanations = explain_blocks(page, decision, Tamis())
    assert len(explanations) == len(page.blocks)
    assert explanations == explain_blocks(page, decision, Tamis())


def test_of_very_many_blocks_the_first_are_explained(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MOST_BLOCKS", 2)
    explanations = list(explained().values())
    assert all(reason.signals for reason in explanations[:2])
    assert {reason.because for reason in explanations[2:]} == {
        "Only the first 2 blocks are explained."
    }


def test_a_block_that_the_blocks_around_it_moved_says_from_where_to_where(
    sources: Mapping[str, bytes],
) -> None:
    accounts = [reason.because for reason in tamis.extract(sources["docs-en"]).reasons]
    moved = [account for account in accounts if "By itself it has 0." in account]
    assert 0 < len(moved) < len(accounts)
