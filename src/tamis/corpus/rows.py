"""The row that a page becomes: the columns of the output. See docs/reference/corpus-rows.md."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import NamedTuple

from tamis.errors import InputError

SCHEMA = 1
"""Version of the columns, stored with every Parquet file. It grows when a name or a meaning
changes; new columns may appear."""


class Row(NamedTuple):
    """One page. What is not known is empty, or None where the type says so.

    A tuple, as each goes from process to process: pickling takes 2.4 us there and back, that of
    the same dataclass with slots 8.3 us.
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


def in_order(fields: Sequence[str]) -> tuple[str, ...]:
    """The columns of these names, each once, as they stand in a row."""
    for name in fields:
        if name not in Row._fields:
            raise InputError(f"no column {name!r}; there are {', '.join(Row._fields)}")
    return tuple(name for name in Row._fields if name in fields)


def utc_text(time: datetime) -> str:
    """A time as text in UTC, ISO 8601; one without a zone is taken for UTC."""
    aware = time if time.tzinfo else time.replace(tzinfo=UTC)
    return aware.astimezone(UTC).isoformat().replace("+00:00", "Z")
