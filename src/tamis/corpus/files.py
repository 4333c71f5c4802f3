"""The files that a run reads and writes, on this machine or wherever fsspec reaches.

Input may be packed. A file of the output is whole or absent: it is written under a temporary name
and renamed. Stores without a rename copy within the store instead, which is as good: the copy
appears when it is complete.
"""

from __future__ import annotations

import io
import os
import posixpath
import re
import zlib
from collections.abc import Iterable, Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from datetime import datetime
from hashlib import blake2b
from operator import attrgetter
from typing import Any, BinaryIO, cast

from tamis._runtime.libraries import import_library
from tamis._runtime.storage import (
    GZIP,
    ZSTD,
    is_frames_folder,
    is_temporary,
    open_replacing,
    output_errors,
    temporary_name,
    walk_files,
)
from tamis.errors import InputError

XZ = b"\xfd7zXZ\0"
# The frame that has the dictionary of a .warc.zst, by the convention of the IIPC.
ZSTD_DICTIONARY = b"\x5d\x2a\x4d\x18"

_REMOTE = re.compile(r"[A-Za-z][A-Za-z0-9+.-]+://")
HEAD_BYTES = 4096
"""From so many first bytes the format of a file is known."""

# What the file systems of fsspec call these facts: S3, Google, Azure, HTTP, SFTP, memory.
_ETAG = ("ETag", "etag")
_MODIFIED = "mtime LastModified last_modified updated Last-Modified modified created".split()

# Dumps packed with `zstd --long=31` are common; a smaller window cannot read them.
_ZSTD_WINDOW = 1 << 31


@dataclass(frozen=True, slots=True)
class InputFile:
    """A file of the input."""

    name: str
    """What `open_file` takes."""
    inside: str
    """Its path from the folder that was given; of a file that was given itself, its last name."""
    size: int
    modified: str = ""
    """When it was last changed, in whatever form its file system says it; empty if it does not."""
    etag: str = ""
    """What the store calls this content; empty if it has no such name for it."""


def is_remote(source: str) -> bool:
    return bool(_REMOTE.match(source))


def last_name(source: str) -> str:
    """The name of a file without its folders, as text that can be written anywhere."""
    return to_legible(re.split(r"[/\\]", source.rstrip("/\\"))[-1])


def to_legible(name: str) -> str:
    """A name without the lone surrogates that stand for bytes that are not UTF-8."""
    return name.encode("utf-8", "replace").decode()


def join(folder: str, inside: str) -> str:
    """The name of a file by its path from a folder."""
    return f"{folder.rstrip('/')}/{inside}" if is_remote(folder) else os.path.join(folder, inside)


@contextmanager
def open_file(source: str) -> Iterator[BinaryIO]:
    """Open a file for reading; an `InputError` if that fails."""
    with explain_errors(source):
        if is_remote(source):
            system, path = _file_system(source)
            file = cast(BinaryIO, system.open(path, "rb"))
        else:
            file = open(source, "rb", 1 << 18)  # noqa: SIM115  # closed below
    with file:
        yield file


@contextmanager
def explain_errors(source: str) -> Iterator[None]:
    """Turn whatever a file system raises into an `InputError` of one line."""
    try:
        yield
    except FileNotFoundError:
        raise InputError(f"{to_legible(source)}: no such file or folder; check the name") from None
    except PermissionError:
        raise InputError(f"{to_legible(source)}: no permission to read it") from None
    except InputError:
        raise
    except Exception as error:
        # Clients of object stores raise what they like, none of it an OSError.
        if isinstance(error, OSError) or is_remote(source):
            reason = " ".join(str(getattr(error, "strerror", None) or error).split())
            message = f"{to_legible(source)}: {reason or type(error).__name__}"
            raise InputError(message) from None
        raise


def file_exists(source: str) -> bool:
    with explain_errors(source):
        if is_remote(source):
            system, path = _file_system(source)
            try:
                system.info(path)
            except FileNotFoundError:
                return False
            return True
        return os.path.exists(source)


def list_files(source: str) -> tuple[bool, list[InputFile]]:
    """Whether the source is a folder, and its files by path; else the source itself."""
    with explain_errors(source):
        if is_remote(source):
            return _remote_files(source)
        if not os.path.isdir(source):
            return False, [_local_file(source, os.path.basename(source))]
        files = [
            _local_file(path, os.path.relpath(path, source))
            for path in walk_files(source)
            if os.path.isfile(path)
        ]
        return True, sorted(files, key=attrgetter("inside"))


def _local_file(path: str, inside: str) -> InputFile:
    stat = os.stat(path)
    return InputFile(path, inside, stat.st_size, str(stat.st_mtime_ns))


