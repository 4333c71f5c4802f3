"""The database of a project folder: opened, checked, changed in transactions; its pages packed.

Several processes may use a folder at a time. What is committed is on the disk (`synchronous=FULL`):
a process that is killed loses nothing that it has confirmed.
"""

from __future__ import annotations

import os
import sqlite3
import threading
import zlib
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Self

import numpy as np
import numpy.typing as npt

from tamis._runtime import storage
from tamis._runtime.version import __version__
from tamis.errors import OutputError, ProjectBusyError, ProjectError, ProjectFullError
from tamis.page.arrays import Longs

FILE = "project.sqlite3"
VERSION = 1
"""Version of the tables, the `user_version` of the file."""

_APPLICATION = 0x74616D69  # "tami"
# How long a change waits for those of other processes.
_PATIENCE_SECONDS = 5.0

# Bytes that the source or the places of a page are unpacked to at most.
_LARGEST = 256 << 20

_README = Path(__file__).parent / "README.txt"
"""What a project folder says of itself."""

_SCHEMA = Path(__file__).parent / "schema.sql"

Vector = npt.NDArray[np.float32]
PRINT = 8
"""Bytes of the hash of the text of a block."""


class Database:
    """The database of one folder. All methods may be called from any thread."""

    def __init__(self, folder: str | os.PathLike[str], *, create: bool = True) -> None:
        self.folder = Path(folder)
        self._lock = threading.RLock()
        _check_folder(self.folder, create)
        with self._translate_errors():
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
        return self.folder.resolve().name

    def close(self) -> None:
        with self._lock:
            self._connection.close()

    def write(self) -> AbstractContextManager[sqlite3.Connection]:
        """Make changes that are all there when the block ends, or none if it raises."""
        return self._begin("BEGIN IMMEDIATE")

    def read(self) -> AbstractContextManager[sqlite3.Connection]:
        """Read what is there, as of one moment."""
        return self._begin("BEGIN")

    def fetch_all(self, query: str, *values: object) -> list[sqlite3.Row]:
        with self.read() as connection:
            return connection.execute(query, values).fetchall()

    def fetch_one(self, query: str, *values: object) -> sqlite3.Row | None:
        return next(iter(self.fetch_all(query, *values)), None)

    def change(self, statement: str, *values: object) -> bool:
        """Change rows in a transaction of its own; whether there were any."""
        with self.write() as connection:
            return connection.execute(statement, values).rowcount > 0

    @contextmanager
    def _begin(self, begin: str) -> Iterator[sqlite3.Connection]:
        with self._lock, self._translate_errors():
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
        with self.write():
            self._check_version()
            if not _number(connection, "user_version"):
                self._create()
        readme = self.folder / "README.txt"
        if not readme.exists():
            storage.write(readme, _README.read_text("utf-8"))
        (self.folder / "weights").mkdir(exist_ok=True)

    def _create(self) -> None:
        for statement in _SCHEMA.read_text("utf-8").split(";\n"):
            self._connection.execute(statement)
        self._connection.execute(
            "INSERT INTO project (only, created) VALUES (1, ?)", (make_timestamp(),)
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
    def _translate_errors(self) -> Iterator[None]:
        try:
            yield
        except sqlite3.Error as error:
            raise _project_error(self.folder, error) from error
        except (OSError, OutputError) as error:
            raise ProjectError(f"{self.folder}: cannot be used as a project ({error})") from error


def has_project(folder: Path) -> bool:
    try:
        return (folder / FILE).is_file()
    except PermissionError as error:
        raise ProjectError(
            f"{folder}: may not be looked into; give another folder, or change its permissions"
        ) from error


def _check_folder(folder: Path, create: bool) -> None:
    """Check that a folder is a project, or can become one."""
    if has_project(folder):
        return
    how = "tamis project add FOLDER PAGES makes one"
    if folder.exists() and not folder.is_dir():
        raise ProjectError(f"{folder}: a file, not a project folder; {how}")
    if not create:
        what = "no project" if folder.exists() else "there is no such folder"
        raise ProjectError(f"{folder}: {what}; {how}")
    try:
        folder.mkdir(parents=True, exist_ok=True)
        if any(folder.iterdir()):
            raise ProjectError(
                f"{folder}: it has files, but no {FILE}, so it is not a project; give a project, or"
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


def make_timestamp() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds").replace("+00:00", "Z")


# Pages


@dataclass(frozen=True, eq=False)
class ReadPage:
    """A page as a project keeps it."""

    source: bytes
    """In UTF-8, without what is invalid."""
    hash: str
    title: str
    offsets: Longs
    """Start and end of each block in the source."""
    prints: bytes
    """Some bytes of the hash of the text of each block."""
    proposal: tuple[str, ...]
    """A kind for each block, as the method would label it."""
    close: int
    """Decisions near the cut."""
    vector: Vector
    """Near that of another page if the two are alike."""

    def pack(self) -> tuple[bytes, bytes, bytes, str]:
        """Pack the columns `offsets`, `prints`, `vector` and `tamis` of the database."""
        offsets = zlib.compress(self.offsets.tobytes())
        return offsets, self.prints, self.vector.tobytes(), __version__


def unpack_offsets(data: bytes) -> Longs:
    offsets = unpack(data)
    if len(offsets) % 16:
        raise _make_damaged_error("the places of the blocks are cut off")
    return np.frombuffer(offsets, np.int64).reshape(-1, 2)


def unpack(data: bytes) -> bytes:
    try:
        content, is_complete = storage.inflate(data, _LARGEST)
    except (zlib.error, TypeError) as error:
        raise _make_damaged_error(str(error)) from error
    if len(content) > _LARGEST or not is_complete:
        raise _make_damaged_error(f"more than {_LARGEST / 2**20:,.0f} MiB, or cut off")
    return content


def _make_damaged_error(why: str) -> ProjectError:
    return ProjectError(f"a page of the project is damaged ({why}); add it again")


def split_prints(joined: bytes) -> list[bytes]:
    return [joined[start : start + PRINT] for start in range(0, len(joined), PRINT)]
