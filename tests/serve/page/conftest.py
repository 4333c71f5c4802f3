"""The page of a service in a real browser."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from tests.browser import required
from tests.browser.chromium import Browser
from tests.browser.window import Window
from tests.serve.page.opening import Opened


@pytest.fixture
def opened(chromium: Browser) -> Iterator[Opened]:
    """To open windows at an address of a service; at the end none of them may have complained."""
    windows: list[tuple[Window, str, bool]] = []

    def open_window(
        address: str, path: str = "/", *, may_load: bool = False, **size: int
    ) -> Window:
        window = Window.of(chromium, **size)
        windows.append((window, address, may_load))
        window.open(address + path)
        return window

    yield open_window
    for window, address, may_load in windows:
        assert window.errors == []
        assert window.violations == []
        assert may_load or window.foreign(address) == []
        window.close()


@pytest.fixture(scope="session")
def axe() -> str:
    """The source of axe."""
    return required.node_module("axe-core/axe.min.js").read_text("utf-8")