def _remote_files(source: str) -> tuple[bool, list[InputFile]]:
    system, path = _file_system(source)
    if not system.isdir(path):
        return False, [_remote_file(source, last_name(source), system.info(path))]
    files = []
    for name, about in system.find(path, detail=True).items():
        inside = name[len(path.rstrip("/")) + 1 :]
        if not any(map(is_frames_folder, inside.split("/")[:-1])):
            files.append(_remote_file(join(source, inside), inside, about))
    return True, sorted(files, key=attrgetter("inside"))


def _remote_file(name: str, inside: str, about: Mapping[str, Any]) -> InputFile:
    def find_first(keys: Iterable[str]) -> str:
        value = next((about[key] for key in keys if about.get(key)), "")
        # The same store may give a time as one or the other, in a listing and for a single file.
        return str(value.timestamp() if isinstance(value, datetime) else value)

    return InputFile(name, inside, about["size"] or 0, find_first(_MODIFIED), find_first(_ETAG))


def _file_system(source: str) -> tuple[Any, str]:
    core = import_library("fsspec.core", "a remote file")
    try:
        system, path = core.url_to_fs(source)
    except (ImportError, ValueError) as error:  # no package for this protocol, or none such
        raise InputError(f"{source}: {error}") from None
    return system, path


def zstd_decompressor() -> Any:
    return import_library("zstandard", "zstd").ZstdDecompressor(max_window_size=_ZSTD_WINDOW)


def is_packed(file: InputFile, endings: tuple[str, ...]) -> bool:
    """Whether `unpack` would unpack a file. Opening remote files takes long: their names decide."""
    if is_remote(file.name):
        return file.name.lower().endswith(endings)
    with open_file(file.name) as opened:
        return opened.read(6).startswith((GZIP, XZ, ZSTD))


def unpack(file: BinaryIO) -> BinaryIO:
    """Unpack a file according to its first bytes; a file that is not packed stays as it is."""
    file.seek(0)
    magic = file.read(6)
    file.seek(0)
    if magic.startswith(GZIP):
        import gzip

        return cast(BinaryIO, io.BufferedReader(gzip.GzipFile(fileobj=file), 1 << 18))
    if magic.startswith(XZ):
        import lzma

        return cast(BinaryIO, io.BufferedReader(lzma.LZMAFile(file), 1 << 18))
    if magic.startswith(ZSTD):
        stream = zstd_decompressor().stream_reader(file, read_across_frames=True)
        return cast(BinaryIO, io.BufferedReader(stream, 1 << 18))
    return file


def unpacking_errors() -> tuple[type[Exception], ...]:
    """What reading from `unpack` raises if the file is damaged or cut off."""
    import gzip
    import lzma

    errors: tuple[type[Exception], ...] = (EOFError, gzip.BadGzipFile, lzma.LZMAError, zlib.error)
    try:
        import zstandard
    except ImportError:
        return errors
    return (*errors, zstandard.ZstdError)


# The output folder

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

    @contextmanager
    def open_writing(self, name: str) -> Iterator[OutputFile]:
        """Write a file that appears under its name only when the block ends."""
        with self._open_replacing(name) as inner:
            file = OutputFile(name, self.join(name), inner)
            try:
                yield file
            except BaseException:
                file.abandon()
                raise

    @contextmanager
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
            with suppress(Exception):
                file.close()
            with suppress(Exception):
                system.rm_file(temporary)
            raise

    @contextmanager
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
        with self._if_there(name, "read") as (system, path):
            return int(system.size(path))
        return None

    def list_files(self, within: str = "") -> list[str]:
        """The files in a subfolder and below it, sorted. A missing subfolder has none."""
        return [name for name in self._list_all(within) if not _is_temporary(name)]

    def remove(self, name: str) -> None:
        with self._if_there(name, "removed") as (system, path):
            system.rm_file(path)

    def clean(self) -> None:
        """Remove what killed processes left behind. Nobody else may be writing."""
        for name in filter(_is_temporary, self._list_all("")):
            self.remove(name)

    @contextmanager
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
        with ExitStack() as stack:
            free = True
            with suppress(OSError):  # not every file system has locks
                if "://" not in self.address:
                    file = stack.enter_context(open(self.join(name), "ab"))
                    try:
                        fcntl.flock(file, kind)
                    except BlockingIOError:
                        free = False
            yield free

    def join(self, name: str) -> str:
        return posixpath.join(self.address, name)

    @contextmanager
    def _if_there(self, name: str, action: str) -> Iterator[tuple[Any, str]]:
        """The file system and the path of a file; leaves the block if there is no such file."""
        with output_errors(self.join(name), action), suppress(FileNotFoundError):
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
