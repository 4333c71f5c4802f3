"""Labels of a project in the formats of data sets, and back."""

from __future__ import annotations

import json
import time

import pytest
from tests.project.made import added, article, save

from tamis.errors import DatasetError
from tamis.labels.datasets import Example
from tamis.options import Options
from tamis.project import labels, pages, transfer
from tamis.project.database import Database

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
