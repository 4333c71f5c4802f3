"""A corpus run: its steps one after the other, how far they are, and what came out."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Callable, Collection, Iterable, Sequence
from contextlib import closing
from dataclasses import dataclass
from dataclasses import fields as fields_of
from typing import Any, NamedTuple, Unpack

from tamis.corpus.engines import ENGINES
from tamis.corpus.files import WORKING, Folder
from tamis.corpus.formats import INPUTS, OUTPUTS
from tamis.corpus.growth import CHANGED, Changed
from tamis.corpus.manifest import SUMMARY, RecordCounts, Run, Task, write
from tamis.corpus.planning import ADDRESSES, begin_run
from tamis.corpus.politeness import Politeness
from tamis.corpus.records import Columns, Duplicates, Settings
from tamis.corpus.steps import basis_of, steps_of
from tamis.corpus.tasks import Engine, Update
from tamis.errors import InputError, OptionsError, OutputError
from tamis.options import OptionFields, Options, check_names, choose_options


class Rank(NamedTuple):
    """Which of several commands on the same run this is."""

    number: int = 0
    of: int = 1


_ALONE = Rank()


class Progress:
    """How far a step is."""

    def __init__(self, run: Run, step: str, finished: dict[Task, RecordCounts], tasks: int) -> None:
        self.step = step
        self.tasks = tasks
        self._sizes = [shard.size for shard in run.shards] if tasks == len(run.shards) else None
        self._running: dict[Task, RecordCounts] = {}
        self._earlier = sum(finished.values(), RecordCounts())
        self._done = RecordCounts()
        self.done = len(finished)
        self._done_size = self._earlier_size = sum(map(self._get_size, finished))
        self._started = time.monotonic()

    def update(self, update: Update) -> None:
        self._running[update.task] = update.counts
        if update.done or update.error:
            self._done += self._running.pop(update.task)
            self._done_size += self._get_size(update.task)
            self.done += 1

    @property
    def counts(self) -> RecordCounts:
        """The counts of the step, including earlier commands."""
        return self.new + self._earlier

    def _get_size(self, task: Task) -> int:
        return self._sizes[task.number] if self._sizes else 1

    @property
    def seconds(self) -> float:
        """Since this command began the step."""
        return time.monotonic() - self._started

    @property
    def new(self) -> RecordCounts:
        """The counts of this command."""
        return sum(self._running.values(), self._done)

    @property
    def seconds_left(self) -> float | None:
        """An estimate from the time so far; None before the first task is done."""
        records = self._earlier.records + self._done.records
        if not records or not self._done_size:
            return None
        size = sum(self._sizes) if self._sizes else self.tasks
        each = self._done_size / records
        running = sum(
            min(self._get_size(task), counts.records * each)
            for task, counts in self._running.items()
        )
        reached = self._done_size + running - self._earlier_size
        return self.seconds * (size - self._done_size - running) / reached if reached else None


@dataclass(frozen=True)
class CorpusReport:
    """What came of a run: in this call, and in total."""

    complete: bool
    """Whether all of the run is done."""
    shards: int
    counts: RecordCounts
    """Of all records of the run, so far."""
    new: RecordCounts
    """Of the records that this call extracted."""
    seconds: float
    """That this call took."""
    failed: dict[str, str]
    """Tasks that were given up, and why."""
    new_inputs: int = 0
    """Files or addresses that this call added to a run which was there before."""
    notes: tuple[str, ...] = ()
    """What else this call found: inputs that changed or are gone, and what that means."""

    def to_dict(self) -> dict[str, Any]:
        """Plain values, ready for JSON."""
        rate = self.new.records / self.seconds if self.seconds else 0.0
        return {
            "complete": self.complete,
            "shards": self.shards,
            **self.counts.to_dict(),
            "new_records": self.new.records,
            "seconds": round(self.seconds, 2),
            "records_per_second": round(rate, 1),
            "failed": self.failed,
            "new_inputs": self.new_inputs,
            "notes": list(self.notes),
        }


def execute(
    run: Run,
    engine: Engine,
    report: Callable[[Progress], None] = lambda progress: None,
    rank: Rank = _ALONE,
) -> CorpusReport:
    """Do what is left of a run, and write `summary.json` when all is done.

    A task that fails does not stop the others of its step, unless the output cannot be written.
    """
    alone = rank.of == 1
    with run.folder.lock(WORKING, shared=not alone) as free:
        if not free:
            raise InputError(
                f"{run.folder.address}: another command is at work in it; wait for it, or end it"
            )
        if not alone:
            return _execute(run, engine, report, rank)
        run.folder.clean()
        try:
            return _execute(run, engine, report, rank)
        finally:
            run.folder.clean()


def _execute(
    run: Run, engine: Engine, report: Callable[[Progress], None], rank: Rank
) -> CorpusReport:
    started = time.monotonic()
    failed: dict[str, str] = {}
    new = RecordCounts()
    plan = steps_of(run)
    complete = already = _is_complete(run, plan)
    for step, count in () if complete else plan.items():
        tasks = [Task(step, number) for number in range(count)]
        finished = {task: counts for task in tasks if (counts := _find_counts(run, task))}
        mine = [t for t in tasks if t not in finished and t.number % rank.of == rank.number]
        progress = Progress(run, step, finished, count)
        report(progress)
        with closing(engine(run, mine)) as updates:
            for update in updates:
                if isinstance(update.error, OutputError):
                    raise update.error
                if update.error:
                    number = update.task.number
                    source = f" ({run.shards[number].source})" if number < len(run.shards) else ""
                    failed[f"{step} {number}{source}"] = str(update.error)
                progress.update(update)
                report(progress)
        if step == "extract":
            new = progress.new
        if failed or not all(_find_counts(run, task) for task in tasks):
            break
    else:
        complete = True
    summary = CorpusReport(
        complete,
        len(run.shards),
        _sum_counts(run, plan),
        new,
        time.monotonic() - started,
        failed,
        run.new_inputs,
        run.notes,
    )
    if complete and not (already and run.folder.has_file(SUMMARY)):
        write(run.folder, SUMMARY, json.dumps(summary.to_dict(), indent=1).encode())
    return summary


def _find_counts(run: Run, task: Task, *, with_files: bool = True) -> RecordCounts | None:
    return run.find_counts(task, basis_of(run, task), with_files=with_files)


def _is_complete(run: Run, plan: dict[str, int]) -> bool:
    """Whether all rows are there and rest on the whole plan. Files of earlier steps may be gone."""
    last = [*plan][-1]
    return all(
        _find_counts(run, Task(step, number), with_files=step == last) is not None
        for step in reversed(plan)
        for number in range(plan[step])
    )


def _sum_counts(run: Run, plan: dict[str, int]) -> RecordCounts:
    """What became of all records that were extracted."""
    total = RecordCounts()
    for number in range(len(run.shards)):
        counts = _find_counts(run, Task("extract", number), with_files=False) or RecordCounts()
        task = Task("select", number)
        if "select" in plan and (selected := _find_counts(run, task, with_files=False)):
            counts.kept = selected.kept
            counts.rejected.update(selected.rejected)
        total += counts
    return total


class CorpusFields(OptionFields, total=False):
    """What you can choose beside the fields of `Options`: the options of `tamis corpus`."""

    format: str
    also: Sequence[str]
    describe: bool
    languages: Sequence[str]
    page_types: Sequence[str]
    min_words: int
    min_probability: float
    duplicates: Duplicates
    site_models: bool
    rejects: bool
    memory: int
    html_column: str
    url_column: str
    id_column: str
    date_column: str
    per_host: int
    delay: float
    user_agent: str
    robots: bool
    allow_private: bool


_OWN = CorpusFields.__annotations__.keys() - OptionFields.__annotations__.keys()
_COLUMN = "_column"
_POLITENESS = {field.name for field in fields_of(Politeness)} & _OWN
_SEVERAL = ("also", "languages", "page_types")


def extract_corpus(
    inputs: str | os.PathLike[str] | Iterable[str | os.PathLike[str]],
    output: str | os.PathLike[str],
    *,
    input_format: str | None = None,
    engine: str = "local",
    workers: int | None = None,
    address: str | None = None,
    rank: tuple[int, int] = (0, 1),
    changed: Changed = "refuse",
    on_progress: Callable[[Progress], None] = lambda progress: None,
    on_fetch: Callable[[int, int, int], None] = lambda done, of, failed: None,
    options: Options | None = None,
    **fields: Unpack[CorpusFields],
) -> CorpusReport:
    """Extract all pages of the input to a table in the folder `output`, one row per page.

    `inputs` are files or folders of WARC, HTML, JSONL or Parquet, or addresses: a .txt file with
    one per line, or the addresses themselves. The keywords are the options of `tamis corpus`:
    `format`, `languages`, `min_words`, `duplicates` ..., and every field of `Options`.

    What was interrupted goes on with the same call, byte for byte as if it had not been. Inputs
    that are new since then are added. Inputs that changed are refused, done `again`, or their rows
    are kept (`changed="keep"`). A shard that fails does not stop the others: `report.failed` says
    which and why.

    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     page = Path(folder, "page.html")
    ...     _ = page.write_text("<html lang=en><p>A tamis is a sieve, and the finest of them.")
    ...     report = extract_corpus(page, Path(folder, "out"), format="jsonl", languages="english")
    >>> report.complete, report.counts.kept, dict(report.counts.rejected)
    (True, 1, {})
    """
    check_names(fields, [*CorpusFields.__annotations__])
    _check_known("format", fields.get("format", next(iter(OUTPUTS))), OUTPUTS)
    _check_known("engine", engine, ENGINES)
    _check_known("changed", changed, CHANGED)
    if input_format is not None:
        _check_known("input_format", input_format, [*INPUTS, ADDRESSES])
    if workers is not None and workers < 1:
        raise OptionsError(f"workers is {workers}; give 1 or more, or None for one per processor")
    if not 0 <= rank[0] < rank[1]:
        raise OptionsError(f"rank is {rank}; give (0, 8) for the first of 8 parts, to (7, 8)")
    given = [inputs] if isinstance(inputs, str | os.PathLike) else inputs
    sources = [os.fspath(source) for source in given]
    settings = _make_settings(options, fields)
    polite: dict[str, Any] = {name: value for name, value in fields.items() if name in _POLITENESS}
    politeness = Politeness(**polite, max_bytes=settings.options.max_bytes)
    start = ENGINES[engine].start(workers, address)
    folder = Folder(os.fspath(output))
    run = begin_run(sources, folder, settings, input_format, politeness, on_fetch, changed)
    report = execute(run, start, on_progress, Rank(*rank))
    if report.complete and not report.counts.records:
        raise InputError(f"{folder.address}: no rows, as there are no records in the input")
    return report


def _make_settings(options: Options | None, fields: Any) -> Settings:
    own = {name: value for name, value in fields.items() if name in _OWN - _POLITENESS}
    for name in own.keys() & set(_SEVERAL):
        value = own[name]
        own[name] = (value,) if isinstance(value, str) else tuple(value)
    columns = {name: own.pop(name) for name in [*own] if name.endswith(_COLUMN)}
    changes = {name: value for name, value in fields.items() if name not in _OWN}
    return Settings(
        **own | {"also": tuple(sorted(set(own.get("also", ()))))},
        options=choose_options(options or Settings().options, changes),
        columns=Columns(**{name.removesuffix(_COLUMN): value for name, value in columns.items()}),
    )


def _check_known(name: str, value: str, known: Collection[str]) -> None:
    if value not in known:
        raise OptionsError(f"{name} is {value!r}; give one of {', '.join(known)}")
