"""Labels of people: saved with their history, merged where two work on one page.

Labels stay with their text: they are carried over to a page that replaces another, and to the
blocks that another version of tamis finds.
"""

from __future__ import annotations

import json
import sqlite3
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any, Literal

import numpy as np

from tamis._runtime.version import __version__
from tamis.errors import InputError, LabelConflictError, NotInProjectError
from tamis.page.arrays import Longs
from tamis.project.database import Database, ReadPage, make_timestamp, split_prints, unpack_offsets

State = Literal["open", "done", "skipped"]
CLAIM_SECONDS = 600.0
"""How long a page belongs to the last person who asked for it or saved some of it."""
CARRIED_BY = "tamis"
"""Who carries labels over from a page that changed."""

_Carried = dict[int, tuple[str, bool]]
"""Block to kind, and whether somebody chose it."""


class ProposalNeeded(Exception):
    """A page is done, and blocks that nobody labelled need the proposal of the method."""


@dataclass(frozen=True)
class Change:
    """What somebody changed on a page."""

    version: int
    """The version of the page that the person saw."""
    hash: str
    """Of the page that the person saw."""
    by: str
    kinds: Mapping[int, str | None] = field(default_factory=dict)
    """Block to kind; None takes a label back."""
    state: State | None = None
    force: bool = False
    """Overwrite what others changed meanwhile."""


@dataclass(frozen=True)
class Saved:
    """The labels of a page."""

    version: int
    state: str
    labels: dict[str, str]
    by: str | None = None
    """Who changed it last."""
    merged: bool = False
    """Whether others had changed something else meanwhile."""

    def to_dict(self) -> dict[str, Any]:
        return asdict(self)


def get_labels(database: Database, page: int) -> Saved:
    with database.read() as connection:
        row = find_page(connection, page)
        return Saved(row["version"], row["state"], read_labels(connection, page), row["by"])


def save_labels(
    database: Database,
    page: int,
    change: Change,
    now: float,
    proposal: Sequence[str] | None = None,
) -> Saved:
    """Save a change, or raise a `LabelConflictError` with what is there now.

    What others changed on other blocks meanwhile stays. If the page is then done, its unlabelled
    blocks get the proposal; without one, `ProposalNeeded` is raised, and nothing is saved.
    """
    with database.write() as connection:
        row = find_page(connection, page)
        _check_page(connection, row, change)
        stored = _read_rows(connection, page)
        if not change.force:
            _check_conflicts(connection, row, change, stored)
        state = change.state or row["state"]
        changes: dict[int, str | None] = {
            block: kind
            for block, kind in change.kinds.items()
            if kind != (stored[block]["kind"] if block in stored else None)
            # A label that was only proposed is chosen now, which nobody else's proposal changes.
            or (block in stored and not stored[block]["chosen"])
        }
        kinds = {block: label["kind"] for block, label in stored.items()} | changes
        filled: dict[int, str] = {}
        if state == "done":
            left = [block for block in range(row["blocks"]) if kinds.get(block) is None]
            if left and proposal is None:
                raise ProposalNeeded
            if proposal is not None and len(proposal) != row["blocks"]:
                raise LabelConflictError(
                    f"another version of tamis found other blocks on page {page}; load it again",
                    {"conflicts": {}, **_describe_now(connection, row)},
                )
            filled = {block: proposal[block] for block in left} if proposal else {}
        version, by = row["version"], row["by"]
        if changes or filled or state != row["state"]:
            version, by = version + 1, change.by
            write_labels(connection, page, version, change.by, changes, state)
            write_labels(connection, page, version, change.by, filled, state, chosen=False)
        _claim_page(connection, page, change.by, state, now)
        merged = change.version < row["version"]
        return Saved(version, state, read_labels(connection, page), by, merged)


