"""The start of the page: how pages come in, and what is said when they cannot."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from tests.serve.page.opening import Opened, paste_page


@pytest.mark.parametrize("number", [1, 2, 3])
def test_each_example_opens(opened: Opened, server: Any, number: int) -> None:
    window = opened(server.address)
    window.click(f"@start-example-{number}")
    window.see("@frame >>> [data-tamis]")
    assert window.value("location.hash") == "#/page"


def test_pasted_html_opens_and_is_there_after_a_reload(
    opened: Opened, server: Any, page: str
) -> None:
    window = opened(server.address)
    paste_page(window, page)
    window.see("@frame >>> h1", "Dry stone walls")
    window.reload()
    window.see("@frame >>> h1", "Dry stone walls")


def test_html_that_is_pasted_as_an_address_is_meant_as_html(
    opened: Opened, server: Any, page: str
) -> None:
    window = opened(server.address)
    window.paste("@start-url", page)
    window.see("@start-html", "Dry stone walls")
    window.click("@start-open")
    window.see("@frame >>> h1", "Dry stone walls")


def test_an_address_is_fetched_by_the_service(opened: Opened, server: Any, site: str) -> None:
    window = opened(server.address)
    window.type("@start-url", f"{site}/walls")
    window.press("Enter")
    window.see("@frame >>> h1", "Dry stone walls")


@pytest.mark.parametrize(
    ("address", "answer"),
    [("", "Enter the address"), ("{site}/missing", "404"), ("{site}/picture", "image/png")],
    ids=["nothing", "no page", "a picture"],
)
def test_what_cannot_be_opened_is_answered_in_words(
    opened: Opened, server: Any, site: str, address: str, answer: str
) -> None:
    window = opened(server.address)
    if address:
        window.type("@start-url", address.format(site=site))
    window.click("@start-open")
    window.see("[role=alert]", answer)
    assert window.value("location.hash") in ("", "#/")


def test_files_are_chosen_and_dropped(
    opened: Opened, server: Any, page: str, tmp_path: Path
) -> None:
    walls, hedges = tmp_path / "walls.html", tmp_path / "hedges.html"
    walls.write_text(page, "utf-8")
    hedges.write_text(page.replace("Dry stone walls", "Hedges"), "utf-8")
    window = opened(server.address)
    window.choose_files("@start-file", [walls])
    window.see("@frame >>> h1", "Dry stone walls")
    window.press("0")
    window.drop_files("h1", [hedges, walls])
    window.see("@frame >>> h1", "Hedges")
    window.press("]")
    window.see("@frame >>> h1", "Dry stone walls")


def test_the_page_asks_for_the_token_of_the_service(opened: Opened, serve: Any) -> None:
    with serve(token="sesame") as service:
        window = opened(service.address)
        window.click("@start-example-1")
        window.type("dialog input", "mustard")
        window.press("Enter")
        window.type("dialog[open] input", "sesame")
        window.press("Enter")
        window.see("@frame >>> [data-tamis]")
        window.reload()
        window.see("@frame >>> [data-tamis]")
