"""What a format is, and how its files are cut into shards."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, BinaryIO, Protocol

from tamis.corpus.folder import OutputFile
from tamis.corpus.formats.files import InputFile
from tamis.corpus.records import Columns, Record, Reject, Shard
from tamis.corpus.rows import Row


@dataclass(frozen=True, slots=True)
class Input:
    """Files of one format under one folder."""

    format: str
    folder: str
    files: list[InputFile]
    given_alone: bool = False
    """A page that was given itself, not with its folder."""


class Cut(Protocol):
    """Cuts an input into shards of some `target` bytes; their numbers are given later.

    An `InputError` if the files lack a column.
    """

    def __call__(
        self, given: Input, columns: Columns, max_bytes: int, target: int
    ) -> Iterator[Shard]: ...


Read = Callable[[Shard, Columns, int], Iterator[Record | Reject]]
"""The records of a shard in their order, and why others give no page; at most so many bytes each.

No more than some `max_bytes` are held at a time. An `InputError` if a file cannot be opened.
"""


@dataclass(frozen=True, kw_only=True)
class Format:
    """How records are read."""

    name: str
    suffixes: tuple[str, ...]
    """How the names of such files end, in lower case."""
    packings: tuple[str, ...] = ()
    """What may follow that."""
    sniff: Callable[[bytes], bool]
    """Whether a file whose name says nothing is of this format, by its first bytes, unpacked."""
    cut: Cut
    read: Read
    package: str = ""
    """What reading needs, of the extra `corpus`."""
    page_per_file: bool = False
    """Each file is one record, so that files which are given one by one are one input."""

    def has_name_of(self, file: str) -> bool:
        """Whether a file has the name of one of this format."""
        ends = (suffix + packing for suffix in self.suffixes for packing in ("", *self.packings))
        return file.lower().endswith(tuple(ends))


class RowWriter(Protocol):
    """Rows to bytes, in one format."""

    def write(self, row: Row, size: int) -> None:
        """Append a row of so many bytes of text."""

    def finish(self) -> None:
        """Write what is left."""


@dataclass(frozen=True, kw_only=True)
class RowFormat:
    """How rows are written."""

    name: str
    suffix: str
    """How the names of its files end."""
    writer: Callable[[OutputFile, Sequence[str]], RowWriter]
    """Writes columns to a file that is open."""
    read: Callable[[BinaryIO], Iterator[dict[str, Any]]] | None = None
    """The values of each row of such a file; None if they are not all in it."""
    package: str = ""
    """What it needs, of the extra `corpus`."""


def runs(sizes: Sequence[int], target: int) -> Iterator[tuple[int, int, int]]:
    """Begin, end and size of runs that reach the target, but for the last."""
    start = total = 0
    for number, size in enumerate(sizes):
        total += size
        if total >= target or number == len(sizes) - 1:
            yield start, number + 1, total
            start, total = number + 1, 0


def even_cuts(file: InputFile, target: int) -> list[int]:
    """Bytes at which a file is cut into equal parts of at most so many bytes."""
    parts = -(-file.size // target)
    return [file.size * part // parts for part in range(parts)]


def byte_ranges(format: str, file: InputFile, cuts: Iterable[int]) -> Iterator[Shard]:
    """A shard from each cut to the next."""
    starts = list(cuts)
    for start, end in zip(starts, [*starts[1:], None], strict=True):
        size = (file.size if end is None else end) - start
        yield Shard(0, format, file.name, start, end, size=size)
