"""Passages that are there twice."""

from __future__ import annotations

from tamis.decide.steps.repeated_passages import Passages, share_of_runs

FIRST = "The old ferry left the harbour on Monday with forty passengers and a brass band on board."
SECOND = "She passed the lighthouse at noon, and the keeper waved with both arms as she went by."


def doubles(*texts: str) -> list[bool]:
    return Passages(texts).find_doubles(0, len(texts))


def test_of_text_and_html_the_html_stays() -> None:
    markup = f"<p>{FIRST.replace('old ferry', '<a href=/ferry>old <b>f</b>erry</a>')}</p>"
    assert doubles(FIRST, markup, SECOND) == [True, False, False]


def test_a_summary_inside_the_body_is_a_double() -> None:
    assert doubles(FIRST, f"{FIRST} {SECOND}") == [True, False]


def test_pieces_of_a_sentence_that_is_there_whole_are_doubles() -> None:
    pieces = ("The old", "ferry", "left the harbour on Monday with forty", "passengers and")
    assert doubles(*pieces, FIRST) == [True, True, True, True, False]
    assert doubles(*pieces) == [False, False, False, False]


def test_short_texts_that_come_again_elsewhere_are_no_doubles() -> None:
    assert doubles("Good to know", FIRST, "Good to know", SECOND) == [False] * 4


def test_a_text_that_shares_a_clause_is_no_double() -> None:
    assert doubles(FIRST, "On Monday with forty passengers and a cold.") == [False, False]


def test_scripts_without_spaces_are_compared_by_characters() -> None:
    body = "渡し船は正午に川を渡る。乗客は四十人と吹奏楽団だった。"
    assert doubles(body[:12], body) == [True, False]


def test_the_distinct_part_of_some_texts_does_not_count_what_is_elsewhere() -> None:
    passages = Passages([FIRST, SECOND, FIRST, FIRST])
    assert passages.measure_distinct(1, 3) == 1
    assert 0.3 < passages.measure_distinct(0, 4) < 0.8
    assert Passages([]).measure_distinct(0, 0) == 1


def test_the_shared_part_of_a_text_is_that_of_its_runs_of_words() -> None:
    assert share_of_runs(f"<p>{FIRST}</p>", f"Menu {FIRST} {SECOND}") == 1
    assert share_of_runs(FIRST, SECOND) == share_of_runs("", FIRST) == 0
