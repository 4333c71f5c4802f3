"""The page of a service in a real browser."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from tests.browser import required
from tests.browser.chromium import Browser
from tests.browser.window import Window

Opened = Callable[..., Window]


def own_violations(window: Window, address: str) -> list[Any]:
    """What the policy of our own page forbade it: it must not even try."""
    return [
        issue
        for issue in window.violations
        if issue.get("sourceCodeLocation", {}).get("url", "").startswith(f"{address}/page/")
    ]


@pytest.fixture
def opened(chromium: Browser) -> Iterator[Opened]:
    """To open windows at an address of a service; at the end none of them may have complained."""
    windows: list[tuple[Window, str]] = []

    def open_window(address: str, path: str = "/", **size: int) -> Window:
        window = Window.of(chromium, **size)
        windows.append((window, address))
        window.open(address + path)
        return window

    yield open_window
    for window, address in windows:
        assert window.errors == []
        assert own_violations(window, address) == []
        assert window.foreign(address) == []
        window.close()


@pytest.fixture(scope="session")
def axe() -> str:
    """The source of axe."""
    return required.node_module("axe-core/axe.min.js").read_text("utf-8")
