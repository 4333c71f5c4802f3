"""What a format is, and how its files are cut into shards."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, fields
from datetime import UTC, date, datetime
from typing import Any, BinaryIO, Protocol

from tamis.corpus.files import InputFile, OutputFile
from tamis.corpus.records import Columns, Record, Reject, Row, Shard
from tamis.errors import InputError


@dataclass(frozen=True, slots=True)
class Input:
    """Files of one format under one folder."""

    format: str
    folder: str
    files: list[InputFile]
    given_alone: bool = False
    """A page that was given itself, not with its folder."""


Cut = Callable[[Input, Columns, int, int], Iterator[Shard]]
"""Cuts an input into shards of about so many bytes, the last number; they get numbers later.

An `InputError` if the files lack a column. The other number is the most bytes of a page.
"""
Read = Callable[[Shard, Columns, int], Iterator[Record | Reject]]
"""The records of a shard in their order, and why others give no page; at most so many bytes each.

No more than some `max_bytes` are held at a time. An `InputError` if a file cannot be opened.
"""


@dataclass(frozen=True, kw_only=True)
class Format:
    name: str
    suffixes: tuple[str, ...]
    """How the names of such files end, in lower case."""
    packings: tuple[str, ...] = ()
    """What may follow that."""
    sniff: Callable[[bytes], bool]
    """Whether a file whose name says nothing is of this format, by its first bytes, unpacked."""
    cut: Cut
    read: Read
    package: str = ""
    """What reading needs, of the extra `corpus`."""
    page_per_file: bool = False
    """Each file is one record, so that files which are given one by one are one input."""

    def has_name_of(self, file: str) -> bool:
        ends = (suffix + packing for suffix in self.suffixes for packing in ("", *self.packings))
        return file.lower().endswith(tuple(ends))


class RowWriter(Protocol):
    def write(self, row: Row, size: int) -> None:
        """Append a row; `size` is the number of bytes of its text."""

    def finish(self) -> None:
        """Write what is left."""


@dataclass(frozen=True, kw_only=True)
class RowFormat:
    name: str
    suffix: str
    """How the names of its files end."""
    writer: Callable[[OutputFile, Sequence[str]], RowWriter]
    """Writes columns to a file that is open."""
    read: Callable[[BinaryIO], Iterator[dict[str, Any]]] | None = None
    """The values of each row of such a file; None if they are not all in it."""
    package: str = ""
    """What it needs, of the extra `corpus`."""


def group_runs(sizes: Sequence[int], target: int) -> Iterator[tuple[int, int, int]]:
    """Begin, end and size of runs that reach the target; the last one may be smaller."""
    start = total = 0
    for number, size in enumerate(sizes):
        total += size
        if total >= target or number == len(sizes) - 1:
            yield start, number + 1, total
            start, total = number + 1, 0


def cut_evenly(file: InputFile, target: int) -> list[int]:
    """Where to cut a file into equal parts of at most `target` bytes."""
    parts = -(-file.size // target)
    return [file.size * part // parts for part in range(parts)]


def make_byte_ranges(format: str, file: InputFile, cuts: Iterable[int]) -> Iterator[Shard]:
    """A shard from each cut to the next."""
    starts = list(cuts)
    for start, end in zip(starts, [*starts[1:], None], strict=True):
        size = (file.size if end is None else end) - start
        yield Shard(0, format, file.name, start, end, size=size)


# Not `date`: that is as often when a page was published as when it was fetched.
_USUAL = {
    "html": "html raw_html html_content page_source content body raw".split(),
    "url": "url uri target_uri warc_target_uri link".split(),
    "id": "id record_id warc_record_id uuid".split(),
    "date": "fetched fetched_at fetch_time crawl_date warc_date timestamp".split(),
}
_UTF8 = "text/html; charset=utf-8"
# Seconds since 1970 are below this until the year 5138; more are milliseconds.
_MOST_SECONDS = 1e11


def choose_columns(columns: Columns, there: Collection[str], source: str = "") -> Columns:
    """The columns to read: those that were asked for, else usual names; empty if not there.

    If the source has a name, a column that was asked for, and that of pages, must be there.
    """
    names = {}
    for column in fields(Columns):
        asked = getattr(columns, column.name)
        wanted = [asked] if asked else _USUAL[column.name]
        names[column.name] = next((name for name in wanted if name in there), "")
        if source and not names[column.name] and (asked or column.name == "html"):
            column_name = repr(asked) if asked else "with the usual names of HTML"
            raise InputError(
                f"{source}: no column {column_name}; there are {', '.join(there) or 'none'}"
            )
    return Columns(**names)


def make_record(
    place: str,
    html: object,
    url: object,
    id: object,
    when: object,
    max_bytes: int,
    *,
    is_text: bool = True,
) -> Record | Reject:
    """A row of a table as a record or reject; `place` is its id if it has no other."""
    name = str(id) if isinstance(id, str | int) and id != "" else place
    address = url if isinstance(url, str) and url else None
    if not isinstance(html, str | bytes):
        detail = "" if html is None else f"there is a {type(html).__name__}"
        return Reject(name, address, "no html", detail)
    # A JSON string may have half a surrogate pair.
    body = html.encode("utf-8", "replace") if isinstance(html, str) else html
    if len(body) > max_bytes:
        return Reject(name, address, "too large", f"{len(body)} bytes of {max_bytes}")
    return Record(name, address, body, _UTF8 if is_text else None, parse_time(when))


def parse_time(value: object) -> datetime | None:
    """A time in UTC from ISO 8601, seconds since 1970 or a date; None for anything else."""
    try:
        if isinstance(value, str):
            text = value.strip()
            value = (
                float(text) if text.replace(".", "", 1).isdigit() else datetime.fromisoformat(text)
            )
        if isinstance(value, int | float):
            seconds = value / 1000 if abs(value) > _MOST_SECONDS else value
            return datetime.fromtimestamp(seconds, UTC)
        if isinstance(value, datetime):
            return value.astimezone(UTC) if value.tzinfo else value.replace(tzinfo=UTC)
        if isinstance(value, date):
            return datetime(value.year, value.month, value.day, tzinfo=UTC)
    except (ValueError, OverflowError, OSError):
        pass
    return None
