"""Tables in Parquet, one row a page."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, BinaryIO

from tamis.corpus.records import Columns, Record, Refused, Shard
from tamis.corpus.sources.files import File, is_remote, last_name, library, open_file
from tamis.corpus.sources.tables import check, record
from tamis.errors import InputError

# Some 15 MB of pages at a time.
_ROWS = 64
# Read from a column at a time; without a buffer pyarrow reads all of it that a row group has.
_BUFFER = 1 << 20


def read(shard: Shard, columns: Columns, max_bytes: int) -> Iterator[Record | Refused]:
    """The pages of the row groups of the shard."""
    name = last_name(shard.source)
    with open_file(shard.source) as file:
        table = _table(file, shard.source)
        names = check(columns, table.schema_arrow.names, shard.source)
        text = _is_text(_page_type(table, names.html))
        sizes = [table.metadata.row_group(one).num_rows for one in range(table.num_row_groups)]
        row = sum(sizes[: shard.start])
        for group in range(shard.start, len(sizes) if shard.end is None else shard.end):
            done = 0
            try:
                for found in _rows(table, group, names):
                    yield record(f"{name}:{row + done}", *found, max_bytes, is_text=text)
                    done += 1
            except (OSError, ValueError) as error:  # what pyarrow raises for damage is one of these
                detail = f"row group {group}, {sizes[group] - done} rows lost: {error}"
                yield Refused(f"{name}:{row + done}", None, "damaged", detail)
            row += sizes[group]


def group_sizes(file: File, columns: Columns) -> list[int]:
    """Bytes of the row groups; an `InputError` if there is no column of pages in them."""
    with open_file(file.name) as opened:
        table = _table(opened, file.name)
        html = check(columns, table.schema_arrow.names, file.name).html
        kind = _page_type(table, html)
        if not (_is_text(kind) or _is_bytes(kind)):
            raise InputError(f"{file.name}: column {html!r} has {kind}, not text or bytes")
        sizes = []
        for number in range(table.num_row_groups):
            group = table.metadata.row_group(number)
            chunks = (group.column(one) for one in range(group.num_columns))
            sizes.append(sum(chunk.total_compressed_size for chunk in chunks))
        return sizes


def _table(file: BinaryIO, source: str) -> Any:
    parquet = library("pyarrow.parquet")
    try:
        return parquet.ParquetFile(file if is_remote(source) else source, buffer_size=_BUFFER)
    except (OSError, ValueError) as error:
        detail = str(error).splitlines()[0]
        raise InputError(f"{source}: no Parquet file, or a damaged one: {detail}") from None


def _page_type(table: Any, column: str) -> Any:
    pa = library("pyarrow")
    kind = table.schema_arrow.field(column).type
    return kind.value_type if pa.types.is_dictionary(kind) else kind


def _is_text(kind: Any) -> bool:
    pa = library("pyarrow")
    return bool(
        pa.types.is_string(kind) or pa.types.is_large_string(kind) or pa.types.is_string_view(kind)
    )


def _is_bytes(kind: Any) -> bool:
    pa = library("pyarrow")
    return bool(
        pa.types.is_binary(kind)
        or pa.types.is_large_binary(kind)
        or pa.types.is_binary_view(kind)
        or pa.types.is_fixed_size_binary(kind)
    )


def _rows(
    table: Any, group: int, names: Columns
) -> Iterator[tuple[object, object, object, object]]:
    """HTML, address, id and date of each row."""
    pa = library("pyarrow")
    asked = [name for name in (names.html, names.url, names.id, names.date) if name]
    for batch in table.iter_batches(_ROWS, row_groups=[group], columns=asked, use_threads=False):
        pages = batch.column(names.html)
        if pa.types.is_dictionary(pages.type):
            pages = pages.dictionary_decode()
        if _is_text(pages.type):
            pages = pages.cast(pa.large_binary())  # whether it is UTF-8 the decoder will see
        rest = [batch.column(name) if name else None for name in (names.url, names.id, names.date)]
        for number in range(batch.num_rows):
            url, id, when = (one and _value(one[number]) for one in rest)
            yield pages[number].as_py(), url, id, when


def _value(cell: Any) -> object:
    try:
        return cell.as_py()
    except ValueError:  # no UTF-8, or a date beyond those of Python
        return None
