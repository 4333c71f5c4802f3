"""What goes into a corpus run: records, and the shards they are read from."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime


@dataclass(frozen=True, slots=True)
class Record:
    """One page as its source has it."""

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
    """A record that gives no row, and why."""

    id: str
    url: str | None
    reason: str
    """One of few, to be counted: `not html`, `too large`, `damaged`, `short`, ..."""
    detail: str = ""
    """What happened to this record, in a line."""


@dataclass(frozen=True, slots=True)
class Columns:
    """Where a table has what a record needs; empty: the first that is there of the usual names."""

    html: str = ""
    url: str = ""
    id: str = ""
    date: str = ""


@dataclass(frozen=True, slots=True)
class Shard:
    """A part of the input that becomes a part of the output; its records have an order."""

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
        """Whether nothing is left of it: its file became shorter, or is gone."""
        return self.start == self.end

    def emptied(self, round: int) -> Shard:
        """The same without anything to read."""
        return replace(self, start=0, end=0, files=(), size=0, round=round)
