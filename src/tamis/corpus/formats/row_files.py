"""Where rows go: one file per shard, whole or absent.

The same rows give the same bytes: no clock, no random number goes into a file.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict
from typing import Any

from tamis.corpus.folder import Folder, OutputFile
from tamis.corpus.formats import OUTPUTS
from tamis.corpus.formats._base import RowWriter
from tamis.corpus.formats.jsonl import JsonLines, gzip_lines
from tamis.corpus.records import Reject, Row, order_columns
from tamis.errors import InputError, TamisError


class Sink:
    """A file of rows."""

    def __init__(self, file: OutputFile, writer: RowWriter) -> None:
        self.file = file
        self._writer = writer
        self.rows = 0

    def write(self, row: Row) -> None:
        """Append a row. Lone surrogates, which are not Unicode, become U+FFFD."""
        try:
            size = _encoded_size(row)
        except UnicodeEncodeError:
            row = Row(*map(_replace_surrogates, row))
            size = _encoded_size(row)
        self._writer.write(row, size)
        self.rows += 1


@contextmanager
def open_sink(format: str, folder: Folder, stem: str, fields: Sequence[str]) -> Iterator[Sink]:
    """Write rows to a file that appears only when the block ends.

    `format` is one of `OUTPUTS`; `fields` are the columns, which WET ignores.
    """
    if format not in OUTPUTS:
        raise InputError(f"unknown format {format!r}; choose one of {', '.join(OUTPUTS)}")
    with folder.open_writing(stem + OUTPUTS[format].suffix) as file:
        opened = OUTPUTS[format].writer(file, order_columns(fields))
        yield Sink(file, opened)
        opened.finish()


class Rejects:
    """A file of records that did not become rows."""

    def __init__(self, file: OutputFile, lines: JsonLines) -> None:
        self.file = file
        self._lines = lines

    def write(self, reject: Reject) -> None:
        self._lines.put(
            {name: _replace_surrogates(value) for name, value in asdict(reject).items()}
        )


@contextmanager
def open_rejects(folder: Folder, stem: str) -> Iterator[Rejects]:
    """Write `STEM.rejects.jsonl.gz` like `open_sink`."""
    with folder.open_writing(f"{stem}.rejects.jsonl.gz") as file:
        lines = gzip_lines(file)
        yield Rejects(file, lines)
        lines.finish()


def read_rows(folder: Folder, name: str) -> Iterator[Row]:
    """The rows of a file that a sink wrote."""
    read = next(format.read for format in OUTPUTS.values() if name.endswith(format.suffix))
    if read is None:
        raise InputError(f"{folder.join(name)}: a format from which rows cannot be read")
    try:
        with folder.open_reading(name) as file:
            for values in read(file):
                known = {key: value for key, value in values.items() if key in Row._fields}
                if "authors" in known:
                    known["authors"] = tuple(known["authors"])
                yield Row(**known)
    except TamisError:
        raise
    except Exception as error:  # each format has its own for a damaged file
        reason = " ".join(str(error).split())
        raise InputError(
            f"{folder.join(name)}: damaged ({reason}); remove it and run the same command again"
        ) from error


def _encoded_size(row: Row) -> int:
    return sum(
        len(part.encode())
        for value in row
        for part in (value if isinstance(value, tuple) else (value,))
        if isinstance(part, str)
    )


def _replace_surrogates(value: Any) -> Any:
    if isinstance(value, tuple):
        return tuple(map(_replace_surrogates, value))
    if isinstance(value, str):
        return value.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return value
