"""The tasks of a step on this machine: as many processes as workers, watched and replaced."""

from __future__ import annotations

import queue
import threading
from collections.abc import Generator, Sequence
from typing import NamedTuple

from tamis.corpus.receipts import RecordCounts as Counts
from tamis.corpus.receipts import Run, Task
from tamis.errors import CrashError, TamisError
from tamis.processes import Lost, Process

ATTEMPTS = 3
"""How often a task is begun whose process dies: each time from its beginning."""


class Update(NamedTuple):
    """News of a task."""

    task: Task
    counts: Counts
    """What became of its records so far."""
    done: bool = False
    error: TamisError | None = None
    """Why it is given up."""


def local(run: Run, tasks: Sequence[Task], workers: int) -> Generator[Update, None, None]:
    """Do the tasks; news come as they go on. Whoever closes the iterator ends the processes."""
    waiting: queue.SimpleQueue[Task] = queue.SimpleQueue()
    news: queue.SimpleQueue[Update] = queue.SimpleQueue()
    for task in tasks:
        waiting.put(task)
    # Few shards for many workers, as of one large file that cannot be cut: several work on each.
    count = min(workers, len(tasks))
    shared = [workers // count + (number < workers % count) for number in range(count)]
    processes = [
        Process("tamis.corpus.tasks:answering", (run.folder.address, each)) for each in shared
    ]
    threads = [
        threading.Thread(target=_work, args=(process, waiting, news), daemon=True)
        for process in processes
    ]
    try:
        for thread in threads:
            thread.start()
        open_tasks = len(tasks)
        while open_tasks:
            update = news.get()
            open_tasks -= update.done or update.error is not None
            yield update
    finally:
        for process in processes:
            process.kill()
        for thread in threads:
            thread.join()
        for process in processes:
            process.end()


def _work(
    process: Process,
    waiting: queue.SimpleQueue[Task],
    news: queue.SimpleQueue[Update],
) -> None:
    while True:
        try:
            task = waiting.get_nowait()
        except queue.Empty:
            return
        lost = ""
        for _ in range(ATTEMPTS):
            try:
                _do(process, task, news)
                break
            except Lost as error:
                if error.reason == "closed":
                    return
                lost = str(error)
            except Exception as error:  # of the system, which has no processes or memory left
                crash = CrashError(f"no process for it ({type(error).__name__}: {error})")
                news.put(Update(task, Counts(), error=crash))
                break
        else:
            crash = CrashError(f"its process {lost}, {ATTEMPTS} times")
            news.put(Update(task, Counts(), error=crash))


def _do(process: Process, task: Task, news: queue.SimpleQueue[Update]) -> None:
    answer = process.ask(task)
    while not isinstance(answer, TamisError):
        counts, done = answer
        news.put(Update(task, counts, done))
        if done:
            return
        answer = process.ask(None)
    news.put(Update(task, Counts(), error=answer))
