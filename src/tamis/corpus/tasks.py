"""Do the tasks of a run in any process, given the output folder and their names."""

from __future__ import annotations

import time
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Generic, NamedTuple, TypeVar

from tamis._runtime.processes import Lost, Pool, Process
from tamis.corpus.files import Folder
from tamis.corpus.manifest import RecordCounts, Run, Task
from tamis.corpus.records import Record, Reject, Settings
from tamis.corpus.steps import STEPS, basis_of
from tamis.corpus.steps._base import Job
from tamis.errors import CrashError, TamisError
from tamis.many import make_batches

_T = TypeVar("_T")

# Seconds of work between two reports of a task.
_REPORT_SECONDS = 0.5


@dataclass
class TaskWorker:
    """Does the tasks of a run one after the other and keeps the processes they need."""

    run: Run
    processes: int = 1
    _watched: dict[str, tuple[object, Watched[Any]]] = field(default_factory=dict)

    def do_task(self, task: Task) -> Iterator[RecordCounts]:
        """Do a task and yield its counts as it goes on."""
        job = Job(self.run, task.number, self._ask)
        basis = basis_of(self.run, task)
        for _ in STEPS[task.step].work(job):
            yield job.counts
        self.run.finish(task, job.counts, job.files, basis)
        yield job.counts

    def close(self) -> None:
        for _, watched in self._watched.values():
            watched.end()

    def _ask(
        self, function: str, made_from: object, records: Iterator[Record | Reject]
    ) -> Iterator[Any]:
        before, watched = self._watched.get(function, (None, None))
        if watched is None or before != made_from:
            if watched:
                watched.end()
            watched = Watched[Any](function, made_from, self.run.settings, self.processes)
            self._watched[function] = made_from, watched
        return process_records(watched, records)


# In a process of its own


def make_worker(
    made_from: tuple[str, int],
) -> Callable[[Task | None], tuple[RecordCounts, bool] | TamisError]:
    """Make the function that answers in a process that does tasks.

    `made_from` is the output folder and the number of processes to extract with. Given a task, the
    function does a bit of it and returns its counts and whether it is done; given None, it goes on.
    """
    output, processes = made_from
    worker = TaskWorker(Run.open(Folder(output)), processes)
    working: Iterator[RecordCounts] = iter(())
    counts = RecordCounts()

    def answer(task: Task | None) -> tuple[RecordCounts, bool] | TamisError:
        nonlocal working, counts
        if task is not None:
            working = worker.do_task(task)
        until = time.monotonic() + _REPORT_SECONDS
        try:
            for counts in working:
                if time.monotonic() > until:
                    return counts, False
        except TamisError as error:
            return error.with_traceback(None)
        return counts, True

    return answer


class Update(NamedTuple):
    """What became of a task so far."""

    task: Task
    counts: RecordCounts
    """What became of its records so far."""
    done: bool = False
    error: TamisError | None = None
    """Why it is given up."""


Engine = Callable[[Run, Sequence[Task]], Generator[Update, None, None]]
"""Does the tasks of a step, wherever; it is closed when nobody waits for them any more."""


@dataclass(frozen=True)
class EngineKind:
    """An engine that you can choose by name."""

    name: str
    place: str
    """Where the work is done, in words."""
    start: Callable[[int | None, str | None], Engine]
    """Makes it from a number of workers and an address; an `InputError` if it cannot begin."""


_LOST = {"deadline": "too slow", "memory": "too much memory"}
# What a process gets beyond the limit of a page, which ends the page itself with a better message.
_GRACE_SECONDS = 1.0


class Watched(Generic[_T]):
    """Processes that make a `_T` of each record; `function` and `made_from` as for `Process`."""

    def __init__(
        self, function: str, made_from: object, settings: Settings, workers: int = 1
    ) -> None:
        self.pool = Pool(workers, lambda _: Process(function, made_from, settings.memory))
        self.end = self.pool.close
        self._seconds = settings.options.max_seconds + _GRACE_SECONDS

    def ask(self, batch: Sequence[Record | Reject], process: Process) -> list[_T | Reject]:
        """Process a batch; a record that makes its process fail becomes a reject."""
        records = [record for record in batch if isinstance(record, Record)]
        answers = iter(process.ask_each(records, self._seconds))
        return [_place_answers(record, answers) for record in batch]


def _place_answers(record: Record | Reject, answers: Iterator[_T | Reject | Lost]) -> _T | Reject:
    if isinstance(record, Reject):
        return record
    answer = next(answers)
    if isinstance(answer, Lost):
        reason = _LOST.get(answer.reason, "crash")
        return Reject(record.id, record.url, reason, f"its process {answer}")
    return answer


def process_records(
    watched: Watched[_T], records: Iterable[Record | Reject]
) -> Iterator[_T | Reject]:
    """Process records in order; rejects among them pass through unchanged."""
    jobs = (partial(watched.ask, batch) for batch in make_batches(records, _count_bytes))
    try:
        for answers in watched.pool.results(map(watched.pool.submit, jobs)):
            yield from answers
    except Lost as lost:
        raise CrashError(f"a process for the extraction {lost}") from lost


def _count_bytes(record: Record | Reject) -> int:
    return len(record.body) if isinstance(record, Record) else 0
