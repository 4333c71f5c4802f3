"""What went wrong, as a problem document of RFC 9457 with the message of the library."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from http import HTTPStatus
from typing import Any

from tamis import errors
from tamis.errors import LabelConflictError, TamisError
from tamis.web.download import FetchFailure

MEDIA_TYPE = "application/problem+json"

# Of what the library raises, the first that fits: its status and what rejects are counted as.
_STATUS: tuple[tuple[type[TamisError], int, str], ...] = (
    (errors.TooLargeError, 413, "too large"),
    (errors.LimitError, 422, "over a limit"),
    (errors.NotHtmlError, 415, "not html"),
    (errors.FetchError, 502, "not fetched"),
    (errors.CrashError, 500, "crash"),
    (errors.WeightsError, 500, "weights"),
    (errors.NotInProjectError, 404, "not in project"),
    (errors.LabelConflictError, 409, "conflict"),
    (errors.NotNowError, 409, "not now"),
    (errors.ProjectBusyError, 503, "project busy"),
    (errors.ProjectFullError, 507, "disk full"),
    (errors.ProjectError, 500, "project"),
    (TamisError, 422, "bad request"),
)
_FETCH_STATUS = {"private address": 403, "bad address": 422, "not html": 415}


# `/v1/extract` is ours: it is told apart by what is sent.
_FIRECRAWL = re.compile(
    "/v2/|/v1/(?:(?:scrape|batch/scrape|crawl|map|search|team|llmstxt|deep-research)(?:/|$)|extract/)"
)


def is_firecrawl(path: str) -> bool:
    """Whether only clients of Firecrawl ask for this path."""
    return _FIRECRAWL.match(path) is not None


@dataclass(eq=False)
class Problem(Exception):
    """An answer that is not a success."""

    status: int
    reason: str
    """What it is counted as: a few words without anything of the request."""
    detail: str
    headers: dict[str, str] = field(default_factory=dict)
    members: Mapping[str, Any] = field(default_factory=dict)
    """Of the document, besides those that all have."""

    def __str__(self) -> str:
        return self.detail

    def to_dict(self) -> dict[str, Any]:
        return {
            "type": f"urn:tamis:problem:{self.reason.replace(' ', '-')}",
            "title": HTTPStatus(self.status).phrase,
            "status": self.status,
            "detail": self.detail,
            **self.members,
        }

    def write(self, path: str) -> bytes:
        """Write the document; Firecrawl's clients look for two members of their own."""
        more = {"success": False, "error": self.detail} if is_firecrawl(path) else {}
        return as_json(self.to_dict() | more)


def make_unsupported(method: str, path: str) -> Problem:
    detail = (
        f"tamis does not support {method} {path[:200]}; of Firecrawl's calls it supports scrape and"
        " batch scrape (start, status, errors, cancel), in v1 and v2; see docs/how-to/service.md"
    )
    return Problem(501, "unsupported", detail, members={"success": False, "error": detail})


def make_problem(error: TamisError | Problem) -> Problem:
    if isinstance(error, Problem):
        return error
    if isinstance(error, FetchFailure):
        return Problem(_FETCH_STATUS.get(error.reason, 502), error.reason, str(error))
    status, reason = next(
        (status, reason) for kind, status, reason in _STATUS if isinstance(error, kind)
    )
    members = error.details if isinstance(error, LabelConflictError) else {}
    headers = {"Retry-After": "1"} if status == 503 else {}
    return Problem(status, reason, str(error), headers, members)


def as_json(value: Any) -> bytes:
    """Write JSON in UTF-8; half a character, which only an escape can write, becomes `?`."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "replace")
