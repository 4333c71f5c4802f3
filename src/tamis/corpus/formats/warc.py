"""WARC files: where their records begin, the pages among the records, and what others lack.

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
from dataclasses import dataclass
from functools import partial
from typing import Any, BinaryIO

from tamis._runtime.libraries import import_library
from tamis._runtime.storage import GZIP, ZSTD, unpack
from tamis.corpus import files
from tamis.corpus.formats._base import Format, Input, cut_evenly, make_byte_ranges
from tamis.corpus.records import Columns, Record, Reject, Shard
from tamis.page.reader import is_html

REASON = "Tamis-Refused"
"""Header of a `metadata` record that says why an address gave no page."""

_PACKINGS = (".gz", ".zst")
_PAGE_TYPES = ("text/html", "application/xhtml+xml")
# Servers that do not know say one of these; then the body has to look like a page.
_VAGUE_TYPES = (
    "",
    "application/octet-stream",
    "application/xml",
    "text/plain",
    "text/xml",
    "unknown/unknown",
    "*/*",
)
_RECORD = b"WARC/"
# How long a row has to hold: twice the largest raw block, since a decompressor that is lost may
# notice it only some kB later.
_GZIP_HOLDS, _ZSTD_HOLDS = 1 << 17, 1 << 18
_STEP = 1 << 20
# Unpacked at a time: 4 MB at most with gzip, 128 MB with zstd, should it be a bomb.
_PIECE = 1 << 12
_HEADER = 1 << 16
_SHORT_HEADER = 1 << 11

# Most bytes of the reason why an address gave no page.
_DETAIL = 1000
_CHUNK = re.compile(rb"(?:\r?\n)?([0-9A-Fa-f]{1,8})[ \t]*(?:;[^\r\n]*)?\r?\n")


def cut(given: Input, columns: Columns, max_bytes: int, target: int) -> Iterator[Shard]:
    """Ranges of bytes; `read` begins with the first record at or after each cut."""
    for file in given.files:
        cuts = _choose_cuts(file, target) if file.size > target else [0]
        yield from make_byte_ranges("warc", file, cuts)


def _choose_cuts(file: files.InputFile, target: int) -> list[int]:
    if files.is_packed(file, _PACKINGS):
        return cut_evenly(file, target)
    if files.is_remote(file.name):
        return [0]
    with files.open_file(file.name) as opened:
        has_dictionary = opened.read(4) == files.ZSTD_DICTIONARY
    return [0] if has_dictionary else find_exact_cuts(file, target)


def read(shard: Shard, columns: Columns, max_bytes: int) -> Iterator[Record | Reject]:
    with files.open_file(shard.source) as file, files.explain_errors(shard.source):
        size = file.seek(0, 2)
        record_begins = find_begins(file, size)
        start, end = shard.start, size if shard.end is None else min(shard.end, size)
        if record_begins is None:
            start, end = (start, size) if not start else (size, size)
        else:
            if start:
                first = record_begins.search(start, end, sure=True)
                start = end if first is None else first
            if start < end < size:
                last = record_begins.search(end, size, sure=True)
                end = size if last is None else last
        yield from _read_range(file, record_begins, start, end, shard.source, max_bytes)


def find_exact_cuts(file: files.InputFile, target: int) -> list[int]:
    """Positions of records in a file that is not packed, about `target` bytes apart.

    At an arbitrary cut, a page that quotes whole records looks like records. Reading from the
    beginning tells them apart. That takes 10 µs per record.
    """
    cuts = [0]
    with files.open_file(file.name) as opened:
        record_begins = find_begins(opened, file.size)
        at: int | None = 0
        while record_begins and at is not None and at < file.size:
            if at >= cuts[-1] + target:
                cuts.append(at)
            after = record_begins.find_end(at)
            at = record_begins.search(at + 1, file.size, sure=False) if after is None else after
    return cuts


def _read_range(
    file: BinaryIO, record_begins: Begins | None, start: int, end: int, source: str, max_bytes: int
) -> Iterator[Record | Reject]:
    """The pages between two record positions; after damage, go on with the next good record."""
    name = files.last_name(source)
    iterate = import_library("fastwarc.warc", "warc").ArchiveIterator
    at: int | None = start
    while at is not None and at < end:
        last, part = at, _Part(source, file, at, end)
        records, reported, cut = 0, False, False
        try:
            for record in iterate(part, parse_http=False):
                records += 1
                last = max(last, record.stream_pos)
                if "Content-Length" not in record.headers:  # the header is cut off
                    reported, cut = False, True
                    break
                answer = _read_page(record, f"{name}:{last}", max_bytes)
                if answer:
                    yield answer
                reported = isinstance(answer, Reject) and answer.reason == "damaged"
                record.consume()
                cut = record.reader.tell() < record.content_length
        except OSError as error:
            reason, good = str(error), False
        else:
            reason, good = "the file is cut off", not cut
        after = record_begins.find_end(last) if record_begins else None
        # Of a further record in one member fastwarc gives some other place than its begin.
        unknown = after is None or last == end
        if good and (after == end or (unknown and records and part.tell() == end)):
            break
        at = None
        if record_begins:
            at = record_begins.search(last + 1 if after is None else after, end, sure=False)
        if not reported and (cut or at is None or at != after or not records):
            place = last if after is None else after
            yield Reject(f"{name}:{place}", None, "damaged", reason)


@dataclass
class _Part:
    """A range of a file as a stream; positions are those of the file.

    A read error is no damage of the records: it is an `InputError` and ends the shard.
    """

    source: str
    file: BinaryIO
    at: int
    end: int

    def read(self, size: int = -1) -> bytes:
        left = self.end - self.at
        with files.explain_errors(self.source):
            self.file.seek(self.at)
            data = self.file.read(left if size < 0 else min(size, left))
        self.at += len(data)
        return data

    def seek(self, offset: int, whence: int = 0) -> int:
        self.at = offset + (0, self.at, self.end)[whence]
        return self.at

    def tell(self) -> int:
        return self.at

    def close(self) -> None:
        """Do nothing: the caller opened the file and closes it."""


def _read_page(record: Any, place: str, max_bytes: int) -> Record | Reject | None:
    """The page of a record, or why there is none. None for record types that never have one."""
    headers = record.headers
    kind = headers.get("WARC-Type")
    if kind == "metadata" and (refusal := headers.get(REASON)):
        detail = record.reader.read(_DETAIL).decode("utf-8", "replace")
        return Reject(record.record_id or place, _read_address(record), refusal, detail)
    if kind not in ("response", "resource"):
        return None
    id, url = record.record_id or place, _read_address(record)
    content_type, encodings = headers.get("Content-Type"), ""
    try:
        if record.is_http:
            record.parse_http(quirks_mode=True)
            http = record.http_headers
            if http.status_code is None:
                return Reject(id, url, "damaged", "no HTTP status")
            if http.status_code != 200:
                status = f"{http.status_code} {http.reason_phrase or ''}".strip()
                return Reject(id, url, "http status", status)
            content_type = http.get("Content-Type")
            encodings = ",".join(
                (*http.get_multiple("Content-Encoding"), *http.get_multiple("Transfer-Encoding"))
            )
        essence = (content_type or "").partition(";")[0].strip().lower()
        if essence not in _PAGE_TYPES and essence not in _VAGUE_TYPES:
            return Reject(id, url, "not html", essence)
        size = record.content_length
        if size > max_bytes:
            return Reject(id, url, "too large", f"{size} bytes of {max_bytes}")
        body = record.reader.read(size)
    except OSError as error:
        return Reject(id, url, "damaged", str(error))
    if len(body) < size:
        return Reject(id, url, "damaged", f"cut off after {len(body)} of {size} bytes")
    if encodings:
        try:
            body = _decode_body(body, encodings, max_bytes)
        except ValueError as error:
            return Reject(id, url, "damaged", str(error))
        if len(body) > max_bytes:
            return Reject(id, url, "too large", f"more than {max_bytes} bytes unpacked")
    if essence not in _PAGE_TYPES and not is_html(body):
        return Reject(id, url, "not html", essence or "no content type")
    return Record(id, url, body, content_type, record.record_date)


def _read_address(record: Any) -> str | None:
    url: str | None = record.headers.get("WARC-Target-URI")
    return url.strip("<> ") or None if url else None


def _decode_body(body: bytes, encodings: str, most: int) -> bytes:
    """Undo the HTTP encodings of a body, up to `most` bytes and one.

    Some archives have decoded bodies but the original header. Raises a `ValueError` if the body is
    neither.
    """
    for encoding in reversed([name.strip().lower() for name in encodings.split(",")]):
        if len(body) > most:
            break
        if encoding == "chunked":
            body = _without_chunks(body)
        elif encoding not in ("", "identity", "none"):
            try:
                body = unpack(body, encoding, most)
            except ValueError as error:
                if not is_html(body):
                    raise ValueError(f"content encoding {encoding}: {error}") from None
    return body


def _without_chunks(body: bytes) -> bytes:
    parts: list[bytes] = []
    at = 0
    while (chunk := _CHUNK.match(body, at)) and (size := int(chunk[1], 16)):
        at = chunk.end() + size
        parts.append(body[chunk.end() : at])
    return b"".join(parts) if parts else body


INPUT: Format = Format(
    name="warc",
    suffixes=(".warc",),
    packings=_PACKINGS,
    sniff=lambda head: head.startswith((_RECORD, files.ZSTD_DICTIONARY)),
    cut=cut,
    read=read,
    package="fastwarc",
)


# Where records begin


@dataclass
class Begins(ABC):
    """The positions in one file at which records begin."""

    file: BinaryIO
    size: int
    magic: bytes

    @abstractmethod
    def find_end(self, at: int) -> int | None:
        """The end of the record at a position; None if it is damaged, cut off or no record."""

    @abstractmethod
    def _is_begin(self, at: int, sure: bool) -> bool:
        """Whether a record begins there; `sure` checks enough of what follows."""

    def search(self, at: int, stop: int, *, sure: bool) -> int | None:
        """The first record position in a range; `sure` rules out data that looks like a record."""
        places = _find_bytes(self.file, self.magic, at, stop)
        return next((place for place in places if self._is_begin(place, sure)), None)


def find_begins(file: BinaryIO, size: int) -> Begins | None:
    """Choose by the first bytes. None for zstd with a dictionary, which needs the whole file."""
    file.seek(0)
    magic = file.read(4)
    if magic.startswith(GZIP):
        return _Packed(file, size, GZIP, _GZIP_HOLDS, partial(zlib.decompressobj, 31), zlib.error)
    if magic == ZSTD:
        frame = files.zstd_decompressor().decompressobj
        error = import_library("zstandard", "zstd").ZstdError
        return _Packed(file, size, ZSTD, _ZSTD_HOLDS, frame, error)
    return None if magic == files.ZSTD_DICTIONARY else _Plain(file, size, _RECORD)


@dataclass
class _Packed(Begins):
    holds: int
    """How long a row of members has to hold."""
    decompressor: Callable[[], Any]
    error: type[Exception]

    def find_end(self, at: int) -> int | None:
        member = self._read_member(at, self.size)
        end = member and member[1]
        while end is not None and (empty := self._read_member(end, _PIECE)):
            if empty[0] or empty[1] is None:
                break
            end = empty[1]  # bgzip writes an empty member at the end
        return end

    def _is_begin(self, at: int, sure: bool) -> bool:
        stop = min(at + self.holds, self.size) if sure else at + 1
        first = True
        while at < stop:
            member = self._read_member(at, self.holds)
            if not member or (member[0] != _RECORD and (first or member[0])):
                return False
            if member[1] is None:
                return not sure or at + self.holds <= self.size
            at, first = member[1], False
        return True

    def _read_member(self, at: int, most: int) -> tuple[bytes, int | None] | None:
        """The first bytes of a member, and its end if it is near; None if it is damaged."""
        if at >= self.size:
            return None
        member = self.decompressor()
        head, done = b"", 0
        try:
            while not member.eof and done < most and (piece := _read(self.file, at + done, _PIECE)):
                data = member.decompress(piece)
                head += data[: len(_RECORD) - len(head)]
                done += len(piece)
                if head and head != _RECORD[: len(head)]:
                    break
        except self.error:
            return None
        return head, at + done - len(member.unused_data) if member.eof else None


class _Plain(Begins):
    _VERSION = re.compile(rb"WARC/[01]\.[0-9]{1,2}\r\n")
    _HEAD = re.compile(_VERSION.pattern + rb"(?:[^\r\n]+\r\n)*\r\n")
    _LENGTH = re.compile(rb"\r\nContent-Length:[ \t]*([0-9]{1,18})[ \t]*\r\n", re.IGNORECASE)

    def find_end(self, at: int) -> int | None:
        start = _read(self.file, at, _SHORT_HEADER)
        if not self._VERSION.match(start):
            return None
        head = self._HEAD.match(start) or self._HEAD.match(_read(self.file, at, _HEADER))
        length = head and self._LENGTH.search(head[0])
        if not head or not length:
            return None
        end = at + head.end() + int(length[1])
        if end > self.size:
            return None
        between = _read(self.file, end, _SHORT_HEADER)
        return end + len(between) - len(between.lstrip(b"\r\n"))

    def _is_begin(self, at: int, sure: bool) -> bool:
        end = self.find_end(at)
        if not sure:
            return end is not None
        return end == self.size or (end is not None and self.find_end(end) is not None)


def _find_bytes(file: BinaryIO, magic: bytes, at: int, stop: int) -> Iterator[int]:
    while at < stop:
        chunk = _read(file, at, min(_STEP, stop - at) + len(magic) - 1)
        found = chunk.find(magic)
        while found >= 0:
            yield at + found
            found = chunk.find(magic, found + len(magic))
        at += _STEP


def _read(file: BinaryIO, at: int, size: int) -> bytes:
    file.seek(at)
    return file.read(size)
