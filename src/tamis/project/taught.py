"""What is taught with a project: the process that teaches, its weights, and which are accepted.

The process has a low priority and can be stopped. Its state is in the database, so that every
server of the folder shows it. It says every second that it is alive; one that does not any more was
interrupted. It ends when the server that started it does: then its standard input ends.
"""

from __future__ import annotations

import json
import os
import re
import sqlite3
import subprocess
import sys
import threading
import time
from contextlib import closing, suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any
from uuid import uuid4

from tamis._runtime.processes import describe_end, start_python
from tamis.errors import (
    NotInProjectError,
    NotNowError,
    ProjectBusyError,
    ProjectError,
    TamisError,
)
from tamis.labels.datasets import KINDS
from tamis.methods.tamis import Tamis
from tamis.options import DEFAULT_METHOD, Options
from tamis.project import pages, transfer
from tamis.project.database import FILE, Database, has_project, make_timestamp

FEWEST_PAGES = 2
_BEAT_SECONDS = 1.0
# A process without a sign of life for that long has ended.
_SILENT_SECONDS = 15.0
# A process that was stopped may finish the step that it is in.
_GRACE_SECONDS = 5.0
_PRIORITY = 15
# How long a server does not notice that another one accepted weights.
_LOOK_SECONDS = 0.5

_ACCEPTED = "SELECT accepted FROM project"
_NUMBERED = re.compile(r"taught-(\d{1,9})\.npz")
_NONE: dict[str, Any] = {"state": "none", "share": 0.0, "text": "", "weights": None, "error": None}


# Weights


def list_weights(database: Database) -> list[dict[str, Any]]:
    accepted = find_accepted(database)
    return [
        {
            "name": row["name"],
            "created": row["created"],
            **{key: report.get(key) for key in ("before", "after", "sure", "pages", "better")},
            "accepted": row["name"] == accepted,
        }
        for row in database.fetch_all("SELECT * FROM weights ORDER BY rowid DESC")
        for report in [json.loads(row["report"])]
    ]


def get_report(database: Database, name: str) -> dict[str, Any]:
    row = database.fetch_one("SELECT report FROM weights WHERE name = ?", name)
    if row is None:
        known = ", ".join(each["name"] for each in list_weights(database)) or "none yet"
        raise NotInProjectError(f"no weights are called {name[:50]!r} here; there are: {known}")
    report: dict[str, Any] = json.loads(row["report"])
    return report


def find_file(database: Database, name: str) -> Path:
    get_report(database, name)
    return locate_file(database.folder, name)


def locate_file(folder: Path, name: str) -> Path:
    return folder / "weights" / f"{name}.npz"


def choose_file(database: Database) -> Path:
    names = [f"{row['name']}.npz" for row in database.fetch_all("SELECT name FROM weights")]
    names += os.listdir(database.folder / "weights")
    numbers = [int(match[1]) for name in names if (match := _NUMBERED.fullmatch(name))]
    return locate_file(database.folder, f"taught-{max(numbers, default=0) + 1}")


def add_weights(connection: sqlite3.Connection, name: str, report: dict[str, Any]) -> None:
    connection.execute(
        "INSERT INTO weights (name, created, report) VALUES (?, ?, ?)",
        (name, make_timestamp(), json.dumps(report)),
    )


def accept(database: Database, name: str | None) -> None:
    """Make weights those of the project, or the shipped ones again; they must be readable."""
    if name is not None:
        Tamis(weights=str(find_file(database, name))).load_model()
    database.change("UPDATE project SET accepted = ?", name)


def find_accepted(database: Database) -> str | None:
    """Find the name of the accepted weights, None for the shipped ones."""
    row = database.fetch_one(_ACCEPTED)
    return row["accepted"] if row else None


def accepted_path(database: Database) -> str | None:
    """Find the file of the accepted weights, None for the shipped ones."""
    name = find_accepted(database)
    return str(locate_file(database.folder.resolve(), name)) if name else None


def accepted_file(folder: str | os.PathLike[str]) -> str | None:
    """Find the accepted weights of a folder, which may be write-protected."""
    path = Path(folder).resolve()
    if not has_project(path):
        raise ProjectError(
            f"{os.fspath(folder)}: no project; `tamis project add FOLDER PAGES` makes one"
        )
    if os.access(path, os.W_OK):
        with Database(path, create=False) as database:
            return accepted_path(database)
    name = _read_only(path)
    return str(locate_file(path, name)) if name else None


