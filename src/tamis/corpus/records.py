"""What goes into a corpus run: records, and the shards they are read from."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import NamedTuple

from tamis.errors import InputError


@dataclass(frozen=True, slots=True)
class Record:
    """One page from a source."""

    id: str
    """The same in every run, and of one page only within its source."""
    url: str | None
    body: bytes
    content_type: str | None
    """Of the HTTP response."""
    fetched: datetime | None
    """In UTC."""


@dataclass(frozen=True, slots=True)
class Reject:
    """A record that does not become a row, and why."""

    id: str
    url: str | None
    reason: str
    """One of few, to be counted: `not html`, `too large`, `damaged`, `short`, ..."""
    detail: str = ""
    """What happened to this record, in a line."""


@dataclass(frozen=True, slots=True)
class Columns:
    """Which columns of a table to read. Empty: the first of the usual names that the table has."""

    html: str = ""
    url: str = ""
    id: str = ""
    date: str = ""


@dataclass(frozen=True, slots=True)
class Shard:
    """A part of the input that becomes a part of the output. Its records have an order."""

    number: int
    format: str
    """`warc`, `html`, `jsonl` or `parquet`."""
    source: str
    """A file, or a folder if `files` says which of its files."""
    start: int = 0
    """Where it begins: a byte of a WARC or JSONL file, a row group of a Parquet file."""
    end: int | None = None
    """Where it ends, exclusive; None at the end of the file."""
    files: tuple[str, ...] = ()
    """Pages of a folder, by their paths from it."""
    size: int = 0
    """In bytes as stored, for the progress."""
    round: int = 0
    """When it was planned: 0 when the run began, 1 when inputs were first added or done again."""

    @property
    def is_empty(self) -> bool:
        """Whether nothing of it is left: its file became shorter, or is gone."""
        return self.start == self.end

    def make_empty(self, round: int) -> Shard:
        return replace(self, start=0, end=0, files=(), size=0, round=round)


SCHEMA = 1
"""Version of the columns, stored with every Parquet file. It grows when a name or a meaning
changes; new columns may appear."""


class Row(NamedTuple):
    """One page. Unknown values are empty, or None where the type says so.

    A tuple, since rows go from process to process: pickling one there and back takes 2.4 us, a
    dataclass with slots 8.3 us.
    """

    id: str
    """Of the record, as its source has it."""
    source: str
    """The file it came from."""
    url: str | None = None
    """Of the record, else the canonical one of the page."""
    fetched: datetime | None = None
    """In UTC."""
    title: str = ""
    authors: tuple[str, ...] = ()
    published: str = ""
    """ISO 8601, as precise as the page."""
    modified: str = ""
    """ISO 8601."""
    site_name: str = ""
    language: str = ""
    """BCP 47."""
    description: str = ""
    page_type: str = ""
    overview: float = 0.0
    """Probability that the page is a list of teasers, products or threads."""
    probability: float = 0.0
    """Mean score of the kept blocks, weighed by their words."""
    words: int = 0
    """Of the text."""
    text: str = ""
    markdown: str | None = None
    html: str | None = None
    encoding: str = ""
    embedded: str | None = None
    """Where the content was if the visible text is a shell: `json-ld`, for example."""
    site_pages: int = 0
    """Pages of the site that the decision rests on."""
    canonical: str = ""
    """The address that the page gives for itself."""


ON_REQUEST = ("markdown", "html")
"""Columns that take the time and the space of the text once more."""
USUAL = tuple(name for name in Row._fields if name not in ON_REQUEST)
"""All others."""


def order_columns(fields: Sequence[str]) -> tuple[str, ...]:
    """The columns with these names, each once, in the order of a row."""
    for name in fields:
        if name not in Row._fields:
            raise InputError(f"no column {name!r}; there are {', '.join(Row._fields)}")
    return tuple(name for name in Row._fields if name in fields)


def format_utc(time: datetime) -> str:
    """A time in UTC as ISO 8601; a time without a zone counts as UTC."""
    aware = time if time.tzinfo else time.replace(tzinfo=UTC)
    return aware.astimezone(UTC).isoformat().replace("+00:00", "Z")
