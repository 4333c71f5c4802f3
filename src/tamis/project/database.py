"""The database of a project folder: opened, checked, changed in transactions.

Several processes may use a folder at a time. What is committed is on the disk (`synchronous=FULL`):
a process that is killed loses nothing that it has confirmed.
"""

from __future__ import annotations

import os
import sqlite3
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Self

from tamis._runtime import storage
from tamis.errors import OutputError, ProjectBusyError, ProjectError, ProjectFullError

FILE = "project.sqlite3"
VERSION = 1
"""Version of the tables, the `user_version` of the file."""

_APPLICATION = 0x74616D69  # "tami"
# How long a change waits for those of other processes.
_PATIENCE_SECONDS = 5.0

README = """This folder is a project of tamis: pages that people label, weights taught with them.
project.sqlite3 has the pages, the labels and who gave each when; weights/ has what was taught.
Open it with: tamis serve --project FOLDER. Extract with it: tamis extract --project FOLDER PAGE
Get the labels out: tamis project export FOLDER --output labels.jsonl
To back it up, copy the whole folder while no server uses it. See docs/how-to/projects.md of tamis.
"""

_SCHEMA = """
CREATE TABLE weights (
    name TEXT PRIMARY KEY,
    created TEXT NOT NULL,
    report TEXT NOT NULL            -- Taught.to_dict() as JSON
) STRICT;
CREATE TABLE project (
    only INTEGER PRIMARY KEY CHECK (only = 1),
    created TEXT NOT NULL,
    accepted TEXT REFERENCES weights (name)
) STRICT;
CREATE TABLE pages (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    hash TEXT NOT NULL UNIQUE,      -- SHA-256 of the source
    name TEXT NOT NULL,
    url TEXT,
    site TEXT,                      -- if it is known otherwise than by the address
    title TEXT NOT NULL,
    state TEXT NOT NULL DEFAULT 'open' CHECK (state IN ('open', 'done', 'skipped')),
    version INTEGER NOT NULL DEFAULT 0,
    added TEXT NOT NULL,
    changed TEXT,                   -- when labels or state were changed last, and by whom
    by TEXT,
    blocks INTEGER NOT NULL,
    close INTEGER NOT NULL,         -- decisions near the cut
    replaces INTEGER REFERENCES pages (id),
    carried INTEGER NOT NULL DEFAULT 0,
    lost INTEGER NOT NULL DEFAULT 0,
    claimed_by TEXT,
    claimed_until REAL
) STRICT;
CREATE INDEX pages_of_address ON pages (url);
CREATE INDEX pages_that_replace ON pages (replaces);
CREATE TABLE sources (
    page INTEGER PRIMARY KEY REFERENCES pages (id),
    offsets BLOB NOT NULL,          -- start and end of each block in it, int64, packed
    prints BLOB NOT NULL,           -- 8 bytes of the hash of each block's text
    vector BLOB NOT NULL,           -- what is alike on pages alike, float32
    tamis TEXT NOT NULL,            -- the version that read the page
    source BLOB NOT NULL            -- UTF-8, packed with zlib; last, since it is read least
) STRICT;
CREATE TABLE labels (
    page INTEGER NOT NULL REFERENCES pages (id),
    block INTEGER NOT NULL,
    kind TEXT,                      -- NULL: taken back
    by TEXT NOT NULL,
    version INTEGER NOT NULL,       -- of the page, after the change
    chosen INTEGER NOT NULL,        -- 0: the proposal, accepted with the page
    PRIMARY KEY (page, block)
) STRICT, WITHOUT ROWID;
CREATE TABLE history (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    page INTEGER NOT NULL REFERENCES pages (id),
    version INTEGER NOT NULL,
    at TEXT NOT NULL,
    by TEXT NOT NULL,
    state TEXT NOT NULL,
    chosen INTEGER NOT NULL,        -- 0: the proposal, accepted with the page
    changes TEXT NOT NULL           -- block to kind, as JSON
) STRICT;
CREATE TABLE teaching (
    only INTEGER PRIMARY KEY CHECK (only = 1),
    state TEXT NOT NULL,
    share REAL NOT NULL,
    text TEXT NOT NULL,
    weights TEXT,                   -- the name of what was taught
    error TEXT,
    beat REAL NOT NULL,             -- when the process was last alive
    run TEXT NOT NULL               -- which process
) STRICT;
"""


