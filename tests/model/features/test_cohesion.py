"""Whether what a block says is said elsewhere in the likely content, too."""

from __future__ import annotations

import numpy as np

from tamis.model.features import cohesion, group_features
from tamis.model.features.batch import Batch
from tamis.model.features.vocabulary import read_vocabulary
from tamis.page.reader import parse
from tests.uncompiled import from_source

STORY = "".join(
    f"<p>The island ferry {word} the harbour at midday.</p>" for word in ("leaves", "reaches")
)
FEED = "".join(
    f"<div class=teaser><a href=/{word}>{word} wins again</a></div>"
    for word in ("football", "cricket", "tennis")
)
HTML = f"<title>The island ferry</title><div>{STORY}</div><div>{FEED}</div>"


def columns_of(html: str, chances: list[float]) -> dict[str, list[float]]:
    page = parse(html)
    groups = group_features.find_groups(Batch.from_pages([page]).columns)
    unit, family, section = (
        groups[place]
        for place in map(group_features.GROUP_NAMES.index, ("unit", "family", "section"))
    )
    out = np.zeros((len(cohesion.NAMES), len(chances)), np.float32)
    cohesion.write_page(read_vocabulary(page), unit, family, section, np.array(chances), out)
    return dict(zip(cohesion.NAMES, out.astype(float).round(3).tolist(), strict=True))


def test_a_story_shares_its_words_and_a_feed_does_not() -> None:
    columns = columns_of(HTML, [1.0] * 5)
    # Again, island, ferry, harbour and midday are in another block, leaves and reaches are not.
    assert columns["known"][:2] == [0.8, 0.8]
    assert columns["known"][2:] == [0.5] * 3
    assert columns["unit.known"][2:] == [0.5] * 3
    assert columns["family.known"][2:] == [0.0] * 3


def test_what_is_no_likely_content_vouches_for_nothing() -> None:
    columns = columns_of(HTML, [1.0, 0.0, 0.0, 0.0, 0.0])
    assert columns["known"] == [0.0, 0.8, 0.0, 0.0, 0.0]


def test_the_title_is_in_the_story() -> None:
    columns = columns_of(HTML, [1.0] * 5)
    assert columns["unit.title"] == [1.0, 1.0, 0.0, 0.0, 0.0]
    assert columns["family.title"] == [1.0, 1.0, 0.0, 0.0, 0.0]


def test_a_block_without_content_words_is_marked() -> None:
    assert columns_of("<p>12<p>at 9", [1.0, 1.0])["known"] == [-1.0] * 2


def test_it_runs_uncompiled_with_the_same_result() -> None:
    page = parse(HTML + "<p>One ferry and more …<p>The ferry, the ferry")
    groups = group_features.find_groups(Batch.from_pages([page]).columns)
    chances = np.linspace(0.1, 0.9, len(page.blocks))
    (slow, vocabulary) = from_source("model.features.cohesion", "model.features.vocabulary")
    made = []
    for module, words in ((cohesion, read_vocabulary(page)), (slow, vocabulary.Vocabulary(page))):
        out = np.zeros((len(cohesion.NAMES), len(page.blocks)), np.float32)
        module.write_page(words, *groups[4:6], groups[9], chances, out)
        made.append(out)
    assert (made[0] == made[1]).all()
