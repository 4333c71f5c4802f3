"""The documentation site: it builds without a warning, is whole, and asks nobody for anything."""

from __future__ import annotations

import re
from functools import partial
from http.server import SimpleHTTPRequestHandler
from pathlib import Path

import click
import pytest
import turbohtml
from tests.browser import required
from tests.browser.chromium import Browser
from tests.browser.window import Window
from tests.servers import serving

import tamis
from tamis.cli import main

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
# What a browser loads by itself; a link is only followed by people.
LOADED = {"img": "src", "script": "src", "link": "href", "iframe": "src", "source": "src"}


@pytest.fixture(scope="module")
def site() -> Path:
    """The site that `make docs` built, which is a part of `make test`."""
    folder = ROOT / "build" / "site"
    if not (folder / "index.html").exists():
        required.missing("needs the built documentation: make docs")
    return folder


class Quiet(SimpleHTTPRequestHandler):
    """The files of a folder."""

    def log_message(self, format: str, *args: object) -> None:
        """Keep the test output clean."""


def loaded(page: Path) -> set[str]:
    """The addresses that a page loads."""
    document = turbohtml.parse(page.read_text("utf-8"))
    return {
        str(element.attrs.get(attribute) or "")
        for tag, attribute in LOADED.items()
        for element in document.find_all(tag)
    }


def test_every_page_is_in_the_site_and_loads_nothing_from_elsewhere(site: Path) -> None:
    pages = {str(path.relative_to(DOCS).with_suffix("")) for path in DOCS.rglob("*.md")}
    assert {page for page in pages if not (site / f"{page}.html").is_file()} == set()
    for page in site.rglob("*.html"):
        foreign = {address for address in loaded(page) if re.match(r"(\w+:)?//", address)}
        assert foreign == set(), page
    for style in site.rglob("*.css"):
        text = style.read_text("utf-8")
        assert not re.search(r"(url\(|@import)[\s\"']*(https?:)?//", text), style


def test_the_reference_has_every_public_name_command_and_endpoint(site: Path) -> None:
    python = (site / "reference" / "python.html").read_text("utf-8")
    assert [name for name in tamis.__all__ if f'id="tamis.{name}"' not in python] == []
    commands = (site / "reference" / "commands.html").read_text("utf-8")
    for name in main.list_commands(click.Context(main)):
        assert f'id="tamis-{name}"' in commands
    http = (site / "reference" / "http.html").read_text("utf-8")
    from tamis.serve.app import create

    assert [path for path in create().openapi()["paths"] if path not in http] == []


def test_the_site_reads_well_on_a_phone_and_is_searched_there(
    site: Path, chromium: Browser
) -> None:
    window = Window.of(chromium, 390, 800, phone=True)
    with serving(partial(Quiet, directory=str(site))) as address:
        for page in ("index", "compare", "reference/python", "reference/commands", "gallery/index"):
            window.open(f"{address}/{page}.html")
            wide = window.value("document.documentElement.scrollWidth - innerWidth")
            assert wide <= 0, f"{page} is {wide} pixels too wide"
        window.open(f"{address}/search.html?q=cookie")
        window.see("#search-results li a")
        assert window.foreign(address) == []
        assert window.errors == []
