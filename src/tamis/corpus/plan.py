"""From inputs to shards. The cut depends on the inputs alone, never on who will do the work."""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from tamis.corpus.records import Columns, Shard
from tamis.corpus.sources.files import (
    ZSTD_DICTIONARY,
    File,
    explained,
    files_of,
    is_packed,
    is_remote,
    open_file,
)
from tamis.corpus.sources.sniff import format_of
from tamis.corpus.sources.warc import exact_cuts
from tamis.errors import InputError

_NAMES = {
    "html": re.compile(r"\.(?:x|s)?html?(?:\.gz)?$", re.IGNORECASE),
    "warc": re.compile(r"\.warc(?:\.gz|\.zst)?$", re.IGNORECASE),
    "jsonl": re.compile(r"\.(?:jsonl|ndjson)(?:\.gz|\.xz|\.zst)?$", re.IGNORECASE),
    "parquet": re.compile(r"\.parquet$", re.IGNORECASE),
}
FORMATS = tuple(_NAMES)
"""What can be read."""
_PACKED = (".gz", ".xz", ".zst")

# Enough shards that workers end together and a killed one loses little; each large enough that
# starting it, 10 ms, is nothing beside its pages.
_SHARDS = 64
_LEAST, _MOST = 4_000_000, 256_000_000


@dataclass(frozen=True, slots=True)
class _Input:
    """Files of one format under one folder."""

    format: str
    folder: str
    files: list[File]
    alone: bool = False
    """A page that was given itself."""


def plan(
    inputs: Sequence[str], columns: Columns, max_bytes: int, format: str | None = None
) -> list[Shard]:
    """The shards of the inputs, in their order, and in a folder in the order of the names.

    The format of a file is told by its name, or by its first bytes if the name says nothing;
    `format` forces one, and of a folder takes the files of that format only. An `InputError` if
    there is nothing to read, more than one format, or a column is missing.
    """
    if format is not None and format not in FORMATS:
        raise InputError(f"unknown format {format!r}; give one of {', '.join(FORMATS)}")
    found = _together(one for given in inputs for one in _inputs_of(given, format))
    if not found:
        raise InputError("no input; give files or folders")
    counts = Counter(one.format for one in found for _ in one.files)
    if len(counts) > 1:
        listed = ", ".join(f"{count} {name}" for name, count in counts.items())
        raise InputError(
            f"mixed formats: {listed}; read them in one run each, or choose one of the formats"
        )
    total = sum(file.size for one in found for file in one.files)
    target = min(max(total // _SHARDS, _LEAST), _MOST)
    shards = (shard for one in found for shard in _shards(one, columns, max_bytes, target))
    return [replace(shard, number=number) for number, shard in enumerate(shards)]


def _inputs_of(given: str, format: str | None) -> list[_Input]:
    if given and not is_remote(given):
        given = os.path.abspath(given)  # workers may live elsewhere
    is_folder, files = files_of(given)
    if not is_folder:
        kind = format or _by_name(files[0]) or _by_bytes(files[0])
        if kind is None:
            raise InputError(
                f"{given}: unknown format; tamis reads {', '.join(FORMATS)}, by name or first bytes"
            )
        remote = is_remote(given)
        folder = given.rpartition("/")[0] if remote else ""
        return [_Input(kind, folder, files, alone=kind == "html" and not remote)]
    kinds = {file: _by_name(file) for file in files}
    if not any(kinds.values()):
        kinds = {file: _by_bytes(file) for file in files}
    grouped = [
        _Input(kind, given, [file for file in files if kinds[file] == kind])
        for kind in FORMATS
        if kind == (format or kind) and kind in kinds.values()
    ]
    if not grouped:
        raise InputError(f"{given}: no {format or ', '.join(FORMATS)} file in this folder")
    return grouped


def _by_name(file: File) -> str | None:
    return next((kind for kind, name in _NAMES.items() if name.search(file.name)), None)


def _by_bytes(file: File) -> str | None:
    with open_file(file.name) as opened, explained(file.name):
        return format_of(opened)


def _together(found: Iterable[_Input]) -> list[_Input]:
    """Pages that were given one by one, as those of the folder that has them all."""
    together: list[_Input] = []
    for one in found:
        before = together[-1] if together else None
        if before and one.alone and before.alone:
            before.files.extend(one.files)
        else:
            together.append(one)
    return [_under_one_folder(one) if one.alone else one for one in together]


def _under_one_folder(pages: _Input) -> _Input:
    folder = os.path.commonpath([os.path.dirname(file.name) for file in pages.files])
    files = [replace(file, inside=os.path.relpath(file.name, folder)) for file in pages.files]
    return replace(pages, folder=folder, files=files)


def _shards(given: _Input, columns: Columns, max_bytes: int, target: int) -> Iterator[Shard]:
    if given.format == "html":
        yield from _runs_of_pages(given, target)
        return
    if given.format == "jsonl":
        from tamis.corpus.sources.jsonl import check_columns

        # Of the others each line without a page is counted.
        check_columns(given.files[0], columns, max_bytes)
    for file in given.files:
        if given.format == "parquet":
            yield from _runs_of_row_groups(file, columns, target)
        else:
            yield from _byte_ranges(file, given.format, target)


def _runs_of_pages(given: _Input, target: int) -> Iterator[Shard]:
    for start, end, size in _runs([file.size for file in given.files], target):
        names = tuple(file.inside for file in given.files[start:end])
        yield Shard(0, "html", given.folder, files=names, size=size)


def _runs_of_row_groups(file: File, columns: Columns, target: int) -> Iterator[Shard]:
    from tamis.corpus.sources.parquet import group_sizes

    for start, end, size in _runs(group_sizes(file, columns), target):
        yield Shard(0, "parquet", file.name, start, end, size=size)


def _runs(sizes: list[int], target: int) -> Iterator[tuple[int, int, int]]:
    """Begin, end and size of runs that reach the target, but for the last."""
    start = size = 0
    for number, one in enumerate(sizes):
        size += one
        if size >= target or number == len(sizes) - 1:
            yield start, number + 1, size
            start, size = number + 1, 0


def _byte_ranges(file: File, format: str, target: int) -> Iterator[Shard]:
    cuts = [0]
    if file.size > target:
        cuts = _cuts(file, format, target)
    for start, end in zip(cuts, [*cuts[1:], None], strict=True):
        size = (file.size if end is None else end) - start
        yield Shard(0, format, file.name, start, end, size=size)


def _cuts(file: File, format: str, target: int) -> list[int]:
    """Where to cut a file. Of remote ones the name is believed: opening each takes too long."""
    parts = -(-file.size // target)
    even = [file.size * part // parts for part in range(parts)]
    if is_remote(file.name):
        packed = file.name.lower().endswith(_PACKED)
        whole = packed == (format == "jsonl")
        return [0] if whole else even
    with open_file(file.name) as opened:
        packed = is_packed(opened)
        opened.seek(0)
        dictionary = opened.read(4) == ZSTD_DICTIONARY
    if format == "jsonl":
        return [0] if packed else even
    if dictionary:
        return [0]
    return even if packed else exact_cuts(file, target)