def _read_only(folder: Path) -> str | None:
    for more in ("mode=ro", "immutable=1"):  # the latter where a server was killed, or none is
        try:
            address = f"{(folder / FILE).as_uri()}?{more}"
            with closing(sqlite3.connect(address, uri=True)) as connection:
                name: str | None = connection.execute(_ACCEPTED).fetchone()[0]
                return name
        except sqlite3.Error as error:
            reason = error
    raise ProjectError(f"{folder}: cannot be read ({reason}); check its permissions") from reason


def with_weights(options: Options, path: str | None) -> Options:
    """Add the weights of a project, if options are of the default method and name none."""
    if path is None or options.method != DEFAULT_METHOD or "weights" in options.parameters:
        return options
    return replace(options, parameters={**options.parameters, "weights": path})


@dataclass
class Accepted:
    """The accepted weights, looked up again from time to time: another server may change them."""

    database: Database
    _path: str | None = None
    _looked: float | None = None
    _usual: tuple[Options, Options] | None = None

    @property
    def is_old(self) -> bool:
        return self._looked is None or time.monotonic() - self._looked >= _LOOK_SECONDS

    def look(self) -> None:
        try:
            self._path = accepted_path(self.database)
        except ProjectBusyError:
            if self._looked is None:
                raise
            return
        self._looked, self._usual = time.monotonic(), None

    def apply(self, options: Options) -> Options:
        if self._usual is None or self._usual[0] is not options:
            self._usual = options, with_weights(options, self._path)
        return self._usual[1]


# Teaching


def get_state(database: Database, now: float) -> dict[str, Any]:
    """Say how far the last teaching is, with the report if it is done."""
    row = database.fetch_one("SELECT * FROM teaching")
    shown = {name: row[name] for name in _NONE} if row else dict(_NONE)
    if row and row["state"] == "running" and now - row["beat"] > _SILENT_SECONDS:
        shown["state"] = "interrupted"
    report = get_report(database, shown["weights"]) if shown["weights"] else None
    return {**shown, "report": report}


def register_teaching(database: Database, now: float) -> str:
    """Register a new teaching, and name it; a `NotNowError` if it cannot begin."""
    missing = FEWEST_PAGES - len(transfer.list_labelled(database))
    if missing > 0:
        raise NotNowError(
            f"teaching needs {FEWEST_PAGES} labelled pages at least, and ten to say something;"
            f" label {missing} more"
        )
    run = uuid4().hex
    with database.write() as connection:
        row = connection.execute("SELECT * FROM teaching").fetchone()
        if row and row["state"] == "running" and now - row["beat"] <= _SILENT_SECONDS:
            raise NotNowError("a teaching runs already; wait for it, or stop it")
        connection.execute(
            "INSERT OR REPLACE INTO teaching (only, state, share, text, beat, run)"
            " VALUES (1, 'running', 0, 'starting', ?, ?)",
            (now, run),
        )
    return run


def stop_teaching(database: Database) -> None:
    """Stop the teaching that runs, whichever server started it."""
    database.change("UPDATE teaching SET state = 'stopped' WHERE state = 'running'")


def _end(database: Database, run: str, state: str, error: str | None = None) -> None:
    database.change(
        "UPDATE teaching SET state = ?, error = ? WHERE run = ? AND state = 'running'",
        *(state, error, run),
    )


class TeachingJob:
    """The process that teaches, seen from the one that started it."""

    def __init__(self, database: Database, run: str, comments: bool) -> None:
        self._database, self._run = database, run
        folder = str(database.folder.resolve())
        code = f"from tamis.project.taught import teach; teach({folder!r}, {run!r}, {comments})"
        try:
            self._process = start_python(code, stdout=subprocess.DEVNULL)
        except OSError as error:
            _end(database, run, "failed", f"no process could be started ({error}); try again")
            raise NotNowError(f"no process could be started ({error}); try again") from error
        self._watcher = threading.Thread(target=self._watch, daemon=True)
        self._watcher.start()

    def _watch(self) -> None:
        how = describe_end(self._process.wait())
        with suppress(ProjectError):  # readers see that it is silent
            _end(self._database, self._run, "failed", f"the process that taught {how}")

    def close(self) -> None:
        """End the process; what it did not finish is interrupted."""
        assert self._process.stdin
        with suppress(OSError):
            self._process.stdin.close()
        try:
            self._process.wait(_GRACE_SECONDS)
        except subprocess.TimeoutExpired:
            self._process.kill()
        self._watcher.join()


