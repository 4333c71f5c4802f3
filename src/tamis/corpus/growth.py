"""How the plan of a run grows: new inputs, and inputs that changed or are gone.

New files get shards after the existing ones, so what was done stays valid. Files that are to be
read again keep the numbers of their shards; the shards get the number of the new planning round,
which voids their receipts.
"""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from hashlib import blake2b
from typing import Literal, NamedTuple, get_args

from tamis._runtime.version import __version__
from tamis.corpus.files import InputFile, explain_errors, is_remote, join
from tamis.corpus.formats import INPUTS
from tamis.corpus.formats._base import Input
from tamis.corpus.manifest import InputFacts, Run, Task, name_some, trim
from tamis.corpus.records import Shard
from tamis.corpus.steps import basis_of
from tamis.errors import InputError

Changed = Literal["refuse", "again", "keep"]
CHANGED: tuple[Changed, ...] = get_args(Changed)
"""What to do about inputs that changed since they were read."""


class Listing(NamedTuple):
    """What a command was given to read, as it is now."""

    given: Sequence[str]
    """Files and folders; for addresses, the folder of the fetched pages."""
    groups: Sequence[Input]
    new_addresses: int | None = None
    """How many were fetched, if addresses were given."""
    notes: Sequence[str] = ()


def list_known(run: Run) -> dict[str, InputFacts | None]:
    planned: dict[str, InputFacts | None] = {}
    for shard in run.shards:
        planned |= dict.fromkeys(_files_of(shard))
    return planned | run.read_facts()


def grow(
    run: Run,
    inputs: Sequence[str],
    listing: Listing,
    known: Mapping[str, InputFacts | None],
    changed: Changed,
    cut: Callable[[Sequence[Input]], list[Shard]],
) -> Run:
    files = [file for group in listing.groups for file in group.files]
    changes = compare_inputs(known, files, listing.given)
    _check_changed(run, changes.changed, changed)
    again = changed == "again"
    due = changes if again else replace(changes, changed=[], gone=[])
    gone = set(due.gone)
    shards = _plan_again(run, listing.groups, due, cut)
    facts = {name: each for name, each in known.items() if each and name not in gone}
    fresh = [*due.new, *due.changed, *due.touched, *due.unrecorded]
    facts |= {each.name: each for each in record_facts(fresh)}
    notes = [*listing.notes, *_describe(run, inputs, changes, again)]
    if tuple(shards) != run.shards:
        notes += _describe_missing(run)
    count = len(changes.new) if listing.new_addresses is None else listing.new_addresses
    if tuple(shards) != run.shards or fresh or not set(inputs) <= set(run.inputs):
        run = run.grow(shards, list(facts.values()), inputs)
    return replace(run, new_inputs=count, notes=tuple(notes))


def _files_of(shard: Shard) -> dict[str, str]:
    """The full names of the files that a shard has pages of, and their names within the shard."""
    if INPUTS[shard.format].page_per_file:
        return {join(shard.source, name): name for name in shard.files}
    return {} if shard.is_empty else {shard.source: shard.source}


def _check_changed(run: Run, files: Sequence[InputFile], changed: Changed) -> None:
    """Raise an `InputError` if files changed and `changed` does not say what to do about it."""
    if not files or changed == "again":
        return
    names = {file.name for file in files}
    if changed == "refuse":
        raise InputError(
            f"{run.folder.join('')}: inputs changed in the meantime"
            f" ({name_some(sorted(names))}); add --changed again to do the shards again, or"
            " --changed keep to keep the rows"
        )
    unfinished: set[str] = set()
    for shard in run.shards:
        task = Task("extract", shard.number)
        touched = names.intersection(_files_of(shard))
        if touched and run.find_counts(task, basis_of(run, task)) is None:
            unfinished |= touched
    if unfinished:
        raise InputError(
            f"{run.folder.join('')}: {name_some(sorted(unfinished))}: changed before all rows were"
            " written, so there is nothing to keep; add --changed again to read it as it is now"
        )


def _plan_again(
    run: Run,
    groups: Sequence[Input],
    changes: InputChanges,
    cut: Callable[[Sequence[Input]], list[Shard]],
) -> list[Shard]:
    """Add shards for new files, and replace the shards of files that changed or are gone.

    A shard of pages is done again without the pages that are gone. Any other file is cut again: its
    new shards take its old numbers first, and a number that it no longer needs stays empty.
    """
    round = run.round + 1
    gone = set(changes.gone)
    stale = gone.union(file.name for file in changes.changed)
    shards = list(run.shards)
    free: dict[str, deque[int]] = defaultdict(deque)
    for shard in run.shards if stale else ():
        names = _files_of(shard)
        if stale.isdisjoint(names):
            continue
        shards[shard.number] = shard.make_empty(round)
        if not INPUTS[shard.format].page_per_file:
            free[shard.source].append(shard.number)
        elif left := tuple(inside for name, inside in names.items() if name not in gone):
            shards[shard.number] = replace(shard, files=left, round=round)
    wanted = {file.name for file in changes.new} | free.keys()
    parts = [
        replace(group, files=files)
        for group in groups
        if (files := [file for file in group.files if file.name in wanted])
    ]
    for shard in cut(parts) if parts else ():
        if shard.format != run.shards[0].format:
            raise InputError(
                f"mixed formats: {shard.source} is {shard.format}, the run has"
                f" {run.shards[0].format}; read them in one run each"
            )
        numbers = free.get(shard.source)
        number = numbers.popleft() if numbers else len(shards)
        shards[number : number + 1] = [replace(shard, number=number, round=round)]
    return shards


