"""Pages that are files, of a folder or given one by one; each also packed with gzip."""

from __future__ import annotations

import zlib
from collections.abc import Iterator

from tamis._runtime.storage import GZIP, PAGE_SUFFIXES, inflate
from tamis.corpus.files import explain_errors, join, open_file, to_legible
from tamis.corpus.formats._base import Format, Input, group_runs
from tamis.corpus.records import Columns, Record, Reject, Shard
from tamis.page.reader import is_html


def cut(given: Input, columns: Columns, max_bytes: int, target: int) -> Iterator[Shard]:
    """Neighbouring pages, in the order of their paths."""
    for start, end, size in group_runs([file.size for file in given.files], target):
        names = tuple(file.inside for file in given.files[start:end])
        yield Shard(0, "html", given.folder, files=names, size=size)


def read(shard: Shard, columns: Columns, max_bytes: int) -> Iterator[Record | Reject]:
    for name in shard.files:
        id = to_legible(name)
        source = join(shard.source, name)
        with open_file(source) as file, explain_errors(source):
            body, complete = file.read(max_bytes + 1), True
        if len(body) <= max_bytes and body.startswith(GZIP):
            try:
                body, complete = inflate(body, max_bytes)
            except zlib.error as error:
                yield Reject(id, None, "damaged", f"gzip: {error}")
                continue
        if len(body) > max_bytes:
            yield Reject(id, None, "too large", f"more than {max_bytes} bytes")
        elif not complete:
            yield Reject(id, None, "damaged", "gzip: the file is cut off")
        else:
            yield Record(id, None, body, None, None)


INPUT: Format = Format(
    name="html",
    suffixes=PAGE_SUFFIXES,
    packings=(".gz",),
    sniff=is_html,
    cut=cut,
    read=read,
    page_per_file=True,
)
