"""Labels of two people on one page."""

from __future__ import annotations

import time

import numpy as np
import pytest
from tests.project.made import added, article, read_page, save
from tests.project.test_pages import URL

from tamis.errors import InputError, LabelConflictError, NotInProjectError
from tamis.project import labels, pages
from tamis.project.database import Database


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
    assert labels.get_labels(mine, page).labels == {"0": "navigation", "2": "main"}


def test_who_has_seen_a_label_may_change_it(mine: Database, page: int) -> None:
    save(mine, page, "ann", {0: "navigation"}, 0)
    assert save(mine, page, "bob", {0: "promotion"}, 1).labels == {"0": "promotion"}


def test_who_has_seen_a_conflict_may_overwrite_it(mine: Database, page: int) -> None:
    save(mine, page, "ann", {0: "navigation"}, 0)
    assert save(mine, page, "bob", {0: "promotion"}, 0, force=True).labels == {"0": "promotion"}


def test_a_label_that_was_taken_back_meanwhile_is_a_conflict(mine: Database, page: int) -> None:
    save(mine, page, "ann", {0: "navigation"}, 0)
    save(mine, page, "ann", {0: None}, 1)
    assert labels.get_labels(mine, page).labels == {}
    with pytest.raises(LabelConflictError) as raised:
        save(mine, page, "bob", {0: "promotion"}, 1)
    conflicts = raised.value.details["conflicts"]
    assert conflicts == {"0": {"yours": "promotion", "theirs": None, "by": "ann"}}


def test_the_same_change_twice_is_one(mine: Database, page: int) -> None:
    save(mine, page, "ann", {0: "navigation"}, 0)
    again = save(mine, page, "ann", {0: "navigation"}, 0)
    assert (again.version, again.labels) == (1, {"0": "navigation"})
    assert len(labels.list_changes(mine, page)) == 1


def test_a_page_that_is_done_has_a_label_on_every_block(mine: Database, page: int) -> None:
    saved = save(mine, page, "ann", {3: "comments"}, 0, state="done")
    assert saved.state == "done"
    assert [*saved.labels] == [str(block) for block in range(5)]
    assert (saved.labels["2"], saved.labels["3"]) == ("main", "comments")


def test_nothing_is_saved_while_the_proposal_is_not_there(mine: Database, page: int) -> None:
    stored = pages.get_page(mine, page)
    change = labels.Change(0, stored.hash, "ann", {3: "comments"}, "done")
    with pytest.raises(labels.ProposalNeeded):
        labels.save_labels(mine, page, change, time.time())
    assert labels.get_labels(mine, page).version == 0


def test_a_proposal_for_other_blocks_is_refused(mine: Database, page: int) -> None:
    stored = pages.get_page(mine, page)
    change = labels.Change(0, stored.hash, "ann", {}, "done")
    with pytest.raises(LabelConflictError, match="load it again"):
        labels.save_labels(mine, page, change, time.time(), ["main"])


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
        for entry in labels.list_changes(mine, page)
    ] == [
        (1, "ann", "open", {"0": "navigation"}),
        (2, "bob", "open", {"0": "other"}),
        (3, "bob", "skipped", {}),
    ]
    save(mine, page, "ann", {1: "title"}, 3, state="done")
    *_, given, proposed = labels.list_changes(mine, page)
    assert (given["proposed"], given["changes"]) == (False, {"1": "title"})
    assert (proposed["proposed"], [*proposed["changes"]]) == (True, ["2", "3", "4"])


def test_labels_of_another_source_are_refused(mine: Database, page: int) -> None:
    change = labels.Change(0, "0" * 64, "ann", {0: "main"})
    with pytest.raises(LabelConflictError, match="the page has changed"):
        labels.save_labels(mine, page, change, time.time())


def test_a_version_that_is_not_yet_there_is_refused(mine: Database, page: int) -> None:
    with pytest.raises(LabelConflictError, match="not yet 5"):
        save(mine, page, "ann", {0: "main"}, 5)


def test_a_block_that_the_page_has_not_is_refused(mine: Database, page: int) -> None:
    with pytest.raises(InputError, match="5 blocks; there is no 5"):
        save(mine, page, "ann", {0: "main", 5: "main"}, 0)
    assert labels.get_labels(mine, page).labels == {}


def test_a_page_that_is_not_there_is_said(mine: Database) -> None:
    for ask in (labels.get_labels, labels.list_changes, pages.get_page):
        with pytest.raises(NotInProjectError, match="no page 9"):
            ask(mine, 9)


def test_a_changed_page_takes_over_the_labels_of_what_is_still_there(mine: Database) -> None:
    before = article(
        "walls", "One stays as it was.", "Two will change.", "Three stays.", "Three stays."
    )
    pages.add_page(mine, read_page(before), "walls", f"{URL}#top")
    save(mine, 1, "ann", {2: "main", 3: "comments", 4: "promotion", 5: "other"}, 0)
    after = article("walls", "A new one.", "Three stays.", "One stays as it was.", "Three stays.")
    assert pages.add_page(mine, read_page(after), "walls", URL) == (True, 2)
    entry = pages.list_page(mine, 2, 0)
    assert (entry["replaces"], entry["carried"], entry["lost"]) == (1, 3, 1)
    assert labels.get_labels(mine, 2).labels == {"3": "promotion", "4": "main", "5": "other"}
    assert pages.list_page(mine, 1, 0)["replaced_by"] == 2
    assert len(labels.get_labels(mine, 1).labels) == 4  # the old one is kept
    assert labels.list_changes(mine, 2)[0]["by"] == labels.CARRIED_BY


def test_labels_stay_with_their_text_when_a_newer_tamis_finds_other_blocks(mine: Database) -> None:
    page = added(mine, "walls")
    save(mine, page, "ann", {0: "navigation", 2: "main", 3: "comments"}, 0)
    with mine.write() as connection:
        connection.execute("UPDATE sources SET tamis = '0.0.1'")
    assert labels.is_old(mine, page)
    now = read_page(article("walls"))
    start, middle, end = *now.offsets[2], now.offsets[3][1]
    joined = np.array([*now.offsets[:2], (start, end), *now.offsets[4:]])  # two blocks are one
    other = type(now)(**{**vars(now), "offsets": joined, "proposal": now.proposal[:4]})
    labels.renew_page(mine, page, other)
    assert not labels.is_old(mine, page)
    longest = "main" if middle - start >= end - now.offsets[3][0] else "comments"
    current = labels.get_labels(mine, page)
    assert current.labels == {"0": "navigation", "2": longest}
    assert current.version == 2
    assert pages.list_page(mine, page, 0)["blocks"] == 4


def test_a_page_that_is_done_stays_whole_when_it_is_read_again(mine: Database) -> None:
    page = added(mine, "walls")
    save(mine, page, "ann", {}, 0, state="done")
    now = read_page(article("walls"))
    first, *rest = now.offsets.tolist()
    split = np.array([(first[0], first[0] + 4), (first[0] + 5, first[1]), *rest])
    more = ("navigation", *now.proposal)
    labels.renew_page(mine, page, type(now)(**{**vars(now), "offsets": split, "proposal": more}))
    assert [*labels.get_labels(mine, page).labels] == [str(block) for block in range(6)]
