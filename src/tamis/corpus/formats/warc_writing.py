"""WARC files that tamis writes: the texts of rows (WET), and pages that it fetched.

A file of fetched pages is written whole: one record per address, in the order of the list.
"""

from __future__ import annotations

import gzip
import re
from base64 import b32encode
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from hashlib import sha1
from pathlib import Path
from tempfile import TemporaryFile
from typing import IO
from urllib.parse import quote
from uuid import NAMESPACE_URL, uuid5

from tamis._runtime import storage
from tamis._runtime.libraries import import_library
from tamis._runtime.version import __version__
from tamis.corpus.files import OutputFile
from tamis.corpus.formats._base import RowFormat
from tamis.corpus.formats.jsonl import GZIP_LEVEL
from tamis.corpus.formats.warc import REASON
from tamis.corpus.records import Row, format_utc
from tamis.errors import InputError
from tamis.inputs import Fetched
from tamis.web.download import USER_AGENT, strip_credentials


def _pack_record(
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


# Texts of rows

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
        self._file.write(_pack_record("1.0", kind, seed, when, escaped, block, GZIP_LEVEL))


OUTPUT: RowFormat = RowFormat(name="wet", suffix=".warc.wet.gz", writer=_Wet)


# Fetched pages

_GZIP_LEVEL = 6
_ASKED = "tamis-asked: "


@dataclass(slots=True)
class FetchedFile:
    """A WARC file to write. Until all its records are there, they wait in a temporary file."""

    path: Path
    addresses: list[str]
    _spool: IO[bytes] | None = field(default=None, init=False)
    _places: dict[int, tuple[int, int]] = field(default_factory=dict, init=False)

    def add(self, position: int, record: bytes) -> None:
        """Add the record of one address; the last record makes the file appear."""
        if self._spool is None:
            self._spool = TemporaryFile(dir=self.path.parent)  # noqa: SIM115  # till the last
        self._places[position] = (self._spool.tell(), len(record))
        self._spool.write(record)
        if self.whole:
            self._write(self._spool)

    @property
    def whole(self) -> bool:
        return len(self._places) == len(self.addresses)

    def _write(self, spool: IO[bytes]) -> None:
        asked = [f"{_ASKED}{asked_id(each)} {_hide_password(each)}\r\n" for each in self.addresses]
        info = f"software: {USER_AGENT}\r\n{''.join(asked)}".encode()
        name = self.path.name
        try:
            with storage.open_replacing(self.path) as file:
                file.write(
                    _make_record(
                        "warcinfo",
                        f"{asked_id(self.addresses[0])}/{name}",
                        info,
                        WARC_Filename=name,
                        Content_Type="application/warc-fields",
                    )
                )
                for _, (start, size) in sorted(self._places.items()):
                    spool.seek(start)
                    file.write(spool.read(size))
        finally:
            self.close()

    def close(self) -> None:
        if self._spool is not None:
            with suppress(OSError):  # what was not written yet does not fit on the disk
                self._spool.close()
            self._spool = None


def asked_id(address: str) -> str:
    """The record id of an address, without brackets. It does not reveal a password."""
    return uuid5(NAMESPACE_URL, address).urn


def read_asked(folder: Path) -> dict[Path, dict[str, str]]:
    """The files of earlier runs, with their addresses by id."""
    return {path: _read_asked_in(path) for path in sorted(folder.glob("fetched-*.warc.gz"))}


def _read_asked_in(path: Path) -> dict[str, str]:
    records = import_library("fastwarc.warc", "warc").ArchiveIterator
    asked: dict[str, str] = {}
    try:
        with path.open("rb") as file:
            for record in records(file, parse_http=False):
                headers = record.headers
                if headers["WARC-Type"] == "warcinfo":
                    lines = record.reader.read().decode().splitlines()
                    listed = [line.removeprefix(_ASKED) for line in lines if _ASKED in line]
                    if listed:
                        return dict(line.split(" ", 1) for line in listed)
                    continue
                # tamis 0.2 did not list them.
                address = headers.get("Tamis-Asked") or headers.get("WARC-Target-URI") or ""
                asked[record.record_id.strip("<>")] = address
    except (OSError, ValueError):
        asked = {}
    if not asked:
        raise InputError(
            f"{path}: damaged, or not a file that tamis fetched; delete it, or choose another"
            " folder"
        )
    return asked


def _make_record(kind: str, identity: str, block: bytes, **headers: str) -> bytes:
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    now = f"{datetime.now(UTC):%Y-%m-%dT%H:%M:%SZ}"
    return _pack_record("1.1", kind, identity, now, named, block, _GZIP_LEVEL)


def make_response_record(asked: str, page: Fetched) -> bytes:
    """A record of the answer of a server, with its body decompressed and in one piece."""
    kind = f"Content-Type: {page.content_type}\r\n" if page.content_type else ""
    head = f"HTTP/1.1 {page.status} \r\n{kind}Content-Length: {len(page.body)}\r\n\r\n"
    return _make_record(
        "response",
        asked,
        head.encode() + page.body,
        WARC_Target_URI=page.url,
        Tamis_Asked=strip_credentials(asked),
        Content_Type="application/http; msgtype=response",
    )


def make_reject_record(asked: str, reason: str, detail: str) -> bytes:
    return _make_record(
        "metadata",
        asked,
        detail.encode(errors="replace"),
        WARC_Target_URI=_hide_password(asked),
        **{REASON: reason},
        Content_Type="text/plain; charset=utf-8",
    )


def _hide_password(address: str) -> str:
    """An address that is safe to write: on one line, without a password."""
    return re.sub(r"[^ -~\u00a0-\U0010ffff]", "\ufffd", strip_credentials(address))
