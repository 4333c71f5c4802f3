"""The rows where authors and dates may stand, and that shortcuts to them miss nothing."""

from __future__ import annotations

import numpy as np
import pytest

from tamis.describe import candidates
from tamis.describe.authors import (
    _BEGINNINGS,
    _HINTED,
    _LOOKED_AT,
    _MAY_BE_NOISE,
    _NOISE,
    byline,
    names,
    starts_byline,
)
from tamis.describe.dates import day_in
from tamis.page.headline import _NO_LETTERS, letters
from tamis.page.read import parse


def test_the_nearest_short_texts_with_digits_come_first() -> None:
    random = np.random.default_rng(1)
    for _ in range(50):
        count = int(random.integers(0, 60))
        digits = random.integers(0, 25, count).astype(np.intc)
        words = random.integers(0, 20, count).astype(np.intc)
        block = np.sort(random.integers(0, 30, count)).astype(np.intc)
        also = random.random(count) < 0.1
        wanted = (digits >= 4) & (digits <= 20) & (words <= 15) | also
        texts = np.flatnonzero(wanted)
        away = block[texts] - 12
        order = np.where(away < 0, -3 * away, away).argsort(kind="stable")
        nearest = candidates.near_headline(digits, words, block, also.view(np.uint8), 12)
        assert nearest == texts[order][:20].tolist()


def test_every_text_that_begins_a_byline_may_begin_one() -> None:
    for text in (
        "by Ann",
        "By Ann",
        "WRITTEN by Ann",
        "par Ann",
        "Écrit par Ann",
        "作者：王",
    ):
        raw = text.encode()
        assert starts_byline(text)
        assert _BEGINNINGS[raw[0] << 8 | raw[1]]
    assert not _BEGINNINGS[ord("X") << 8 | ord("y")]


def test_hints_are_found_in_any_case_each_once_per_attribute() -> None:
    page = parse("<p class='Author author'><b id=x rel=author>A</b><i class='POSTED-by usernamE'>")
    rows = page.attribute_rows
    matches = candidates.with_hints(
        page.source, page.nodes.attributes, rows, 0, rows.shape[1], _LOOKED_AT, _HINTED
    )
    described = [
        (_HINTED[hint], page.tag_name(node), page.source[rows[1, row] : rows[2, row]])
        for hint, row, node in matches
    ]
    assert described == [
        (b"author", "p", b"Author author"),
        (b"author", "b", b"author"),
        (b"posted-by", "i", b"POSTED-by usernamE"),
        (b"username", "i", b"POSTED-by usernamE"),
    ]


@pytest.mark.parametrize("first", ["", "B", "<b>B</b>", "<i hidden>X</i>B", "&#66;", "\0B"])
def test_a_byline_in_pieces_begins_like_one_in_one_piece(first: str) -> None:
    head = "<h1>News</h1><p class=author>Site Staff Writers</p><p>" + "Word " * 40
    rest = "y Ann Lee" if first else "By Ann Lee"
    page = parse(f"{head}<p><span class=author>{first}{rest}</span>")
    assert byline(page, 0) == ["Ann Lee"]


def test_texts_without_a_sign_of_noise_have_none() -> None:
    for text in (
        "Ann (Bonn)",
        "Ann [1]",
        "Ann <a>",
        "https://a.b",
        "a@b.c",
        "@ann",
        "Ann - Post",
        "A – b",
    ):
        assert _NOISE.search(text)
        assert _MAY_BE_NOISE.search(text)


@pytest.mark.parametrize(
    "text", ["Ann Lee", "By Lee", "Ann And Bo", "Ann Und", "Von Trapp", "Staff Writer"]
)
def test_a_plain_name_is_read_like_any_other(text: str) -> None:
    # A mark at the end takes the long way.
    assert names(text) == names(text + ",")


def test_letters_of_ascii_are_those_of_any_text() -> None:
    text = "".join(map(chr, range(128)))
    assert letters(text) == _NO_LETTERS.sub("", text.casefold())


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("2023-05-17", "2023-05-17"),
        ("on 17.05.2023", "2023-05-17"),
        ("1.17.05.2023", ""),
        ("20230517", "2023-05-17"),
        ("17th of May 2023", "2023-05-17"),
        ("May 17, 2023", "2023-05-17"),
        ("May 17 '23", "2023-05-17"),
        ("17-May-23", "2023-05-17"),
        ("2023. május 17", "2023-05-17"),
        ("Room 17, 2023-05-17", ""),
        ("xMay 17, 2023", ""),
    ],
)
def test_days_are_read_in_all_spellings(text: str, day: str) -> None:
    assert day_in(text, month_first=False)[0] == day
