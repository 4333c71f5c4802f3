"""Pages as a project keeps them."""

from __future__ import annotations

import zlib

import pytest
from tests.project.made import added, read_page

from tamis.errors import ProjectError
from tamis.options import Options
from tamis.project import pages, reading
from tamis.project.database import Database
from tamis.project.reading import as_sent


def test_a_page_is_kept_as_it_was_read_whatever_its_encoding() -> None:
    html = "<p>Le café de la gare est fermé depuis l'été, et personne ne sait pourquoi.</p>"
    kind = "text/html; charset=iso-8859-1"
    page = reading.read_page(html.encode("latin-1"), None, kind, Options())
    assert page.source == html.encode()
    again = reading.read_page(as_sent(page.source), None, None, Options())
    assert (again.hash, again.offsets.tolist()) == (page.hash, page.offsets.tolist())


@pytest.mark.parametrize(
    ("column", "value"),
    [("source", b"no zlib"), ("offsets", zlib.compress(b"123")), ("source", b"")],
)
def test_a_page_that_cannot_be_unpacked_is_said_to_be_damaged(
    column: str, value: object, mine: Database
) -> None:
    number = added(mine, "walls")
    with mine.write() as connection:
        connection.execute(f"UPDATE sources SET {column} = ?", (value,))
    with pytest.raises(ProjectError, match="a page of the project is damaged"):
        pages.get_page(mine, number)


def test_a_page_is_unpacked_up_to_a_limit(mine: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    number = added(mine, "walls")
    monkeypatch.setattr(reading, "_LARGEST", 10)
    with pytest.raises(ProjectError, match="a page of the project is damaged"):
        pages.get_page(mine, number)


def test_bytes_without_a_meaning_do_not_move_the_blocks() -> None:
    body = (
        b"<p>Caf\xc3\xa9 \xff au lait, and a longer text in UTF-8 \xe2\x80\x94 here</p><p>End</p>"
    )
    page = reading.read_page(body, None, "text/html; charset=utf-8", Options())
    assert page.source.decode()
    start, end = page.offsets[1]
    assert page.source[start:end] == b"End"


def test_a_page_whose_content_is_in_its_data_is_labelled_by_what_it_shows() -> None:
    story = "The harbour was closed all week, and the boats lay still in the ice. " * 20
    html = (
        "<script type=application/ld+json>"
        f'{{"@type": "NewsArticle", "articleBody": "{story}"}}</script>'
        "<body><div>Please turn scripts on</div>"
    )
    page = read_page(html)
    assert page.source == html.encode()
    assert len(page.offsets) == len(page.proposal) == 1
