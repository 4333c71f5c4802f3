"""WARC files: how a record is written, the pages among records, and what others lack."""

from __future__ import annotations

import gzip
import re
from base64 import b32encode
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from hashlib import sha1
from typing import Any, BinaryIO
from urllib.parse import quote
from uuid import NAMESPACE_URL, uuid5

from tamis._runtime.libraries import import_library
from tamis._runtime.packing import unpack
from tamis._runtime.version import __version__
from tamis.corpus.folder import OutputFile
from tamis.corpus.formats import files
from tamis.corpus.formats._base import Format, Input, RowFormat, cut_evenly, make_byte_ranges
from tamis.corpus.formats.jsonl import GZIP_LEVEL
from tamis.corpus.formats.warc_boundaries import Begins, find_begins
from tamis.corpus.records import Columns, Record, Reject, Row, Shard, format_utc
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
# Most bytes of the reason why an address gave no page.
_DETAIL = 1000
_CHUNK = re.compile(rb"(?:\r?\n)?([0-9A-Fa-f]{1,8})[ \t]*(?:;[^\r\n]*)?\r?\n")


def pack_record(
    version: str,
    kind: str,
    identity: str,
    date: str,
    headers: Mapping[str, str],
    block: bytes,
    level: int,
) -> bytes:
    """A WARC record as a gzip member of its own; its id follows from `identity`."""
    fields = {
        "WARC-Type": kind,
        "WARC-Record-ID": f"<{uuid5(NAMESPACE_URL, identity).urn}>",
        "WARC-Date": date,
        **headers,
        "Content-Length": str(len(block)),
    }
    lines = [f"WARC/{version}", *(f"{name}: {value}" for name, value in fields.items()), "", ""]
    head = "\r\n".join(lines).encode()
    return gzip.compress(b"".join((head, block, b"\r\n\r\n")), level, mtime=0)


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


def _sniff(head: bytes) -> bool:
    return head.startswith((b"WARC/", files.ZSTD_DICTIONARY))


def read(shard: Shard, columns: Columns, max_bytes: int) -> Iterator[Record | Reject]:
    """The pages of the records that begin in the shard."""
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


class _Part:
    """A range of a file as a stream; positions are those of the file.

    A read error is no damage of the records: it is an `InputError` and ends the shard.
    """

    def __init__(self, source: str, file: BinaryIO, start: int, end: int) -> None:
        self._source = source
        self._file = file
        self._at = start
        self._end = end

    def read(self, size: int = -1) -> bytes:
        left = self._end - self._at
        with files.explain_errors(self._source):
            self._file.seek(self._at)
            data = self._file.read(left if size < 0 else min(size, left))
        self._at += len(data)
        return data

    def seek(self, offset: int, whence: int = 0) -> int:
        self._at = offset + (0, self._at, self._end)[whence]
        return self._at

    def tell(self) -> int:
        return self._at

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
    sniff=_sniff,
    cut=cut,
    read=read,
    package="fastwarc",
)


# WARC-Date must be there. The time of the run would make each run's file another, so what has no
# date has one that nobody takes for a real one.
_NO_DATE = datetime(1970, 1, 1, tzinfo=UTC)
_BREAKING = re.compile(r"[\x00-\x20\x7f]")


class _Wet:
    def __init__(self, file: OutputFile, fields: Sequence[str]) -> None:
        self._file = file
        about = f"software: tamis {__version__}\r\nformat: WARC File Format 1.0\r\n"
        self._put("warcinfo", file.name, _NO_DATE, "application/warc-fields", about, {})

    def write(self, row: Row, size: int) -> None:
        urn = re.fullmatch(r"<?(urn:[^<>\s]+)>?", row.id)
        headers = {
            "WARC-Target-URI": row.url or f"file:{quote(row.id)}",
            "WARC-Refers-To": f"<{urn[1]}>" if urn else "",
            "WARC-Identified-Content-Language": row.language,
        }
        seed = f"{row.source}\n{row.id}"
        self._put("conversion", seed, row.fetched or _NO_DATE, "text/plain", row.text, headers)

    def finish(self) -> None:
        pass

    def _put(
        self, kind: str, seed: str, date: datetime, form: str, text: str, more: dict[str, str]
    ) -> None:
        block = text.encode()
        headers = more | {
            "WARC-Block-Digest": f"sha1:{b32encode(sha1(block).digest()).decode()}",
            "Content-Type": form,
        }
        escaped = {
            name: _BREAKING.sub(lambda character: quote(character[0]), value)
            for name, value in headers.items()
            if value
        }
        when = format_utc(date.replace(microsecond=0))
        self._file.write(pack_record("1.0", kind, seed, when, escaped, block, GZIP_LEVEL))


OUTPUT: RowFormat = RowFormat(name="wet", suffix=".warc.wet.gz", writer=_Wet)