def write_labels(
    connection: sqlite3.Connection,
    page: int,
    version: int,
    by: str,
    kinds: Mapping[int, str | None],
    state: str,
    *,
    chosen: bool = True,
) -> None:
    connection.executemany(
        "INSERT OR REPLACE INTO labels (page, block, kind, by, version, chosen)"
        " VALUES (?, ?, ?, ?, ?, ?)",
        [(page, block, kind, by, version, chosen) for block, kind in kinds.items()],
    )
    if not kinds and not chosen:
        return
    at = make_timestamp()
    connection.execute(
        "INSERT INTO history (page, version, at, by, state, chosen, changes)"
        " VALUES (?, ?, ?, ?, ?, ?, ?)",
        (page, version, at, by, state, chosen, json.dumps(kinds)),
    )
    connection.execute(
        "UPDATE pages SET version = ?, state = ?, changed = ?, by = ? WHERE id = ?",
        (version, state, at, by, page),
    )


def read_labels(connection: sqlite3.Connection, page: int) -> dict[str, str]:
    """Read the labels of a page, by the numbers of its blocks as text."""
    rows = connection.execute(
        "SELECT block, kind FROM labels WHERE page = ? AND kind IS NOT NULL ORDER BY block", (page,)
    )
    return {str(row["block"]): row["kind"] for row in rows}


def list_changes(database: Database, page: int) -> list[dict[str, Any]]:
    with database.read() as connection:
        find_page(connection, page)
        rows = connection.execute("SELECT * FROM history WHERE page = ? ORDER BY id", (page,))
        return [
            {
                **{name: row[name] for name in ("version", "at", "by", "state")},
                "proposed": not row["chosen"],
                "changes": json.loads(row["changes"]),
            }
            for row in rows
        ]


def find_page(
    connection: sqlite3.Connection, page: int, *, with_source: bool = False
) -> sqlite3.Row:
    table = "pages JOIN sources ON page = id" if with_source else "pages"
    row: sqlite3.Row | None = connection.execute(
        f"SELECT * FROM {table} WHERE id = ?", (page,)
    ).fetchone()
    if row is None:
        raise NotInProjectError(f"there is no page {page} in this project; see /v1/project/pages")
    return row


def _check_page(connection: sqlite3.Connection, row: sqlite3.Row, change: Change) -> None:
    if change.hash != row["hash"]:
        raise LabelConflictError(
            "the page has changed: these labels are about another source than that of page"
            f" {row['id']}; load it again",
            {"hash": row["hash"], **_describe_now(connection, row)},
        )
    for block in change.kinds:
        if not 0 <= block < row["blocks"]:
            raise InputError(f"page {row['id']} has {row['blocks']} blocks; there is no {block}")


def _check_conflicts(
    connection: sqlite3.Connection,
    row: sqlite3.Row,
    change: Change,
    stored: Mapping[int, sqlite3.Row],
) -> None:
    if change.version > row["version"]:
        raise LabelConflictError(
            f"page {row['id']} has version {row['version']}, not yet {change.version}; was the"
            " project restored from a copy? Load the page again",
            {"conflicts": {}, **_describe_now(connection, row)},
        )
    conflicts = {
        str(block): {"yours": kind, "theirs": label["kind"], "by": label["by"]}
        for block, kind in change.kinds.items()
        if (label := stored.get(block)) is not None
        and label["version"] > change.version
        and label["chosen"]
        and label["kind"] != kind
    }
    if conflicts:
        who = ", ".join(sorted({str(each["by"]) for each in conflicts.values()}))
        raise LabelConflictError(
            f"{who} gave other labels to {len(conflicts)} of the same blocks meanwhile; choose,"
            " and save again with the new version",
            {"conflicts": conflicts, **_describe_now(connection, row)},
        )


def _describe_now(connection: sqlite3.Connection, row: sqlite3.Row) -> dict[str, Any]:
    return {
        "version": row["version"],
        "state": row["state"],
        "labels": read_labels(connection, row["id"]),
    }


