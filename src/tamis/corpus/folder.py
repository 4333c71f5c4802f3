"""The folder that a run writes to, on this machine or wherever fsspec reaches.

A file there is whole or absent: it is written under a temporary name and renamed. Stores without a
rename copy within the store instead, which is as good: the copy appears when it is complete.
"""

from __future__ import annotations

import contextlib
import errno
import os
import posixpath
import re
from collections.abc import Iterator
from dataclasses import dataclass
from hashlib import blake2b
from typing import Any, BinaryIO
from uuid import uuid4

from tamis.errors import OutputError

_TEMPORARY = re.compile(r"\..+\.[0-9a-f]{32}\.tmp")
_ADVICE = {
    errno.ENOSPC: "no space left: free some and run the same command again",
    errno.EDQUOT: "the disk quota is used up: free some and run the same command again",
    errno.EROFS: "the file system is read-only: choose another output folder",
    errno.EACCES: "permission denied: choose another output folder or change its permissions",
    errno.EPERM: "permission denied: choose another output folder or change its permissions",
    errno.EEXIST: "a file of that name is in the way: choose another output folder",
    errno.ENOTDIR: "a file is in the way: choose another output folder",
}


class File:
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
            with _reported(self._path):
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
        with _reported(self.address):
            system, root = self._system()
            system.makedirs(root, exist_ok=True)
            probe = f"{root}/{_temporary('probe')}"
            try:
                with system.open(probe, "wb") as file:
                    file.write(b"1")
            finally:
                with contextlib.suppress(Exception):
                    system.rm_file(probe)

    @contextlib.contextmanager
    def writing(self, name: str) -> Iterator[File]:
        """Write a file that appears under its name when the block ends, and only then."""
        with _reported(self.path(name)):
            system, root = self._system()
            target = f"{root}/{name}"
            above, last = posixpath.split(target)
            temporary = f"{above}/{_temporary(last)}"
            system.makedirs(above, exist_ok=True)
            inner = system.open(temporary, "wb")
        file = File(name, self.path(name), inner)
        try:
            yield file
            with _reported(self.path(name)):
                inner.flush()
                if isinstance(system, _Disk):
                    os.fsync(inner.fileno())
                else:
                    self.remove(name)  # not every store renames to a name that is taken
                inner.close()
                system.mv(temporary, target)
        except BaseException:
            file.abandon()
            with contextlib.suppress(Exception):
                inner.close()
            with contextlib.suppress(Exception):
                system.rm_file(temporary)
            raise

    @contextlib.contextmanager
    def reading(self, name: str) -> Iterator[BinaryIO]:
        """Read a file from its begin."""
        with _reported(self.path(name), "read"):
            system, root = self._system()
            file = system.open(f"{root}/{name}", "rb")
        with file:
            yield file

    def read(self, name: str) -> bytes | None:
        """The content of a file, None if there is none."""
        with _reported(self.path(name), "read"), contextlib.suppress(FileNotFoundError):
            system, root = self._system()
            with system.open(f"{root}/{name}", "rb") as file:
                return bytes(file.read())
        return None

    def exists(self, name: str) -> bool:
        """Whether there is a file of that name."""
        return self.size(name) is not None

    def size(self, name: str) -> int | None:
        """Bytes of a file, None if there is none."""
        with _reported(self.path(name), "read"), contextlib.suppress(FileNotFoundError):
            system, root = self._system()
            return int(system.size(f"{root}/{name}"))
        return None

    def names(self, within: str = "") -> list[str]:
        """The files in a folder of this one and below it, in order; none if it is not there."""
        return [name for name in self._all(within) if not _is_temporary(name)]

    def remove(self, name: str) -> None:
        """Remove a file; one that is not there is no error."""
        with _reported(self.path(name), "removed"), contextlib.suppress(FileNotFoundError):
            system, root = self._system()
            system.rm_file(f"{root}/{name}")

    def remove_all(self, within: str) -> None:
        """Remove a folder of this one with all that is in it."""
        for name in self._all(within):
            self.remove(name)
        with contextlib.suppress(OSError):  # stores have no folders; somebody may have added a file
            os.rmdir(self.path(within))

    def clean(self) -> None:
        """Remove what killed processes left. Nobody else may be writing."""
        for name in filter(_is_temporary, self._all("")):
            self.remove(name)

    def path(self, name: str) -> str:
        """The full address of a file."""
        return posixpath.join(self.address, name)

    def _all(self, within: str) -> list[str]:
        with _reported(self.path(within), "read"):
            system, root = self._system()
            found = system.find(f"{root}/{within}".rstrip("/"))
        return sorted(place.removeprefix(f"{root}/") for place in found)

    def _system(self) -> tuple[Any, str]:
        """What holds the files, and where in it."""
        if "://" not in self.address:
            return _Disk(), os.path.abspath(self.address).rstrip("/")
        try:
            from fsspec.core import url_to_fs

            system, root = url_to_fs(self.address)
        except ImportError as error:
            raise OutputError(
                f"{self.address}: a package is missing ({error}): pip install 'tamis[corpus]' and"
                " what fsspec needs for that store"
            ) from error
        system.invalidate_cache()  # other machines write there too
        return system, root.rstrip("/")


class _Disk:
    """The files of this machine, by the names of fsspec."""

    makedirs = staticmethod(os.makedirs)
    open = staticmethod(open)
    size = staticmethod(os.path.getsize)
    mv = staticmethod(os.replace)
    rm_file = staticmethod(os.unlink)

    @staticmethod
    def find(path: str) -> list[str]:
        """Every file in a folder and below it."""
        return [f"{above}/{name}" for above, _, names in os.walk(path) for name in names]


def _temporary(name: str) -> str:
    return f".{name}.{uuid4().hex}.tmp"


def _is_temporary(name: str) -> bool:
    return _TEMPORARY.fullmatch(posixpath.basename(name)) is not None


@contextlib.contextmanager
def _reported(path: str, done: str = "written") -> Iterator[None]:
    """Turn what goes wrong inside into an `OutputError` that says what to do.

    Stores raise errors of their own kinds, so this is for calls to them and nothing else.
    """
    try:
        yield
    except OutputError:
        raise
    except Exception as error:  # stores of fsspec have errors of their own
        number = getattr(error, "errno", None)
        reason = getattr(error, "strerror", None) or " ".join(str(error).split())
        advice = _ADVICE.get(number or 0, f"{reason or type(error).__name__}: check the folder")
        raise OutputError(f"{path}: cannot be {done}; {advice}") from error
