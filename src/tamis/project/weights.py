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
from tamis.project.database import FILE, Database, has_project, make_timestamp

_NUMBERED = re.compile(r"taught-(\d{1,9})\.npz")
# How long a server does not notice that another one accepted weights.
_LOOK_SECONDS = 0.5


def list_weights(database: Database) -> list[dict[str, Any]]:
    """List all weights, the latest first."""
    accepted = find_accepted(database)
    rows = database.fetch_all("SELECT * FROM weights ORDER BY rowid DESC")
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
    """Choose a file for new weights whose name was never used."""
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
    with database.read() as connection:
        return _read_accepted(connection)


def accepted_path(database: Database) -> str | None:
    """Find the file of the accepted weights, None for the shipped ones."""
    name = find_accepted(database)
    return str(locate_file(database.folder.resolve(), name)) if name else None


def _read_accepted(connection: sqlite3.Connection) -> str | None:
    name: str | None = connection.execute("SELECT accepted FROM project").fetchone()["accepted"]
    return name


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
    """Add the weights of a project, if options are of the default method and name none."""
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
        return self._looked is None or time.monotonic() - self._looked >= _LOOK_SECONDS

    def look(self) -> None:
        try:
            self._path = accepted_path(self._database)
        except ProjectBusyError:
            if self._looked is None:
                raise
            return
        self._looked, self._usual = time.monotonic(), None

    def apply(self, options: Options) -> Options:
        if self._usual is None or self._usual[0] is not options:
            self._usual = options, with_weights(options, self._path)
        return self._usual[1]