def _claim_page(connection: sqlite3.Connection, page: int, by: str, state: str, now: float) -> None:
    """Give an open page to the person who works on it, and a finished one to nobody."""
    holder, until = (by, now + CLAIM_SECONDS) if state == "open" else (None, None)
    connection.execute(
        "UPDATE pages SET claimed_by = ?, claimed_until = ? WHERE id = ?", (holder, until, page)
    )


def _read_rows(connection: sqlite3.Connection, page: int) -> dict[int, sqlite3.Row]:
    rows = connection.execute("SELECT * FROM labels WHERE page = ?", (page,))
    return {row["block"]: row for row in rows}


def carry_labels(connection: sqlite3.Connection, before: int, after: int, page: ReadPage) -> None:
    """Give a page the labels of the one that it replaces, where the text of a block is the same."""
    (joined,) = connection.execute(
        "SELECT prints FROM sources WHERE page = ?", (before,)
    ).fetchone()
    places: dict[bytes, list[int]] = defaultdict(list)
    for block, own in reversed([*enumerate(split_prints(page.prints))]):
        places[own].append(block)
    stored = _read_rows(connection, before)
    carried: _Carried = {}
    lost = 0
    for block, own in enumerate(split_prints(joined)):
        # Of the same text twice, the first is the first; unlabelled ones take their place, too.
        there = places[own].pop() if places[own] else None
        label = stored.get(block)
        if label is None or label["kind"] is None:
            continue
        if there is None:
            lost += 1
        else:
            carried[there] = label["kind"], bool(label["chosen"])
    _write_carried(connection, after, 1, "open", carried)
    connection.execute(
        "UPDATE pages SET carried = ?, lost = ? WHERE id = ?", (len(carried), lost, after)
    )


def is_old(database: Database, page: int) -> bool:
    """Whether another version of tamis read a page, and may have found other blocks."""
    row = database.fetch_one("SELECT tamis FROM sources WHERE page = ?", page)
    return row is not None and row["tamis"] != __version__


def renew_page(database: Database, number: int, page: ReadPage) -> None:
    """Store a page as it is read now; if it has other blocks, labels stay with their text."""
    with database.write() as connection:
        row = find_page(connection, number, with_source=True)
        before = unpack_offsets(row["offsets"])
        if not np.array_equal(before, page.offsets):
            _relabel(connection, row, before, page)
        connection.execute(
            "UPDATE sources SET offsets = ?, prints = ?, vector = ?, tamis = ? WHERE page = ?",
            (*page.pack(), number),
        )
        connection.execute(
            "UPDATE pages SET blocks = ?, close = ? WHERE id = ?",
            (len(page.offsets), page.close, number),
        )


def _relabel(
    connection: sqlite3.Connection, row: sqlite3.Row, before: Longs, page: ReadPage
) -> None:
    known = {
        block: (label["kind"], bool(label["chosen"]))
        for block, label in _read_rows(connection, row["id"]).items()
        if label["kind"] is not None
    }
    carried: _Carried = {}
    for block, old in enumerate(_find_overlapping(before, page.offsets)):
        if old in known:
            carried[block] = known[old]
        elif known and row["state"] == "done":
            carried[block] = page.proposal[block], False
    # The numbers mean other blocks now; what they meant stays in the history.
    connection.execute("DELETE FROM labels WHERE page = ?", (row["id"],))
    _write_carried(connection, row["id"], row["version"] + 1, row["state"], carried)


def _write_carried(
    connection: sqlite3.Connection, page: int, version: int, state: str, carried: _Carried
) -> None:
    for chosen in (False, True):
        kinds = {block: kind for block, (kind, by_person) in carried.items() if by_person == chosen}
        if kinds:
            write_labels(connection, page, version, CARRIED_BY, kinds, state, chosen=chosen)


def _find_overlapping(before: Longs, after: Longs) -> list[int]:
    """Find for each block the one before that has most of its source, -1 if there is none."""
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