# In the process


@dataclass
class _Reporter:
    """Says how far the process is, and knows whether somebody stopped it."""

    database: Database
    run: str
    stopped: threading.Event = field(default_factory=threading.Event)
    finishing: threading.Event = field(default_factory=threading.Event)
    """Set when the result is being written, which nothing interrupts."""

    def report_progress(self, share: float, text: str) -> None:
        with suppress(ProjectBusyError):
            self._update("share = ?, text = ?", share, text)

    def report_alive(self) -> None:
        """Say every second that the process is alive, until it is stopped."""
        while not self.stopped.wait(_BEAT_SECONDS):
            with suppress(ProjectError):
                self._update("beat = ?", time.time())
        if not self.finishing.wait(_GRACE_SECONDS):
            os._exit(0)

    def leave_with_parent(self) -> None:
        """End when the server does."""
        sys.stdin.buffer.read()
        with suppress(ProjectError):
            _end(self.database, self.run, "interrupted")
        os._exit(1)

    def _update(self, what: str, *values: object) -> None:
        statement = f"UPDATE teaching SET {what} WHERE run = ? AND state = 'running'"
        if not self.database.change(statement, *values, self.run):
            self.stopped.set()


def teach(folder: str, run: str, comments: bool) -> None:
    """Teach with the labels of a folder, in a process of its own."""
    database = Database(folder, create=False)
    reporter = _Reporter(database, run)
    for task in (reporter.report_alive, reporter.leave_with_parent):
        threading.Thread(target=task, daemon=True).start()
    with suppress(OSError, AttributeError):
        os.nice(_PRIORITY)
    from tamis.train.teaching import Stopped

    try:
        _teach_and_store(database, run, comments, reporter)
    except Stopped:
        pass
    except (TamisError, MemoryError) as error:
        _end(database, run, "failed", str(error) or "there is not enough memory; label fewer pages")
    os._exit(0)  # the threads wait for what does not come any more


def _teach_and_store(database: Database, run: str, comments: bool, reporter: _Reporter) -> None:
    from tamis.train import teaching

    numbers = transfer.name_pages(database, transfer.list_labelled(database))
    by_name = {name: number for number, name in numbers.items()}
    arrays, taught = teaching.teach(
        transfer.read_examples(database),
        comments=comments,
        progress=reporter.report_progress,
        stop=reporter.stopped.is_set,
    )
    report = json.loads(json.dumps(taught.to_dict()))
    for page in report["worse"]:
        page["page"] = by_name.get(page["id"])
    report["comments"] = comments
    reporter.finishing.set()
    file = choose_file(database)
    teaching.write_taught(file, arrays, taught, [database.name])
    _flush_files(file, file.with_suffix(".json"), file.parent)
    with database.write() as connection:
        done = connection.execute(
            "UPDATE teaching SET state = 'done', share = 1, text = '', weights = ?"
            " WHERE run = ? AND state = 'running'",
            (file.stem, run),
        )
        if done.rowcount:
            add_weights(connection, file.stem, report)
    if not done.rowcount:  # it was stopped at the last moment
        file.unlink()
        file.with_suffix(".json").unlink()


def _flush_files(*paths: Path) -> None:
    """Write files to the disk before the database names them."""
    for path in paths:
        handle = os.open(path, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


def start_teaching(database: Database, comments: bool) -> TeachingJob:
    return TeachingJob(database, register_teaching(database, time.time()), comments)


def describe_project(database: Database) -> dict[str, Any]:
    """Describe pages, weights and teaching in plain values, ready for JSON."""
    return {
        "name": database.name,
        **pages.count_pages(database),
        "weights": list_weights(database),
        "accepted": find_accepted(database),
        "teaching": get_state(database, time.time()),
        "kinds": list(KINDS),
    }
