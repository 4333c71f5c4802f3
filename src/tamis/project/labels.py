"""Labels of people: saved with their history, merged where two work on one page."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from tamis.errors import InputError, LabelConflictError, NotInProjectError
from tamis.project.database import Database, timestamp

State = Literal["open", "done", "skipped"]
CLAIM_SECONDS = 600.0
"""How long a page is of who asked for it, or saved some of it, last."""


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
        """Plain values, ready for JSON."""
        return {
            "version": self.version,
            "state": self.state,
            "labels": self.labels,
            "by": self.by,
            "merged": self.merged,
        }


def current(database: Database, page: int) -> Saved:
    """The labels of a page as they are."""
    with database.reading() as connection:
        row = _page(connection, page)
        return Saved(row["version"], row["state"], labels_of(connection, page), row["by"])


def save(
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
    with database.writing() as connection:
        row = _page(connection, page)
        _check(connection, row, change)
        stored = {
            label["block"]: label
            for label in connection.execute("SELECT * FROM labels WHERE page = ?", (page,))
        }
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
                    {"conflicts": {}, **_now(connection, row)},
                )
            filled = {block: proposal[block] for block in left} if proposal else {}
        version, by = row["version"], row["by"]
        if changes or filled or state != row["state"]:
            version, by = version + 1, change.by
            write(connection, page, version, change.by, changes, state)
            write(connection, page, version, change.by, filled, state, chosen=False)
        _claim(connection, page, change.by, state, now)
        merged = change.version < row["version"]
        return Saved(version, state, labels_of(connection, page), by, merged)


def write(
    connection: sqlite3.Connection,
    page: int,
    version: int,
    by: str,
    kinds: Mapping[int, str | None],
    state: str,
    *,
    chosen: bool = True,
) -> None:
    """Write labels that were checked, and that they were written."""
    connection.executemany(
        "INSERT OR REPLACE INTO labels (page, block, kind, by, version, chosen)"
        " VALUES (?, ?, ?, ?, ?, ?)",
        [(page, block, kind, by, version, chosen) for block, kind in kinds.items()],
    )
    if not kinds and not chosen:
        return
    at = timestamp()
    connection.execute(
        "INSERT INTO history (page, version, at, by, state, chosen, changes)"
        " VALUES (?, ?, ?, ?, ?, ?, ?)",
        (page, version, at, by, state, chosen, json.dumps(kinds)),
    )
    connection.execute(
        "UPDATE pages SET version = ?, state = ?, changed = ?, by = ? WHERE id = ?",
        (version, state, at, by, page),
    )


def labels_of(connection: sqlite3.Connection, page: int) -> dict[str, str]:
    """The labels of a page, by the numbers of its blocks as text."""
    rows = connection.execute(
        "SELECT block, kind FROM labels WHERE page = ? AND kind IS NOT NULL ORDER BY block", (page,)
    )
    return {str(row["block"]): row["kind"] for row in rows}


def history(database: Database, page: int) -> list[dict[str, Any]]:
    """Every change of a page, the first one first."""
    with database.reading() as connection:
        _page(connection, page)
        rows = connection.execute("SELECT * FROM history WHERE page = ? ORDER BY id", (page,))
        return [
            {
                "version": row["version"],
                "at": row["at"],
                "by": row["by"],
                "state": row["state"],
                "proposed": not row["chosen"],
                "changes": json.loads(row["changes"]),
            }
            for row in rows
        ]


def _page(connection: sqlite3.Connection, page: int) -> sqlite3.Row:
    row: sqlite3.Row | None = connection.execute(
        "SELECT * FROM pages WHERE id = ?", (page,)
    ).fetchone()
    if row is None:
        raise NotInProjectError(f"there is no page {page} in this project; see /v1/project/pages")
    return row


def _check(connection: sqlite3.Connection, row: sqlite3.Row, change: Change) -> None:
    if change.hash != row["hash"]:
        raise LabelConflictError(
            "the page has changed: these labels are about another source than that of page"
            f" {row['id']}; load it again",
            {"hash": row["hash"], **_now(connection, row)},
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
            {"conflicts": {}, **_now(connection, row)},
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
            {"conflicts": conflicts, **_now(connection, row)},
        )


def _now(connection: sqlite3.Connection, row: sqlite3.Row) -> dict[str, Any]:
    return {
        "version": row["version"],
        "state": row["state"],
        "labels": labels_of(connection, row["id"]),
    }


def _claim(connection: sqlite3.Connection, page: int, by: str, state: str, now: float) -> None:
    """Who works on an open page has it; of one that is finished nobody."""
    holder, until = (by, now + CLAIM_SECONDS) if state == "open" else (None, None)
    connection.execute(
        "UPDATE pages SET claimed_by = ?, claimed_until = ? WHERE id = ?", (holder, until, page)
    )
