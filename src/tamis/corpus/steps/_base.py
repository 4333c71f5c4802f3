"""What a step is, a task of it that is under way, and the files that it writes.

The same rows give the same bytes: no clock and no random number goes into a file.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import asdict, dataclass, field
from typing import Any, NamedTuple

from tamis.corpus.files import Folder, OutputFile
from tamis.corpus.formats import OUTPUTS, read
from tamis.corpus.formats._base import RowWriter
from tamis.corpus.formats.jsonl import gzip_lines
from tamis.corpus.manifest import Basis, RecordCounts, Run, Written, write
from tamis.corpus.records import USUAL, Record, Reject, Row, order_columns
from tamis.errors import InputError, TamisError

WAITING = "compared"
"""Folder of the rows that are compared with those of all shards before they are written."""
READINGS = "readings"
"""Folder of what pages add to the models of their sites."""


Ask = Callable[[str, object, Iterator[Record | Reject]], Iterator[Any]]
"""Lets watched processes work on each record, and keeps them for later tasks.

The first two name what makes the function that answers in a process, and what it is made from; see
`tamis._runtime.processes`.
"""


@dataclass
class Job:
    """A task in progress: what it works on, and what came of it so far."""

    run: Run
    number: int
    """Of the shard, or of the part if the step has others."""
    ask: Ask
    counts: RecordCounts = field(default_factory=RecordCounts)
    files: list[Written] = field(default_factory=list)

    def read_records(self) -> Iterator[Record | Reject]:
        """The records of the shard; this counts them."""
        settings, shard = self.run.settings, self.run.shards[self.number]
        for record in read(shard, settings.columns, settings.options.max_bytes):
            self.counts.records += 1
            if isinstance(record, Record):
                self.counts.bytes += len(record.body)
            yield record

    def write(self, name: str, content: bytes) -> None:
        self.files.append(write(self.run.folder, name, content))

    def read_needed(self, name: str) -> bytes:
        """A file of an earlier step."""
        content = self.run.folder.read(name)
        if content is None:
            raise InputError(f"{self.run.folder.join(name)}: not there; run the same command again")
        return content

    @contextmanager
    def open_outputs(self, format: str, stem: str, rejects_stem: str) -> Iterator[Outputs]:
        """Open files for rows and, if wanted, rejects; they appear when the block ends."""
        folder, settings = self.run.folder, self.run.settings
        with ExitStack() as stack:
            rows = stack.enter_context(open_sink(format, folder, stem, (*USUAL, *settings.also)))
            files, write_reject = [rows.file], None
            if settings.rejects:
                opened = stack.enter_context(open_rejects(folder, f"rejects/{rejects_stem}"))
                files.append(opened[0])
                write_reject = opened[1]
            yield Outputs(self.counts, rows, write_reject)
        self.files += [Written(file.name, file.size, file.digest) for file in files]


class Outputs(NamedTuple):
    counts: RecordCounts
    rows: Sink
    write_reject: Callable[[Reject], None] | None

    def keep(self, row: Row) -> None:
        self.counts.kept += 1
        self.rows.write(row)

    def reject(self, reject: Reject) -> None:
        self.counts.rejected[reject.reason] += 1
        if self.write_reject:
            self.write_reject(reject)


@dataclass(frozen=True)
class Step:
    """A part of the work that is done for all of the input before the next part begins."""

    name: str
    tasks: Callable[[Run], int]
    """How many tasks it has in a run, 0 if the run does without it."""
    work: Callable[[Job], Iterator[None]]
    """Does a task; it yields now and then, so that its counts are seen."""
    basis: Callable[[Run, int], Basis] = lambda run, number: run.round or None
    """What a task rests on: a receipt with another basis is void. None if nothing has changed."""


def part_name(number: int) -> str:
    return f"part-{number:05}"


def shard_round(run: Run, number: int) -> Basis:
    """The basis of a task that rests on its shard alone."""
    return run.shards[number].round or None


def every_shard(run: Run) -> int:
    return len(run.shards)


# Files of rows


@dataclass(slots=True)
class Sink:
    file: OutputFile
    writer: RowWriter

    def write(self, row: Row) -> None:
        """Append a row. Lone surrogates, which are not Unicode, become U+FFFD."""
        try:
            size = _encoded_size(row)
        except UnicodeEncodeError:
            row = Row(*map(_replace_surrogates, row))
            size = _encoded_size(row)
        self.writer.write(row, size)


@contextmanager
def open_sink(format: str, folder: Folder, stem: str, fields: Sequence[str]) -> Iterator[Sink]:
    """Write columns of rows in one of `OUTPUTS` to a file that appears only when the block ends."""
    if format not in OUTPUTS:
        raise InputError(f"unknown format {format!r}; choose one of {', '.join(OUTPUTS)}")
    with folder.open_writing(stem + OUTPUTS[format].suffix) as file:
        opened = OUTPUTS[format].writer(file, order_columns(fields))
        yield Sink(file, opened)
        opened.finish()


@contextmanager
def open_rejects(
    folder: Folder, stem: str
) -> Iterator[tuple[OutputFile, Callable[[Reject], None]]]:
    """Write `STEM.rejects.jsonl.gz` like `open_sink`: the file, and what adds a reject to it."""
    with folder.open_writing(f"{stem}.rejects.jsonl.gz") as file:
        lines = gzip_lines(file)
        yield (
            file,
            lambda reject: lines.put(dict(_replace_surrogates(tuple(asdict(reject).items())))),
        )
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
