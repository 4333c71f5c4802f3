"""Where the records of a WARC file begin, found from any byte of it.

A packed file is a row of members (gzip) or frames (zstd), in good files one per record. Any cut of
the file becomes the first begin at or after it, so that shards share no byte and leave out none.

What looks like the begin of a member may be data inside another: an archive that was fetched, kept
as it is because it does not get smaller. But a stored block of gzip has at most 64 kB and a raw
block of zstd 128 kB, and then bytes come between that break the row. So a begin counts when the
members from there on hold for longer than that.
"""

from __future__ import annotations

import re
import zlib
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any, BinaryIO

from tamis._runtime.libraries import import_library
from tamis._runtime.storage import GZIP, ZSTD
from tamis.corpus.files import ZSTD_DICTIONARY, zstd_decompressor

_RECORD = b"WARC/"
# How long a row has to hold: twice the largest raw block, since a decompressor that is lost may
# notice it only some kB later.
_GZIP_HOLDS, _ZSTD_HOLDS = 1 << 17, 1 << 18
_STEP = 1 << 20
# Unpacked at a time: 4 MB at most with gzip, 128 MB with zstd, should it be a bomb.
_PIECE = 1 << 12
_HEADER = 1 << 16
_SHORT_HEADER = 1 << 11


class Begins(ABC):
    """The positions in one file at which records begin."""

    def __init__(self, file: BinaryIO, size: int, magic: bytes) -> None:
        self._file = file
        self._size = size
        self._magic = magic

    @abstractmethod
    def find_end(self, at: int) -> int | None:
        """The end of the record at a position; None if it is damaged, cut off or no record."""

    @abstractmethod
    def _is_begin(self, at: int, sure: bool) -> bool:
        """Whether a record begins there; `sure` checks enough of what follows."""

    def search(self, at: int, stop: int, *, sure: bool) -> int | None:
        """The first record position in a range; `sure` rules out data that looks like a record."""
        places = _find_bytes(self._file, self._magic, at, stop)
        return next((place for place in places if self._is_begin(place, sure)), None)


def find_begins(file: BinaryIO, size: int) -> Begins | None:
    """Choose by the first bytes. None for zstd with a dictionary, which needs the whole file."""
    file.seek(0)
    magic = file.read(4)
    if magic.startswith(GZIP):
        return _Packed(file, size, GZIP, _GZIP_HOLDS, partial(zlib.decompressobj, 31), zlib.error)
    if magic == ZSTD:
        frame = zstd_decompressor().decompressobj
        error = import_library("zstandard", "zstd").ZstdError
        return _Packed(file, size, ZSTD, _ZSTD_HOLDS, frame, error)
    return None if magic == ZSTD_DICTIONARY else _Plain(file, size, _RECORD)


class _Packed(Begins):
    def __init__(
        self,
        file: BinaryIO,
        size: int,
        magic: bytes,
        holds: int,
        decompressor: Callable[[], Any],
        error: type[Exception],
    ) -> None:
        super().__init__(file, size, magic)
        self._long = holds
        self._decompressor = decompressor
        self._error = error

    def find_end(self, at: int) -> int | None:
        member = self._read_member(at, self._size)
        end = member and member[1]
        while end is not None and (empty := self._read_member(end, _PIECE)):
            if empty[0] or empty[1] is None:
                break
            end = empty[1]  # bgzip writes an empty member at the end
        return end

    def _is_begin(self, at: int, sure: bool) -> bool:
        stop = min(at + self._long, self._size) if sure else at + 1
        first = True
        while at < stop:
            member = self._read_member(at, self._long)
            if not member or (member[0] != _RECORD and (first or member[0])):
                return False
            if member[1] is None:
                return not sure or at + self._long <= self._size
            at, first = member[1], False
        return True

    def _read_member(self, at: int, most: int) -> tuple[bytes, int | None] | None:
        """The first bytes of a member, and its end if it is near; None if it is damaged."""
        if at >= self._size:
            return None
        member = self._decompressor()
        head, done = b"", 0
        try:
            while (
                not member.eof and done < most and (piece := _read(self._file, at + done, _PIECE))
            ):
                data = member.decompress(piece)
                head += data[: len(_RECORD) - len(head)]
                done += len(piece)
                if head and head != _RECORD[: len(head)]:
                    break
        except self._error:
            return None
        return head, at + done - len(member.unused_data) if member.eof else None


class _Plain(Begins):
    _VERSION = re.compile(rb"WARC/[01]\.[0-9]{1,2}\r\n")
    _HEAD = re.compile(_VERSION.pattern + rb"(?:[^\r\n]+\r\n)*\r\n")
    _LENGTH = re.compile(rb"\r\nContent-Length:[ \t]*([0-9]{1,18})[ \t]*\r\n", re.IGNORECASE)

    def find_end(self, at: int) -> int | None:
        start = _read(self._file, at, _SHORT_HEADER)
        if not self._VERSION.match(start):
            return None
        head = self._HEAD.match(start) or self._HEAD.match(_read(self._file, at, _HEADER))
        length = head and self._LENGTH.search(head[0])
        if not head or not length:
            return None
        end = at + head.end() + int(length[1])
        if end > self._size:
            return None
        between = _read(self._file, end, _SHORT_HEADER)
        return end + len(between) - len(between.lstrip(b"\r\n"))

    def _is_begin(self, at: int, sure: bool) -> bool:
        end = self.find_end(at)
        if not sure:
            return end is not None
        return end == self._size or (end is not None and self.find_end(end) is not None)


def _find_bytes(file: BinaryIO, magic: bytes, at: int, stop: int) -> Iterator[int]:
    """The positions of some bytes in a range."""
    while at < stop:
        chunk = _read(file, at, min(_STEP, stop - at) + len(magic) - 1)
        here = chunk.find(magic)
        while here >= 0:
            yield at + here
            here = chunk.find(magic, here + 1)
        at += _STEP


def _read(file: BinaryIO, at: int, size: int) -> bytes:
    file.seek(at)
    return file.read(size)
