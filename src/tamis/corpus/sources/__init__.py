"""Where records come from: WARC files, folders of pages, JSONL and Parquet."""

from __future__ import annotations

from collections.abc import Iterator

from tamis.corpus.records import Columns, Record, Refused, Shard


def read(shard: Shard, columns: Columns, max_bytes: int) -> Iterator[Record | Refused]:
    """The records of a shard in their order, with those that give no page, and why.

    No more than some `max_bytes` are held at a time. An `InputError` if a file cannot be opened.
    """
    if shard.format == "warc":
        from tamis.corpus.sources import warc

        return warc.read(shard, max_bytes)
    if shard.format == "html":
        from tamis.corpus.sources import folder

        return folder.read(shard, max_bytes)
    if shard.format == "jsonl":
        from tamis.corpus.sources import jsonl

        return jsonl.read(shard, columns, max_bytes)
    from tamis.corpus.sources import parquet

    return parquet.read(shard, columns, max_bytes)
