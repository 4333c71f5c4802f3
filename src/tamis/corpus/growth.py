"""How the plan of a run grows: new inputs, and inputs that changed or are gone.

New files get shards after the existing ones, so what was done stays valid. Files that are to be
read again keep the numbers of their shards; the shards get the number of the new planning round,
which voids their receipts.
"""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Literal, NamedTuple, get_args

from tamis._runtime.version import __version__
from tamis.corpus.formats import INPUTS
from tamis.corpus.formats._base import Input
from tamis.corpus.formats.files import InputFile, join
from tamis.corpus.inputs import InputChanges, InputFacts, compare_inputs, record_facts
from tamis.corpus.receipts import InputNews, Run, Task, name_some, trim
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
    """The input files of a run, with what was recorded about them."""
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
    """Plan what is new in the inputs of a run, and what is to be done again."""
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
    return replace(run, news=InputNews(count, tuple(notes)))


def _files_of(shard: Shard) -> dict[str, str]:
    """The names of the files that a shard has pages of, and how the shard names them."""
    if INPUTS[shard.format].page_per_file:
        return {join(shard.source, name): name for name in shard.files}
    return {} if shard.is_empty else {shard.source: shard.source}


def _check_changed(run: Run, files: Sequence[InputFile], changed: Changed) -> None:
    """An `InputError` if files changed, and what to do about it was not said or cannot be done."""
    if not files or changed == "again":
        return
    names = {file.name for file in files}
    if changed == "refuse":
        raise InputError(
            f"{run.folder.path('')}: inputs changed in the meantime"
            f" ({name_some(sorted(names))}); add --changed again to do the shards again, or"
            " --changed keep to keep the rows"
        )
    unfinished = {
        name
        for shard in run.shards
        if names.intersection(_files_of(shard)) and not _is_extracted(run, shard.number)
        for name in names.intersection(_files_of(shard))
    }
    if unfinished:
        raise InputError(
            f"{run.folder.path('')}: {name_some(sorted(unfinished))}: changed before all rows were"
            " written, so there is nothing to keep; add --changed again to read it as it is now"
        )


def _is_extracted(run: Run, number: int) -> bool:
    task = Task("extract", number)
    return run.done(task, basis_of(run, task)) is not None


def _plan_again(
    run: Run,
    groups: Sequence[Input],
    changes: InputChanges,
    cut: Callable[[Sequence[Input]], list[Shard]],
) -> list[Shard]:
    """The shards of a run with those of new files, and others for files that changed or are gone.

    A shard of pages is done again without those that are gone. Any other file is cut anew: its
    first shards take the numbers that it had, and a number that it no longer needs stays empty.
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
        shards[shard.number] = shard.emptied(round)
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
    """What the user has to know about the inputs, one line each."""
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
    """Say so if earlier shards are done again because of what is not kept there any more."""
    settings = run.settings
    needed = {"compared": settings.duplicates != "keep", "readings": settings.site_models}
    for folder, is_needed in needed.items():
        if is_needed and not run.folder.names(folder):
            yield (
                f"{run.folder.path(folder)} is not there (tamis 0.2 removed it), so all earlier"
                " shards are read again"
            )
