"""Teaching in a real browser: too few pages, the report, accepting and going back."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.browser.window import Window
from tests.serve.page.labelling import add_pages, label_by_api
from tests.serve.page.opening import Opened, violations

REPORT = {
    "start": "shipped", "pages": 12, "sites": 6, "by_site": True, "before": 0.9, "after": 0.91,
    "gain": 0.01, "low": -0.01, "high": 0.03, "sure": 0.8, "strength": 0.5, "better": True,
    "worse": [{"id": "day-2", "page": 1, "before": 0.58, "after": 0.47}],
    "curve": [{"pages": 5, "gain": 0.004}], "warnings": ["the gain may be chance"],
}  # fmt: skip
TEACHING = {"state": "done", "share": 1, "text": "", "error": None, "weights": "taught-1"}
PROJECT = {
    "name": "mine", "pages": 12, "labelled": 12, "skipped": 0, "left": 0, "accepted": None,
    "weights": [{
        "name": "taught-1", "created": "2026-11-16T17:00:00Z", "before": 0.9, "after": 0.91,
        "sure": 0.8, "pages": 12, "accepted": False,
    }],
}  # fmt: skip


@pytest.fixture
def project(serve: Any, tmp_path: Path) -> Iterator[Any]:
    """A service with a project of eight pages."""
    with serve(project=str(tmp_path / "mine")) as service:
        service.pages = add_pages(service.client)
        yield service


def shown(opened: Opened, project: Any, **teaching: Any) -> Window:
    """The view with what a service says of a teaching."""
    window = opened(project.address)
    answer = {**PROJECT, "teaching": {**TEACHING, **teaching}}
    window.refuse("*/v1/project", 200, answer)
    window.click("@tab-teach")
    window.see("@teach-start")
    return window


def test_too_few_pages_say_how_many_more(opened: Opened, project: Any) -> None:
    window = opened(project.address, "/#/teach")
    window.see(".few", "Label 2 more pages")
    assert window.value("document.querySelector('[data-test=teach-start]').disabled")
    for number in project.pages[:2]:
        label_by_api(project.client, number)
    window.reload()
    window.see(".few", "label 8 more")
    assert not window.value("document.querySelector('[data-test=teach-start]').disabled")


def test_weights_are_taught_accepted_downloaded_and_given_up(
    opened: Opened, project: Any, tmp_path: Path, axe: str
) -> None:
    for number in project.pages:
        label_by_api(project.client, number)
    window = opened(project.address, "/#/teach")
    window.click("@teach-start")
    window.see("@teach-report", "Yes.", seconds=300)
    window.see("@teach-report", "What more pages bring")
    window.click("@teach-accept")
    window.see("@teach-accept", "In use")
    assert violations(window, axe) == []
    assert project.get("/v1/project").json()["accepted"] == "taught-1"
    window.keep_downloads(tmp_path)
    window.click("@teach-download")
    file = tmp_path / "taught-1.npz"
    window.until(file.exists, "the file")
    window.click("@teach-shipped")
    window.see("@teach-accept", "use these weights")
    assert project.get("/v1/project").json()["accepted"] is None
    window.reload()
    window.see("@teach-report", "Yes.")


def test_a_teaching_can_be_stopped(opened: Opened, project: Any) -> None:
    for number in project.pages:
        label_by_api(project.client, number)
    window = opened(project.address, "/#/teach")
    window.click("@teach-start")
    window.click("@teach-cancel")
    window.see(".teach-failed", "Nothing was changed")
    assert project.get("/v1/project").json()["weights"] == []


def test_a_gain_that_may_be_chance_is_called_so(opened: Opened, project: Any) -> None:
    window = shown(opened, project, report=REPORT)
    window.see("@teach-report", "Perhaps.")
    window.see("@teach-report", "between −1 and +3 points")
    window.see("@teach-report .warnings", "The gain may be chance.")
    assert window.attribute("@teach-report .worse a", "href") == "#/label/1"
    charts = window.value(
        "[...document.querySelectorAll('.report .chart')].map(c => c.getAttribute('aria-label'))"
    )
    assert charts == [
        "Gain +1 points, between −1 and +3",
        "Gain by number of pages: 0: 0, 5: +0.4, 12: +1",
        "58 to 47",
    ]


@pytest.mark.parametrize(
    ("state", "text"),
    [("failed", "no memory"), ("interrupted", "The server ended"), ("stopped", "Stopped.")],
)
def test_a_teaching_that_did_not_end_says_why(
    opened: Opened, project: Any, state: str, text: str
) -> None:
    window = shown(opened, project, state=state, error="no memory", report=None)
    window.see(".teach-failed", text)
    assert window.count("@teach-report") == 0
