"""Pages as a project keeps them; labels in the formats of data sets, and back."""

from __future__ import annotations

import json
import time
import zlib

import pytest
from tests.project.made import added, article, read_page, save

from tamis.errors import DatasetError, ProjectError
from tamis.labels.datasets import Example
from tamis.options import Options
from tamis.project import database, labels, pages, transfer
from tamis.project.database import Database
from tamis.project.transfer import as_sent

URL = "https://field.example/walls"


def test_pages_that_are_done_are_listed_without_those_that_a_done_one_replaces(
    mine: Database,
) -> None:
    old = added(mine, "walls", URL)
    save(mine, old, "ann", {}, 0, state="done")
    started = added(mine, "hedges")
    save(mine, started, "ann", {1: "title"}, 0)
    added(mine, "gates")
    assert transfer.list_labelled(mine) == [old]
    assert transfer.list_labelled(mine, all_labels=True) == [old, started]
    new = added(mine, "walls today", URL)
    assert transfer.list_labelled(mine) == [old]
    save(mine, new, "ann", {}, pages.get_page(mine, new).version, state="done")
    assert transfer.list_labelled(mine) == [new]


def test_every_page_gets_a_name_of_its_own(mine: Database) -> None:
    numbers = [added(mine, "walls"), added(mine, "hedges")]
    with mine.write() as connection:
        connection.execute("UPDATE pages SET name = 'same'")
    numbers.append(added(mine, "gates"))
    assert transfer.name_pages(mine, numbers) == {1: "same (1)", 2: "same (2)", 3: "gates"}


@pytest.mark.parametrize("to", [*transfer.FORMATS])
def test_a_page_is_exported_as_one_object(mine: Database, to: str) -> None:
    page = added(mine, "walls")
    save(mine, page, "ann", {1: "title"}, 0)
    example = transfer.make_example(pages.get_page(mine, page), "walls", "mine")
    assert isinstance(json.loads(transfer.export_page(example, to)), dict)


def test_labels_come_back_as_they_went_out(mine: Database) -> None:
    page = added(mine, "walls")
    save(mine, page, "ann", {0: "navigation", 2: "promotion"}, 0)
    example = transfer.make_example(pages.get_page(mine, page), "walls", "mine")
    entry = transfer.import_page(example, Options())
    assert {block: entry.kinds[block] for block in (0, 2)} == {0: "navigation", 2: "promotion"}
    number = transfer.add_imported(mine, entry, "import", time.time())
    assert number == page
    saved = labels.get_labels(mine, page)
    assert (saved.state, saved.labels["2"]) == ("done", "promotion")


def test_a_page_without_labels_or_text_is_refused() -> None:
    example = Example(id="walls", dataset="mine", html=article("walls"))
    with pytest.raises(DatasetError, match="neither 'blocks' nor 'text'"):
        transfer.import_page(example, Options())


# Pages


def test_a_page_is_kept_as_it_was_read_whatever_its_encoding() -> None:
    html = "<p>Le café de la gare est fermé depuis l'été, et personne ne sait pourquoi.</p>"
    kind = "text/html; charset=iso-8859-1"
    page = transfer.read_page(html.encode("latin-1"), None, kind, Options())
    assert page.source == html.encode()
    again = transfer.read_page(as_sent(page.source), None, None, Options())
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
    monkeypatch.setattr(database, "_LARGEST", 10)
    with pytest.raises(ProjectError, match="a page of the project is damaged"):
        pages.get_page(mine, number)


def test_bytes_without_a_meaning_do_not_move_the_blocks() -> None:
    body = (
        b"<p>Caf\xc3\xa9 \xff au lait, and a longer text in UTF-8 \xe2\x80\x94 here</p><p>End</p>"
    )
    page = transfer.read_page(body, None, "text/html; charset=utf-8", Options())
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
