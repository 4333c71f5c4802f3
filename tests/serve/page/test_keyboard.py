"""The whole page by the keyboard alone, from an empty start to a comparison."""

from __future__ import annotations

from typing import Any

from tests.browser.window import Window
from tests.serve.page.opening import Opened

OUTLINED = """(style => style.outlineStyle !== "none" || style.boxShadow !== "none")(
  getComputedStyle(document.activeElement))"""


def tab_to(window: Window, name: str, key: str = "Tab", most: int = 40) -> None:
    """Go on by a key until the focus is on a place; on the way it is always to be seen."""
    focused = "document.activeElement?.dataset?.test ?? ''"
    for _ in range(most):
        if window.value(focused) == name:
            return
        window.press(key)
        if window.value("document.activeElement !== document.body"):
            assert window.value(OUTLINED), window.value("document.activeElement.outerHTML")
    raise AssertionError(f"{name} was not reached by {key}")


def test_everything_is_reached_without_a_mouse(opened: Opened, server: Any, example: str) -> None:
    window = opened(server.address)
    window.see("@start-open")
    tab_to(window, "start-html")
    window.call("Input.insertText", text=example)
    tab_to(window, "start-open", "Shift+Tab")
    window.press("Enter")
    window.see("@frame >>> .tamis-kept")

    window.press("n")
    window.see("@block-panel", "XPath")
    window.press("Escape")
    window.gone("@block-panel")
    tab_to(window, "slider-threshold")
    window.press("Home")
    everything = window.wait(
        "[...document.querySelector('[data-test=frame]').contentDocument"
        ".querySelectorAll('[data-tamis]')].every(span => span.className.includes('tamis-kept'))"
    )
    assert everything
    window.press("a")

    window.press("2")
    window.see(".reading iframe >>> h2", "Four tries")
    window.press("ArrowRight")
    window.see("#result-panel", "## Four tries")
    window.press("3")
    window.see("@compare-agreement")
    tab_to(window, "compare-add")
    window.press("Enter")
    window.until(lambda: window.count("@compare-column") == 3, "a third column")

    window.press("?")
    window.see("@keys-help", "Compare")
    window.press("Escape")
    window.gone("@keys-help")
    light = window.style("body", "background-color")
    window.press("D")
    window.until(lambda: window.style("body", "background-color") != light, "the dark theme")
    window.press("1")
    window.see("@frame >>> .tamis-kept")
