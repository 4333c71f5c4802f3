"""The page view in a real browser: painted blocks, reasons, sliders, decisions that were close."""

from __future__ import annotations

from typing import Any

import pytest
from tests.browser.window import Window
from tests.serve.page.opening import Opened, paste_page

KEPT = "@frame >>> .tamis-kept"


@pytest.fixture
def window(opened: Opened, server: Any, example: str) -> Window:
    """A window that looks at the example about the village."""
    window = opened(server.address)
    paste_page(window, example)
    window.see(KEPT)
    return window


def test_kept_blocks_are_tinted_and_the_others_dimmed(window: Window) -> None:
    story = "@frame >>> .story-body p [data-tamis]"
    menu = "@frame >>> .menu [data-tamis]"
    assert "tamis-kept" in str(window.attribute(story, "class"))
    assert "tamis-kept" not in str(window.attribute(menu, "class"))
    assert float(window.style(story, "opacity")) == 1
    assert float(window.style(menu, "opacity")) < 0.6
    assert window.style(story, "background-color") != window.style(menu, "background-color")
    assert window.count("@minimap") == 1


def test_a_block_that_is_clicked_says_why(window: Window) -> None:
    window.click("@frame >>> .story-body p [data-tamis]")
    panel = window.see("@block-panel", "/html/body")
    assert "Kept" in panel and "main" in panel
    window.see("@block-panel", "Line")
    window.click("@frame >>> .menu [data-tamis]")
    window.see("@block-panel", "Dropped")
    window.press("Escape")
    window.gone("@block-panel")


def test_the_threshold_repaints_at_once_and_is_remembered(window: Window) -> None:
    before = window.count(KEPT)
    window.click("@slider-threshold")
    window.press("Home")
    window.wait(f"{SPANS}.every(span => span.classList.contains('tamis-kept'))")
    assert window.count(KEPT) > before
    window.reload()
    window.see(KEPT)
    window.wait(f"{SPANS}.every(span => span.classList.contains('tamis-kept'))")


SPANS = """[...document.querySelector('[data-test=frame]').contentDocument
  .querySelectorAll('[data-tamis]')]"""


def test_the_focus_repaints_at_once(window: Window) -> None:
    counted = f"{SPANS}.filter(span => span.classList.contains('tamis-kept')).length"
    many = window.value(counted)
    window.click("@slider-focus")
    window.press("Home")
    window.wait(f"{counted} < {many}")
    window.press("End")
    window.wait(f"{counted} >= {many}")


def test_close_decisions_are_gone_through_one_by_one(window: Window) -> None:
    explained = "this page's cut"
    window.click("@next-close")
    first = window.see("@block-panel", explained)
    window.press("n")
    window.until(lambda: window.see("@block-panel", explained) != first, "another close decision")
    window.click("@previous-close")
    window.until(lambda: window.see("@block-panel", explained) == first, "the first one again")


def test_the_map_leads_to_a_part_of_the_page(window: Window) -> None:
    scrolled = "document.querySelector('[data-test=frame]').contentDocument.scrollingElement"
    assert window.value(f"{scrolled}.scrollTop") == 0
    window.click("@minimap")
    window.wait(f"{scrolled}.scrollTop > 0")


def test_another_theme_is_kept(window: Window) -> None:
    light = window.style("body", "background-color")
    window.click("@theme")
    window.until(lambda: window.style("body", "background-color") != light, "the dark theme")
    dark = window.style("body", "background-color")
    window.reload()
    assert window.style("body", "background-color") == dark
