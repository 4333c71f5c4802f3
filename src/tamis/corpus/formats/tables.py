"""Columns of tables: which there are, and what is in them."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import fields
from datetime import UTC, date, datetime

from tamis.corpus.records import Columns, Record, Reject
from tamis.errors import InputError

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


def choose_columns(columns: Columns, there: Collection[str]) -> Columns:
    """The columns to read, those not asked for by their usual names; empty if not there."""
    names = {}
    for column in fields(Columns):
        asked = getattr(columns, column.name)
        wanted = [asked] if asked else _USUAL[column.name]
        names[column.name] = next((name for name in wanted if name in there), "")
    return Columns(**names)


def check(columns: Columns, there: Collection[str], source: str) -> Columns:
    """The columns to read; an `InputError` if one that was asked for is not there, or no page."""
    names = choose_columns(columns, there)
    for column in fields(Columns):
        asked = getattr(columns, column.name)
        if not getattr(names, column.name) and (asked or column.name == "html"):
            column_name = repr(asked) if asked else "with the usual names of HTML"
            raise InputError(
                f"{source}: no column {column_name}; there are {', '.join(there) or 'none'}"
            )
    return names


def record(
    place: str,
    html: object,
    url: object,
    id: object,
    when: object,
    max_bytes: int,
    *,
    is_text: bool = True,
) -> Record | Reject:
    """A row as a record, or why it is none; `place` is its id if it has no other."""
    name = str(id) if isinstance(id, str | int) and id != "" else place
    address = url if isinstance(url, str) and url else None
    if not isinstance(html, str | bytes):
        detail = "" if html is None else f"there is a {type(html).__name__}"
        return Reject(name, address, "no html", detail)
    # A JSON string may have half a surrogate pair.
    body = html.encode("utf-8", "replace") if isinstance(html, str) else html
    if len(body) > max_bytes:
        return Reject(name, address, "too large", f"{len(body)} bytes of {max_bytes}")
    return Record(name, address, body, _UTF8 if is_text else None, moment(when))


def moment(value: object) -> datetime | None:
    """A date and time in UTC from ISO 8601, seconds since 1970 or a date; None if it is none."""
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
