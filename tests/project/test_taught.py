"""Which weights a project has, which are accepted, and the state of the teaching."""

from __future__ import annotations

import time
from pathlib import Path

import pytest
from tests.project.made import added, save

from tamis.errors import NotInProjectError, NotNowError
from tamis.options import Options
from tamis.project import taught
from tamis.project.database import Database

REPORT = {"before": 0.5, "after": 0.9, "sure": 1.0, "pages": 12, "better": True, "worse": []}


def add(database: Database, *names: str) -> None:
    with database.write() as connection:
        for name in names:
            taught.add_weights(connection, name, REPORT)


def test_the_name_of_new_weights_was_never_used(mine: Database) -> None:
    assert taught.choose_file(mine).name == "taught-1.npz"
    add(mine, "taught-3")
    assert taught.choose_file(mine).name == "taught-4.npz"
    (mine.folder / "weights" / "taught-10.npz").touch()
    assert taught.choose_file(mine) == mine.folder / "weights" / "taught-11.npz"


def test_weights_are_listed_the_latest_first(mine: Database) -> None:
    add(mine, "taught-1", "taught-2")
    with mine.write() as connection:
        connection.execute("UPDATE project SET accepted = 'taught-1'")
    listed = taught.list_weights(mine)
    assert [(each["name"], each["accepted"]) for each in listed] == [
        ("taught-2", False),
        ("taught-1", True),
    ]
    assert (listed[0]["after"], listed[0]["pages"]) == (0.9, 12)
    assert taught.accepted_file(mine.folder) == str(mine.folder / "weights" / "taught-1.npz")


def test_unknown_weights_are_not_accepted_and_those_that_there_are_are_named(
    mine: Database,
) -> None:
    with pytest.raises(NotInProjectError, match="there are: none yet"):
        taught.accept(mine, "taught-1")
    add(mine, "taught-1")
    with pytest.raises(NotInProjectError, match="there are: taught-1"):
        taught.accept(mine, "other")
    assert taught.find_accepted(mine) is None


def test_weights_are_for_the_default_method_that_names_none(tmp_path: Path) -> None:
    path = str(tmp_path / "taught-1.npz")
    assert taught.with_weights(Options(), path).parameters == {"weights": path}
    for options in (Options(method="baseline"), Options(parameters={"weights": "mine.npz"})):
        assert taught.with_weights(options, path) is options
    usual = Options()
    assert taught.with_weights(usual, None) is usual


def test_what_another_server_accepts_is_noticed_when_it_is_time(mine: Database) -> None:
    accepted = taught.Accepted(mine)
    assert accepted.is_old
    accepted.look()
    assert not accepted.is_old
    usual = Options()
    assert accepted.apply(usual) is usual
    add(mine, "taught-1")
    with mine.write() as connection:
        connection.execute("UPDATE project SET accepted = 'taught-1'")
    accepted.look()
    applied = accepted.apply(usual)
    assert str(applied.parameters["weights"]).endswith("taught-1.npz")
    assert accepted.apply(usual) is applied


def label_pages(database: Database, *topics: str) -> None:
    for topic in topics:
        save(database, added(database, topic), "ann", {}, 0, state="done")


def test_nothing_was_taught_yet(mine: Database) -> None:
    state = taught.get_state(mine, time.time())
    assert (state["state"], state["share"], state["report"]) == ("none", 0.0, None)
    described = taught.describe_project(mine)
    assert (described["name"], described["pages"], described["accepted"]) == ("mine", 0, None)
    assert described["teaching"] == state


def test_teaching_begins_with_two_labelled_pages(mine: Database) -> None:
    label_pages(mine, "walls")
    with pytest.raises(NotNowError, match="label 1 more"):
        taught.register_teaching(mine, 0.0)
    label_pages(mine, "hedges")
    taught.register_teaching(mine, 100.0)
    assert taught.get_state(mine, 100.0)["state"] == "running"


def test_only_one_teaching_runs_unless_the_other_is_silent(mine: Database) -> None:
    label_pages(mine, "walls", "hedges")
    first = taught.register_teaching(mine, 100.0)
    with pytest.raises(NotNowError, match="runs already"):
        taught.register_teaching(mine, 115.0)
    assert taught.get_state(mine, 115.0)["state"] == "running"
    assert taught.get_state(mine, 115.1)["state"] == "interrupted"
    assert taught.register_teaching(mine, 115.1) != first


def test_a_teaching_that_was_stopped_does_not_run(mine: Database) -> None:
    label_pages(mine, "walls", "hedges")
    taught.register_teaching(mine, 100.0)
    taught.stop_teaching(mine)
    assert taught.get_state(mine, 100.0)["state"] == "stopped"
    taught.register_teaching(mine, 100.0)
