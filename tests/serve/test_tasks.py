"""Answers of workers, without their processes."""

from __future__ import annotations

import json

import pytest

from tamis.errors import FetchError, TamisError, TooMuchOutputError
from tamis.options import Options
from tamis.serve.tasks import TASKS, Answer, Question, SentPage, make_worker

PAGE = SentPage(b"<p>A tamis is a sieve with a fine mesh of silk.", None, "text/html")
DETAILS = {"formats": ["text"], "chunks": {}}


def test_an_answer_may_be_as_large_as_the_limit() -> None:
    Answer(most=10).check_size(10)
    with pytest.raises(TooMuchOutputError, match="more than 10 bytes"):
        Answer(most=10).check_size(11)


def test_an_object_is_written_member_by_member_up_to_the_limit() -> None:
    members = [("a", 1), ("b", "two")]
    written = Answer().write_object(members)
    assert written == b'{"a":1,"b":"two"}'
    assert Answer(most=len(written) - 1).write_object(members) == written
    with pytest.raises(TooMuchOutputError):
        Answer(most=len(written) - 1).write_object(members, before=1)
    with pytest.raises(TooMuchOutputError):
        Answer(most=4).write_object([("a", 1), ("b", pytest.fail)])


def test_times_of_the_same_part_add_up() -> None:
    answer = Answer()
    with answer.measure_time("extract"):
        pass
    first = answer.seconds["extract"]
    with answer.measure_time("extract"):
        sum(range(10_000))
    assert answer.seconds["extract"] > first


def test_a_worker_answers_questions_and_gives_back_errors() -> None:
    ask = make_worker(1 << 20)
    answer = ask(Question("extract", [PAGE], Options(), DETAILS))
    assert isinstance(answer, Answer)
    assert json.loads(answer.body)["text"].startswith("A tamis is a sieve")
    assert answer.seconds.keys() == {"extract", "render"}
    failed = FetchError("no answer")
    assert ask(Question("extract", [failed], Options(), DETAILS)) is failed
    small = make_worker(20)(Question("extract", [PAGE], Options(), DETAILS))
    assert isinstance(small, TooMuchOutputError)


def test_a_site_is_answered_with_an_error_in_the_place_of_a_page() -> None:
    pages: list[SentPage | TamisError] = [
        SentPage(f"<p>Menu, imprint.<p>{story}".encode(), None, "text/html")
        for story in ("Rain floods forty cellars.", "A choir wins silver.", "The bakery closes.")
    ]
    pages.insert(1, FetchError("no answer"))
    answer = Answer()
    options = Options(method="x_cex")
    TASKS["site"](Question("site", pages, options, {**DETAILS, "model": False}), answer)
    written = json.loads(answer.body)
    assert [*map(bool, map(dict.get, written["results"], ["error"] * 4))] == [
        *(False, True, False, False)
    ]
    assert (written["site"]["pages"], written["site"]["skipped"]) == (3, 1)
    assert written["model"] is None
