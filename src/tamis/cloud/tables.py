"""The tables of this folder: files with one row per line and tabs between the columns."""

from __future__ import annotations

from pathlib import Path


def read_rows(name: str) -> list[list[str]]:
    """The rows of the file `name.tsv`."""
    text = Path(__file__).with_name(f"{name}.tsv").read_text("utf-8")
    return [line.split("\t") for line in text.splitlines()]


def read_word_lists(name: str) -> dict[str, list[str]]:
    """The words of each language in the file `name.tsv`."""
    return {language: words.split() for language, words in read_rows(name)}
