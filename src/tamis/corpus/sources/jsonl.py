"""Lines of JSON, one object a page."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import BinaryIO

from tamis.corpus.records import Columns, Record, Refused, Shard
from tamis.corpus.sources.files import (
    File,
    explained,
    last_name,
    open_file,
    unpacked,
    unpacking_errors,
)
from tamis.corpus.sources.tables import check, chosen, record
from tamis.errors import InputError

_SKIP = 1 << 20
# Lines that are looked at for the columns: the first may be damaged.
_FIRST = 10


def read(shard: Shard, columns: Columns, max_bytes: int) -> Iterator[Record | Refused]:
    """The pages of the lines that begin in the shard; a packed file is one shard."""
    name = last_name(shard.source)
    with open_file(shard.source) as file, explained(shard.source):
        lines = unpacked(file)
        if lines is not file and shard.start:
            return
        end = shard.end if lines is file else None
        at = shard.start
        try:
            for at, line in _lines(lines, shard.start, end, _longest(max_bytes)):
                place = f"{name}:{at}"
                if line is None:
                    yield Refused(place, None, "too large", "the line is too long for such a page")
                elif line.strip():
                    yield _read_line(line, place, columns, max_bytes)
        except unpacking_errors() as error:
            yield Refused(f"{name}:damage", None, "damaged", f"after byte {at}: {error}")


def check_columns(file: File, columns: Columns, max_bytes: int) -> None:
    """An `InputError` if the first lines have no page, or lack a column that was asked for."""
    with open_file(file.name) as packed, explained(file.name):
        seen = 0
        try:
            for _, line in _lines(unpacked(packed), 0, None, _longest(max_bytes)):
                if line is not None and not line.strip():
                    continue
                values = None if line is None else _object(line)
                if isinstance(values, dict):
                    check(columns, values, file.name)
                    return
                seen += 1
                if seen == _FIRST:
                    break
        except unpacking_errors():
            return  # reading it tells how far it goes
    if seen:
        raise InputError(f"{file.name}: its first lines are no JSON objects; is it JSONL?")


def _longest(max_bytes: int) -> int:
    """Most bytes of a line: pages of another script than Latin double when written as escapes."""
    return 2 * max_bytes + _SKIP


def _lines(
    file: BinaryIO, start: int, end: int | None, most: int
) -> Iterator[tuple[int, bytes | None]]:
    """The lines that begin in a range, by where they begin; None for one that is too long."""
    at = start
    if start:
        file.seek(start - 1)
        at += _skip_line(file, end) - 1
    while end is None or at < end:
        line = file.readline(most)
        if not line:
            return
        if len(line) == most and not line.endswith(b"\n"):
            yield at, None
            at += len(line) + _skip_line(file)
        else:
            yield at, line
            at += len(line)


def _skip_line(file: BinaryIO, end: int | None = None) -> int:
    """Go to the end of the line, or past the end of the range; how many bytes that were."""
    skipped = 0
    while part := file.readline(_SKIP):
        skipped += len(part)
        if part.endswith(b"\n") or (end is not None and file.tell() > end):
            break
    return skipped


def _object(line: bytes) -> object:
    """The value of a line, or the error that there is none."""
    try:
        return json.loads(line.removeprefix(b"\xef\xbb\xbf"))
    except (ValueError, RecursionError) as error:
        return error


def _read_line(line: bytes, place: str, columns: Columns, max_bytes: int) -> Record | Refused:
    values = _object(line)
    if not isinstance(values, dict):
        detail = str(values) if isinstance(values, Exception) else "no JSON object"
        return Refused(place, None, "damaged", detail)
    names = chosen(columns, values)
    html, url, id, when = (
        values.get(name) if name else None for name in (names.html, names.url, names.id, names.date)
    )
    return record(place, html, url, id, when, max_bytes)
