"""Files, written whole or not at all, and packed data, unpacked up to a limit."""

from __future__ import annotations

import errno
import os
import re
import shutil
import sys
import zlib
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, BinaryIO
from uuid import uuid4

from tamis._runtime.libraries import import_library
from tamis.errors import InputError, OutputError

FileName = str | os.PathLike[str]

PAGE_SUFFIXES = (".html", ".htm", ".xhtml", ".xhtm", ".shtml", ".shtm")
"""Names of files that are pages end in one of these, in whatever case."""
GZIP = b"\x1f\x8b\x08"
"""The first bytes of a gzip member."""
ZSTD = b"\x28\xb5\x2f\xfd"
"""The first bytes of a zstd frame."""
EXTRA = "compression"
"""The extra of `pip install` with the packages for zstd and brotli."""

# What the command `zstd` reads without being asked to; more than any HTTP server may send.
_ZSTD_WINDOW = 1 << 27
_TEMPORARY = re.compile(r"\..*\.\d+-[0-9a-f]{32}\.tmp", re.DOTALL)
_ADVICE = {
    errno.ENOSPC: "no space left: free some and run the same command again",
    errno.EDQUOT: "the disk quota is used up: free some and run the same command again",
    errno.EROFS: "the file system is read-only: choose another output folder",
    errno.EACCES: "permission denied: choose another output folder or change its permissions",
    errno.EPERM: "permission denied: choose another output folder or change its permissions",
    errno.EEXIST: "a file of that name is in the way: choose another output folder",
    errno.ENOTDIR: "a file is in the way: choose another output folder",
    errno.EISDIR: "it is a folder",
    errno.ENOENT: "there is no such folder",
}


# Writing


def write(path: FileName, content: str | bytes) -> None:
    """Write a file, whole or not at all; an `OutputError` says why that is not possible."""
    data = content.encode("utf-8", "replace") if isinstance(content, str) else content
    with output_errors(path), open_replacing(path) as file:
        file.write(data)


@contextmanager
def open_replacing(path: FileName, *, durable: bool = False) -> Iterator[BinaryIO]:
    """A file to write to that takes the place of `path` when the block ends, and only then.

    Until then it has a temporary name beside it; when the block raises, nothing is left. A file
    that was there keeps its permissions, a link stays a link. If `durable`, the content is on the
    disk before the name is. An `OutputError` if the file cannot be opened or put in its place.
    """
    with output_errors(path):
        target = os.path.realpath(path)
        exists = _check_replaceable(target)
        folder, name = os.path.split(target)
        temporary = os.path.join(folder, temporary_name(name))
        file = open(temporary, "xb")  # noqa: SIM115  # closed below, whatever happens
    try:
        yield file
        with output_errors(path):
            file.flush()
            if durable:
                os.fsync(file.fileno())
            file.close()
            if exists:
                shutil.copymode(target, temporary)
            os.replace(temporary, target)
    except BaseException:
        with suppress(OSError):
            file.close()
        with suppress(OSError):
            os.unlink(temporary)
        raise


def _check_replaceable(target: str) -> bool:
    if os.path.isdir(target):
        raise IsADirectoryError(errno.EISDIR, "it is a folder")
    exists = os.path.exists(target)
    if exists and not os.access(target, os.W_OK):
        raise PermissionError(errno.EACCES, "it is write-protected")
    return exists


def temporary_name(name: str) -> str:
    """A name for a file that is being written, of this process alone on whatever machine."""
    return f".{name[:40]}.{os.getpid()}-{uuid4().hex}.tmp"


def is_temporary(name: str) -> bool:
    return _TEMPORARY.fullmatch(name) is not None


@contextmanager
def output_errors(path: FileName, action: str = "written") -> Iterator[None]:
    """Make an `OutputError` that says what to do of whatever is raised inside.

    Stores behind fsspec raise errors of their own kinds, so everything is caught: put calls that
    open, write, read or remove a file of an output inside, and nothing else.
    """
    try:
        yield
    except OutputError:
        raise
    except Exception as error:  # stores of fsspec have errors of their own
        reason = getattr(error, "strerror", None) or " ".join(str(error).split())
        number = getattr(error, "errno", None)
        advice = _ADVICE.get(number or 0, f"{reason or type(error).__name__}: check the folder")
        raise OutputError(f"{os.fspath(path)}: cannot be {action}; {advice}") from error


