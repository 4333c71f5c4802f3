"""Everybody can use the page: by axe, by keyboard alone, on a phone, in light and dark."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from tests.browser.window import Window
from tests.serve.page.labelling import add_pages, begin, label_by_api
from tests.serve.page.opening import Opened, violations

PHONE = 360
# What has a scroll bar of its own may be wider inside.
WIDER = """(width => {
  const scrolls = element => /auto|scroll|hidden/.test(getComputedStyle(element).overflowX);
  const cut = element =>
    element !== document.body && (scrolls(element) || cut(element.parentElement));
  const over = [...document.body.querySelectorAll("*")].filter(element =>
    element.getBoundingClientRect().right > width + 1 && !cut(element.parentElement));
  return [document.documentElement.scrollWidth > width && "the page scrolls sideways",
    ...over.map(element => element.outerHTML.slice(0, 120))].filter(Boolean).slice(0, 5);
})"""


def start(window: Window) -> None:
    window.see("@start-example-1")


def page_view(window: Window) -> None:
    window.click("@start-example-1")
    window.see("@frame >>> [data-tamis]")


def block_panel(window: Window) -> None:
    page_view(window)
    window.click("@frame >>> h1 [data-tamis]")
    window.see("@block-panel", "XPath")


def result_view(window: Window) -> None:
    page_view(window)
    window.click("@tab-result")
    window.see("@result-tab-markdown")


def metadata(window: Window) -> None:
    result_view(window)
    window.click("@result-tab-metadata")
    window.see("main", "title")


def compare(window: Window) -> None:
    page_view(window)
    window.click("@tab-compare")
    window.see("@compare-column")
    window.see("@compare-agreement")


def label(window: Window) -> None:
    window.click("@tab-label")
    begin(window, "Ann")


def teach(window: Window) -> None:
    window.click("@tab-teach")
    window.see("@teach-start")


def keys_help(window: Window) -> None:
    window.click("h1")
    window.press("?")
    window.see("@keys-help")


VIEWS = (start, page_view, block_panel, result_view, metadata, compare, label, teach, keys_help)
each_view = pytest.mark.parametrize("view", VIEWS, ids=lambda view: view.__name__)


@pytest.fixture(scope="module")
def labelled(serve: Any, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """A service whose project has pages, some of them labelled."""
    with serve(project=str(tmp_path_factory.mktemp("project") / "mine")) as service:
        for number in add_pages(service.client, 4)[:2]:
            label_by_api(service.client, number)
        yield service


@each_view
def test_axe_finds_nothing_in_either_theme(
    opened: Opened, labelled: Any, axe: str, view: Callable[[Window], None]
) -> None:
    window = opened(labelled.address)
    view(window)
    assert violations(window, axe) == []


@each_view
def test_nothing_is_wider_than_a_phone(
    opened: Opened, labelled: Any, view: Callable[[Window], None]
) -> None:
    window = opened(labelled.address, width=PHONE, height=640, phone=True)
    view(window)
    assert window.value(f"{WIDER}({PHONE})") == []
