"""What may be given as a page: HTML, files and paths; names and addresses say what to call."""

from __future__ import annotations

import io
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import tamis
from tamis.errors import InputError, TooLargeError

STORY = "Le héron attend au bord de l'étang, immobile, jusqu'à ce qu'un poisson passe à sa portée."
PAGE = f"""<!doctype html><meta charset="utf-8"><title>Étang</title>
<nav><a href="/">Accueil</a> <a href="/contact">Contact</a></nav><article><h1>L'étang</h1>
<p>{STORY}<p>Au printemps, les roseaux poussent vite et cachent les nids des foulques aux passants.
</article><footer>© 2024 Mentions légales</footer>"""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "étang.html"
    path.write_bytes(PAGE.encode())
    return path


def message(page: Any, **choices: Any) -> str:
    with pytest.raises(InputError) as caught:
        tamis.extract(page, **choices)
    assert str(caught.value).isprintable()
    assert "; " in str(caught.value)
    return str(caught.value)


def test_a_path_is_read(file: Path) -> None:
    assert tamis.extract(file).text == tamis.extract(PAGE).text
    assert STORY in tamis.extract(file).text
    assert tamis.parse(file).source == PAGE.encode()


@pytest.mark.parametrize(
    "opened",
    [
        lambda path: path.open("rb"),
        lambda path: path.open("rb", buffering=0),
        lambda path: path.open(encoding="utf-8"),
        lambda path: io.BytesIO(path.read_bytes()),
        lambda path: io.StringIO(PAGE),
    ],
    ids=["binary", "unbuffered", "text", "bytes in memory", "text in memory"],
)
def test_an_open_file_is_read(file: Path, opened: Callable[[Path], Any]) -> None:
    with opened(file) as page:
        assert STORY in tamis.extract(page).text


def test_many_pages_may_be_paths_and_open_files(file: Path) -> None:
    with open(file, "rb") as opened:
        pages = [file, (opened, "https://a.example/1"), file.parent / "missing.html", str(file)]
        first, second, missing, name = tamis.extract_many(pages)
    assert isinstance(first, tamis.Result)
    assert isinstance(second, tamis.Result)
    assert first.text == second.text
    assert second.url == "https://a.example/1"
    assert "no such file" in str(missing)
    assert "pathlib.Path" in str(name)


def test_a_site_learns_from_paths(file: Path) -> None:
    assert tamis.Site().fit([file, file]).pages == 1


def test_a_single_file_is_not_many_pages(file: Path) -> None:
    with open(file, "rb") as opened:
        for single in (file, opened):
            with pytest.raises(InputError, match="a single page"):
                tamis.extract_many(single)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "address", ["https://example.org/", "HTTP://example.org/a?b=c", " http://localhost:8000\n"]
)
def test_an_address_is_no_page_and_the_error_says_what_to_call(address: str) -> None:
    assert "tamis.extract_url(" in message(address)


def test_the_name_of_a_file_is_no_page_and_the_error_says_what_to_give(file: Path) -> None:
    assert "pathlib.Path(" in message(str(file))
    with pytest.raises(InputError, match=r"pathlib\.Path"):
        tamis.parse(str(file))


@pytest.mark.parametrize(
    "text",
    [
        "See https://example.org/ for the menu",
        "<a href='https://example.org/'>https://example.org/</a>",
        "https://example.org/\nhttps://example.org/2",
        "no-such-file.html",
        "",
        " ",
        ".",
        "a\0b",
        "\ud800",
    ],
)
def test_other_text_is_a_page(text: str) -> None:
    assert tamis.extract(text, method="baseline") is not None


@pytest.mark.parametrize("text", ["x" * 100_000, "<p>name", "first\nsecond", "first\rsecond"])
def test_the_disk_is_not_touched_for_what_cannot_be_a_name(
    text: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def asked(path: object) -> bool:
        raise AssertionError(f"asked for {path!r}")

    monkeypatch.setattr(os.path, "isfile", asked)
    tamis.parse(text)


def test_files_over_the_limit_are_not_read_to_the_end(file: Path) -> None:
    class Endless(io.RawIOBase):
        def read(self, size: int = -1) -> bytes:
            return b"<p>" * min(size, 1000)

    for page in (file, Endless(), io.StringIO(PAGE)):
        with pytest.raises(TooLargeError, match="max_bytes"):
            tamis.extract(page, max_bytes=100)
    assert tamis.parse(file, max_bytes=len(PAGE.encode())).source


def test_what_cannot_be_read_is_said_with_its_name(tmp_path: Path, file: Path) -> None:
    assert "missing.html': no such file" in message(tmp_path / "missing.html")
    assert "a folder" in message(tmp_path)
    assert "cannot be read" in message(Path("a\0b"))
    closed = open(file, "rb")  # noqa: SIM115  # closed at once
    closed.close()
    assert "closed file" in message(closed)
    with open(file, encoding="ascii") as wrong:
        assert "open(name, 'rb')" in message(wrong)


def test_a_response_that_is_given_whole_is_told_apart() -> None:
    class Response:
        content = PAGE.encode()

        def read(self) -> bytes:
            return self.content

    assert "response.content" in message(Response())
    assert "Path or an open file, not int" in message(5)


def test_what_was_fetched_is_a_page_for_every_function_that_takes_one() -> None:
    page = "<title>Сита</title><p>Сито с мелкой сеткой из шёлка, волоса или стали."
    address, header = "https://example.org/sieve", "text/html; charset=windows-1251"
    fetched = tamis.Fetched(address, page.encode("cp1251"), header, 200)
    text = "Сито с мелкой сеткой из шёлка, волоса или стали."
    assert tamis.parse(fetched).encoding == "windows-1251"
    result = tamis.extract(fetched, method="baseline")
    assert (result.url, result.text) == (address, text)
    assert tamis.to_markdown(fetched) == text
    for given in (fetched, (fetched, "https://example.org/other")):
        (many,) = tamis.extract_many([given], method="baseline")
        assert isinstance(many, tamis.Result)
        assert (many.url, many.text) == (given[1] if isinstance(given, tuple) else address, text)
        site = tamis.Site().fit([given], method="x_cex")
        assert (site.pages, site.skipped, site.page_names) == (1, 0, (many.url,))
