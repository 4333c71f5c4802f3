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

from tamis._runtime.libraries import import_library
from tamis._runtime.storage import is_temporary, open_replacing, output_errors, temporary_name

WORKING, PLANNING = ".lock", ".lock-plan"
"""Locks: of commands that do tasks, and of the one that plans."""


class OutputFile:
    """A file that is being written; knows its size and digest so far."""

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
        if not self._abandoned:
            with output_errors(self._path):
                self._inner.write(data)
            self._hash.update(data)
            self.size += len(data)
        return len(data)

    def flush(self) -> None:
        """Do nothing: nobody reads the file before it is complete."""

    def abandon(self) -> None:
        """Drop all further data: a Parquet writer writes even when it is discarded."""
        self._abandoned = True


@dataclass(frozen=True, slots=True)
class Folder:
    """A path on this machine, or an address that fsspec knows: `s3://bucket/run`.

    Names of files are relative to it, with `/` between their parts.
    """

    address: str

    def create(self) -> None:
        """Make the folder if needed, and check that it can be written to."""
        with output_errors(self.address):
            system, root = self._open_system()
            system.makedirs(root, exist_ok=True)
        probe = temporary_name("probe")
        with self.open_writing(probe) as file:
            file.write(b"1")
        self.remove(probe)

    @contextlib.contextmanager
    def open_writing(self, name: str) -> Iterator[OutputFile]:
        """Write a file that appears under its name only when the block ends."""
        with self._open_replacing(name) as inner:
            file = OutputFile(name, self.join(name), inner)
            try:
                yield file
            except BaseException:
                file.abandon()
                raise

    @contextlib.contextmanager
    def _open_replacing(self, name: str) -> Iterator[BinaryIO]:
        with output_errors(self.join(name)):
            system, root = self._open_system()
            target = f"{root}/{name}"
            above, last = posixpath.split(target)
            system.makedirs(above, exist_ok=True)
        if isinstance(system, _Disk):
            with open_replacing(target, durable=True) as file:
                yield file
            return
        temporary = f"{above}/{temporary_name(last)}"
        with output_errors(self.join(name)):
            file = system.open(temporary, "wb")
        try:
            yield file
            with output_errors(self.join(name)):
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
    def open_reading(self, name: str) -> Iterator[BinaryIO]:
        with output_errors(self.join(name), "read"):
            system, root = self._open_system()
            file = system.open(f"{root}/{name}", "rb")
        with file:
            yield file

    def read(self, name: str) -> bytes | None:
        """The content of a file, or None if there is none."""
        with self._if_there(name, "read") as (system, path), system.open(path, "rb") as file:
            return bytes(file.read())
        return None

    def has_file(self, name: str) -> bool:
        return self.get_size(name) is not None

    def get_size(self, name: str) -> int | None:
        """The bytes of a file, or None if there is none."""
        with self._if_there(name, "read") as (system, path):
            return int(system.size(path))
        return None

    def list_files(self, within: str = "") -> list[str]:
        """The files in a subfolder and below it, sorted. A missing subfolder has none."""
        return [name for name in self._list_all(within) if not _is_temporary(name)]

    def remove(self, name: str) -> None:
        """Remove a file if it is there."""
        with self._if_there(name, "removed") as (system, path):
            system.rm_file(path)

    def clean(self) -> None:
        """Remove what killed processes left behind. Nobody else may be writing."""
        for name in filter(_is_temporary, self._list_all("")):
            self.remove(name)

    @contextlib.contextmanager
    def lock(self, name: str, *, shared: bool = False, wait: bool = False) -> Iterator[bool]:
        """Try to hold a lock during the block; it also ends with the process.

        Yields whether this process holds it. Where there are no locks, as in object stores and on
        Windows, every process does.
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
                    file = stack.enter_context(open(self.join(name), "ab"))
                    try:
                        fcntl.flock(file, kind)
                    except BlockingIOError:
                        free = False
            yield free

    def join(self, name: str) -> str:
        return posixpath.join(self.address, name)

    @contextlib.contextmanager
    def _if_there(self, name: str, action: str) -> Iterator[tuple[Any, str]]:
        """The file system and the path of a file; leaves the block if there is no such file."""
        with output_errors(self.join(name), action), contextlib.suppress(FileNotFoundError):
            system, root = self._open_system()
            yield system, f"{root}/{name}"

    def _list_all(self, within: str) -> list[str]:
        with output_errors(self.join(within), "read"):
            system, root = self._open_system()
            paths = system.find(f"{root}/{within}".rstrip("/"))
        return sorted(path.removeprefix(f"{root}/") for path in paths)

    def _open_system(self) -> tuple[Any, str]:
        """The file system, and the path of this folder in it."""
        if "://" not in self.address:
            return _Disk(), os.path.abspath(self.address).rstrip("/")
        system, root = import_library("fsspec.core", self.address).url_to_fs(self.address)
        system.invalidate_cache()  # other machines write there too
        return system, root.rstrip("/")


class _Disk:
    """The files of this machine, with the method names of fsspec."""

    makedirs = staticmethod(os.makedirs)
    open = staticmethod(open)
    size = staticmethod(os.path.getsize)
    rm_file = staticmethod(os.unlink)

    @staticmethod
    def find(path: str) -> list[str]:
        return [f"{above}/{name}" for above, _, names in os.walk(path) for name in names]


def _is_temporary(name: str) -> bool:
    return is_temporary(posixpath.basename(name))
