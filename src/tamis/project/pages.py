"""The pages of a project: added, listed, handed out one by one."""

from __future__ import annotations

import sqlite3
import zlib
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from tamis._runtime.storage import inflate
from tamis._runtime.version import __version__
from tamis.errors import NotInProjectError, ProjectError
from tamis.page.arrays import Longs
from tamis.project import labels
from tamis.project.database import Database, timestamp
from tamis.project.order import Vectors, teaching_order
from tamis.project.reading import ReadPage, prints_of

Order = Literal["added", "teaching"]

# Bytes that the source or the places of a page are unpacked to at most.
_LARGEST = 256 << 20

CARRIED_BY = "tamis"
"""Who carries labels over from a page that changed."""

_COLUMNS = (
    "id, name, url, title, state, version, changed, by, blocks, close, claimed_by, claimed_until,"
    " replaces, carried, lost, hash,"
    " (SELECT max(newer.id) FROM pages newer WHERE newer.replaces = pages.id) AS replaced_by"
)


@dataclass(frozen=True, eq=False)
class StoredPage:
    """A page with its source and its labels."""

    id: int
    name: str
    url: str | None
    site: str | None
    hash: str
    state: str
    version: int
    by: str | None
    source: bytes
    offsets: Longs
    labels: Mapping[str, str]


def add(
    database: Database, page: ReadPage, name: str, url: str | None, site: str | None = None
) -> tuple[bool, int]:
    """Add a page; whether it is new, and its number.

    The same source again is the page that is there. If a page of the address is there with another
    source, the new one replaces it: it gets the labels of the blocks whose text is there again.
    """
    url = url.partition("#")[0] if url else None
    with database.writing() as connection:
        same = connection.execute("SELECT id FROM pages WHERE hash = ?", (page.hash,)).fetchone()
        if same:
            return False, int(same["id"])
        before = (
            url
            and connection.execute(
                "SELECT id FROM pages WHERE url = ? ORDER BY id DESC LIMIT 1", (url,)
            ).fetchone()
        )
        number = connection.execute(
            "INSERT INTO pages (hash, name, url, site, title, added, blocks, close, replaces)"
            " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
            (
                *(page.hash, name or url or page.title, url, site, page.title, timestamp()),
                *(len(page.offsets), page.close, before["id"] if before else None),
            ),
        ).lastrowid
        assert number is not None
        connection.execute(
            "UPDATE pages SET name = ? WHERE id = ? AND name = ''", (f"page {number}", number)
        )
        connection.execute(
            "INSERT INTO sources (page, source, offsets, prints, vector, tamis)"
            " VALUES (?, ?, ?, ?, ?, ?)",
            (number, zlib.compress(page.source), *stored_values(page)),
        )
        if before:
            _carry(connection, int(before["id"]), number, page)
        return True, number


def stored_values(page: ReadPage) -> tuple[bytes, bytes, bytes, str]:
    """The columns offsets, prints, vector and tamis of a page."""
    offsets = zlib.compress(page.offsets.tobytes())
    return offsets, page.prints, page.vector.tobytes(), __version__


def offsets_of(row: sqlite3.Row) -> Longs:
    """Start and end of each block."""
    offsets = _inflate(row["offsets"])
    if len(offsets) % 16:
        raise _make_damaged_error("the places of the blocks are cut off")
    return np.frombuffer(offsets, np.int64).reshape(-1, 2)


def _inflate(data: bytes) -> bytes:
    try:
        content, is_complete = inflate(data, _LARGEST)
    except (zlib.error, TypeError) as error:
        raise _make_damaged_error(str(error)) from error
    if len(content) > _LARGEST or not is_complete:
        raise _make_damaged_error(f"more than {_LARGEST / 2**20:,.0f} MiB, or cut off")
    return content


def _make_damaged_error(why: str) -> ProjectError:
    return ProjectError(f"a page of the project is damaged ({why}); add it again")


def _carry(connection: sqlite3.Connection, before: int, number: int, page: ReadPage) -> None:
    """Give a page the labels of the one that it replaces, where the text of a block is the same."""
    (joined,) = connection.execute(
        "SELECT prints FROM sources WHERE page = ?", (before,)
    ).fetchone()
    places: dict[bytes, list[int]] = defaultdict(list)
    for block, own in reversed([*enumerate(prints_of(page.prints))]):
        places[own].append(block)
    stored = {
        row["block"]: row
        for row in connection.execute("SELECT * FROM labels WHERE page = ?", (before,))
    }
    carried: tuple[dict[int, str | None], dict[int, str | None]] = ({}, {})
    lost = 0
    for block, own in enumerate(prints_of(joined)):
        # Of the same text twice, the first is the first; unlabelled ones take their place, too.
        there = places[own].pop() if places[own] else None
        label = stored.get(block)
        if label is None or label["kind"] is None:
            continue
        if there is None:
            lost += 1
        else:
            carried[label["chosen"]][there] = label["kind"]
    for chosen, kinds in enumerate(carried):
        if kinds:
            labels.write(connection, number, 1, CARRIED_BY, kinds, "open", chosen=bool(chosen))
    count = sum(map(len, carried))
    connection.execute("UPDATE pages SET carried = ?, lost = ? WHERE id = ?", (count, lost, number))


