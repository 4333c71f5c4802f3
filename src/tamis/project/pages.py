"""The pages of a project: added, listed, handed out one by one."""

from __future__ import annotations

import sqlite3
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from tamis.page.arrays import Longs
from tamis.project import labels
from tamis.project.database import (
    Database,
    ReadPage,
    Vector,
    make_timestamp,
    unpack,
    unpack_offsets,
)

Order = Literal["added", "teaching"]

# Pages that are chosen one after another, each far from those before; the rest by one look.
_GREEDY = 200
# Of a page when nothing is labelled yet.
_FAR = 2.0
# Labelled pages that are compared at a time.
_AT_ONCE = 256

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


def add_page(
    database: Database, page: ReadPage, name: str, url: str | None, site: str | None = None
) -> tuple[bool, int]:
    """Add a page; return whether it is new, and its number.

    A page with the same source is not added again. A page with the same address and another source
    replaces the old one: it gets the labels of the blocks whose text is there again.
    """
    url = url.partition("#")[0] if url else None
    with database.write() as connection:
        same = connection.execute("SELECT id FROM pages WHERE hash = ?", (page.hash,)).fetchone()
        if same:
            return False, int(same["id"])
        before = connection.execute(
            "SELECT id FROM pages WHERE url = ? ORDER BY id DESC LIMIT 1", (url,)
        ).fetchone()
        number = connection.execute(
            "INSERT INTO pages (hash, name, url, site, title, added, blocks, close, replaces)"
            " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
            (
                *(page.hash, name or url or page.title, url, site, page.title, make_timestamp()),
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
            (number, zlib.compress(page.source), *page.pack()),
        )
        if before:
            labels.carry_labels(connection, int(before["id"]), number, page)
        return True, number


def list_page(database: Database, page: int, now: float) -> dict[str, Any]:
    with database.read() as connection:
        labels.find_page(connection, page)
        row = connection.execute(f"SELECT {_COLUMNS} FROM pages WHERE id = ?", (page,)).fetchone()
        return _make_entry(row, now)


def get_page(database: Database, page: int) -> StoredPage:
    with database.read() as connection:
        row = labels.find_page(connection, page, with_source=True)
        columns = ("id", "name", "url", "site", "hash", "state", "version", "by")
        return StoredPage(
            **{name: row[name] for name in columns},
            source=unpack(row["source"]),
            offsets=unpack_offsets(row["offsets"]),
            labels=labels.read_labels(connection, page),
        )


def list_pages(
    database: Database,
    state: str,
    order: Order,
    limit: int,
    offset: int,
    now: float,
) -> tuple[int, list[dict[str, Any]]]:
    """Count the pages that have a state, and list some of them in an order."""
    with database.read() as connection:
        rows = connection.execute(
            f"SELECT {_COLUMNS} FROM pages WHERE ? IN ('all', state) ORDER BY id", (state,)
        ).fetchall()
        if order == "teaching":
            place = {number: place for place, number in enumerate(_queue_teaching(connection))}
            rows.sort(key=lambda row: place.get(row["id"], len(place)))
        return len(rows), [_make_entry(row, now) for row in rows[offset : offset + limit]]


def count_pages(database: Database) -> dict[str, int]:
    with database.read() as connection:
        found = dict(
            connection.execute("SELECT state, count(*) FROM pages GROUP BY state").fetchall()
        )
        left = len(_find_open(connection))
    return {
        "pages": sum(found.values()),
        "labelled": found.get("done", 0),
        "skipped": found.get("skipped", 0),
        "left": left,
    }


def claim_next(
    database: Database, by: str, order: Order, after: int | None, now: float
) -> int | None:
    """Find the next open page that nobody else works on, and give it to `by` for ten minutes."""
    with database.read() as connection:  # takes its time, so nobody waits for it
        queue = _queue_teaching(connection) if order == "teaching" else _find_open(connection)
    if after in queue:
        place = queue.index(after)
        queue = queue[place + 1 :] + queue[:place]
    elif order == "added" and after is not None:
        queue.sort(key=lambda number: number < after)
    with database.write() as connection:
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


def list_open(database: Database) -> list[int]:
    """List the open pages, without those that a newer version replaces."""
    with database.read() as connection:
        return _find_open(connection)


def _find_open(connection: sqlite3.Connection) -> list[int]:
    rows = connection.execute(
        "SELECT id FROM pages WHERE state = 'open'"
        " AND id NOT IN (SELECT replaces FROM pages WHERE replaces IS NOT NULL) ORDER BY id"
    )
    return [row["id"] for row in rows]


def _queue_teaching(connection: sqlite3.Connection) -> list[int]:
    numbers = _find_open(connection)
    chosen = set(numbers)
    rows = connection.execute(
        "SELECT id, state, close, blocks, vector FROM pages JOIN sources ON page = id ORDER BY id"
    ).fetchall()
    left = [row for row in rows if row["id"] in chosen]
    known = [row["vector"] for row in rows if row["state"] == "done"]
    order = order_by_teaching(
        _unpack_vectors([row["vector"] for row in left]),
        [row["close"] for row in left],
        _unpack_vectors(known),
        [row["blocks"] for row in left],
    )
    return [left[place]["id"] for place in order]


def _unpack_vectors(packed: list[bytes]) -> Vector:
    rows = [np.frombuffer(each, np.float32) for each in packed]
    size = min(map(len, rows), default=0)  # those of another version of tamis may be longer
    return np.array([row[:size] for row in rows], np.float32).reshape(len(rows), size)


def _make_entry(row: sqlite3.Row, now: float) -> dict[str, Any]:
    values = dict(row)
    until = values.pop("claimed_until")
    if until is None or until < now:
        values["claimed_by"] = None
    return values


def order_by_teaching(
    vectors: Vector, close: Sequence[int], labelled: Vector, blocks: Sequence[int]
) -> list[int]:
    """Order open pages by how much they teach; always the same for the same pages.

    Farthest-first: each page is the one whose distance to the labelled pages and to those before,
    times its share of close decisions, is greatest. Of equals the earlier one comes first.
    """
    if not len(vectors):
        return []
    doubt = 0.05 + np.sqrt(np.asarray(close) / np.maximum(np.asarray(blocks), 1))
    distance = np.full(len(vectors), _FAR)
    for start in range(0, len(labelled), _AT_ONCE):
        known = labelled[start : start + _AT_ONCE]
        distance = np.minimum(distance, _measure_distances(vectors, known).min(axis=1))
    left = np.ones(len(vectors), bool)
    order: list[int] = []
    while True:
        # Rounded, so that the order of a sum on another machine changes nothing.
        value = np.where(left, np.round((distance + 1e-3) * doubt, 6), -1.0)
        if len(order) == min(_GREEDY, len(vectors)):
            return [*order, *np.argsort(-value, kind="stable")[: left.sum()].tolist()]
        best = int(value.argmax())
        order.append(best)
        left[best] = False
        distance = np.minimum(distance, _measure_distances(vectors, vectors[best : best + 1])[:, 0])


def _measure_distances(vectors: Vector, others: Vector) -> npt.NDArray[np.float64]:
    ours, theirs = vectors.astype(float), others.astype(float)
    squares = (ours**2).sum(axis=1)[:, None] + (theirs**2).sum(axis=1) - 2 * ours @ theirs.T
    distances: npt.NDArray[np.float64] = np.sqrt(np.maximum(squares, 0.0))
    return distances