class Database:
    """The database of one folder. All methods may be called from any thread."""

    def __init__(self, folder: str | os.PathLike[str], *, create: bool = True) -> None:
        self.folder = Path(folder)
        self._lock = threading.RLock()
        _check_folder(self.folder, create)
        with self._errors():
            self._connection = sqlite3.connect(
                self.folder / FILE,
                timeout=_PATIENCE_SECONDS,
                isolation_level=None,
                check_same_thread=False,
            )
            try:
                self._prepare()
            except BaseException:
                self._connection.close()
                raise

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    def name(self) -> str:
        """The name of the project: that of its folder."""
        return self.folder.resolve().name

    def close(self) -> None:
        """Let the file go."""
        with self._lock:
            self._connection.close()

    @contextmanager
    def writing(self) -> Iterator[sqlite3.Connection]:
        """Changes that are all there when the block ends, or none if it raises."""
        with self._transaction("BEGIN IMMEDIATE") as connection:
            yield connection

    @contextmanager
    def reading(self) -> Iterator[sqlite3.Connection]:
        """What is there, as of one moment."""
        with self._transaction("BEGIN") as connection:
            yield connection

    @contextmanager
    def _transaction(self, begin: str) -> Iterator[sqlite3.Connection]:
        with self._lock, self._errors():
            self._connection.execute(begin)
            try:
                yield self._connection
                self._connection.execute("COMMIT")
            except BaseException:
                if self._connection.in_transaction:
                    self._connection.execute("ROLLBACK")
                raise

    def _prepare(self) -> None:
        connection = self._connection
        connection.row_factory = sqlite3.Row
        connection.execute("PRAGMA foreign_keys = ON")
        connection.execute("PRAGMA synchronous = FULL")
        self._check_version()
        connection.execute("PRAGMA journal_mode = WAL")
        with self.writing():
            self._check_version()
            if not _number(connection, "user_version"):
                self._create()
        readme = self.folder / "README.txt"
        if not readme.exists():
            storage.write(readme, README)
        (self.folder / "weights").mkdir(exist_ok=True)

    def _create(self) -> None:
        for statement in _SCHEMA.split(";\n"):
            self._connection.execute(statement)
        self._connection.execute(
            "INSERT INTO project (only, created) VALUES (1, ?)", (timestamp(),)
        )
        self._connection.execute(f"PRAGMA application_id = {_APPLICATION}")
        self._connection.execute(f"PRAGMA user_version = {VERSION}")

    def _check_version(self) -> None:
        version = _number(self._connection, "user_version")
        application = _number(self._connection, "application_id")
        tables = self._connection.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]
        if application != _APPLICATION and (application or version or tables):
            raise ProjectError(
                f"{self.folder / FILE}: a database of another program; give another folder"
            )
        if version > VERSION:
            raise ProjectError(
                f"{self.folder}: a project of version {version}, made by a newer tamis; this one"
                f" reads version {VERSION}: pip install --upgrade tamis"
            )

    @contextmanager
    def _errors(self) -> Iterator[None]:
        """Make an error of tamis of those of SQLite."""
        try:
            yield
        except sqlite3.Error as error:
            raise _project_error(self.folder, error) from error
        except (OSError, OutputError) as error:
            raise ProjectError(f"{self.folder}: cannot be used as a project ({error})") from error


def has_project(folder: Path) -> bool:
    """Whether a folder is a project; a `ProjectError` if it may not be looked into."""
    try:
        return (folder / FILE).is_file()
    except PermissionError as error:
        raise ProjectError(
            f"{folder}: may not be looked into; give another folder, or change its permissions"
        ) from error


def _check_folder(folder: Path, create: bool) -> None:
    """See that a folder is a project, or can become one."""
    if has_project(folder):
        return
    how = "tamis project add FOLDER PAGES makes one"
    if folder.exists() and not folder.is_dir():
        raise ProjectError(f"{folder}: a file, no project folder; {how}")
    if not create:
        what = "no project" if folder.exists() else "there is no such folder"
        raise ProjectError(f"{folder}: {what}; {how}")
    try:
        folder.mkdir(parents=True, exist_ok=True)
        if any(folder.iterdir()):
            raise ProjectError(
                f"{folder}: it has files, but no {FILE}, so it is no project; give a project, or"
                " a new or empty folder"
            )
    except OSError as error:
        raise ProjectError(
            f"{folder}: cannot be made a project ({error.strerror}); give another folder"
        ) from error


def _project_error(folder: Path, error: sqlite3.Error) -> ProjectError:
    name = getattr(error, "sqlite_errorname", "") or ""
    if name.startswith(("SQLITE_FULL", "SQLITE_IOERR_WRITE", "SQLITE_IOERR_SHMSIZE")):
        return ProjectFullError(
            f"{folder}: the disk is full, nothing was saved or lost; free some space and try again"
        )
    if name.startswith(("SQLITE_BUSY", "SQLITE_LOCKED")):
        return ProjectBusyError(
            f"{folder}: others write to the project, and it was not free for"
            f" {_PATIENCE_SECONDS:g} seconds; try again"
        )
    if name.startswith(("SQLITE_READONLY", "SQLITE_CANTOPEN", "SQLITE_PERM")):
        return ProjectError(
            f"{folder}: cannot be written; give a folder that you may write to, or change its"
            " permissions"
        )
    if name.startswith(("SQLITE_NOTADB", "SQLITE_CORRUPT")):
        return ProjectError(
            f"{folder / FILE}: no database, or damaged ({error}); restore it from a copy"
        )
    return ProjectError(f"{folder / FILE}: cannot be used ({error})")


def _number(connection: sqlite3.Connection, pragma: str) -> int:
    with suppress(TypeError):
        return int(connection.execute(f"PRAGMA {pragma}").fetchone()[0])
    return 0


def timestamp() -> str:
    """Now, in UTC."""
    return datetime.now(UTC).isoformat(timespec="seconds").replace("+00:00", "Z")
