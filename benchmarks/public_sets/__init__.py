"""Where the public data sets come from: the table of their repositories, and where results go.

The table, `table.json`, says of each set the repository, the commit, the licence, what it may be
used for, and hashes of the result. What nobody could check is marked so: a commit that is not known
is null, and `commit_from` and `licence_from` say how each is known.
"""

from __future__ import annotations

import difflib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from tamis.errors import DatasetError
from tamis.labels.datasets import DATASETS


@dataclass(frozen=True, slots=True, kw_only=True)
class Hashes:
    """What a set is known by: of its pages, and of what is to be extracted from them."""

    pages: str
    gold: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PublicSet:
    """Where a data set comes from, and what it may be used for."""

    name: str
    about: str
    pages: int
    """How many pages the set has that our figures are of."""
    repository: str | None
    """Address of a git repository; None if there is none."""
    commit: str | None = None
    """The commit that our figures are of; None if it is not known, and the newest is taken."""
    commit_from: str
    """How the commit is known, or why it is not."""
    folder: str = ""
    """What is read of the repository."""
    unpack: tuple[str, ...] = ()
    """Archives of that folder that must be unpacked first."""
    ids: tuple[str, ...] = ()
    """The pages of the set, if they are not all that are there."""
    licence: str
    licence_from: str
    """How the licence is known."""
    licence_verified: bool = True
    """Whether the repository, or those who run it, say so."""
    use: str
    """What the set may be used for, which follows from the licence."""
    hashes: Hashes | None = None
    """Of the result; None if it is not known."""
    verified: bool = False
    """Whether the hashes are those of a result that was made from the repository."""
    note: str | None = None
    """In what the set that is made differs from the copy that our figures are of."""
    not_made: str | None = None
    """Why `data.py get` cannot make the set, if it cannot."""
    mirrors: tuple[str, ...] = ()
    """Other places where the set is, for people."""


@cache
def table() -> Mapping[str, PublicSet]:
    """All sets by their names, in the order of the file."""
    text = Path(__file__).with_name("table.json").read_text("utf-8")
    return {entry["name"]: source_from(entry) for entry in json.loads(text)}


def source_from(entry: Mapping[str, Any]) -> PublicSet:
    """An entry of the table, as JSON has it."""
    lists = {key: tuple(value) for key, value in entry.items() if isinstance(value, list)}
    hashes = Hashes(**entry["hashes"]) if entry.get("hashes") else None
    return PublicSet(**{**entry, **lists, "hashes": hashes})


def source_of(name: str) -> PublicSet:
    """The entry of a set; a `DatasetError` names those that there are."""
    sources = table()
    if name not in sources:
        near = difflib.get_close_matches(name, sources, n=3)
        hint = f"did you mean {' or '.join(near)}?" if near else f"there are: {', '.join(sources)}"
        raise DatasetError(f"no data set is called {name!r}; {hint}")
    return sources[name]


def path_of(folder: Path, name: str) -> Path:
    """Where a set is in a data folder."""
    return folder / DATASETS / f"{name}.jsonl.xz"
