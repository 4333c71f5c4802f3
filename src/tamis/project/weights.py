"""What was taught with a project, and which of it is accepted."""

from __future__ import annotations

import json
import os
import re
import sqlite3
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

from tamis.errors import NotInProjectError, ProjectBusyError, ProjectError
from tamis.methods.tamis import Tamis
from tamis.options import DEFAULT_METHOD, Options
from tamis.project.database import FILE, Database, has_project, timestamp

_NUMBERED = re.compile(r"taught-(\d{1,9})\.npz")
# How long a server does not notice that another one accepted weights.
_LOOK_SECONDS = 0.5


def list_weights(database: Database) -> list[dict[str, Any]]:
    """All weights, the latest first."""
    with database.reading() as connection:
        accepted = _read_accepted(connection)
        rows = connection.execute("SELECT * FROM weights ORDER BY rowid DESC").fetchall()
    reports = [(row["name"], row["created"], json.loads(row["report"])) for row in rows]
    return [
        {
            "name": name,
            "created": created,
            **{key: report.get(key) for key in ("before", "after", "sure", "pages", "better")},
            "accepted": name == accepted,
        }
        for name, created, report in reports
    ]


def report_of(database: Database, name: str) -> dict[str, Any]:
    """The report on weights."""
    with database.reading() as connection:
        row = connection.execute("SELECT report FROM weights WHERE name = ?", (name,)).fetchone()
    if row is None:
        raise _unknown(database, name)
    report: dict[str, Any] = json.loads(row["report"])
    return report


def path_of(database: Database, name: str) -> Path:
    """The file of weights."""
    report_of(database, name)
    return file_of(database.folder, name)


def file_of(folder: Path, name: str) -> Path:
    """Where the weights of a name are."""
    return folder / "weights" / f"{name}.npz"


def new_file(database: Database) -> Path:
    """A file for new weights, whose name was never used."""
    with database.reading() as connection:
        names = [f"{row['name']}.npz" for row in connection.execute("SELECT name FROM weights")]
    names += os.listdir(database.folder / "weights")
    numbers = [int(match[1]) for name in names if (match := _NUMBERED.fullmatch(name))]
    return file_of(database.folder, f"taught-{max(numbers, default=0) + 1}")


def add(connection: sqlite3.Connection, name: str, report: dict[str, Any]) -> None:
    """Note weights that were written."""
    connection.execute(
        "INSERT INTO weights (name, created, report) VALUES (?, ?, ?)",
        (name, timestamp(), json.dumps(report)),
    )


def accept(database: Database, name: str | None) -> None:
    """Make weights those of the project, or the shipped ones again; they must be readable."""
    if name is not None:
        Tamis(weights=str(path_of(database, name))).model()
    with database.writing() as connection:
        connection.execute("UPDATE project SET accepted = ?", (name,))


def find_accepted(database: Database) -> str | None:
    """The name of the accepted weights, None for the shipped ones."""
    with database.reading() as connection:
        return _read_accepted(connection)


def accepted_path(database: Database) -> str | None:
    """The file of the accepted weights, None for the shipped ones."""
    name = find_accepted(database)
    return str(file_of(database.folder.resolve(), name)) if name else None


def _read_accepted(connection: sqlite3.Connection) -> str | None:
    name: str | None = connection.execute("SELECT accepted FROM project").fetchone()["accepted"]
    return name


def accepted_file(folder: str | os.PathLike[str]) -> str | None:
    """The file of the accepted weights of a folder, which may be write-protected."""
    path = Path(folder).resolve()
    if not has_project(path):
        raise ProjectError(
            f"{os.fspath(folder)}: no project; `tamis project add FOLDER PAGES` makes one"
        )
    if os.access(path, os.W_OK):
        with Database(path, create=False) as database:
            return accepted_path(database)
    name = _read_only(path)
    return str(file_of(path, name)) if name else None


def _read_only(folder: Path) -> str | None:
    for more in ("mode=ro", "immutable=1"):  # the latter where a server was killed, or none is
        try:
            connection = sqlite3.connect(f"{(folder / FILE).as_uri()}?{more}", uri=True)
            try:
                connection.row_factory = sqlite3.Row
                return _read_accepted(connection)
            finally:
                connection.close()
        except sqlite3.Error as error:
            reason = error
    raise ProjectError(f"{folder}: cannot be read ({reason}); check its permissions") from reason


def with_weights(options: Options, path: str | None) -> Options:
    """Options with the weights of a project, if they are of the default method and say none."""
    if path is None or options.method != DEFAULT_METHOD or "weights" in options.parameters:
        return options
    return replace(options, parameters={**options.parameters, "weights": path})


class Accepted:
    """The accepted weights, looked up again from time to time: another server may change them."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._path: str | None = None
        self._looked: float | None = None
        self._usual: tuple[Options, Options] | None = None

    @property
    def is_old(self) -> bool:
        """Whether it is time to look."""
        return self._looked is None or time.monotonic() - self._looked >= _LOOK_SECONDS

    def look(self) -> None:
        """Look which weights are accepted now."""
        try:
            self._path = accepted_path(self._database)
        except ProjectBusyError:
            if self._looked is None:
                raise
            return
        self._looked, self._usual = time.monotonic(), None

    def apply(self, options: Options) -> Options:
        """Options with the weights that were accepted when somebody looked."""
        if self._usual is None or self._usual[0] is not options:
            self._usual = options, with_weights(options, self._path)
        return self._usual[1]


def _unknown(database: Database, name: str) -> NotInProjectError:
    known = ", ".join(each["name"] for each in list_weights(database)) or "none yet"
    return NotInProjectError(f"no weights are called {name[:50]!r} here; there are: {known}")
