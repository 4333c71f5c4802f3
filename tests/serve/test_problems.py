"""Errors as problem documents."""

from __future__ import annotations

import json

import pytest

from tamis import errors
from tamis.serve.problems import Problem, as_json, is_firecrawl, make_problem


@pytest.mark.parametrize(
    ("error", "status", "reason"),
    [
        (errors.TooLargeError("x"), 413, "too large"),
        (errors.DeadlineError("x"), 422, "over a limit"),
        (errors.NotHtmlError("x"), 415, "not html"),
        (errors.FetchError("x"), 502, "not fetched"),
        (errors.CrashError("x"), 500, "crash"),
        (errors.NotInProjectError("x"), 404, "not in project"),
        (errors.NotNowError("x"), 409, "not now"),
        (errors.OptionsError("x"), 422, "bad request"),
    ],
)
def test_an_error_of_the_library_has_a_status_and_a_reason(
    error: errors.TamisError, status: int, reason: str
) -> None:
    problem = make_problem(error)
    assert (problem.status, problem.reason, str(problem)) == (status, reason, "x")
    assert problem.headers == {}


def test_a_busy_project_says_when_to_try_again() -> None:
    problem = make_problem(errors.ProjectBusyError("x"))
    assert (problem.status, problem.headers) == (503, {"Retry-After": "1"})


def test_a_conflict_carries_what_is_there_now() -> None:
    problem = make_problem(errors.LabelConflictError("x", {"version": 3}))
    assert (problem.status, problem.to_dict()["version"]) == (409, 3)


@pytest.mark.parametrize(
    ("path", "theirs"),
    [
        ("/v2/anything", True),
        ("/v1/scrape", True),
        ("/v1/batch/scrape/x", True),
        ("/v1/crawl", True),
        ("/v1/extract/x", True),
        ("/v1/extract", False),
        ("/v1/scraper", False),
        ("/v1/batch", False),
        ("/v1/project/pages", False),
        ("/r/https://example.org/v2/", False),
    ],
)
def test_firecrawl_clients_get_two_members_of_their_own(path: str, theirs: bool) -> None:
    assert is_firecrawl(path) == theirs
    written = json.loads(Problem(404, "no such job", "no job").write(path))
    assert written["type"] == "urn:tamis:problem:no-such-job"
    assert (written["title"], written["status"], written["detail"]) == ("Not Found", 404, "no job")
    assert ("success" in written) == ("error" in written) == theirs


def test_half_a_character_does_not_break_the_json() -> None:
    assert as_json({"a": "\ud800", "b": "é"}) == '{"a":"?","b":"é"}'.encode()
