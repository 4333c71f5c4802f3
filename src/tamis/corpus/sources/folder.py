"""Pages that are files of a folder."""

from __future__ import annotations

import zlib
from collections.abc import Iterator

from tamis.corpus.records import Record, Refused, Shard
from tamis.corpus.sources.files import GZIP, explained, inflate, join, legible, open_file


def read(shard: Shard, max_bytes: int) -> Iterator[Record | Refused]:
    """The pages of a folder, by their ways from it."""
    for name in shard.files:
        id = legible(name)
        source = join(shard.source, name)
        with open_file(source) as file, explained(source):
            body, whole = file.read(max_bytes + 1), True
        if len(body) <= max_bytes and body.startswith(GZIP):
            try:
                body, whole = inflate(body, max_bytes)
            except zlib.error as error:
                yield Refused(id, None, "damaged", f"gzip: {error}")
                continue
        if len(body) > max_bytes:
            yield Refused(id, None, "too large", f"more than {max_bytes} bytes")
        elif not whole:
            yield Refused(id, None, "damaged", "gzip: the file is cut off")
        else:
            yield Record(id, None, body, None, None)
