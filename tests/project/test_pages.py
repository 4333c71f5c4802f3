"""Pages that are added, change, and are handed out."""

from __future__ import annotations

import time
import zlib
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from tests.project.made import added, article, read_page, save

from tamis.errors import NotInProjectError, ProjectError
from tamis.options import Options
from tamis.project import labels, pages, renewal
from tamis.project.database import Database
from tamis.project.order import teaching_order
from tamis.project.reading import as_sent, read

URL = "https://field.example/walls"


@pytest.fixture
def mine(tmp_path: Path) -> Iterator[Database]:
    database = Database(tmp_path / "mine")
    yield database
    database.close()


def next_page(
    database: Database, by: str, order: pages.Order = "added", after: int | None = None
) -> int | None:
    return pages.claim_next(database, by, order, after, time.time())


# Reading


def test_a_page_is_kept_as_it_was_read_whatever_its_encoding() -> None:
    html = "<p>Le café de la gare est fermé depuis l'été, et personne ne sait pourquoi.</p>"
    page = read(html.encode("latin-1"), None, "text/html; charset=iso-8859-1", Options())
    assert page.source == html.encode()
    again = read(as_sent(page.source), None, None, Options())
    assert (again.hash, again.offsets.tolist()) == (page.hash, page.offsets.tolist())


@pytest.mark.parametrize(
    ("column", "value"),
    [("source", b"no zlib"), ("offsets", zlib.compress(b"123")), ("source", b"")],
)
def test_a_page_that_cannot_be_unpacked_is_said_to_be_damaged(
    column: str, value: object, mine: Database
) -> None:
    number = added(mine, "walls")
    with mine.writing() as connection:
        connection.execute(f"UPDATE sources SET {column} = ?", (value,))
    with pytest.raises(ProjectError, match="a page of the project is damaged"):
        pages.get_page(mine, number)


