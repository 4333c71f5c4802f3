"""The compare view in a real browser: methods side by side, their agreement, gold."""

from __future__ import annotations

from typing import Any

import pytest
from tests.browser.window import Window
from tests.serve.page.opening import Opened, paste_page


@pytest.fixture
def window(opened: Opened, server: Any, example: str) -> Window:
    """A window that compares methods on the example about the village."""
    window = opened(server.address)
    paste_page(window, example)
    window.click("@tab-compare")
    window.see("@compare-agreement", "tamis and boilerpipe")
    return window


def test_two_methods_are_compared_block_by_block(window: Window) -> None:
    assert window.count("@compare-column") == 2
    window.see(".differs .is-dropped", "We and our partners use cookies")
    window.see(".block-row:not(.differs)", "The first loaf comes out")
    window.click(".check input")
    window.gone(".block-row:not(.differs, .block-head)")


def test_up_to_four_methods_are_added_and_taken_away(window: Window) -> None:
    window.click("@compare-add")
    window.see("@compare-agreement", "tamis and baseline")
    window.click("@compare-add")
    window.until(lambda: window.count("@compare-column") == 4, "four columns")
    window.until(lambda: window.count("@compare-agreement tbody tr") == 6, "six pairs")
    window.gone("@compare-add")
    window.reload()
    window.until(lambda: window.count("@compare-column") == 4, "four columns after a reload")
    window.click("@compare-column header button")
    window.until(lambda: window.count("@compare-agreement tbody tr") == 3, "three pairs")


def test_gold_that_is_pasted_measures_each(window: Window) -> None:
    window.click(".gold summary")
    window.paste("#gold", "Once a month, Little Averne switches off its street lamps")
    window.until(lambda: window.count(".gold-score") == 2, "a score of each")
    assert "recall 1.000" in window.see("@compare-column", "F1")
    assert window.count(".gold-score.best") == 1
