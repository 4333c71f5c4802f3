"""A corpus run: its steps one after the other, how far they are, and what came out."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass
from typing import Any, NamedTuple

from tamis.corpus.engines._base import Engine, Update
from tamis.corpus.folder import WORKING
from tamis.corpus.receipts import SUMMARY, RecordCounts, Run, Task, write
from tamis.corpus.steps import basis_of, steps_of
from tamis.errors import InputError, OutputError


class Rank(NamedTuple):
    """Which of several commands on the same run this one is."""

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
        self._done = self._earlier = sum(finished.values(), RecordCounts())
        self.done = len(finished)
        self._done_size = self._earlier_size = sum(map(self._size, finished))
        self._started = time.monotonic()

    def update(self, update: Update) -> None:
        """Take news into account."""
        self._running[update.task] = update.counts
        if update.done or update.error:
            self._done += self._running.pop(update.task)
            self._done_size += self._size(update.task)
            self.done += 1

    @property
    def counts(self) -> RecordCounts:
        """Of the step, with what earlier commands did."""
        return sum(self._running.values(), self._done)

    def _size(self, task: Task) -> int:
        return self._sizes[task.number] if self._sizes else 1

    @property
    def seconds(self) -> float:
        """Since the step began, in this command."""
        return time.monotonic() - self._started

    @property
    def new(self) -> RecordCounts:
        """What this command did."""
        return self.counts - self._earlier

    @property
    def seconds_left(self) -> float | None:
        """A guess from the time so far; None before the first task is done."""
        if not self._done.records or not self._done_size:
            return None
        size = sum(self._sizes) if self._sizes else self.tasks
        each = self._done_size / self._done.records
        running = sum(
            min(self._size(task), counts.records * each) for task, counts in self._running.items()
        )
        reached = self._done_size + running - self._earlier_size
        return self.seconds * (size - self._done_size - running) / reached if reached else None


@dataclass(frozen=True)
class CorpusReport:
    """What came of a run: what this call did of it, and all so far."""

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

    A task that fails does not stop the others of its step, unless nothing can be written any more.
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
        finished = {task: counts for task in tasks if (counts := _done(run, task))}
        mine = [t for t in tasks if t not in finished and t.number % rank.of == rank.number]
        progress = Progress(run, step, finished, count)
        report(progress)
        with closing(engine(run, mine)) as news:
            for update in news:
                if isinstance(update.error, OutputError):
                    raise update.error
                if update.error:
                    failed[_name(run, update.task)] = str(update.error)
                progress.update(update)
                report(progress)
        if step == "extract":
            new = progress.new
        if failed or not all(_done(run, task) for task in tasks):
            break
    else:
        complete = True
    counts = _total(run, plan)
    seconds = time.monotonic() - started
    found = run.news
    summary = CorpusReport(
        complete, len(run.shards), counts, new, seconds, failed, found.new, found.notes
    )
    if complete and not (already and run.folder.exists(SUMMARY)):
        write(run.folder, SUMMARY, json.dumps(summary.to_dict(), indent=1).encode())
    return summary


def _done(run: Run, task: Task) -> RecordCounts | None:
    return run.done(task, basis_of(run, task))


def _is_complete(run: Run, plan: dict[str, int]) -> bool:
    """Whether the rows are there, and rest on all that is planned.

    What the earlier steps wrote may be gone: it is only needed for new inputs.
    """
    *earlier, last = (
        [Task(step, number) for number in range(count)] for step, count in plan.items()
    )
    return all(_done(run, task) is not None for task in last) and all(
        run.counted(task, basis_of(run, task)) is not None for tasks in earlier for task in tasks
    )


def _total(run: Run, plan: dict[str, int]) -> RecordCounts:
    """What became of all records that were extracted."""
    total = RecordCounts()
    for number in range(len(run.shards)):
        task, selection = Task("extract", number), Task("select", number)
        counts = run.counted(task, basis_of(run, task)) or RecordCounts()
        if "select" in plan and (selected := run.counted(selection, basis_of(run, selection))):
            counts.kept = selected.kept
            counts.rejected.update(selected.rejected)
        total += counts
    return total


def _name(run: Run, task: Task) -> str:
    if task.number < len(run.shards):
        return f"{task.step} {task.number} ({run.shards[task.number].source})"
    return f"{task.step} {task.number}"