def test_a_page_is_unpacked_up_to_a_limit(mine: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    number = added(mine, "walls")
    monkeypatch.setattr(pages, "_LARGEST", 10)
    with pytest.raises(ProjectError, match="a page of the project is damaged"):
        pages.get_page(mine, number)


def test_bytes_without_a_meaning_do_not_move_the_blocks() -> None:
    body = (
        b"<p>Caf\xc3\xa9 \xff au lait, and a longer text in UTF-8 \xe2\x80\x94 here</p><p>End</p>"
    )
    page = read(body, None, "text/html; charset=utf-8", Options())
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


# Adding


def test_the_same_page_again_is_the_one_that_is_there(mine: Database) -> None:
    first = pages.add(mine, read_page(article("walls")), "walls", URL)
    assert first == (True, 1)
    assert pages.add(mine, read_page(article("walls")), "other name", None) == (False, 1)


def test_a_page_is_called_by_its_name_its_address_its_title_or_its_number(mine: Database) -> None:
    for topic, name, url in (("a", "mine", None), ("b", "", URL), ("c", "", None)):
        pages.add(mine, read_page(article(topic)), name, url)
    pages.add(mine, read_page("<p>Something without a title"), "", None)
    names = [entry["name"] for entry in pages.list_pages(mine, "all", "added", 9, 0, 0)[1]]
    assert names == ["mine", URL, "C - The Field", "page 4"]


def test_a_changed_page_takes_over_the_labels_of_what_is_still_there(mine: Database) -> None:
    before = article(
        "walls", "One stays as it was.", "Two will change.", "Three stays.", "Three stays."
    )
    pages.add(mine, read_page(before), "walls", f"{URL}#top")
    save(mine, 1, "ann", {2: "main", 3: "comments", 4: "promotion", 5: "other"}, 0)
    after = article("walls", "A new one.", "Three stays.", "One stays as it was.", "Three stays.")
    assert pages.add(mine, read_page(after), "walls", URL) == (True, 2)
    entry = pages.entry(mine, 2, 0)
    assert (entry["replaces"], entry["carried"], entry["lost"]) == (1, 3, 1)
    assert labels.current(mine, 2).labels == {"3": "promotion", "4": "main", "5": "other"}
    assert pages.entry(mine, 1, 0)["replaced_by"] == 2
    assert len(labels.current(mine, 1).labels) == 4  # the old one is kept
    assert labels.history(mine, 2)[0]["by"] == pages.CARRIED_BY


def test_a_page_with_a_newer_version_is_asked_of_nobody(mine: Database) -> None:
    added(mine, "walls", URL)
    added(mine, "hedges", URL)
    assert [next_page(mine, "ann"), pages.counts(mine)["left"]] == [2, 1]


# The queue


def test_two_people_get_different_pages(mine: Database) -> None:
    for topic in ("walls", "hedges", "gates"):
        added(mine, topic)
    assert [next_page(mine, "ann"), next_page(mine, "bob"), next_page(mine, "cy")] == [1, 2, 3]
    assert next_page(mine, "dee") is None
    assert pages.entry(mine, 2, time.time())["claimed_by"] == "bob"


def test_a_claim_ends_after_ten_minutes_or_when_its_holder_goes_on(mine: Database) -> None:
    for topic in ("walls", "hedges"):
        added(mine, topic)
    now = time.time()
    assert pages.claim_next(mine, "ann", "added", None, now) == 1
    assert pages.claim_next(mine, "bob", "added", None, now + 601) == 1
    assert pages.entry(mine, 1, now + 1300)["claimed_by"] is None
    assert pages.claim_next(mine, "bob", "added", 1, now + 602) == 2
    assert pages.claim_next(mine, "ann", "added", None, now + 603) == 1


def test_who_saves_keeps_the_page_and_who_finishes_it_does_not(mine: Database) -> None:
    added(mine, "walls")
    save(mine, 1, "ann", {0: "main"}, 0)
    assert next_page(mine, "bob") is None
    save(mine, 1, "ann", {}, 1, state="done")
    assert pages.entry(mine, 1, time.time())["claimed_by"] is None


def test_the_queue_goes_on_after_a_page_and_round_again(mine: Database) -> None:
    for topic in ("walls", "hedges", "gates"):
        added(mine, topic)
    assert next_page(mine, "ann", after=2) == 3
    assert next_page(mine, "ann", after=3) == 1
    save(mine, 2, "ann", {}, 0, state="done")
    assert next_page(mine, "ann", after=2) == 3
    order = [next_page(mine, "ann", "teaching")]
    order.append(next_page(mine, "ann", "teaching", order[0]))
    assert sorted(filter(None, order)) == [1, 3]


def test_pages_are_listed_by_state_and_in_parts(mine: Database) -> None:
    for topic in ("walls", "hedges", "gates"):
        added(mine, topic)
    save(mine, 2, "ann", {}, 0, state="skipped")
    total, entries = pages.list_pages(mine, "open", "added", 1, 1, time.time())
    assert (total, [entry["id"] for entry in entries]) == (2, [3])
    assert pages.counts(mine) == {"pages": 3, "labelled": 0, "skipped": 1, "left": 2}


def test_an_entry_that_is_not_there_is_said(mine: Database) -> None:
    with pytest.raises(NotInProjectError, match="no page 3"):
        pages.entry(mine, 3, 0)


# The order


def vectors(*rows: tuple[float, float]) -> np.ndarray:
    return np.array(rows, np.float32).reshape(-1, 2)


def test_pages_unlike_the_labelled_ones_come_first() -> None:
    left = vectors((0, 0), (0, 1), (0.1, 0))
    assert teaching_order(left, [5, 5, 5], vectors((0, 0)), [10, 10, 10])[0] == 1


def test_pages_with_close_decisions_come_before_those_with_none() -> None:
    left = vectors((0, 1), (0, 1))
    assert teaching_order(left, [0, 8], vectors((0, 0)), [10, 10]) == [1, 0]


def test_of_two_alike_the_second_comes_late_and_the_order_is_always_the_same() -> None:
    left = vectors((0, 1), (0, 1), (1, 0))
    order = teaching_order(left, [3, 3, 2], vectors(), [10, 10, 10])
    assert order == [0, 2, 1] == teaching_order(left, [3, 3, 2], vectors(), [10, 10, 10])


def test_many_pages_are_all_in_the_order_once() -> None:
    random = np.random.default_rng(0)
    left = random.random((500, 2)).astype(np.float32)
    close = random.integers(0, 9, 500).tolist()
    assert sorted(teaching_order(left, close, vectors((0, 0)), [10] * 500)) == [*range(500)]


# Read again


def test_labels_stay_with_their_text_when_a_newer_tamis_finds_other_blocks(mine: Database) -> None:
    page = added(mine, "walls")
    save(mine, page, "ann", {0: "navigation", 2: "main", 3: "comments"}, 0)
    with mine.writing() as connection:
        connection.execute("UPDATE sources SET tamis = '0.0.1'")
    assert renewal.is_old(mine, page)
    now = read_page(article("walls"))
    start, middle, end = *now.offsets[2], now.offsets[3][1]
    joined = np.array([*now.offsets[:2], (start, end), *now.offsets[4:]])  # two blocks are one
    other = type(now)(**{**vars(now), "offsets": joined, "proposal": now.proposal[:4]})
    renewal.renew(mine, page, other)
    assert not renewal.is_old(mine, page)
    longest = "main" if middle - start >= end - now.offsets[3][0] else "comments"
    current = labels.current(mine, page)
    assert current.labels == {"0": "navigation", "2": longest}
    assert current.version == 2
    assert pages.entry(mine, page, 0)["blocks"] == 4


def test_a_page_that_is_done_stays_whole_when_it_is_read_again(mine: Database) -> None:
    page = added(mine, "walls")
    save(mine, page, "ann", {}, 0, state="done")
    now = read_page(article("walls"))
    first, *rest = now.offsets.tolist()
    split = np.array([(first[0], first[0] + 4), (first[0] + 5, first[1]), *rest])
    more = ("navigation", *now.proposal)
    renewal.renew(mine, page, type(now)(**{**vars(now), "offsets": split, "proposal": more}))
    assert [*labels.current(mine, page).labels] == [str(block) for block in range(6)]
