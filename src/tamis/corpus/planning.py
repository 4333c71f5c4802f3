"""From inputs to the shards of a run. The cut depends on the inputs alone, never on the workers.

Addresses are fetched first, into WARC files that are the input then.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, replace

from tamis._runtime.libraries import check_installed
from tamis.corpus import formats
from tamis.corpus.crawl import SCHEME, fetch_list, is_web, read_addresses
from tamis.corpus.files import PLANNING, WORKING, Folder, file_exists, is_remote, join, list_files
from tamis.corpus.formats import INPUTS, OUTPUTS, WAITING_FORMAT
from tamis.corpus.formats._base import Format, Input, RowFormat
from tamis.corpus.growth import Changed, Listing, grow, list_known, record_facts
from tamis.corpus.manifest import Plan, Run, name_some
from tamis.corpus.politeness import Politeness
from tamis.corpus.records import Columns, Settings, Shard
from tamis.errors import InputError

ADDRESSES = "urls"
"""Name of the input that is addresses."""

# Enough shards that workers end together and a killed one loses little; each large enough that
# starting it, 10 ms, is nothing beside its pages.
_SHARDS = 64
_LEAST, _MOST = 4_000_000, 256_000_000


def begin_run(
    inputs: Sequence[str],
    output: Folder,
    settings: Settings,
    input_format: str | None = None,
    politeness: Politeness | None = None,
    fetched: Callable[[int, int, int], None] = lambda done, of, failed: None,
    changed: Changed = "refuse",
) -> Run:
    """Begin a run or go on with it.

    Adds inputs that the run does not know yet; `changed` says what to do about those that changed.
    Fetches addresses into WARC files of the output folder, which stay there, so that extracting
    them again needs no network. `fetched` gets the number of addresses read, of all, and of
    failures.
    """
    inputs = [name if "://" in name else os.path.abspath(name) for name in inputs]
    output = output if "://" in output.address else Folder(os.path.abspath(output.address))
    reader = _Reader(inputs, output, settings, input_format, politeness or Politeness(), fetched)

    def plan_first() -> Plan:
        listing = reader.list_inputs()
        shards = reader.cut(listing.groups)
        if not any(shard.size or is_remote(shard.source) for shard in shards):
            raise InputError("no records: all files of the input are empty")
        _check_package(INPUTS[shards[0].format])
        return shards, record_facts(file for each in listing.groups for file in each.files)

    if not Run.is_in(output):
        return Run.begin(output, inputs, settings, plan_first)
    with output.lock(PLANNING, wait=True):
        run = Run.begin(output, inputs, settings, plan_first)
        with output.lock(WORKING) as free:
            pass
        if not free:
            note = "other commands are at work in this folder, so new inputs were not looked for"
            return replace(run, notes=(note,))
        known = list_known(run)
        listing = reader.list_inputs(None if changed == "again" else known)
        return grow(run, inputs, listing, known, changed, reader.cut)


@dataclass(frozen=True)
class _Reader:
    inputs: Sequence[str]
    output: Folder
    settings: Settings
    format: str | None
    politeness: Politeness
    fetched: Callable[[int, int, int], None]

    def list_inputs(self, known: Collection[str] | None = None) -> Listing:
        """List the files to read; leave out missing inputs that are `known`."""
        _check_package(OUTPUTS[self.settings.format])
        if self.settings.duplicates != "keep":
            _check_package(OUTPUTS[WAITING_FORMAT])
        lists = [name for name in self.inputs if self.format == ADDRESSES or is_web(name)]
        if not lists:
            return Listing(self.inputs, find_inputs(self.inputs, self.format, known))
        if len(lists) < len(self.inputs):
            other = next(name for name in self.inputs if name not in lists)
            raise InputError(
                f"mixed formats: {lists[0]} is of addresses, {other} is not; give them to two runs"
            )
        _check_package(INPUTS["warc"])
        if self.politeness.robots:
            check_installed("protego", "robots.txt")
        return self._fetch(lists, known is not None)

    def cut(self, groups: Sequence[Input]) -> list[Shard]:
        return cut_inputs(groups, self.settings.columns, self.settings.options.max_bytes)

    def _fetch(self, lists: Sequence[str], begun: bool) -> Listing:
        """Fetch new addresses, and list the WARC files that have all of them."""
        if "://" in self.output.address:
            raise InputError(
                f"{self.output.address}: addresses are read into a local folder; give one as"
                " --output, or read them on one machine and give the WARC files to the next run"
            )
        addresses: dict[str, None] = {}
        notes = []
        for name in lists:
            if begun and not SCHEME.match(name) and not os.path.exists(name):
                notes.append(f"{name} is no longer there, rows of its addresses kept")
            else:
                addresses |= dict.fromkeys(read_addresses(name))
        self.output.create()
        folder = self.output.join("fetched")

        def report_progress(counts: Counter[str]) -> None:
            failed = counts.total() - counts["fetched"] - counts["kept"]
            self.fetched(counts.total(), len(addresses), failed)

        fetched = fetch_list(
            list(addresses), folder, politeness=self.politeness, progress=report_progress
        )
        if fetched.unlisted:
            notes.append(f"addresses no longer listed, rows kept: {name_some(fetched.unlisted)}")
        sources = [os.path.join(folder, name) for name in fetched.names]
        return Listing([folder], find_inputs(sources, "warc"), fetched.new, notes)


def _check_package(format: Format | RowFormat) -> None:
    """Check that the package for a format is installed before anything is written."""
    if format.package:
        check_installed(format.package, format.name)


# The cut


def plan_shards(
    inputs: Sequence[str], columns: Columns, max_bytes: int, format: str | None = None
) -> list[Shard]:
    """The shards of the inputs, in order; those of a folder by name."""
    return cut_inputs(find_inputs(inputs, format), columns, max_bytes)


def find_inputs(
    sources: Sequence[str], format: str | None = None, known: Collection[str] | None = None
) -> list[Input]:
    """The files of the inputs, each once; an `InputError` if their formats differ.

    The name of a file tells its format, else its first bytes do. `format` overrides both, and takes
    only files of that format from a folder. A source that is missing or empty is an error unless it
    had files that are `known`.
    """
    if format is not None and format not in INPUTS:
        raise InputError(f"unknown format {format!r}; give one of {', '.join(INPUTS)}")
    found: dict[str, None] = {}
    groups = []
    given = (each for name in sources for each in _find_inputs_in(name, format, known))
    for group in _join_pages(given):
        files = [file for file in group.files if file.name not in found]
        found |= dict.fromkeys(file.name for file in files)
        if files:
            groups.append(replace(group, files=files))
    if not groups and known is None:
        raise InputError("no input; give files or folders")
    counts = Counter(group.format for group in groups for _ in group.files)
    if len(counts) > 1:
        listed = ", ".join(f"{count} {name}" for name, count in counts.items())
        raise InputError(
            f"mixed formats: {listed}; read them in one run each, or choose one of the formats"
        )
    return groups


def cut_inputs(groups: Sequence[Input], columns: Columns, max_bytes: int) -> list[Shard]:
    """Cut files into shards; an `InputError` if a column is missing."""
    total = sum(file.size for group in groups for file in group.files)
    target = min(max(total // _SHARDS, _LEAST), _MOST)
    shards = (
        shard
        for group in groups
        for shard in INPUTS[group.format].cut(group, columns, max_bytes, target)
    )
    return [replace(shard, number=number) for number, shard in enumerate(shards)]


def _find_inputs_in(
    source: str, format: str | None, known: Collection[str] | None = None
) -> list[Input]:
    if source and not is_remote(source):
        source = os.path.abspath(source)  # workers may live elsewhere
    if known and not file_exists(source) and _had_files(source, known):
        return []
    is_folder, files = list_files(source)
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
    if not grouped and not _had_files(source, known or ()):
        raise InputError(f"{source}: no {format or ', '.join(INPUTS)} file in this folder")
    return grouped


def _had_files(source: str, known: Collection[str]) -> bool:
    inside = join(source.rstrip("/"), "")
    return source in known or any(name.startswith(inside) for name in known)


def _join_pages(inputs: Iterable[Input]) -> list[Input]:
    """Treat pages that were given one by one like a folder that has them all."""
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
