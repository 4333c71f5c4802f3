"""The start of the page: how pages come in."""

from __future__ import annotations

import pytest
from tests.serve.page.opening import Opened, paste_page


@pytest.mark.parametrize("number", [1, 2, 3])
def test_each_example_opens(opened: Opened, server, number: int) -> None:
    window = opened(server.address)
    window.click(f"@start-example-{number}")
    window.see("@frame >>> [data-tamis]")
    assert window.value("location.hash") == "#/page"


def test_pasted_html_opens_and_is_there_after_a_reload(opened: Opened, server, page: str) -> None:
    window = opened(server.address)
    paste_page(window, page)
    window.see("@frame >>> h1", "Dry stone walls")
    window.reload()
    window.see("@frame >>> h1", "Dry stone walls")
