"""Pages that are added, change, and are handed out."""

from __future__ import annotations

import time

import numpy as np
import pytest
from tests.project.made import added, article, read_page, save

from tamis.errors import NotInProjectError
from tamis.project import pages
from tamis.project.database import Database
from tamis.project.pages import order_by_teaching

URL = "https://field.example/walls"


def next_page(
    database: Database, by: str, order: pages.Order = "added", after: int | None = None
) -> int | None:
    return pages.claim_next(database, by, order, after, time.time())


# Adding


def test_the_same_page_again_is_the_one_that_is_there(mine: Database) -> None:
    first = pages.add_page(mine, read_page(article("walls")), "walls", URL)
    assert first == (True, 1)
    assert pages.add_page(mine, read_page(article("walls")), "other name", None) == (False, 1)


def test_a_page_is_called_by_its_name_its_address_its_title_or_its_number(mine: Database) -> None:
    for topic, name, url in (("a", "mine", None), ("b", "", URL), ("c", "", None)):
        pages.add_page(mine, read_page(article(topic)), name, url)
    pages.add_page(mine, read_page("<p>Something without a title"), "", None)
    names = [entry["name"] for entry in pages.list_pages(mine, "all", "added", 9, 0, 0)[1]]
    assert names == ["mine", URL, "C - The Field", "page 4"]


def test_a_page_with_a_newer_version_is_asked_of_nobody(mine: Database) -> None:
    added(mine, "walls", URL)
    added(mine, "hedges", URL)
    assert [next_page(mine, "ann"), pages.count_pages(mine)["left"]] == [2, 1]


# The queue


def test_two_people_get_different_pages(mine: Database) -> None:
    for topic in ("walls", "hedges", "gates"):
        added(mine, topic)
    assert [next_page(mine, "ann"), next_page(mine, "bob"), next_page(mine, "cy")] == [1, 2, 3]
    assert next_page(mine, "dee") is None
    assert pages.list_page(mine, 2, time.time())["claimed_by"] == "bob"


def test_a_claim_ends_after_ten_minutes_or_when_its_holder_goes_on(mine: Database) -> None:
    for topic in ("walls", "hedges"):
        added(mine, topic)
    now = time.time()
    assert pages.claim_next(mine, "ann", "added", None, now) == 1
    assert pages.claim_next(mine, "bob", "added", None, now + 601) == 1
    assert pages.list_page(mine, 1, now + 1300)["claimed_by"] is None
    assert pages.claim_next(mine, "bob", "added", 1, now + 602) == 2
    assert pages.claim_next(mine, "ann", "added", None, now + 603) == 1


def test_who_saves_keeps_the_page_and_who_finishes_it_does_not(mine: Database) -> None:
    added(mine, "walls")
    save(mine, 1, "ann", {0: "main"}, 0)
    assert next_page(mine, "bob") is None
    save(mine, 1, "ann", {}, 1, state="done")
    assert pages.list_page(mine, 1, time.time())["claimed_by"] is None


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
    assert pages.count_pages(mine) == {"pages": 3, "labelled": 0, "skipped": 1, "left": 2}


def test_an_entry_that_is_not_there_is_said(mine: Database) -> None:
    with pytest.raises(NotInProjectError, match="no page 3"):
        pages.list_page(mine, 3, 0)


# The order


def vectors(*rows: tuple[float, float]) -> np.ndarray:
    return np.array(rows, np.float32).reshape(-1, 2)


def test_pages_unlike_the_labelled_ones_come_first() -> None:
    left = vectors((0, 0), (0, 1), (0.1, 0))
    assert order_by_teaching(left, [5, 5, 5], vectors((0, 0)), [10, 10, 10])[0] == 1


def test_pages_with_close_decisions_come_before_those_with_none() -> None:
    left = vectors((0, 1), (0, 1))
    assert order_by_teaching(left, [0, 8], vectors((0, 0)), [10, 10]) == [1, 0]


def test_of_two_alike_the_second_comes_late_and_the_order_is_always_the_same() -> None:
    left = vectors((0, 1), (0, 1), (1, 0))
    order = order_by_teaching(left, [3, 3, 2], vectors(), [10, 10, 10])
    assert order == [0, 2, 1] == order_by_teaching(left, [3, 3, 2], vectors(), [10, 10, 10])


def test_many_pages_are_all_in_the_order_once() -> None:
    random = np.random.default_rng(0)
    left = random.random((500, 2)).astype(np.float32)
    close = random.integers(0, 9, 500).tolist()
    assert sorted(order_by_teaching(left, close, vectors((0, 0)), [10] * 500)) == [*range(500)]
