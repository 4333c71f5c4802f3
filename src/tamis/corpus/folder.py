"""The folder that a run writes to, on this machine or wherever fsspec reaches.

A file there is whole or absent: it is written under a temporary name and renamed. Stores without a
rename copy within the store instead, which is as good: the copy appears when it is complete.
"""

from __future__ import annotations

import contextlib
import os
import posixpath
from collections.abc import Iterator
from dataclasses import dataclass
from hashlib import blake2b
from typing import Any, BinaryIO

from tamis._runtime.extras import library
from tamis._runtime.storage import is_temporary, open_replacing, output_errors, temporary_name

WORKING, PLANNING = ".lock", ".lock-plan"
"""Locks: of commands that do tasks, and of the one that plans."""


class OutputFile:
    """A file that is being written, and what was written so far."""

    closed = False

    def __init__(self, name: str, path: str, inner: BinaryIO) -> None:
        self.name = name
        self.size = 0
        self._path = path
        self._inner = inner
        self._hash = blake2b(digest_size=16)
        self._abandoned = False

    @property
    def digest(self) -> str:
        """BLAKE2b of the content, 16 bytes in hexadecimal."""
        return self._hash.hexdigest()

    def write(self, data: bytes) -> int:
        """Append."""
        if not self._abandoned:
            with output_errors(self._path):
                self._inner.write(data)
            self._hash.update(data)
            self.size += len(data)
        return len(data)

    def flush(self) -> None:
        """Do nothing: the file is read when it is whole."""

    def abandon(self) -> None:
        """Drop what is written from now on: a Parquet writer writes even when it is dropped."""
        self._abandoned = True


@dataclass(frozen=True, slots=True)
class Folder:
    """A path of this machine, or an address that fsspec knows: `s3://bucket/run`.

    Names of files are relative to it, with `/` between their parts.
    """

    address: str

    def create(self) -> None:
        """Make the folder if it is not there and see that it can be written to."""
        with output_errors(self.address):
            system, root = self._system()
            system.makedirs(root, exist_ok=True)
        probe = temporary_name("probe")
        with self.writing(probe) as file:
            file.write(b"1")
        self.remove(probe)

    @contextlib.contextmanager
    def writing(self, name: str) -> Iterator[OutputFile]:
        """Write a file that appears under its name when the block ends, and only then."""
        with self._replacing(name) as inner:
            file = OutputFile(name, self.path(name), inner)
            try:
                yield file
            except BaseException:
                file.abandon()
                raise

    @contextlib.contextmanager
    def _replacing(self, name: str) -> Iterator[BinaryIO]:
        with output_errors(self.path(name)):
            system, root = self._system()
            target = f"{root}/{name}"
            above, last = posixpath.split(target)
            system.makedirs(above, exist_ok=True)
        if isinstance(system, _Disk):
            with open_replacing(target, durable=True) as file:
                yield file
            return
        temporary = f"{above}/{temporary_name(last)}"
        with output_errors(self.path(name)):
            file = system.open(temporary, "wb")
        try:
            yield file
            with output_errors(self.path(name)):
                file.close()
                self.remove(name)  # not every store renames to a name that is taken
                system.mv(temporary, target)
        except BaseException:
            with contextlib.suppress(Exception):
                file.close()
            with contextlib.suppress(Exception):
                system.rm_file(temporary)
            raise

    @contextlib.contextmanager
    def reading(self, name: str) -> Iterator[BinaryIO]:
        """A file, open for reading."""
        with output_errors(self.path(name), "read"):
            system, root = self._system()
            file = system.open(f"{root}/{name}", "rb")
        with file:
            yield file

    def read(self, name: str) -> bytes | None:
        """The content of a file, None if there is none."""
        with self._if_there(name, "read") as (system, path), system.open(path, "rb") as file:
            return bytes(file.read())
        return None

    def exists(self, name: str) -> bool:
        """Whether there is a file of that name."""
        return self.size(name) is not None

    def size(self, name: str) -> int | None:
        """Bytes of a file, None if there is none."""
        with self._if_there(name, "read") as (system, path):
            return int(system.size(path))
        return None

    def names(self, within: str = "") -> list[str]:
        """The files in a folder of this one and below it, in order; none if it is not there."""
        return [name for name in self._all(within) if not _is_temporary(name)]

    def remove(self, name: str) -> None:
        """Remove a file; one that is not there is no error."""
        with self._if_there(name, "removed") as (system, path):
            system.rm_file(path)

    def clean(self) -> None:
        """Remove what killed processes left. Nobody else may be writing."""
        for name in filter(_is_temporary, self._all("")):
            self.remove(name)

    @contextlib.contextmanager
    def lock(self, name: str, *, shared: bool = False, wait: bool = False) -> Iterator[bool]:
        """Whether this process has the lock while the block lasts; it ends with the process.

        Where there are no locks, as in stores and on Windows, everybody has it.
        """
        try:
            import fcntl
        except ImportError:  # not on Windows
            yield True
            return
        kind = (fcntl.LOCK_SH if shared else fcntl.LOCK_EX) | (0 if wait else fcntl.LOCK_NB)
        with contextlib.ExitStack() as stack:
            free = True
            with contextlib.suppress(OSError):  # not every file system has locks
                if "://" not in self.address:
                    file = stack.enter_context(open(self.path(name), "ab"))
                    try:
                        fcntl.flock(file, kind)
                    except BlockingIOError:
                        free = False
            yield free

    def path(self, name: str) -> str:
        """The full address of a file."""
        return posixpath.join(self.address, name)

    @contextlib.contextmanager
    def _if_there(self, name: str, action: str) -> Iterator[tuple[Any, str]]:
        """What holds a file and its path there; nothing happens if there is no such file."""
        with output_errors(self.path(name), action), contextlib.suppress(FileNotFoundError):
            system, root = self._system()
            yield system, f"{root}/{name}"

    def _all(self, within: str) -> list[str]:
        with output_errors(self.path(within), "read"):
            system, root = self._system()
            paths = system.find(f"{root}/{within}".rstrip("/"))
        return sorted(path.removeprefix(f"{root}/") for path in paths)

    def _system(self) -> tuple[Any, str]:
        """What holds the files, and where in it."""
        if "://" not in self.address:
            return _Disk(), os.path.abspath(self.address).rstrip("/")
        system, root = library("fsspec.core", self.address).url_to_fs(self.address)
        system.invalidate_cache()  # other machines write there too
        return system, root.rstrip("/")


class _Disk:
    """The files of this machine, by the names of fsspec."""

    makedirs = staticmethod(os.makedirs)
    open = staticmethod(open)
    size = staticmethod(os.path.getsize)
    rm_file = staticmethod(os.unlink)

    @staticmethod
    def find(path: str) -> list[str]:
        """Every file in a folder and below it."""
        return [f"{above}/{name}" for above, _, names in os.walk(path) for name in names]


def _is_temporary(name: str) -> bool:
    return is_temporary(posixpath.basename(name))
