"""The tasks of a step on this machine: as many processes as workers, watched and replaced."""

from __future__ import annotations

import queue
from collections.abc import Generator, Sequence
from functools import partial

from tamis._runtime.processes import Lost, Pool, Process, count_processors
from tamis.corpus.manifest import RecordCounts, Run, Task
from tamis.corpus.tasks import Engine, EngineKind, Update
from tamis.errors import CrashError, InputError, TamisError

ATTEMPTS = 3
"""How often a task is begun whose process dies: each time from its beginning."""


def do_tasks_here(run: Run, tasks: Sequence[Task], workers: int) -> Generator[Update, None, None]:
    """Do the tasks and yield updates. Closing the iterator ends the processes."""
    if not tasks:
        return
    news: queue.SimpleQueue[Update] = queue.SimpleQueue()
    count = min(workers, len(tasks))

    def process(share: int) -> Process:
        return Process("tamis.corpus.tasks:make_worker", (run.folder.address, share))

    with Pool(count, process) as pool:
        # Few shards for many workers, as of one large file that cannot be cut: several for each.
        for number, task in enumerate(tasks):
            share = workers // count + (number < workers % count)
            pool.submit(partial(_do, task, news), share)
        open_tasks = len(tasks)
        while open_tasks:
            update = news.get()
            open_tasks -= update.done or update.error is not None
            yield update


def _do(task: Task, news: queue.SimpleQueue[Update], process: Process) -> None:
    for _ in range(ATTEMPTS):
        try:
            answer = process.ask(task)
            while not isinstance(answer, TamisError):
                counts, done = answer
                news.put(Update(task, counts, done))
                if done:
                    return
                answer = process.ask(None)
            break
        except Lost as lost:
            if lost.blameless:
                answer = CrashError(f"its process {lost}")
                break
            answer = CrashError(f"its process {lost}, {ATTEMPTS} times")
    news.put(Update(task, RecordCounts(), error=answer))


def _start(workers: int | None, address: str | None) -> Engine:
    if address:
        raise InputError("--address is that of a Ray cluster; give --engine ray, too")
    return partial(do_tasks_here, workers=workers or count_processors())


LOCAL: EngineKind = EngineKind("local", "by processes here", _start)
