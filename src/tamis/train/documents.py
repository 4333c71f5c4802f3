"""Data sets: one `.jsonl.xz` file each, a page with its gold text a line."""

from __future__ import annotations

import json
import lzma
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

from tamis.errors import DatasetError

LICENCES = {
    "wcxb-dev": "CC BY 4.0",
    "news2023": "Apache-2.0",
    "scrapinghub": "MIT",
    "readability": "Apache-2.0",
    "trafilatura-eval": "Apache-2.0",
    "dragnet": "AGPL-3.0",
    "cleaneval-dev": "unstated",
    "cleaneval-final": "unstated",
    "l3s-gn1": "research only",
    "big9": "research only",
}
"""Licences of the data sets that we know. Shipped weights are trained on the first four."""


@dataclass(frozen=True)
class Document:
    """A page with its gold text."""

    dataset: str
    id: str
    site: str
    split: str
    html: str
    gold: str
    annotated: str = ""
    """The page with classes around its text, in L3S-GN1 alone."""


def documents(path: Path, *, comments: bool = False) -> Iterator[Document]:
    """The pages of a data set that have a gold text; with `comments`, those are gold too."""
    try:
        with lzma.open(path, "rt", encoding="utf-8") as lines:
            for number, line in enumerate(lines, 1):
                found = _document(path, number, line, comments)
                if found:
                    yield found
    except (OSError, EOFError, lzma.LZMAError, UnicodeDecodeError) as error:
        raise DatasetError(f"{path}: cannot be read: {error}") from error


def count(path: Path) -> int:
    """Number of lines of a data set."""
    try:
        with lzma.open(path, "rb") as lines:
            return sum(1 for _ in lines)
    except (OSError, EOFError, lzma.LZMAError) as error:
        raise DatasetError(f"{path}: cannot be read: {error}") from error


def _document(path: Path, number: int, line: str, comments: bool) -> Document | None:
    try:
        row = json.loads(line)
    except ValueError as error:
        raise DatasetError(f"{path}, line {number}: not JSON: {error}") from error
    where = f"{path}, line {number}"
    if not isinstance(row, dict):
        raise DatasetError(f"{where}: an object with `html` and `text` is wanted")
    if not isinstance(row.get("html"), str):
        raise DatasetError(f"{where}: the field `html` is missing, or no text")
    gold = row.get("text")
    if gold is None:
        return None
    if not isinstance(gold, str):
        raise DatasetError(f"{where}: the field `text` is no text")
    if comments and row.get("comments"):
        gold = f"{gold}\n{row['comments']}"
    dataset = path.name.removesuffix(".jsonl.xz")
    identity = str(row.get("id", number))
    return Document(
        dataset=dataset,
        id=identity,
        site=str(row.get("site") or urlsplit(str(row.get("url") or "")).hostname or identity),
        split=str(row.get("split") or ""),
        html=row["html"],
        gold=gold,
        annotated=str(row.get("annotated") or ""),
    )
