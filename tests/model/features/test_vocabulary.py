"""The content words of blocks, in every kind of script."""

from __future__ import annotations

import numpy as np
import pytest

from tamis.model.features.vocabulary import DESCRIPTION, TITLE, Vocabulary, read_vocabulary
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
