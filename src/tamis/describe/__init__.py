"""What a page is: its metadata, its type, its posts, its regions, and why blocks were kept."""

from __future__ import annotations

from pathlib import Path


def read_word_lists(file: str) -> dict[str, list[str]]:
    """Read a .tsv file of this package: one list per row, its name before its words."""
    rows = Path(__file__).parent.joinpath(file).read_text("utf-8").splitlines()
    return {name: words.split(" ") for name, words in (row.split("\t") for row in rows)}
