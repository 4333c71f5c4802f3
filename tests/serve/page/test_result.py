"""The result view in a real browser: every form of a result, copied and downloaded."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from tests.browser.window import Window
from tests.serve.page.opening import Opened, paste_page

import tamis

FORMS = {
    "source": "## Four tries and a lot of smoke",
    "text": "The first loaf comes out",
    "html": "<h2>Four tries",
    "json": '"metadata"',
    "metadata": "Clementine Rook",
    "items": "No items",
    "posts": "posts",
}


@pytest.fixture
def window(opened: Opened, server: Any, example: str) -> Window:
    """A window with the result of the example about the village."""
    window = opened(server.address)
    paste_page(window, example)
    window.see("@frame >>> [data-tamis]")
    window.click("@tab-result")
    window.see("@result-tab-markdown")  # the page view, with the same heading, is gone
    window.see("@frame >>> h2", "Four tries and a lot of smoke")
    return window


def test_the_result_is_read_as_rendered_markdown(window: Window) -> None:
    window.see("@frame >>> p", "The first loaf comes out")
    assert window.count("@frame >>> .menu") == 0


@pytest.mark.parametrize("form", FORMS)
def test_every_form_of_the_result(window: Window, form: str) -> None:
    window.click(f"@result-tab-{form}")
    window.see("#result-panel", FORMS[form])
    assert window.value("location.hash") == f"#/result/{form}"


def test_the_cloud_is_a_picture(window: Window) -> None:
    window.click("@result-tab-cloud")
    window.wait("(document.querySelector('#result-panel img')?.naturalWidth ?? 0) > 100")


def test_what_is_copied_and_downloaded_is_the_result(
    window: Window, example: str, tmp_path: Path
) -> None:
    expected = tamis.extract(example).markdown
    window.allow_clipboard()
    window.click("@result-tab-source")
    window.see("#result-panel", FORMS["source"])
    window.click("@copy")
    window.until(lambda: window.clipboard() == expected, "the Markdown in the clipboard")
    window.keep_downloads(tmp_path)
    window.click("@download")

    def downloaded() -> list[str]:
        return [path.read_text("utf-8") for path in tmp_path.glob("*.md")]

    window.until(lambda: downloaded() == [expected], "the Markdown as a file")


def test_arrows_lead_through_the_forms(window: Window) -> None:
    window.click("@result-tab-text")
    window.press("ArrowRight")
    window.see("#result-panel", FORMS["html"])
    assert window.value("document.activeElement.textContent") == "HTML"
