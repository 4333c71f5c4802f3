"""The plugin in MarkItDown itself, found by its entry point."""

from __future__ import annotations

import io
import subprocess
import sys
from http.server import BaseHTTPRequestHandler
from pathlib import Path

import pytest

from tests.integrations.examples import ROOT, examples, run_example
from tests.servers import serving

pytest.importorskip("markitdown", reason="needs tamis[markitdown]: make integrations")

from markitdown import MarkItDown

import tamis

NEWS = ROOT / "examples" / "news.html"


@pytest.fixture(scope="module")
def markitdown() -> MarkItDown:
    return MarkItDown(enable_plugins=True)


def test_the_command_gives_the_content_with_plugins_and_everything_without() -> None:
    command = [sys.executable, "-W", "ignore", "-m", "markitdown", str(NEWS)]
    plain, plugged = (
        subprocess.run([*command, *more], capture_output=True, check=True).stdout.decode()
        for more in ([], ["--use-plugins"])
    )
    assert "We and our partners use cookies" in plain
    assert plugged.strip() == tamis.extract(NEWS, title=True).markdown
    listed = subprocess.run(
        [*command[:-1], "--list-plugins"], capture_output=True, check=True, text=True
    )
    assert "tamis" in listed.stdout


def test_the_title_comes_with_the_content(markitdown: MarkItDown) -> None:
    result = markitdown.convert(NEWS)
    assert result.title == "The village that learned to bake by moonlight"
    assert result.markdown.startswith(f"# {result.title}\n")


def test_other_files_are_left_to_others(markitdown: MarkItDown) -> None:
    table = markitdown.convert_stream(
        io.BytesIO(b"sieve,mesh\ntamis,fine\n"), file_extension=".csv"
    )
    assert "| tamis | fine |" in table.markdown


def test_encodings_are_those_of_the_page(markitdown: MarkItDown, tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    html = (
        "<meta charset=windows-874><title>ข่าว</title><p>ร้านหนังสือบนรถสองแถวที่วิ่งไปหาเด็กบนดอย"
        " และนักเรียนที่รออยู่ทุกวันเสาร์"
    )
    page.write_bytes(html.encode("cp874"))
    assert "ร้านหนังสือบนรถสองแถวที่วิ่งไปหาเด็กบนดอย" in markitdown.convert(page).markdown


def test_a_page_without_content_is_given_whole(markitdown: MarkItDown) -> None:
    html = b"<html><body><nav><a href=/>Home</a> <a href=/news>News</a></nav></body></html>"
    result = markitdown.convert_stream(io.BytesIO(html), file_extension=".html")
    assert "[Home]" in result.markdown


def test_pages_of_the_web_have_absolute_links(markitdown: MarkItDown) -> None:
    html = (
        "<html><title>Walls</title><article><p>Walls without mortar stand for ages. The builders"
        " use <a href=/tools>few tools</a>, a hammer and a line, and they choose each stone with"
        " care before it is laid; nothing else holds the wall.</article></html>"
    )

    class Site(BaseHTTPRequestHandler):
        def log_message(self, format: str, *args: object) -> None:
            """Keep the test output clean."""

        def do_GET(self) -> None:
            self.send_response(200)
            self.send_header("Content-Type", "text/html; charset=utf-8")
            self.end_headers()
            self.wfile.write(html.encode())

    with serving(Site) as address:
        result = markitdown.convert(f"{address}/walls")
    assert f"[few tools]({address}/tools)" in result.markdown


def test_options_are_those_of_tamis() -> None:
    converter = MarkItDown(enable_plugins=True, tamis_options=tamis.Options(links=False))
    assert converter.convert(NEWS).markdown == tamis.extract(NEWS, links=False).markdown


@examples("markitdown")
def test_the_examples_run(code: str, printed: str, tmp_path: Path) -> None:
    run_example(code, printed, tmp_path)
