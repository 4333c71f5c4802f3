"""From inputs to the shards of a run. The cut depends on the inputs alone, never on the workers.

Addresses are fetched first, into WARC files that are the input then.
"""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace

from tamis.corpus import formats
from tamis.corpus.fetching.crawl import Politeness, fetch_list, read_addresses
from tamis.corpus.folder import Folder
from tamis.corpus.formats import INPUTS, OUTPUTS, WAITING_FORMAT
from tamis.corpus.formats._base import Format, Input, RowFormat
from tamis.corpus.formats.files import files_of, is_remote
from tamis.corpus.receipts import Run
from tamis.corpus.records import Columns, Shard
from tamis.corpus.settings import Settings
from tamis.errors import InputError
from tamis.extras import check_installed

ADDRESSES = "urls"
"""Name of the input that is addresses."""

# Enough shards that workers end together and a killed one loses little; each large enough that
# starting it, 10 ms, is nothing beside its pages.
_SHARDS = 64
_LEAST, _MOST = 4_000_000, 256_000_000
_ADDRESS = re.compile(r"https?://", re.IGNORECASE)


def begin(
    inputs: Sequence[str],
    output: Folder,
    settings: Settings,
    input_format: str | None = None,
    politeness: Politeness | None = None,
    fetched: Callable[[int, int, int], None] = lambda done, of, failed: None,
) -> Run:
    """Begin a run or go on with it; `fetched` hears of addresses read, of all, and failures.

    Addresses are read into WARC files of the output folder first, where they stay: to extract them
    again needs no network.
    """
    inputs = [name if "://" in name else os.path.abspath(name) for name in inputs]
    output = output if "://" in output.address else Folder(os.path.abspath(output.address))

    def shards() -> list[Shard]:
        _check_package(OUTPUTS[settings.format])
        if settings.duplicates != "keep":
            _check_package(OUTPUTS[WAITING_FORMAT])
        lists = [name for name in inputs if input_format == ADDRESSES or _is_addresses(name)]
        sources: Sequence[str] = inputs
        if lists:
            if len(lists) < len(inputs):
                other = next(name for name in inputs if name not in lists)
                raise InputError(
                    f"mixed formats: {lists[0]} is of addresses, {other} is not; give them to two"
                    " runs"
                )
            _check_package(INPUTS["warc"])
            sources = _fetched(lists, output, politeness or Politeness(), fetched)
        format = "warc" if lists else input_format
        planned = plan(sources, settings.columns, settings.options.max_bytes, format)
        if not any(shard.size or is_remote(shard.source) for shard in planned):
            raise InputError("no records: all files of the input are empty")
        _check_package(INPUTS[planned[0].format])
        return planned

    return Run.begin(output, inputs, settings, shards)


def _check_package(format: Format | RowFormat) -> None:
    """See that what reads or writes a format is there, before anything is written."""
    if format.package:
        check_installed(format.package, format.name)


def _is_addresses(source: str) -> bool:
    return source.lower().endswith(".txt") or _ADDRESS.match(source) is not None


def _fetched(
    lists: Sequence[str],
    output: Folder,
    politeness: Politeness,
    report: Callable[[int, int, int], None],
) -> list[str]:
    """Read the addresses; the WARC files that have them."""
    addresses: dict[str, None] = {}
    for name in lists:
        addresses |= dict.fromkeys([name] if _ADDRESS.match(name) else read_addresses(name))
    if "://" in output.address:
        raise InputError(
            f"{output.address}: addresses are read into a local folder; give one as --output, or"
            " read them on one machine and give the WARC files to the next run"
        )
    output.create()
    folder = output.path("fetched")

    def progress(counts: Counter[str]) -> None:
        failed = counts.total() - counts["fetched"] - counts["kept"]
        report(counts.total(), len(addresses), failed)

    names = fetch_list(list(addresses), folder, politeness=politeness, progress=progress)
    return [os.path.join(folder, name) for name in names]


# The cut


def plan(
    inputs: Sequence[str], columns: Columns, max_bytes: int, format: str | None = None
) -> list[Shard]:
    """The shards of the inputs, in their order, and in a folder in the order of the names.

    The format of a file is known by its name, or by its first bytes if the name says nothing;
    `format` forces one, and of a folder takes the files of that format only. An `InputError` if
    there is nothing to read, more than one format, or a column is missing.
    """
    if format is not None and format not in INPUTS:
        raise InputError(f"unknown format {format!r}; give one of {', '.join(INPUTS)}")
    groups = _joined(group for source in inputs for group in _inputs_of(source, format))
    if not groups:
        raise InputError("no input; give files or folders")
    counts = Counter(group.format for group in groups for _ in group.files)
    if len(counts) > 1:
        listed = ", ".join(f"{count} {name}" for name, count in counts.items())
        raise InputError(
            f"mixed formats: {listed}; read them in one run each, or choose one of the formats"
        )
    total = sum(file.size for group in groups for file in group.files)
    target = min(max(total // _SHARDS, _LEAST), _MOST)
    shards = (
        shard
        for group in groups
        for shard in INPUTS[group.format].cut(group, columns, max_bytes, target)
    )
    return [replace(shard, number=number) for number, shard in enumerate(shards)]


def _inputs_of(source: str, format: str | None) -> list[Input]:
    if source and not is_remote(source):
        source = os.path.abspath(source)  # workers may live elsewhere
    is_folder, files = files_of(source)
    if not is_folder:
        name = files[0].name
        kind = format or formats.by_name(name) or formats.by_first_bytes(name)
        if kind is None:
            raise InputError(
                f"{source}: unknown format; tamis reads {', '.join(INPUTS)}, by name or first bytes"
            )
        remote = is_remote(source)
        folder = source.rpartition("/")[0] if remote else ""
        return [Input(kind, folder, files, INPUTS[kind].page_per_file and not remote)]
    kinds = {file: formats.by_name(file.name) for file in files}
    if not any(kinds.values()):
        kinds = {file: formats.by_first_bytes(file.name) for file in files}
    grouped = [
        Input(kind, source, [file for file in files if kinds[file] == kind])
        for kind in INPUTS
        if kind == (format or kind) and kind in kinds.values()
    ]
    if not grouped:
        raise InputError(f"{source}: no {format or ', '.join(INPUTS)} file in this folder")
    return grouped


def _joined(inputs: Iterable[Input]) -> list[Input]:
    """Pages that were given one by one, as those of the folder that has them all."""
    joined: list[Input] = []
    for group in inputs:
        before = joined[-1] if joined else None
        if before and group.given_alone and before.given_alone:
            before.files.extend(group.files)
        else:
            joined.append(group)
    return [_under_one_folder(group) if group.given_alone else group for group in joined]


def _under_one_folder(pages: Input) -> Input:
    folder = os.path.commonpath([os.path.dirname(file.name) for file in pages.files])
    files = [replace(file, inside=os.path.relpath(file.name, folder)) for file in pages.files]
    return replace(pages, folder=folder, files=files)
