"""The state of the teaching, without its process."""

from __future__ import annotations

import time

import pytest
from tests.project.made import added, save

from tamis.errors import NotNowError
from tamis.project import teaching_job
from tamis.project.database import Database


def label_pages(database: Database, *topics: str) -> None:
    for topic in topics:
        save(database, added(database, topic), "ann", {}, 0, state="done")


def test_nothing_was_taught_yet(mine: Database) -> None:
    state = teaching_job.get_state(mine, time.time())
    assert (state["state"], state["share"], state["report"]) == ("none", 0.0, None)
    described = teaching_job.describe_project(mine)
    assert (described["name"], described["pages"], described["accepted"]) == ("mine", 0, None)
    assert described["teaching"] == state


def test_teaching_begins_with_two_labelled_pages(mine: Database) -> None:
    label_pages(mine, "walls")
    with pytest.raises(NotNowError, match="label 1 more"):
        teaching_job.register_teaching(mine, 0.0)
    label_pages(mine, "hedges")
    teaching_job.register_teaching(mine, 100.0)
    assert teaching_job.get_state(mine, 100.0)["state"] == "running"


def test_only_one_teaching_runs_unless_the_other_is_silent(mine: Database) -> None:
    label_pages(mine, "walls", "hedges")
    first = teaching_job.register_teaching(mine, 100.0)
    with pytest.raises(NotNowError, match="runs already"):
        teaching_job.register_teaching(mine, 115.0)
    assert teaching_job.get_state(mine, 115.0)["state"] == "running"
    assert teaching_job.get_state(mine, 115.1)["state"] == "interrupted"
    assert teaching_job.register_teaching(mine, 115.1) != first


def test_a_teaching_that_was_stopped_does_not_run(mine: Database) -> None:
    label_pages(mine, "walls", "hedges")
    teaching_job.register_teaching(mine, 100.0)
    teaching_job.stop_teaching(mine)
    assert teaching_job.get_state(mine, 100.0)["state"] == "stopped"
    teaching_job.register_teaching(mine, 100.0)
