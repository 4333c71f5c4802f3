"""How tests open the page of a service, and pages on it."""

from __future__ import annotations

from collections.abc import Callable

from tests.browser.window import Window

Opened = Callable[..., Window]
"""Opens a window at an address of a service, see the fixture `opened`."""


def paste_page(window: Window, html: str) -> None:
    """Paste HTML on the start view and open it."""
    window.paste("@start-html", html)
    window.click("@start-open")
    window.see("@frame >>> [data-tamis]")