def _describe(run: Run, inputs: Sequence[str], changes: InputChanges, again: bool) -> Iterator[str]:
    """Tell the user what happened to the inputs, one line each."""
    given = set(map(trim, inputs))
    if left_out := [name for name in run.inputs if trim(name) not in given]:
        yield f"inputs not given this time, rows kept: {name_some(left_out)}"
    if changes.gone:
        fate = "removed" if again else "kept"
        yield f"inputs no longer there, rows {fate}: {name_some(changes.gone)}"
    if changes.changed:
        fate = "shards done again" if again else "rows kept as they were"
        yield f"inputs changed, {fate}: {name_some([file.name for file in changes.changed])}"
    if changes.unrecorded:
        names = name_some([file.name for file in changes.unrecorded])
        yield (
            "inputs without a record of their state, as in runs of tamis 0.2: whether they changed"
            f" before now cannot be known: {names}"
        )
    if run.version != __version__:
        yield f"the run was begun by tamis {run.version}; what is new is done by {__version__}"


def _describe_missing(run: Run) -> Iterator[str]:
    """Report that earlier shards are done again because files of earlier steps are missing."""
    settings = run.settings
    needed = {"compared": settings.duplicates != "keep", "readings": settings.site_models}
    for folder, is_needed in needed.items():
        if is_needed and not run.folder.list_files(folder):
            yield (
                f"{run.folder.join(folder)} is not there (tamis 0.2 removed it), so all earlier"
                " shards are read again"
            )


# At most 256 kB of a file are read: 1 TB in files of 1 GB takes seconds, not an hour. Most pages
# are smaller, and read whole.
_PIECE, _PIECES = 1 << 14, 16
# Disks and network file systems answer several questions at a time.
_THREADS = 16


@dataclass(slots=True)
class InputChanges:
    """How the input differs from what was recorded."""

    new: list[InputFile] = field(default_factory=list)
    changed: list[InputFile] = field(default_factory=list)
    gone: list[str] = field(default_factory=list)
    unrecorded: list[InputFile] = field(default_factory=list)
    """Planned before facts were recorded: whether they changed cannot be known."""
    touched: list[InputFile] = field(default_factory=list)
    """With another time of change, but the same content."""


def record_facts(files: Iterable[InputFile]) -> list[InputFacts]:
    def record(file: InputFile) -> InputFacts:
        return InputFacts(file.name, file.size, file.modified, file.etag, sample_digest(file))

    with ThreadPoolExecutor(_THREADS) as pool:
        return list(pool.map(record, files))


def sample_digest(file: InputFile) -> str:
    """Hash a local file: all of it up to 256 kB, else 16 pieces of 16 kB spread over the file."""
    if is_remote(file.name):
        return ""
    digest = blake2b(digest_size=16)
    with explain_errors(file.name), open(file.name, "rb", 0) as opened:
        if file.size <= _PIECE * _PIECES:
            digest.update(opened.read())
        else:
            for piece in range(_PIECES):
                opened.seek((file.size - _PIECE) * piece // (_PIECES - 1))
                digest.update(opened.read(_PIECE))
    return digest.hexdigest()


def compare_inputs(
    known: Mapping[str, InputFacts | None], files: Iterable[InputFile], given: Sequence[str]
) -> InputChanges:
    """Compare files with the known facts; `given` are the inputs that were listed."""
    changes = InputChanges()
    there: set[str] = set()
    unsure: list[InputFile] = []
    for file in files:
        there.add(file.name)
        facts = known.get(file.name)
        if facts is None:
            (changes.unrecorded if file.name in known else changes.new).append(file)
            continue
        has_etags = facts.etag and file.etag
        if facts.size != file.size or (has_etags and facts.etag != file.etag):
            changes.changed.append(file)
        elif facts.modified != file.modified and not has_etags:
            unsure.append(file)
    for file, now in zip(unsure, record_facts(unsure), strict=True):
        facts = known[file.name]
        same = facts is not None and now.digest and facts.digest == now.digest
        (changes.touched if same else changes.changed).append(file)
    folders = tuple(join(source.rstrip("/"), "") for source in given)
    changes.gone = [
        name for name in known if name not in there and (name in given or name.startswith(folders))
    ]
    return changes
