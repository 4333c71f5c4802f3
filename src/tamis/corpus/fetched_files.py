"""WARC files of fetched pages: written whole, one record per address, in the order of the list."""

from __future__ import annotations

import re
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryFile
from typing import IO
from uuid import NAMESPACE_URL, uuid5

from tamis._runtime import storage
from tamis._runtime.libraries import import_library
from tamis.corpus.formats.warc import REASON, pack_record
from tamis.errors import InputError
from tamis.inputs import Fetched
from tamis.web.download import USER_AGENT, strip_credentials

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
    return pack_record("1.1", kind, identity, now, named, block, _GZIP_LEVEL)


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
    """A record that says why an address gave no page."""
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
