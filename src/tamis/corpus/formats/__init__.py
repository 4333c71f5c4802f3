"""The formats of input and output. A new one is one file here and one line in a registry below."""

from __future__ import annotations

from collections.abc import Iterator

from tamis.corpus.files import (
    HEAD_BYTES,
    explain_errors,
    open_file,
    unpack,
    unpacking_errors,
)
from tamis.corpus.formats import html, jsonl, parquet, warc, warc_writing
from tamis.corpus.formats._base import Format, RowFormat
from tamis.corpus.records import Columns, Record, Reject, Shard

# Of the first bytes the first that knows them decides: any text may have HTML in it.
INPUTS: dict[str, Format] = {
    format.name: format for format in (warc.INPUT, jsonl.INPUT, parquet.INPUT, html.INPUT)
}
"""What can be read, by name."""

OUTPUTS: dict[str, RowFormat] = {
    format.name: format for format in (parquet.OUTPUT, *jsonl.OUTPUTS, warc_writing.OUTPUT)
}
"""What can be written, by name; the first is the default."""

WAITING_FORMAT = "parquet"
"""Of rows that wait until they are compared with those of all shards: they are read again."""


def read(shard: Shard, columns: Columns, max_bytes: int) -> Iterator[Record | Reject]:
    """The records of a shard; see `Read`."""
    if shard.is_empty:
        return iter(())
    return INPUTS[shard.format].read(shard, columns, max_bytes)


def by_name(name: str) -> str | None:
    return next((format.name for format in INPUTS.values() if format.has_name_of(name)), None)


def by_first_bytes(name: str) -> str | None:
    with open_file(name) as file, explain_errors(name):
        try:
            head = unpack(file).read(HEAD_BYTES)
        except unpacking_errors():
            return None
    return next((format.name for format in INPUTS.values() if format.sniff(head)), None)
