"""Folders that are projects, and those that are none."""

from __future__ import annotations

import os
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest
from tests import needs
from tests.project.made import added, article, read_page, save

from tamis.errors import ProjectBusyError, ProjectError, ProjectFullError
from tamis.project import database as module
from tamis.project import labels, pages
from tamis.project.database import FILE, Database


def test_a_new_folder_becomes_a_project_that_says_what_it_is(mine: Database) -> None:
    assert sorted(os.listdir(mine.folder)) >= ["README.txt", FILE]
    readme = (mine.folder / "README.txt").read_text()
    assert "tamis serve --project" in readme
    assert len(readme.splitlines()) == 5
    assert (mine.folder / "weights").is_dir()
    assert mine.name == "mine"


def test_an_empty_folder_becomes_a_project(tmp_path: Path) -> None:
    Database(tmp_path).close()
    assert (tmp_path / FILE).exists()


def test_what_is_saved_is_there_when_the_folder_is_opened_again(mine: Database) -> None:
    page = added(mine, "ferries")
    save(mine, page, "ann", {1: "title"}, 0)
    mine.close()
    again = Database(mine.folder)
    assert labels.get_labels(again, page).labels == {"1": "title"}
    again.close()


def test_a_commit_is_on_the_disk_before_it_is_confirmed(mine: Database) -> None:
    with mine.read() as connection:
        assert connection.execute("PRAGMA journal_mode").fetchone()[0] == "wal"
        assert connection.execute("PRAGMA synchronous").fetchone()[0] == 2
        assert connection.execute("PRAGMA foreign_keys").fetchone()[0] == 1


def test_a_folder_with_other_files_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "thesis.doc").write_text("my only copy")
    with pytest.raises(ProjectError, match=r"has files, but no project\.sqlite3"):
        Database(tmp_path)
    assert os.listdir(tmp_path) == ["thesis.doc"]


def test_a_file_is_no_folder(tmp_path: Path) -> None:
    (tmp_path / "mine").write_text("")
    with pytest.raises(ProjectError, match="a file, not a project folder"):
        Database(tmp_path / "mine")


def test_a_folder_that_is_not_there_is_not_made_for_who_only_looks(tmp_path: Path) -> None:
    with pytest.raises(ProjectError, match="no such folder"):
        Database(tmp_path / "mine", create=False)
    with pytest.raises(ProjectError, match="no project"):
        Database(tmp_path, create=False)
    assert not (tmp_path / "mine").exists()


def test_a_project_of_a_newer_version_is_refused_and_not_touched(mine: Database) -> None:
    mine.close()
    with sqlite3.connect(mine.folder / FILE) as connection:
        connection.execute("PRAGMA user_version = 7")
    connection.close()
    before = (mine.folder / FILE).read_bytes()
    with pytest.raises(ProjectError, match=r"version 7, made by a newer tamis.*--upgrade"):
        Database(mine.folder)
    assert (mine.folder / FILE).read_bytes() == before


def test_the_database_of_another_program_is_refused(tmp_path: Path) -> None:
    with sqlite3.connect(tmp_path / FILE) as connection:
        connection.execute("CREATE TABLE contacts (name TEXT)")
    connection.close()
    with pytest.raises(ProjectError, match="another program"):
        Database(tmp_path)


def test_a_damaged_database_is_said_to_be_one(tmp_path: Path) -> None:
    (tmp_path / FILE).write_bytes(b"no database at all, but long enough to be looked at" * 100)
    with pytest.raises(ProjectError, match="no database, or damaged"):
        Database(tmp_path)


def test_a_file_that_was_begun_when_the_power_went_becomes_a_project(tmp_path: Path) -> None:
    (tmp_path / FILE).write_bytes(b"")
    Database(tmp_path).close()


def test_a_full_disk_is_said_and_nothing_is_lost(mine: Database) -> None:
    page = added(mine, "ferries")
    save(mine, page, "ann", {1: "title"}, 0)
    with mine.read() as connection:
        size = connection.execute("PRAGMA page_count").fetchone()[0]
        connection.execute(f"PRAGMA max_page_count = {size + 4}")
    noise = os.urandom(60_000).hex()
    with pytest.raises(ProjectFullError, match=r"disk is full.*nothing was saved or lost"):
        pages.add_page(mine, read_page(article("noise", noise)), "noise", None)
    assert labels.get_labels(mine, page).labels == {"1": "title"}
    assert pages.count_pages(mine)["pages"] == 1
    with mine.read() as connection:
        connection.execute("PRAGMA max_page_count = 1000000")
    assert pages.add_page(mine, read_page(article("noise", noise)), "noise", None)[0]


@needs.root
def test_a_disk_that_is_really_full_loses_nothing(tmp_path: Path) -> None:
    mount = ["mount", "-t", "tmpfs", "-o", "size=600k", "tmpfs", str(tmp_path)]
    if subprocess.run(mount, capture_output=True).returncode:
        pytest.skip(needs.explain("mount", "run the tests where root may mount"))
    try:
        database = Database(tmp_path / "mine")
        page = added(database, "ferries")
        save(database, page, "ann", {1: "title"}, 0)
        noise = [read_page(article("noise", os.urandom(20_000).hex())) for _ in range(40)]
        with pytest.raises(ProjectFullError):
            [pages.add_page(database, page, "", None) for page in noise]
        assert labels.get_labels(database, page).labels == {"1": "title"}
        database.close()
        again = Database(tmp_path / "mine")
        assert labels.get_labels(again, page).labels == {"1": "title"}
        again.close()
    finally:
        subprocess.run(["umount", str(tmp_path)], check=True)


def test_others_are_waited_for_and_then_it_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "_PATIENCE_SECONDS", 0.1)
    database = Database(tmp_path / "mine")
    page = added(database, "ferries")
    other = sqlite3.connect(tmp_path / "mine" / FILE, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    with pytest.raises(ProjectBusyError, match="try again"):
        save(database, page, "ann", {1: "title"}, 0)
    assert labels.get_labels(database, page).version == 0  # to read nobody has to wait
    other.execute("ROLLBACK")
    assert save(database, page, "ann", {1: "title"}, 0).version == 1
    other.close()
    database.close()


def test_two_processes_that_make_a_project_at_a_time_make_one(tmp_path: Path) -> None:
    code = f"from tamis.project.database import Database; Database({str(tmp_path / 'mine')!r})"
    commands = [subprocess.Popen([sys.executable, "-c", code]) for _ in range(4)]
    assert [command.wait() for command in commands] == [0, 0, 0, 0]


@needs.root
def test_a_folder_that_may_not_be_written_is_said_to_be_one(mine: Database) -> None:
    mine.close()
    for path in (mine.folder, *mine.folder.rglob("*")):
        path.chmod(0o755 if path.is_dir() else 0o644)
    for path in mine.folder.parents:
        if path.stat().st_uid == 0 and path.name.startswith(("pytest", "popen", "test_")):
            path.chmod(0o755)
    root = str(Path(module.__file__).parent.parent.parent)
    code = (
        f"import os, sys; sys.path.insert(0, {root!r}); import tamis, sqlite3, numpy;"
        "from tamis.project.database import Database;"
        "from tamis.project.taught import accepted_file; os.setuid(65534)\n"
        f"print(accepted_file({str(mine.folder)!r}))\n"
        f"try: Database({str(mine.folder)!r})\nexcept tamis.ProjectError as error: print(error)"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert run.stdout.startswith("None\n"), run.stderr
    assert "cannot be written" in run.stdout, run.stdout
