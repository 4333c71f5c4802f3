"""Does the tasks of a run: whoever it is and wherever, from the output folder and their names."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from typing import Any

from tamis.corpus.folder import Folder
from tamis.corpus.receipts import RecordCounts, Run, Task
from tamis.corpus.records import Record, Reject
from tamis.corpus.shard import Watched, pass_through
from tamis.corpus.steps import STEPS, basis_of
from tamis.corpus.steps._base import Job
from tamis.errors import TamisError

# Seconds of work between two reports of a task.
_REPORT_SECONDS = 0.5


class TaskWorker:
    """Does tasks of a run one after the other; the processes they need are kept."""

    def __init__(self, run: Run, processes: int = 1) -> None:
        self.run = run
        self._count = processes
        self._watched: dict[str, tuple[object, Watched[Any]]] = {}

    def work(self, task: Task) -> Iterator[RecordCounts]:
        """Do a task; what became of the records so far comes as it goes on."""
        job = Job(self.run, task.number, self._ask)
        basis = basis_of(self.run, task)
        for _ in STEPS[task.step].work(job):
            yield job.counts
        self.run.finish(task, job.counts, job.files, basis)
        yield job.counts

    def close(self) -> None:
        """End the processes."""
        for _, watched in self._watched.values():
            watched.end()

    def _ask(
        self, function: str, made_from: object, records: Iterator[Record | Reject]
    ) -> Iterator[Any]:
        before, watched = self._watched.get(function, (None, None))
        if watched is None or before != made_from:
            if watched:
                watched.end()
            watched = Watched[Any](function, made_from, self.run.settings, self._count)
            self._watched[function] = made_from, watched
        return pass_through(watched, records)


# In a process of its own


def make_worker(
    made_from: tuple[str, int],
) -> Callable[[Task | None], tuple[RecordCounts, bool] | TamisError]:
    """What a process that does tasks answers: to a task, how far it is after a while.

    It is made from the output folder and the number of processes that extract for it. Asked for
    None it goes on, so whoever asks sees the progress, and one that nobody asks any more ends.
    """
    output, processes = made_from
    worker = TaskWorker(Run.open(Folder(output)), processes)
    working: Iterator[RecordCounts] = iter(())
    counts = RecordCounts()

    def answer(task: Task | None) -> tuple[RecordCounts, bool] | TamisError:
        nonlocal working, counts
        if task is not None:
            working = worker.work(task)
        until = time.monotonic() + _REPORT_SECONDS
        try:
            for counts in working:
                if time.monotonic() > until:
                    return counts, False
        except TamisError as error:
            return error.with_traceback(None)
        return counts, True

    return answer
