"""Pages that are read again: by another version of tamis, or with other weights."""

from __future__ import annotations

import sqlite3

import numpy as np

from tamis._runtime.version import __version__
from tamis.page.arrays import Longs
from tamis.project import labels
from tamis.project.database import Database
from tamis.project.pages import CARRIED_BY, offsets_of, stored_values
from tamis.project.reading import ReadPage


def is_old(database: Database, number: int) -> bool:
    """Whether another version of tamis read a page, which may have cut it into other blocks."""
    with database.reading() as connection:
        row = connection.execute("SELECT tamis FROM sources WHERE page = ?", (number,)).fetchone()
    return row is not None and row["tamis"] != __version__


def renew(database: Database, number: int, page: ReadPage) -> None:
    """Keep what is known now of a page; if it has other blocks, each gets the label of its text."""
    with database.writing() as connection:
        row = connection.execute(
            "SELECT * FROM pages JOIN sources ON page = id WHERE id = ?", (number,)
        ).fetchone()
        before = offsets_of(row)
        if not np.array_equal(before, page.offsets):
            _relabel(connection, row, before, page)
        connection.execute(
            "UPDATE sources SET offsets = ?, prints = ?, vector = ?, tamis = ? WHERE page = ?",
            (*stored_values(page), number),
        )
        connection.execute(
            "UPDATE pages SET blocks = ?, close = ? WHERE id = ?",
            (len(page.offsets), page.close, number),
        )


def _relabel(
    connection: sqlite3.Connection, row: sqlite3.Row, before: Longs, page: ReadPage
) -> None:
    known = {
        label["block"]: label
        for label in connection.execute(
            "SELECT * FROM labels WHERE page = ? AND kind IS NOT NULL", (row["id"],)
        )
    }
    if not known:
        connection.execute("DELETE FROM labels WHERE page = ?", (row["id"],))
        return
    carried: tuple[dict[int, str | None], dict[int, str | None]] = ({}, {})
    for block, old in enumerate(_find_overlapping(before, page.offsets)):
        if old in known:
            carried[known[old]["chosen"]][block] = known[old]["kind"]
        elif row["state"] == "done":
            carried[0][block] = page.proposal[block]
    # The numbers mean other blocks now; what they meant stays in the history.
    connection.execute("DELETE FROM labels WHERE page = ?", (row["id"],))
    for chosen, kinds in enumerate(carried):
        if kinds:
            labels.write(
                *(connection, row["id"], row["version"] + 1, CARRIED_BY, kinds, row["state"]),
                chosen=bool(chosen),
            )


def _find_overlapping(before: Longs, after: Longs) -> list[int]:
    """For each block the one before that has most of its source, -1 if there is none."""
    best = []
    for start, end in after.tolist():
        first = int(np.searchsorted(before[:, 1], start, "right"))
        last = int(np.searchsorted(before[:, 0], end, "left"))
        shared = [
            min(end, int(before[old, 1])) - max(start, int(before[old, 0]))
            for old in range(first, last)
        ]
        best.append(first + int(np.argmax(shared)) if shared else -1)
    return best
