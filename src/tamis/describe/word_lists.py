"""The word lists of this folder: tables with one row per list, its name and its words."""

from __future__ import annotations

from pathlib import Path


def word_lists(file: str) -> dict[str, list[str]]:
    """The lists of a .tsv file by name, in the order of the file."""
    rows = Path(__file__).with_name(file).read_text("utf-8").splitlines()
    return {name: words.split(" ") for name, words in (row.split("\t") for row in rows)}
