"""Small WARC files, written byte by byte so that each can be wrong in its own way."""

from __future__ import annotations

import zlib
from collections.abc import Sequence
from pathlib import Path

from tamis.corpus.formats import read
from tamis.corpus.records import Columns, Record, Reject, Shard

LIMIT = 1_000_000


def page(topic: str, text: str = "") -> bytes:
    return (
        f"<!doctype html><html><head><title>{topic}</title></head><body>"
        "<div id=cookies>Wir verwenden Cookies. <button>Zustimmen</button></div>"
        "<nav><a href=/>Accueil</a> <a href=/markt>Markt</a></nav>"
        f"<article><h1>{topic}</h1><p>{text or topic * 3}</p></article>"
        "<aside><h2>Related</h2><a href=/2>The other bridge</a></aside>"
        "<footer>© 2024 Le Quotidien</footer></body></html>"
    ).encode()


def http(
    body: bytes,
    content_type: str | None = "text/html; charset=utf-8",
    status: str = "200 OK",
    headers: str = "",
) -> bytes:
    kind = f"Content-Type: {content_type}\r\n" if content_type is not None else ""
    return f"HTTP/1.1 {status}\r\n{kind}{headers}\r\n".encode() + body


def record(
    name: object,
    block: bytes,
    kind: str = "response",
    content_type: str = "application/http; msgtype=response",
    headers: str = "",
) -> bytes:
    head = (
        f"WARC/1.0\r\nWARC-Type: {kind}\r\nWARC-Date: 2024-05-17T08:30:00Z\r\n"
        f"WARC-Record-ID: <urn:uuid:{name}>\r\nContent-Length: {len(block)}\r\n"
        f"Content-Type: {content_type}\r\nWARC-Target-URI: <https://zeitung.example/{name}>\r\n"
        f"{headers}\r\n"
    )
    return head.encode() + block + b"\r\n\r\n"


def gzip_member(data: bytes, level: int = 6) -> bytes:
    member = zlib.compressobj(level, zlib.DEFLATED, 31)
    return member.compress(data) + member.flush()


def read_warc(
    path: Path, cuts: Sequence[int] = (), max_bytes: int = LIMIT
) -> list[Record | Reject]:
    """All records of a file, read in shards between the cuts."""
    starts = sorted({0, *cuts})
    shards = [
        Shard(number, "warc", str(path), start, end)
        for number, (start, end) in enumerate(zip(starts, [*starts[1:], None], strict=True))
    ]
    return [record for shard in shards for record in read(shard, Columns(), max_bytes)]


def names(records: Sequence[Record | Reject]) -> list[str]:
    """The names of the pages."""
    return [
        record.id.removeprefix("<urn:uuid:").removesuffix(">")
        for record in records
        if isinstance(record, Record)
    ]


def reasons(records: Sequence[Record | Reject]) -> list[str]:
    return [record.reason for record in records if isinstance(record, Reject)]
