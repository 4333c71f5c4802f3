"""Which weights a project has, and which are accepted."""

from __future__ import annotations

from pathlib import Path

import pytest

from tamis.errors import NotInProjectError
from tamis.options import Options
from tamis.project import weights
from tamis.project.database import Database

REPORT = {"before": 0.5, "after": 0.9, "sure": 1.0, "pages": 12, "better": True, "worse": []}


def add(database: Database, *names: str) -> None:
    with database.write() as connection:
        for name in names:
            weights.add_weights(connection, name, REPORT)


def test_the_name_of_new_weights_was_never_used(mine: Database) -> None:
    assert weights.choose_file(mine).name == "taught-1.npz"
    add(mine, "taught-3")
    assert weights.choose_file(mine).name == "taught-4.npz"
    (mine.folder / "weights" / "taught-10.npz").touch()
    assert weights.choose_file(mine) == mine.folder / "weights" / "taught-11.npz"


def test_weights_are_listed_the_latest_first(mine: Database) -> None:
    add(mine, "taught-1", "taught-2")
    with mine.write() as connection:
        connection.execute("UPDATE project SET accepted = 'taught-1'")
    listed = weights.list_weights(mine)
    assert [(each["name"], each["accepted"]) for each in listed] == [
        ("taught-2", False),
        ("taught-1", True),
    ]
    assert (listed[0]["after"], listed[0]["pages"]) == (0.9, 12)
    assert weights.accepted_file(mine.folder) == str(mine.folder / "weights" / "taught-1.npz")


def test_unknown_weights_are_not_accepted_and_those_that_there_are_are_named(
    mine: Database,
) -> None:
    with pytest.raises(NotInProjectError, match="there are: none yet"):
        weights.accept(mine, "taught-1")
    add(mine, "taught-1")
    with pytest.raises(NotInProjectError, match="there are: taught-1"):
        weights.accept(mine, "other")
    assert weights.find_accepted(mine) is None


def test_weights_are_for_the_default_method_that_names_none(tmp_path: Path) -> None:
    path = str(tmp_path / "taught-1.npz")
    assert weights.with_weights(Options(), path).parameters == {"weights": path}
    for options in (Options(method="baseline"), Options(parameters={"weights": "mine.npz"})):
        assert weights.with_weights(options, path) is options
    usual = Options()
    assert weights.with_weights(usual, None) is usual


def test_what_another_server_accepts_is_noticed_when_it_is_time(mine: Database) -> None:
    accepted = weights.Accepted(mine)
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
