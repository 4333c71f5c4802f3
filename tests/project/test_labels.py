"""Labels of two people on one page."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.project.made import added, save

from tamis.errors import InputError, LabelConflictError, NotInProjectError
from tamis.project import labels, pages
from tamis.project.database import Database


@pytest.fixture
def mine(tmp_path: Path) -> Iterator[Database]:
    database = Database(tmp_path / "mine")
    yield database
    database.close()


@pytest.fixture
def page(mine: Database) -> int:
    return added(mine, "ferries")


def test_changes_of_two_people_to_different_blocks_are_both_kept(mine: Database, page: int) -> None:
    assert not save(mine, page, "ann", {0: "navigation"}, 0).merged
    saved = save(mine, page, "bob", {1: "title"}, 0)
    assert saved.merged
    assert (saved.version, saved.labels) == (2, {"0": "navigation", "1": "title"})


def test_other_kinds_for_the_same_block_are_a_conflict_that_names_both(
    mine: Database, page: int
) -> None:
    save(mine, page, "ann", {0: "navigation", 2: "main"}, 0)
    with pytest.raises(LabelConflictError, match="ann gave other labels to 1") as raised:
        save(mine, page, "bob", {0: "promotion", 1: "title", 2: "main"}, 0)
    assert raised.value.details == {
        "conflicts": {"0": {"yours": "promotion", "theirs": "navigation", "by": "ann"}},
        "version": 1,
        "state": "open",
        "labels": {"0": "navigation", "2": "main"},
    }
    assert labels.current(mine, page).labels == {"0": "navigation", "2": "main"}


def test_who_has_seen_a_label_may_change_it(mine: Database, page: int) -> None:
    save(mine, page, "ann", {0: "navigation"}, 0)
    assert save(mine, page, "bob", {0: "promotion"}, 1).labels == {"0": "promotion"}


def test_who_has_seen_a_conflict_may_overwrite_it(mine: Database, page: int) -> None:
    save(mine, page, "ann", {0: "navigation"}, 0)
    assert save(mine, page, "bob", {0: "promotion"}, 0, force=True).labels == {"0": "promotion"}


def test_a_label_that_was_taken_back_meanwhile_is_a_conflict(mine: Database, page: int) -> None:
    save(mine, page, "ann", {0: "navigation"}, 0)
    save(mine, page, "ann", {0: None}, 1)
    assert labels.current(mine, page).labels == {}
    with pytest.raises(LabelConflictError) as raised:
        save(mine, page, "bob", {0: "promotion"}, 1)
    conflicts = raised.value.details["conflicts"]
    assert conflicts == {"0": {"yours": "promotion", "theirs": None, "by": "ann"}}


def test_the_same_change_twice_is_one(mine: Database, page: int) -> None:
    save(mine, page, "ann", {0: "navigation"}, 0)
    again = save(mine, page, "ann", {0: "navigation"}, 0)
    assert (again.version, again.labels) == (1, {"0": "navigation"})
    assert len(labels.history(mine, page)) == 1


def test_a_page_that_is_done_has_a_label_on_every_block(mine: Database, page: int) -> None:
    saved = save(mine, page, "ann", {3: "comments"}, 0, state="done")
    assert saved.state == "done"
    assert [*saved.labels] == [str(block) for block in range(5)]
    assert (saved.labels["2"], saved.labels["3"]) == ("main", "comments")


def test_nothing_is_saved_while_the_proposal_is_not_there(mine: Database, page: int) -> None:
    stored = pages.get_page(mine, page)
    change = labels.Change(0, stored.hash, "ann", {3: "comments"}, "done")
    with pytest.raises(labels.ProposalNeeded):
        labels.save(mine, page, change, time.time())
    assert labels.current(mine, page).version == 0


def test_a_proposal_for_other_blocks_is_refused(mine: Database, page: int) -> None:
    stored = pages.get_page(mine, page)
    change = labels.Change(0, stored.hash, "ann", {}, "done")
    with pytest.raises(LabelConflictError, match="load it again"):
        labels.save(mine, page, change, time.time(), ["main"])


def test_a_label_beats_a_proposal_that_somebody_accepted_meanwhile(
    mine: Database, page: int
) -> None:
    save(mine, page, "ann", {}, 0, state="done")
    saved = save(mine, page, "bob", {2: "promotion"}, 0)
    assert (saved.merged, saved.state, saved.labels["2"]) == (True, "done", "promotion")


def test_a_label_taken_back_on_a_page_that_is_done_becomes_the_proposal(
    mine: Database, page: int
) -> None:
    save(mine, page, "ann", {2: "promotion"}, 0, state="done")
    assert save(mine, page, "ann", {2: None}, 1).labels["2"] == "main"


def test_every_change_is_in_the_history(mine: Database, page: int) -> None:
    save(mine, page, "ann", {0: "navigation"}, 0)
    save(mine, page, "bob", {0: "other"}, 1)
    save(mine, page, "bob", {}, 2, state="skipped")
    assert [
        (entry["version"], entry["by"], entry["state"], entry["changes"])
        for entry in labels.history(mine, page)
    ] == [
        (1, "ann", "open", {"0": "navigation"}),
        (2, "bob", "open", {"0": "other"}),
        (3, "bob", "skipped", {}),
    ]
    save(mine, page, "ann", {1: "title"}, 3, state="done")
    *_, given, proposed = labels.history(mine, page)
    assert (given["proposed"], given["changes"]) == (False, {"1": "title"})
    assert (proposed["proposed"], [*proposed["changes"]]) == (True, ["2", "3", "4"])


def test_labels_of_another_source_are_refused(mine: Database, page: int) -> None:
    change = labels.Change(0, "0" * 64, "ann", {0: "main"})
    with pytest.raises(LabelConflictError, match="the page has changed"):
        labels.save(mine, page, change, time.time())


def test_a_version_that_is_not_yet_there_is_refused(mine: Database, page: int) -> None:
    with pytest.raises(LabelConflictError, match="not yet 5"):
        save(mine, page, "ann", {0: "main"}, 5)


def test_a_block_that_the_page_has_not_is_refused(mine: Database, page: int) -> None:
    with pytest.raises(InputError, match="5 blocks; there is no 5"):
        save(mine, page, "ann", {0: "main", 5: "main"}, 0)
    assert labels.current(mine, page).labels == {}


def test_a_page_that_is_not_there_is_said(mine: Database) -> None:
    for ask in (labels.current, labels.history, pages.get_page):
        with pytest.raises(NotInProjectError, match="no page 9"):
            ask(mine, 9)
