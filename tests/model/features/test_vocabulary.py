"""The content words of blocks in every script, and whether the rest of the page has them, too."""

from __future__ import annotations

import numpy as np
import pytest

from tamis.model.features import group_features, vocabulary
from tamis.model.features.batch import Batch
from tamis.model.features.vocabulary import (
    COHESION,
    DESCRIPTION,
    TITLE,
    Vocabulary,
    read_vocabulary,
    write_cohesion,
)
from tamis.page.reader import parse
from tests.uncompiled import from_source


def words_of(html: str) -> list[list[int]]:
    """The numbers of the words of each block."""
    page = parse(html)
    vocabulary = read_vocabulary(page)
    first, words = np.asarray(vocabulary.first_word), np.asarray(vocabulary.words)
    return [words[first[block] : first[block + 1]].tolist() for block in range(len(page.blocks))]


def test_a_content_word_has_five_letters_and_no_case() -> None:
    assert words_of("<p>The ferry left at noon<p>A FERRY and another Ferry") == [[0], [0, 1, 0]]


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("渡船中午开", 4),  # pairs of neighbouring characters
        ("渡船 中午", 2),  # none across a space
        ("フェリー", 3),
        ("เรือข้าม", 7),
        ("여객선은 정오에", 2),
        ("العبارة تغادر", 2),
        ("המעבורת", 1),
        ("Паром ушёл в полдень", 2),
        ("a b c 12 noon", 0),
        ("caf&eacute; ferries", 1),
    ],
)
def test_every_script_has_content_words(text: str, count: int) -> None:
    (words,) = words_of(f"<p>{text}")
    assert len(words) == count


def test_the_title_and_the_description_mark_their_words() -> None:
    page = parse(
        "<title>The ferry timetable</title><meta name=description content='Island timetable'>"
        "<p>timetable of the island ferry and others"
    )
    vocabulary = Vocabulary(page)
    first, words = np.asarray(vocabulary.first_word), np.asarray(vocabulary.words)
    declared = np.asarray(vocabulary.declared)[words[first[0] : first[1]]]
    assert declared.tolist() == [TITLE | DESCRIPTION, DESCRIPTION, TITLE, 0]
    assert (vocabulary.title_count, vocabulary.description_count) == (2, 2)


@pytest.mark.parametrize(
    ("text", "is_open"),
    [
        ("The ferry left …", 1),
        ("The ferry left...", 1),
        ("The ferry left [&hellip;]", 1),
        ("The ferry left [...] ", 1),
        ("The ferry left.", 0),
        ("Salt &amp; pepper;", 0),
    ],
)
def test_a_block_may_end_in_an_ellipsis(text: str, is_open: int) -> None:
    page = parse(f"<p>{text}</p><p>more of it")
    assert np.asarray(read_vocabulary(page).ends_open).tolist() == [is_open, 0]


def test_words_without_spaces_between_them_stay_within_the_room() -> None:
    joined = "-".join(f"{chr(97 + n % 26) * 5}{chr(97 + n // 26) * 5}" for n in range(600))
    page = parse(f"<title>ferry</title><meta name=description content='harbour'><p>{joined}")
    vocabulary = Vocabulary(page)
    first = np.asarray(vocabulary.first_word)
    assert 0 < first[-1] <= len(vocabulary.words) < 600
    assert vocabulary.count <= len(vocabulary.declared)


def test_hidden_text_counts_where_all_of_a_block_is_hidden() -> None:
    html = "<p>ferry <span hidden>timetable</span></p><p hidden>harbour</p>"
    assert [len(words) for words in words_of(html)] == [1, 1]


def test_it_runs_uncompiled_with_the_same_result() -> None:
    (slow,) = from_source("model.features.vocabulary")
    page = parse("<title>Ferry, 渡船中午</title><p>The ferry &amp; 渡船 left …<p>เรือข้าม ferry")
    fast, own = Vocabulary(page), slow.Vocabulary(page)
    for name in ("words", "first_word", "declared", "ends_open"):
        both = [np.asarray(getattr(each, name)).tolist() for each in (fast, own)]
        end = fast.first_word[-1] if name == "words" else len(both[0])
        assert both[0][:end] == both[1][:end], name


# Cohesion

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
    out = np.zeros((len(COHESION), len(chances)), np.float32)
    write_cohesion(read_vocabulary(page), unit, family, section, np.array(chances), out)
    return dict(zip(COHESION, out.astype(float).round(3).tolist(), strict=True))


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


def test_cohesion_runs_uncompiled_with_the_same_result() -> None:
    page = parse(HTML + "<p>One ferry and more …<p>The ferry, the ferry")
    groups = group_features.find_groups(Batch.from_pages([page]).columns)
    chances = np.linspace(0.1, 0.9, len(page.blocks))
    (slow,) = from_source("model.features.vocabulary")
    made = []
    for module, words in ((vocabulary, read_vocabulary(page)), (slow, slow.Vocabulary(page))):
        out = np.zeros((len(COHESION), len(page.blocks)), np.float32)
        module.write_cohesion(words, *groups[4:6], groups[9], chances, out)
        made.append(out)
    assert (made[0] == made[1]).all()
