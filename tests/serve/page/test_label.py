"""Labelling in a real browser: brushes, keys, undo, two people, and nothing that is lost."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.browser.window import Window
from tests.serve.page.labelling import add_pages, begin, block, kind, saved, see_kind
from tests.serve.page.opening import Opened

FINISHED = "!!document.querySelector('[data-test=label-finished]')"
FULL = {"title": "Insufficient Storage", "status": 507, "detail": "the disk is full; free some"}


@pytest.fixture
def project(serve: Any, tmp_path: Path) -> Iterator[Any]:
    """A service with a project of three pages."""
    with serve(project=str(tmp_path / "mine")) as service:
        service.pages = add_pages(service.client, 3)
        yield service


def labels_of(service: Any, number: int) -> dict[str, str]:
    labels: dict[str, str] = service.get(f"/v1/project/pages/{number}").json()["labels"]
    return labels


def labelling(opened: Opened, project: Any, name: str) -> Window:
    window = opened(project.address, f"/#/label/{project.pages[0]}")
    begin(window, name)
    return window


def test_the_brushes_paint_what_is_clicked_dragged_over_and_between(
    opened: Opened, project: Any
) -> None:
    window = labelling(opened, project, "Ann")
    window.click("@label-brush-promotion")
    window.click(f"@frame >>> {block(9)}")
    see_kind(window, block(9), "promotion")
    window.click("@label-brush-comments")
    window.drag(f"@frame >>> {block(14)}", f"@frame >>> {block(17)}")
    for number in range(14, 18):
        see_kind(window, block(number), "comments")
    window.click("@label-brush-main")
    window.click(f"@frame >>> {block(18)}")
    window.click(f"@frame >>> {block(21)}", "Shift")
    for number in range(18, 22):
        see_kind(window, block(number), "main")
    saved(window)
    stored = labels_of(project, project.pages[0])
    assert stored["9"] == "promotion" and stored["16"] == "comments" and stored["20"] == "main"


def test_undo_and_redo_by_buttons_and_keys(opened: Opened, project: Any) -> None:
    window = labelling(opened, project, "Ann")
    before = kind(window, block(9))
    window.press("3")
    window.click(f"@frame >>> {block(9)}")
    see_kind(window, block(9), "comments")
    window.click("@label-undo")
    see_kind(window, block(9), before)
    window.click("@label-redo")
    see_kind(window, block(9), "comments")
    window.press("Control+z")
    see_kind(window, block(9), before)
    saved(window)
    assert "9" not in labels_of(project, project.pages[0])


def test_this_element_and_all_like_it(opened: Opened, project: Any) -> None:
    window = labelling(opened, project, "Ann")
    window.click("@label-brush-comments")
    window.click(f"@frame >>> {block(15)}")
    window.click("@label-like")
    window.press("Enter")
    for number in range(14, 26):
        see_kind(window, block(number), "comments")


def test_accept_goes_on_to_the_next_page_and_all_its_blocks_have_labels(
    opened: Opened, project: Any
) -> None:
    window = labelling(opened, project, "Ann")
    for _ in project.pages:
        shown = window.value("location.hash")
        window.press("Enter")
        window.wait(f"location.hash !== {shown!r} || {FINISHED}")
    window.see("@label-finished")
    window.see("@label-progress", "3")
    page = project.get(f"/v1/project/pages/{project.pages[0]}").json()
    assert page["state"] == "done"
    assert len(page["labels"]) == len(page["view"]["blocks"])


def test_reload_continues_where_one_was(opened: Opened, project: Any) -> None:
    window = labelling(opened, project, "Ann")
    window.press("s")
    window.wait(f"location.hash !== '#/label/{project.pages[0]}'")
    shown = window.value("location.hash")
    window.press("3")
    window.click(f"@frame >>> {block(9)}")
    saved(window)
    window.reload()
    see_kind(window, block(9), "comments")
    assert window.value("location.hash") == shown


def test_two_people_do_not_overwrite_each_other(opened: Opened, project: Any) -> None:
    ann = labelling(opened, project, "Ann")
    ben = labelling(opened, project, "Ben")
    ann.click("@label-brush-main")
    ann.click(f"@frame >>> {block(14)}")
    ann.click(f"@frame >>> {block(15)}")
    saved(ann)
    # Ben has the labels of before: what he says of other blocks is merged.
    ben.click("@label-brush-promotion")
    ben.click(f"@frame >>> {block(16)}")
    saved(ben)
    stored = labels_of(project, project.pages[0])
    assert [stored[number] for number in ("14", "15", "16")] == ["main", "main", "promotion"]
    # Both about one block at a time: the second is asked.
    for window in (ann, ben):
        window.offline(True)
        window.click("@label-brush-comments" if window is ann else "@label-brush-navigation")
        window.click(f"@frame >>> {block(20)}")
    ann.offline(False)
    saved(ann)
    ben.offline(False)
    ben.see("@label-conflicts", "Ann")
    assert labels_of(project, project.pages[0])["20"] == "comments"
    ben.click("@label-conflicts .conflict-side")
    saved(ben)
    assert labels_of(project, project.pages[0])["20"] == "navigation"
    see_kind(ann, block(20), "navigation")


def test_the_next_page_of_two_people_is_not_the_same(opened: Opened, project: Any) -> None:
    places = []
    for name in ("Ann", "Ben"):
        window = opened(project.address, "/#/label")
        begin(window, name)
        places.append(window.value("location.hash"))
    assert len(set(places)) == 2


@pytest.mark.parametrize("trouble", ["offline", "full disk"])
def test_labels_that_cannot_be_saved_are_kept_and_saved_later(
    opened: Opened, project: Any, trouble: str
) -> None:
    window = labelling(opened, project, "Ann")
    if trouble == "offline":
        window.offline(True)
    else:
        window.refuse("*/labels", 507, FULL)
    window.click("@label-brush-comments")
    window.click(f"@frame >>> {block(9)}")
    window.wait("document.querySelector('[data-test=label-saved]').dataset.state === 'later'")
    see_kind(window, block(9), "comments")
    assert labels_of(project, project.pages[0]) == {}
    if trouble == "offline":
        window.offline(False)
    else:
        window.reload()  # it still cannot be saved, and is still here
        see_kind(window, block(9), "comments")
        window.refuse_nothing()
    saved(window)
    assert labels_of(project, project.pages[0]) == {"9": "comments"}


def test_files_are_added_by_choosing_and_by_dropping(
    opened: Opened, project: Any, tmp_path: Path, page: str
) -> None:
    window = labelling(opened, project, "Ann")
    one, two = tmp_path / "one.html", tmp_path / "two.html"
    one.write_text(page.replace("Dry stone", "Wet stone"))
    two.write_text(page.replace("Dry stone", "Brick"))
    window.click("@label-add")
    window.choose_files("@label-files", [one])
    window.see("@label-queue", "Wet stone walls")
    window.drop_files("@label-queue", [two])
    window.see("@label-queue", "Brick walls")
    assert project.get("/v1/project").json()["pages"] == 5


def test_without_a_project_the_page_says_how_to_begin(opened: Opened, server: Any) -> None:
    window = opened(server.address, "/#/label")
    window.see("main", "tamis serve --project")
