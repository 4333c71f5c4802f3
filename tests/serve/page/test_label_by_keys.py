"""Labelling without a mouse, and the queue beside the page."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.browser.window import Window
from tests.serve.page.labelling import add_pages, begin, block, kind, label_by_api, saved, see_kind
from tests.serve.page.opening import Opened


@pytest.fixture
def project(serve: Any, tmp_path: Path) -> Iterator[Any]:
    """A service with a project of three pages."""
    with serve(project=str(tmp_path / "mine")) as service:
        service.pages = add_pages(service.client, 3)
        yield service


@pytest.fixture
def window(opened: Opened, project: Any) -> Window:
    """The first page, as Ann sees it."""
    window = opened(project.address, f"/#/label/{project.pages[0]}")
    begin(window, "Ann")
    window.see("@frame >>> .tamis-main")
    return window


def given(window: Window) -> list[int]:
    """The blocks that a person has labelled."""
    blocks = window.value(
        "[...new Set([...document.querySelector('[data-test=frame]').contentDocument"
        ".querySelectorAll('.tamis-given')].map(e => Number(e.dataset.tamis)))]"
    )
    return sorted(blocks)


def test_blocks_are_walked_picked_and_painted_by_keys(window: Window, project: Any) -> None:
    window.press("j", "j", "k")
    window.see("@frame >>> .tamis-cursor")
    window.press("5", "Space")
    see_kind(window, block(0), "promotion")
    window.press("Shift+ArrowDown", "Shift+ArrowDown", "3", "Space")
    see_kind(window, block(2), "comments")
    assert given(window) == [0, 1, 2]
    window.press("Control+z", "0", "Space")
    saved(window)
    assert project.get(f"/v1/project/pages/{project.pages[0]}").json()["labels"] == {}


def test_a_button_that_has_the_focus_is_pressed_and_no_page_accepted(
    window: Window, project: Any
) -> None:
    before = kind(window, block(0))
    window.press("j", "5", "Space")
    see_kind(window, block(0), "promotion")
    window.value("document.querySelector('[data-test=label-undo]').focus()")
    window.press("Enter")
    see_kind(window, block(0), before)
    saved(window)
    assert project.get(f"/v1/project/pages/{project.pages[0]}").json()["state"] == "open"


def test_all_like_it_shows_what_it_would_paint_before_it_does(window: Window) -> None:
    window.click("@label-brush-comments")
    window.click(f"@frame >>> {block(15)}")
    window.press("a")
    window.see("@frame >>> .tamis-picked")
    assert given(window) == [15]
    window.press("Escape")
    window.gone("@frame >>> .tamis-picked")
    window.press("a", "Enter")
    see_kind(window, block(14), "comments")
    window.press("Control+z")
    window.until(lambda: given(window) == [15], "one step back")


def test_all_like_it_is_taken_however_fast_it_is_typed_on_the_page(window: Window) -> None:
    window.click("@label-brush-comments")
    window.click(f"@frame >>> {block(15)}")
    window.press("a", "Enter")
    see_kind(window, block(14), "comments")
    assert window.value("location.hash") == "#/label/1"


def test_the_name_is_asked_once_and_can_be_changed(window: Window, project: Any) -> None:
    window.reload()
    window.see("@frame >>> .tamis-main")
    window.see(".queue-person", "Ann")
    window.click("@label-person")
    window.type("@label-by", "Ben")
    window.click("@label-by-save")
    window.press("2")
    window.click(f"@frame >>> {block(9)}")
    saved(window)
    changes = project.get(f"/v1/project/pages/{project.pages[0]}/history").json()["changes"]
    assert changes[-1]["by"] == "Ben"


def test_the_queue_shows_pages_by_their_state(window: Window, project: Any) -> None:
    label_by_api(project.client, project.pages[2])
    window.click(".queue .segmented button:nth-child(2)")
    window.until(lambda: window.count("@label-queue li") == 1, "the page that is done")
    window.click("@label-queue a")
    window.wait(f"location.hash === '#/label/{project.pages[2]}'")
    window.see(".page-about", "labelled by Ann")
    window.reload()
    window.until(lambda: window.texts("@label-queue .queue-title") == ["Harbour day 2"], "it again")


def test_an_address_that_cannot_be_read_says_why_and_stays_to_be_corrected(window: Window) -> None:
    window.click("@label-add")
    window.type("@label-addresses", "http://127.0.0.1/private")
    window.click("@label-add-addresses")
    window.see(".add-results", "not a public address")
    value = window.value("document.querySelector('[data-test=label-addresses]').value")
    assert value == "http://127.0.0.1/private"


def test_labels_that_wait_are_saved_though_the_view_is_left(window: Window, project: Any) -> None:
    window.offline(True)
    window.press("3")
    window.click(f"@frame >>> {block(9)}")
    window.wait("document.querySelector('[data-test=label-saved]').dataset.state === 'later'")
    window.offline(False)
    window.click("@tab-teach")
    labels = f"/v1/project/pages/{project.pages[0]}/version"
    window.until(lambda: project.get(labels).json()["labels"] == {"9": "comments"}, "the label")


def test_what_is_refused_is_said_and_can_be_given_up(window: Window) -> None:
    before = kind(window, block(9))
    window.refuse("*/labels", 409, {"status": 409, "detail": "the page has changed"})
    window.press("3")
    window.click(f"@frame >>> {block(9)}")
    window.see("@label-saved", "Not saved: The page has changed")
    window.refuse_nothing()
    window.click("@label-saved button:nth-of-type(2)")
    see_kind(window, block(9), before)
    saved(window)


def test_nobody_has_to_give_a_name(opened: Opened, project: Any) -> None:
    window = opened(project.address, f"/#/label/{project.pages[0]}")
    window.see("@label-by")
    window.press("Escape")
    window.see("@frame >>> .tamis-main")
    window.see(".queue-person", "anonymous")
    window.press("3")
    window.click(f"@frame >>> {block(9)}")
    saved(window)
    window.reload()
    see_kind(window, block(9), "comments")
    assert window.count("@label-by") == 0


def test_an_empty_project_begins_with_adding_pages(
    opened: Opened, serve: Any, tmp_path: Path, page: str
) -> None:
    file = tmp_path / "walls.html"
    file.write_text(page)
    with serve(project=str(tmp_path / "new")) as service:
        window = opened(service.address, "/#/label")
        window.click("@label-add-first")
        window.choose_files("@label-files", [file])
        begin(window, "Ann")
        window.see("@label-progress", "0 of 1")
        window.see("h1", "Dry stone walls")
