"""The tasks of a step on a Ray cluster: each is done wherever there is a free processor.

Only the name of a task goes there and only its counts come back; pages and rows go from the input
to the output, which every machine must see. A machine that dies takes its tasks with it, and Ray
begins them anew elsewhere: a task that was not finished left nothing.

A process of its own speaks to Ray, which otherwise waits for minutes where nobody listens, prints
to the standard output of its caller and takes its signals.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Generator, Iterator, Sequence
from functools import lru_cache, partial
from itertools import islice
from typing import Any, NamedTuple

from tamis._runtime.libraries import check_installed
from tamis._runtime.processes import Lost, Process, count_processors
from tamis.corpus.files import Folder
from tamis.corpus.manifest import RecordCounts, Run, Task
from tamis.corpus.tasks import Engine, EngineKind, TaskWorker, Update
from tamis.errors import CrashError, InputError, TamisError

_HERE = "local"
# How often a task is begun anew whose machine or process died: cheap machines are taken away often.
_RETRIES = 5
# Tasks per processor that Ray knows of: all have work, and a long plan does not fill Ray's memory.
_AHEAD = 4
# A cluster that runs is joined within 2 s, one of this machine is started within 8 s; a busy
# machine takes ten times as long.
_JOIN_SECONDS, _START_SECONDS = 30.0, 120.0
# Most time between two answers of the process that speaks to Ray.
_LOOK_SECONDS = 0.5


class Driven(NamedTuple):
    """What the process that speaks to Ray is made from."""

    output: str
    tasks: tuple[Task, ...]
    head: str


def do_tasks_on_cluster(
    run: Run, tasks: Sequence[Task], address: str | None = None
) -> Generator[Update, None, None]:
    """Do the tasks and yield an update for each. Closing the iterator cancels the rest.

    `address` is the head of a running cluster, by default that of the environment variable
    `RAY_ADDRESS`. Without either, a cluster runs on this machine until the tasks are done.
    """
    if not tasks:
        return
    output = run.folder.address
    if "://" not in output:
        output = os.path.abspath(output)  # the others work elsewhere
    process = _join_cluster(output, tasks, _find_head(address))
    try:
        left = len(tasks)
        while left:
            for update in process.ask(None):
                left -= 1
                yield update
    except Lost as lost:
        raise CrashError(
            f"lost the Ray cluster: the process that speaks to it {lost}; the same command goes on"
        ) from None
    finally:
        process.end()


def check_cluster(address: str | None = None) -> None:
    """Raise an `InputError` if a run on that cluster cannot begin."""
    if (head := _find_head(address)) != _HERE:
        _join_cluster("", (), head).end()


def _find_head(address: str | None) -> str:
    check_installed("ray", "--engine ray", "ray")
    return address or os.environ.get("RAY_ADDRESS") or _HERE


def _join_cluster(output: str, tasks: Sequence[Task], head: str) -> Process:
    """Start a process that speaks to Ray, and wait until it does."""
    process = Process("tamis.corpus.engines.ray:drive_ray", Driven(output, tuple(tasks), head))
    failure = "interrupted"
    try:
        failure = process.ask(None, _START_SECONDS if head == _HERE else _JOIN_SECONDS)
    except Lost as lost:
        failure = str(lost)
    finally:
        if failure:
            process.end()
    if failure and head == _HERE:
        raise InputError(f"no Ray cluster could be started here: {failure}")
    if failure:
        raise InputError(
            f"--address {head}: no Ray cluster that this machine belongs to ({failure}); give the"
            " HOST:PORT that `ray start --head` prints, on a machine of the cluster"
        )
    return process


# In the process that speaks to Ray


def drive_ray(made_from: Driven) -> Callable[[None], str | list[Update]]:
    """Make the function that answers: first why it could not join, then what became of tasks."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
    news = _collect_news(made_from)
    return lambda _: next(news)


def _collect_news(made_from: Driven) -> Iterator[str | list[Update]]:
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
    import ray

    here = {"num_cpus": count_processors(), "include_dashboard": False}
    try:
        ray.init(made_from.head, log_to_driver=False, **here if made_from.head == _HERE else {})
    except Exception as error:  # Ray raises whatever it met: one line says what
        yield _last_line(error)
        return
    yield ""
    remote = ray.remote(num_cpus=1, max_retries=_RETRIES)(_do)
    waiting, left = iter(made_from.tasks), len(made_from.tasks)
    flying: dict[Any, Task] = {}
    while left:
        room = _AHEAD * max(1, int(ray.cluster_resources().get("CPU", 0))) - len(flying)
        for task in islice(waiting, max(0, room)):
            flying[remote.remote(made_from.output, task)] = task
        done, _ = ray.wait(list(flying), num_returns=len(flying), timeout=_LOOK_SECONDS)
        news = [_update(flying.pop(answer), answer) for answer in done]
        left -= len(news)
        if not left:
            ray.shutdown()
        yield news


def _update(task: Task, done: Any) -> Update:
    import ray

    try:
        answer: RecordCounts | TamisError = ray.get(done)
    except ray.exceptions.RayError as error:
        answer = CrashError(_last_line(error))
    if isinstance(answer, TamisError):
        return Update(task, RecordCounts(), error=answer)
    return Update(task, answer, done=True)


def _last_line(error: Exception) -> str:
    """The last line of a message, which of a traceback says what happened."""
    return str(error).strip().rpartition("\n")[2] or type(error).__name__


# On the cluster


def _do(output: str, task: Task) -> RecordCounts | TamisError:
    try:
        *_, counts = _get_worker(output).do_task(task)
    except TamisError as error:
        return error.with_traceback(None)
    return counts


@lru_cache(1)
def _get_worker(output: str) -> TaskWorker:
    """The worker of this process, which belongs to one run only."""
    try:
        return TaskWorker(Run.open(Folder(output)))
    except InputError as error:
        raise InputError(f"{error}; every machine of the cluster must see it") from None


def _start(workers: int | None, address: str | None) -> Engine:
    if workers:
        raise InputError("--workers are processes here; a Ray cluster has its own")
    check_cluster(address)
    return partial(do_tasks_on_cluster, address=address)


RAY: EngineKind = EngineKind("ray", "on a Ray cluster", _start)
