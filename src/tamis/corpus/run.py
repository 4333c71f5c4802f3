"""A corpus run: its steps one after the other, how far they are, and what came out."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager, suppress
from dataclasses import dataclass
from typing import Any, NamedTuple

from tamis.corpus.engines._base import Engine, Update
from tamis.corpus.folder import Folder
from tamis.corpus.receipts import RecordCounts, Run, Task, write
from tamis.corpus.steps import steps_of, tidy
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
    with _claimed(run.folder, shared=not alone):
        if not alone:
            return _execute(run, engine, report, rank)
        run.folder.clean()
        try:
            return _execute(run, engine, report, rank)
        finally:
            run.folder.clean()


@contextmanager
def _claimed(folder: Folder, shared: bool) -> Iterator[None]:
    """See that no other command does the same; the lock ends with the process, however it ends."""
    try:
        import fcntl
    except ImportError:  # not on Windows
        yield
        return
    if "://" in folder.address:
        yield
        return
    with ExitStack() as stack:
        with suppress(OSError):  # not every file system has locks
            file = stack.enter_context(open(folder.path(".lock"), "ab"))
            try:
                fcntl.flock(file, (fcntl.LOCK_SH if shared else fcntl.LOCK_EX) | fcntl.LOCK_NB)
            except BlockingIOError as error:
                raise InputError(
                    f"{folder.address}: another command is at work in it; wait for it, or end it"
                ) from error
        yield


def _execute(
    run: Run, engine: Engine, report: Callable[[Progress], None], rank: Rank
) -> CorpusReport:
    started = time.monotonic()
    failed: dict[str, str] = {}
    new = RecordCounts()
    plan = steps_of(run)
    last = list(plan.items())[-1]
    complete = already = _all_done(run, last)
    for step, count in () if complete else plan.items():
        tasks = [Task(step, number) for number in range(count)]
        finished = {task: counts for task in tasks if (counts := run.done(task))}
        mine = [t for t in tasks if t not in finished and t.number % rank.of == rank.number]
        if mine and _all_done(run, last):
            complete = True  # another rank did the rest in the meantime, and tidied up
            break
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
        if failed or not _all_done(run, (step, count)):
            break
    else:
        complete = True
    counts = _total(run, plan)
    seconds = time.monotonic() - started
    summary = CorpusReport(complete, len(run.shards), counts, new, seconds, failed)
    if complete:
        tidy(run)
    if complete and not (already and run.folder.exists("summary.json")):
        write(run.folder, "summary.json", json.dumps(summary.to_dict(), indent=1).encode())
    return summary


def _all_done(run: Run, step: tuple[str, int]) -> bool:
    name, count = step
    return all(run.done(Task(name, number)) is not None for number in range(count))


def _total(run: Run, plan: dict[str, int]) -> RecordCounts:
    """What became of all records that were extracted."""
    total = RecordCounts()
    for number in range(len(run.shards)):
        counts = run.counted(Task("extract", number)) or RecordCounts()
        if "select" in plan and (selected := run.counted(Task("select", number))):
            counts.kept = selected.kept
            counts.rejected.update(selected.rejected)
        total += counts
    return total


def _name(run: Run, task: Task) -> str:
    if task.number < len(run.shards):
        return f"{task.step} {task.number} ({run.shards[task.number].source})"
    return f"{task.step} {task.number}"