def entry(database: Database, page: int, now: float) -> dict[str, Any]:
    """A page as it is listed."""
    with database.reading() as connection:
        row = connection.execute(f"SELECT {_COLUMNS} FROM pages WHERE id = ?", (page,)).fetchone()
        if row is None:
            raise _unknown(page)
        return _entry(row, now)


def get_page(database: Database, page: int) -> StoredPage:
    """A page with its source and its labels."""
    with database.reading() as connection:
        row = connection.execute(
            "SELECT * FROM pages JOIN sources ON page = id WHERE id = ?", (page,)
        ).fetchone()
        if row is None:
            raise _unknown(page)
        return StoredPage(
            id=row["id"],
            name=row["name"],
            url=row["url"],
            site=row["site"],
            hash=row["hash"],
            state=row["state"],
            version=row["version"],
            by=row["by"],
            source=_inflate(row["source"]),
            offsets=offsets_of(row),
            labels=labels.labels_of(connection, page),
        )


def list_pages(
    database: Database,
    state: str,
    order: Order,
    limit: int,
    offset: int,
    now: float,
) -> tuple[int, list[dict[str, Any]]]:
    """How many pages have a state, and some of them in an order."""
    with database.reading() as connection:
        rows = connection.execute(
            f"SELECT {_COLUMNS} FROM pages WHERE ? IN ('all', state) ORDER BY id", (state,)
        ).fetchall()
        if order == "teaching":
            place = {number: place for place, number in enumerate(_find_teaching(connection))}
            rows.sort(key=lambda row: place.get(row["id"], len(place)))
        return len(rows), [_entry(row, now) for row in rows[offset : offset + limit]]


def counts(database: Database) -> dict[str, int]:
    """How many pages there are, by what became of them."""
    with database.reading() as connection:
        found = dict(
            connection.execute("SELECT state, count(*) FROM pages GROUP BY state").fetchall()
        )
        left = len(_open(connection))
    return {
        "pages": sum(found.values()),
        "labelled": found.get("done", 0),
        "skipped": found.get("skipped", 0),
        "left": left,
    }


def claim_next(
    database: Database, by: str, order: Order, after: int | None, now: float
) -> int | None:
    """The next open page that nobody else works on, which is then of `by` for ten minutes."""
    with database.reading() as connection:  # takes its time, so nobody waits for it
        queue = _find_teaching(connection) if order == "teaching" else _open(connection)
    if after in queue:
        place = queue.index(after)
        queue = queue[place + 1 :] + queue[:place]
    elif order == "added" and after is not None:
        queue.sort(key=lambda number: number < after)
    with database.writing() as connection:
        free = {
            row["id"]
            for row in connection.execute(
                "SELECT id FROM pages WHERE state = 'open'"
                " AND (claimed_by IS NULL OR claimed_by = ? OR claimed_until <= ?)",
                (by, now),
            )
        }
        page = next((number for number in queue if number in free), None)
        connection.execute(
            "UPDATE pages SET claimed_by = NULL, claimed_until = NULL WHERE claimed_by = ?", (by,)
        )
        if page is not None:
            connection.execute(
                "UPDATE pages SET claimed_by = ?, claimed_until = ? WHERE id = ?",
                (by, now + labels.CLAIM_SECONDS, page),
            )
        return page


def open_pages(database: Database) -> list[int]:
    """The open pages, without those of which there is a newer version."""
    with database.reading() as connection:
        return _open(connection)


def _open(connection: sqlite3.Connection) -> list[int]:
    rows = connection.execute(
        "SELECT id FROM pages WHERE state = 'open'"
        " AND id NOT IN (SELECT replaces FROM pages WHERE replaces IS NOT NULL) ORDER BY id"
    )
    return [row["id"] for row in rows]


def _find_teaching(connection: sqlite3.Connection) -> list[int]:
    """The open pages, those that teach most first."""
    numbers = _open(connection)
    chosen = set(numbers)
    rows = connection.execute(
        "SELECT id, state, close, blocks, vector FROM pages JOIN sources ON page = id ORDER BY id"
    ).fetchall()
    left = [row for row in rows if row["id"] in chosen]
    known = [row["vector"] for row in rows if row["state"] == "done"]
    order = teaching_order(
        _vectors([row["vector"] for row in left]),
        [row["close"] for row in left],
        _vectors(known),
        [row["blocks"] for row in left],
    )
    return [left[place]["id"] for place in order]


def _vectors(packed: list[bytes]) -> Vectors:
    rows = [np.frombuffer(each, np.float32) for each in packed]
    size = min(map(len, rows), default=0)  # those of another version of tamis may be longer
    return np.array([row[:size] for row in rows], np.float32).reshape(len(rows), size)


def _entry(row: sqlite3.Row, now: float) -> dict[str, Any]:
    values = dict(row)
    until = values.pop("claimed_until")
    if until is None or until < now:
        values["claimed_by"] = None
    return values


def _unknown(page: int) -> NotInProjectError:
    return NotInProjectError(f"there is no page {page} in this project; see /v1/project/pages")
