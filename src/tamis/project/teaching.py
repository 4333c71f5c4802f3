"""Teaching in the background: a process of its own, of low priority, that can be stopped.

Its state is in the database, so that every server of the folder shows it. The process says that it
is alive every second; one that does not any more was interrupted. It ends when the server that
started it does: then its standard input ends.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
import time
from contextlib import suppress
from pathlib import Path
from typing import Any
from uuid import uuid4

from tamis.errors import NotNowError, ProjectBusyError, ProjectError, TamisError
from tamis.project import exchange, weights
from tamis.project.database import Database

FEWEST_PAGES = 2
_BEAT_SECONDS = 1.0
# Without a sign of life for that long, the process is no more.
_SILENT_SECONDS = 15.0
# A process that was stopped may finish the step that it is in.
_GRACE_SECONDS = 5.0
_PRIORITY = 15

_NONE: dict[str, Any] = {"state": "none", "share": 0.0, "text": "", "weights": None, "error": None}


def state(database: Database, now: float) -> dict[str, Any]:
    """How far the last teaching is, with the report if it is done."""
    with database.reading() as connection:
        row = connection.execute("SELECT * FROM teaching").fetchone()
    shown = {name: row[name] for name in _NONE} if row else dict(_NONE)
    if row and row["state"] == "running" and now - row["beat"] > _SILENT_SECONDS:
        shown["state"] = "interrupted"
    report = weights.report_of(database, shown["weights"]) if shown["weights"] else None
    return {**shown, "report": report}


def begin(database: Database, now: float) -> str:
    """Say that a teaching begins; a `NotNowError` if it cannot. The name of this run."""
    missing = FEWEST_PAGES - len(exchange.labelled_pages(database))
    if missing > 0:
        raise NotNowError(
            f"teaching needs {FEWEST_PAGES} labelled pages at least, and ten to say something;"
            f" label {missing} more"
        )
    run = uuid4().hex
    with database.writing() as connection:
        row = connection.execute("SELECT * FROM teaching").fetchone()
        if row and row["state"] == "running" and now - row["beat"] <= _SILENT_SECONDS:
            raise NotNowError("a teaching runs already; wait for it, or stop it")
        connection.execute(
            "INSERT OR REPLACE INTO teaching (only, state, share, text, beat, run)"
            " VALUES (1, 'running', 0, 'starting', ?, ?)",
            (now, run),
        )
    return run


def stop(database: Database) -> None:
    """Stop the teaching that runs, whichever server started it."""
    with database.writing() as connection:
        connection.execute("UPDATE teaching SET state = 'stopped' WHERE state = 'running'")


def _end(database: Database, run: str, state: str, error: str | None = None) -> None:
    with database.writing() as connection:
        connection.execute(
            "UPDATE teaching SET state = ?, error = ? WHERE run = ? AND state = 'running'",
            (state, error, run),
        )


class TeachingJob:
    """The process that teaches, seen from the one that started it."""

    def __init__(self, database: Database, run: str, comments: bool) -> None:
        self._database, self._run = database, run
        folder = str(database.folder.resolve())
        path = [entry for entry in sys.path if isinstance(entry, str)]
        code = f"import sys; sys.path[:] = {path}; from tamis.project.teaching import teach"
        try:
            self._process = subprocess.Popen(
                [sys.executable, "-c", f"{code}; teach({folder!r}, {run!r}, {comments})"],
                stdin=subprocess.PIPE,
                stdout=subprocess.DEVNULL,
                process_group=0,  # out of reach of Ctrl-C: this process ends it
            )
        except OSError as error:
            _end(database, run, "failed", f"no process could be started ({error}); try again")
            raise NotNowError(f"no process could be started ({error}); try again") from error
        self._watcher = threading.Thread(target=self._watch, daemon=True)
        self._watcher.start()

    def _watch(self) -> None:
        code = self._process.wait()
        how = f"by signal {-code}" if code < 0 else f"with exit code {code}"
        with suppress(ProjectError):  # whoever looks sees that it is silent
            _end(self._database, self._run, "failed", f"the process that taught ended {how}")

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


class _Reporter:
    """Says how far the process is, and knows whether somebody stopped it."""

    def __init__(self, database: Database, run: str) -> None:
        self._database, self._run = database, run
        self.stopped = threading.Event()
        self.finishing = threading.Event()
        """Set when the result is being written, which nothing interrupts."""

    def progress(self, share: float, text: str) -> None:
        """Say how far it is."""
        with suppress(ProjectBusyError):
            self._update("share = ?, text = ?", share, text)

    def beat(self) -> None:
        """Say that it is alive, until it is stopped."""
        while not self.stopped.wait(_BEAT_SECONDS):
            with suppress(ProjectError):
                self._update("beat = ?", time.time())
        if not self.finishing.wait(_GRACE_SECONDS):
            os._exit(0)

    def leave_with_parent(self) -> None:
        """End when the server does."""
        sys.stdin.buffer.read()
        with suppress(ProjectError):
            _end(self._database, self._run, "interrupted")
        os._exit(1)

    def _update(self, what: str, *values: object) -> None:
        with self._database.writing() as connection:
            changed = connection.execute(
                f"UPDATE teaching SET {what} WHERE run = ? AND state = 'running'",
                (*values, self._run),
            )
            if not changed.rowcount:
                self.stopped.set()


def teach(folder: str, run: str, comments: bool) -> None:
    """Teach with the labels of a folder: what the process does."""
    database = Database(folder, create=False)
    reporter = _Reporter(database, run)
    for task in (reporter.beat, reporter.leave_with_parent):
        threading.Thread(target=task, daemon=True).start()
    with suppress(OSError, AttributeError):
        os.nice(_PRIORITY)
    from tamis.train.teach import Stopped

    try:
        _taught(database, run, comments, reporter)
    except Stopped:
        pass
    except (TamisError, MemoryError) as error:
        _end(database, run, "failed", str(error) or "there is not enough memory; label fewer pages")
    os._exit(0)  # the threads wait for what does not come any more


def _taught(database: Database, run: str, comments: bool, reporter: _Reporter) -> None:
    from tamis.train import teach

    numbers = exchange.names_of(database, exchange.labelled_pages(database))
    by_name = {name: number for number, name in numbers.items()}
    arrays, taught = teach.teach(
        exchange.examples(database),
        comments=comments,
        progress=reporter.progress,
        stop=reporter.stopped.is_set,
    )
    report = json.loads(json.dumps(taught.to_dict()))
    for page in report["worse"]:
        page["page"] = by_name.get(page["id"])
    report["comments"] = comments
    reporter.finishing.set()
    file = weights.new_file(database)
    teach.write(file, arrays, taught, [database.name])
    _sync(file, file.with_suffix(".json"), file.parent)
    with database.writing() as connection:
        done = connection.execute(
            "UPDATE teaching SET state = 'done', share = 1, text = '', weights = ?"
            " WHERE run = ? AND state = 'running'",
            (file.stem, run),
        )
        if done.rowcount:
            weights.add(connection, file.stem, report)
    if not done.rowcount:  # it was stopped at the last moment
        file.unlink()
        file.with_suffix(".json").unlink()


def _sync(*paths: Path) -> None:
    """See that files are on the disk before the database says that they are there."""
    for path in paths:
        handle = os.open(path, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


def start(database: Database, comments: bool) -> TeachingJob:
    """Begin to teach."""
    return TeachingJob(database, begin(database, time.time()), comments)