# Looking


def is_frames_folder(name: str) -> bool:
    """Whether a browser made the folder for the frames of a page that it saved, mostly ads."""
    return name.endswith("_files")


def walk_files(folder: FileName) -> Iterator[str]:
    """The files below a folder, but for saved frames, by folder, then by name. Raises `OSError`."""

    def fail(error: OSError) -> None:
        raise error

    for top, folders, names in os.walk(folder, onerror=fail):
        folders[:] = sorted(name for name in folders if not is_frames_folder(name))
        yield from (os.path.join(top, name) for name in sorted(names))


def walk_pages(folder: FileName) -> Iterator[str]:
    """The files of `walk_files` whose names are those of pages."""
    return (path for path in walk_files(folder) if path.lower().endswith(PAGE_SUFFIXES))


def find_user_folder(variable: str, usual: str, on_macos: str) -> Path:
    """Where this system keeps files of tamis: below $`variable`, else at the usual place."""
    home = Path.home()
    if sys.platform == "win32":
        base = Path(os.environ.get("LOCALAPPDATA") or home / "AppData" / "Local")
    elif sys.platform == "darwin":
        base = home / "Library" / on_macos
    else:
        base = Path(os.environ.get(variable) or home / usual)
    return base / "tamis"


# Unpacking


def inflate(data: bytes, limit: int, window: int = 47) -> tuple[bytes, bool]:
    """Inflate gzip or zlib data up to `limit` bytes and one more, and whether its end was there.

    Bytes behind the last member are ignored, as gzip does. Raises `zlib.error`.
    """
    parts: list[bytes] = []
    left, complete = limit + 1, True
    while left and (not parts or data.startswith(GZIP)):
        member = zlib.decompressobj(window)
        parts.append(member.decompress(data, left))
        left -= len(parts[-1])
        data, complete = member.unused_data, member.eof
        if not complete:
            break
    return b"".join(parts), complete


def unpack(data: bytes, coding: str, limit: int) -> bytes:
    """What `coding` packed, as far as it is there: at most `limit` bytes and one more.

    A `ValueError` if it is damaged or of no known coding, an `InputError` if a package is missing.
    """
    if coding in ("gzip", "x-gzip", "deflate"):
        # Some servers send bare deflate, whose first byte is no zlib header.
        window = -15 if coding == "deflate" and data[:1] and data[0] & 15 != 8 else 47
        try:
            return inflate(data, limit, window)[0]
        except zlib.error as error:
            raise ValueError(f"the compressed body is damaged ({error})") from error
    if coding == "zstd":
        return _unpack_zstd(data, limit)
    if coding == "br":
        return unpack_brotli(data, limit)[0]
    raise ValueError(f"the coding {coding} is not known")


def _unpack_zstd(data: bytes, limit: int) -> bytes:
    zstandard = import_library("zstandard", "zstd", EXTRA)
    decompressor = zstandard.ZstdDecompressor(max_window_size=_ZSTD_WINDOW)
    reader = decompressor.stream_reader(data, read_across_frames=True)
    try:
        unpacked: bytes = reader.read(limit + 1)
    except zstandard.ZstdError as error:
        raise ValueError(f"the compressed body is damaged ({error})") from error
    return unpacked


def unpack_brotli(data: bytes, limit: int) -> tuple[bytes, bool]:
    """As `unpack`, and whether the end was there: brotli has no first bytes to know it by."""
    package = import_library("brotli", "brotli", EXTRA)
    decompressor: Any = package.Decompressor()
    if not hasattr(decompressor, "can_accept_more_data"):
        raise InputError(f"brotli needs a newer package: pip install 'tamis[{EXTRA}]'")
    parts: list[bytes] = []
    left = limit + 1
    try:
        while left > 0 and not decompressor.is_finished():
            parts.append(decompressor.process(data, output_buffer_limit=left))
            data = b""
            left -= len(parts[-1])
            if not parts[-1] and decompressor.can_accept_more_data():
                break
    except package.error as error:
        raise ValueError(f"the compressed body is damaged ({error})") from error
    if not any(parts) and not decompressor.is_finished():
        raise ValueError("the compressed body is cut off")
    return b"".join(parts)[: limit + 1], decompressor.is_finished()
