"""Tag clouds: the words that matter on a page, weighed and drawn.

The tables of this folder are files with one row per line and tabs between the columns.
"""

from __future__ import annotations

from pathlib import Path


def read_rows(name: str) -> list[list[str]]:
    """The rows of the file `name.tsv`."""
    text = Path(__file__).with_name(f"{name}.tsv").read_text("utf-8")
    return [line.split("\t") for line in text.splitlines()]
