"""Files and folders, here or behind an address that fsspec knows, and how they are packed."""

from __future__ import annotations

import io
import os
import re
import zlib
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from operator import attrgetter
from typing import Any, BinaryIO, cast

from tamis._runtime.libraries import import_library
from tamis._runtime.storage import GZIP, ZSTD, is_frames_folder, walk_files
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
    """Whether `unpack` would unpack a file.

    For a remote file the name decides: opening each takes too long.
    """
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
