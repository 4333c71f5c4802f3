"""Tables in Parquet, one row per page: read, and written."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime
from types import NoneType, UnionType
from typing import Any, BinaryIO, get_args, get_type_hints

from tamis._runtime.libraries import import_library
from tamis._runtime.version import __version__
from tamis.corpus.files import InputFile, OutputFile, is_remote, last_name, open_file
from tamis.corpus.formats._base import (
    Format,
    Input,
    RowFormat,
    choose_columns,
    group_runs,
    make_record,
)
from tamis.corpus.records import SCHEMA, Columns, Record, Reject, Row, Shard, order_columns
from tamis.errors import InputError

GROUP_ROWS = 10_000
"""Most rows of a row group of Parquet."""
GROUP_BYTES = 64 * 1024 * 1024
"""Bytes of text, Markdown and HTML at which a row group ends: they are in memory until then."""

# Rows that become columns at once. As such they take half the memory: 320 MB instead of 600 MB for
# the whole process, and the same from the first group to the last.
_BATCH_ROWS = 256

# Columns with few different values.
_REPETITIVE = (
    "source", "authors.list.element", "site_name", "language", "page_type", "encoding", "embedded",
)  # fmt: skip
# Columns that are asked for by a range or a value: the others need no minimum and maximum.
_SOUGHT = ("fetched", "published", "language", "page_type", "overview", "probability", "words")

# The types of columns that may have pages, as pyarrow names them.
_TEXT = ("string", "large_string", "string_view")
_BYTES = ("binary", "large_binary", "binary_view", "fixed_size_binary")

# Pages that are read at a time: some 15 MB.
_READ_ROWS = 64
# Read from a column at a time; without a buffer pyarrow reads all of it that a row group has.
_BUFFER = 1 << 20


# Reading


def cut(given: Input, columns: Columns, max_bytes: int, target: int) -> Iterator[Shard]:
    """Neighbouring row groups of each file."""
    for file in given.files:
        for start, end, size in group_runs(group_sizes(file, columns), target):
            yield Shard(0, "parquet", file.name, start, end, size=size)


def read(shard: Shard, columns: Columns, max_bytes: int) -> Iterator[Record | Reject]:
    name = last_name(shard.source)
    with open_file(shard.source) as file:
        table = _open_table(file, shard.source)
        names = choose_columns(columns, table.schema_arrow.names, shard.source)
        text = _is_one_of(_page_type(table, names.html), _TEXT)
        sizes = [
            table.metadata.row_group(number).num_rows for number in range(table.num_row_groups)
        ]
        row = sum(sizes[: shard.start])
        for group in range(shard.start, len(sizes) if shard.end is None else shard.end):
            done = 0
            try:
                for values in _iterate_rows(table, group, names):
                    yield make_record(f"{name}:{row + done}", *values, max_bytes, is_text=text)
                    done += 1
            except (OSError, ValueError) as error:  # what pyarrow raises for damage is one of these
                detail = f"row group {group}, {sizes[group] - done} rows lost: {error}"
                yield Reject(f"{name}:{row + done}", None, "damaged", detail)
            row += sizes[group]


def group_sizes(file: InputFile, columns: Columns) -> list[int]:
    """The bytes of the row groups; an `InputError` if they have no column of pages."""
    with open_file(file.name) as opened:
        table = _open_table(opened, file.name)
        html = choose_columns(columns, table.schema_arrow.names, file.name).html
        kind = _page_type(table, html)
        if not _is_one_of(kind, _TEXT + _BYTES):
            raise InputError(f"{file.name}: column {html!r} has {kind}, not text or bytes")
        sizes = []
        for number in range(table.num_row_groups):
            group = table.metadata.row_group(number)
            chunks = (group.column(number) for number in range(group.num_columns))
            sizes.append(sum(chunk.total_compressed_size for chunk in chunks))
        return sizes


def _open_table(file: BinaryIO, source: str) -> Any:
    parquet = import_library("pyarrow.parquet", "parquet")
    try:
        return parquet.ParquetFile(file if is_remote(source) else source, buffer_size=_BUFFER)
    except (OSError, ValueError) as error:
        detail = str(error).splitlines()[0]
        raise InputError(f"{source}: no Parquet file, or a damaged one: {detail}") from None


def _page_type(table: Any, column: str) -> Any:
    pa = import_library("pyarrow", "parquet")
    kind = table.schema_arrow.field(column).type
    return kind.value_type if pa.types.is_dictionary(kind) else kind


def _is_one_of(kind: Any, names: Sequence[str]) -> bool:
    types = import_library("pyarrow.types", "parquet")
    return any(getattr(types, f"is_{name}")(kind) for name in names)


def _iterate_rows(
    table: Any, group: int, names: Columns
) -> Iterator[tuple[object, object, object, object]]:
    """HTML, address, id and date of each row."""
    pa = import_library("pyarrow", "parquet")
    asked = [name for name in (names.html, names.url, names.id, names.date) if name]
    for batch in table.iter_batches(
        _READ_ROWS, row_groups=[group], columns=asked, use_threads=False
    ):
        pages = batch.column(names.html)
        if pa.types.is_dictionary(pages.type):
            pages = pages.dictionary_decode()
        if _is_one_of(pages.type, _TEXT):
            pages = pages.cast(pa.large_binary())  # whether it is UTF-8 the decoder will see
        rest = [batch.column(name) if name else None for name in (names.url, names.id, names.date)]
        for number in range(batch.num_rows):
            url, id, when = (column and _read_value(column[number]) for column in rest)
            yield pages[number].as_py(), url, id, when


def _read_value(cell: Any) -> object:
    try:
        return cell.as_py()
    except ValueError:  # no UTF-8, or a date beyond those of Python
        return None


# Writing


def parquet_schema(fields: Sequence[str]) -> Any:
    pa = import_library("pyarrow", "parquet")
    types = {
        str: pa.string(),
        int: pa.int64(),
        float: pa.float64(),
        datetime: pa.timestamp("us", tz="UTC"),
        tuple[str, ...]: pa.list_(pa.field("element", pa.string(), nullable=False)),
    }
    hints = get_type_hints(Row)
    columns = []
    for name in order_columns(fields):
        kinds = set(get_args(hints[name]) if isinstance(hints[name], UnionType) else [hints[name]])
        (kind,) = kinds - {NoneType}
        columns.append(pa.field(name, types[kind], nullable=NoneType in kinds))
    return pa.schema(columns, {"tamis": __version__, "schema": str(SCHEMA)})


class _Parquet:
    def __init__(self, file: OutputFile, fields: Sequence[str]) -> None:
        self._pyarrow = import_library("pyarrow", "parquet")
        self._schema = parquet_schema(fields)
        self._places = [Row._fields.index(name) for name in self._schema.names]
        self._writer = import_library("pyarrow.parquet", "parquet").ParquetWriter(
            file,
            self._schema,
            compression="zstd",
            compression_level=3,
            use_dictionary=[path for path in _REPETITIVE if path.partition(".")[0] in fields],
            write_statistics=[name for name in _SOUGHT if name in fields],
        )
        self._rows: list[Row] = []
        self._batches: list[Any] = []
        self._group_rows = self._group_bytes = 0

    def write(self, row: Row, size: int) -> None:
        self._rows.append(row)
        self._group_rows += 1
        self._group_bytes += size
        if len(self._rows) == _BATCH_ROWS:
            self._end_batch()
        if self._group_rows >= GROUP_ROWS or self._group_bytes >= GROUP_BYTES:
            self._end_group()

    def finish(self) -> None:
        self._end_group()
        self._writer.close()

    def _end_batch(self) -> None:
        columns = list(zip(*self._rows, strict=True))
        chosen = [columns[place] for place in self._places]
        self._batches.append(self._pyarrow.record_batch(chosen, schema=self._schema))
        self._rows = []

    def _end_group(self) -> None:
        if self._rows:
            self._end_batch()
        if self._batches:
            group = self._pyarrow.Table.from_batches(self._batches)
            self._writer.write_table(group, self._group_rows)
        self._batches = []
        self._group_rows = self._group_bytes = 0


def _read_rows(file: BinaryIO) -> Iterator[dict[str, Any]]:
    parquet = import_library("pyarrow.parquet", "parquet")
    for batch in parquet.ParquetFile(file).iter_batches(batch_size=_BATCH_ROWS):
        yield from batch.to_pylist()


INPUT: Format = Format(
    name="parquet",
    suffixes=(".parquet",),
    sniff=lambda head: head.startswith(b"PAR1"),
    cut=cut,
    read=read,
    package="pyarrow",
)
OUTPUT: RowFormat = RowFormat(
    name="parquet", suffix=".parquet", writer=_Parquet, read=_read_rows, package="pyarrow"
)
