"""Processes that answer, are watched, and are replaced when they die; the pool that lends them."""

from __future__ import annotations

import itertools
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from tests import needs

from tamis._runtime import processes
from tamis._runtime.processes import Lost, Pool, Process, read_memory

pytestmark = needs.posix


def doing(settings: Any) -> Callable[[tuple[str, Any]], Any]:
    """Made in the process: what it answers."""
    if settings == "not":
        sys.exit(3)
    if settings == "unable":
        raise ImportError("no module named 'sieve'")
    if isinstance(settings, Path) and not settings.exists():
        settings.touch()
        sys.exit(4)
    held: list[bytes] = []

    def answer(question: Any) -> Any:
        if isinstance(question, list):
            return [answer(item) for item in question]
        command, value = question
        if command == "raise":
            raise KeyError(value)
        if command == "unsendable":
            return lambda: value
        if command == "sleep":
            time.sleep(value)
        elif command == "hold":
            held.append(b"x" * value)
            time.sleep(60)
        elif command == "die":
            os.kill(os.getpid(), value)
        elif command == "print":
            print(value, flush=True)
        return settings, value

    return answer


def process(settings: Any = "usual", **limits: Any) -> Process:
    # pytest imports this file under a name that no other process can import.
    folder = os.path.dirname(__file__)
    if folder not in sys.path:
        sys.path.append(folder)
    return Process("test_processes:doing", settings, **limits)


@pytest.fixture
def usual() -> Iterator[Process]:
    made = process()
    yield made
    made.end()


def test_it_answers_in_a_process_of_its_own(usual: Process) -> None:
    assert usual.pid is None
    assert usual.ask(("echo", [1, "two"])) == ("usual", [1, "two"])
    assert usual.pid not in (None, os.getpid())


def test_one_process_answers_all_questions(usual: Process) -> None:
    usual.ask(("echo", 1))
    first = usual.pid
    assert usual.ask(("echo", 2), seconds=5) == ("usual", 2)
    assert usual.pid == first


def test_what_it_prints_does_not_come_between(usual: Process) -> None:
    assert usual.ask(("print", "hello")) == ("usual", "hello")


def test_a_message_larger_than_the_shared_memory_arrives(usual: Process) -> None:
    large = b"x" * 10_000_000
    assert usual.ask(("echo", large), seconds=10) == ("usual", large)


def test_one_that_takes_too_long_is_ended_and_replaced(usual: Process) -> None:
    usual.ask(("echo", 1))
    first = usual.pid
    with pytest.raises(Lost, match=r"longer than 0\.2 s") as lost:
        usual.ask(("sleep", 30), seconds=0.2)
    assert lost.value.reason == "deadline"
    assert usual.ask(("echo", 2)) == ("usual", 2)
    assert usual.pid != first
    with pytest.raises(ProcessLookupError):
        os.kill(first or 0, 0)


@needs.linux
def test_one_that_takes_too_much_memory_is_ended_and_replaced() -> None:
    made = process(memory=150_000_000)
    try:
        assert made.ask(("echo", 1)) == ("usual", 1)
        with pytest.raises(Lost, match="150,000,000 bytes of memory") as lost:
            made.ask(("hold", 300_000_000))
        assert lost.value.reason == "memory"
        assert made.ask(("echo", 2)) == ("usual", 2)
    finally:
        made.end()


def test_one_that_dies_is_replaced(usual: Process) -> None:
    with pytest.raises(Lost, match="ended by signal 9") as lost:
        usual.ask(("die", signal.SIGKILL))
    assert lost.value.reason == "crash"
    assert usual.ask(("echo", 2)) == ("usual", 2)


@pytest.mark.parametrize(
    ("question", "message"),
    [
        (("echo", lambda: None), r"cannot be asked this \(.*(pickle|local object)"),
        (("raise", "sieve"), "raised KeyError: 'sieve'"),
        (("unsendable", 1), "raised .*(pickle|local object)"),
    ],
)
def test_a_question_that_fails_is_an_error_and_the_process_goes_on(
    usual: Process, question: object, message: str
) -> None:
    usual.ask(("echo", 1))
    first = usual.pid
    with pytest.raises(Lost, match=message) as lost:
        usual.ask(question)
    assert lost.value.reason == "error"
    assert usual.ask(("echo", 2)) == ("usual", 2)
    assert usual.pid == first


def test_what_it_raised_comes_with_its_traceback(usual: Process) -> None:
    with pytest.raises(Lost) as lost:
        usual.ask(("raise", "sieve"))
    assert "in answer\n" in lost.value.__notes__[0]


# Items


def test_items_are_asked_for_at_once_and_after_a_failure_each_alone(usual: Process) -> None:
    items = [("echo", 1), ("die", signal.SIGKILL), ("echo", 2), ("raise", "x"), ("sleep", 30)]
    assert usual.ask_each([]) == []
    assert usual.pid is None
    good, crash, other, error, slow = usual.ask_each(items, seconds=0.5)
    assert (good, other) == (("usual", 1), ("usual", 2))
    assert [lost.reason for lost in (crash, error, slow)] == ["crash", "error", "deadline"]
    assert crash.code == -signal.SIGKILL


def test_no_item_is_blamed_if_there_is_no_process() -> None:
    with pytest.raises(Lost) as lost:
        process("not").ask_each([("echo", 1)])
    assert lost.value.reason == "start"


# Beginning and end


def test_one_that_does_not_begin_says_how_it_ended() -> None:
    with pytest.raises(Lost, match="ended with exit code 3 before it began") as lost:
        process("not").ask(("echo", 1))
    assert lost.value.reason == "start"


def test_one_that_raises_before_it_begins_says_what() -> None:
    with pytest.raises(Lost, match="raised ImportError: no module named 'sieve' before") as lost:
        process("unable").ask(("echo", 1))
    assert lost.value.reason == "start"


def test_one_that_dies_before_it_begins_is_started_again(tmp_path: Path) -> None:
    made = process(tmp_path / "died")
    assert made.ask(("echo", 1)) == (tmp_path / "died", 1)
    made.end()


def test_a_system_that_gives_no_process_is_a_failure_to_start(
    usual: Process, monkeypatch: pytest.MonkeyPatch
) -> None:
    def no_process(*_: object, **__: object) -> None:
        raise BlockingIOError("no process left")

    monkeypatch.setattr(subprocess, "Popen", no_process)
    with pytest.raises(Lost, match=r"could not be started \(BlockingIOError: no p") as lost:
        usual.ask(("echo", 1))
    assert lost.value.reason == "start"


def test_none_begins_after_it_was_killed_for_good(usual: Process) -> None:
    usual.ask(("echo", 1))
    usual.kill()
    for _ in range(2):
        with pytest.raises(Lost) as lost:
            usual.ask(("echo", 2))
        assert lost.value.reason == "closed"


def test_limits_that_do_not_hold_are_said_once(
    usual: Process, monkeypatch: pytest.MonkeyPatch
) -> None:
    processes._warn_that_it_is_off.cache_clear()
    usual.ask(("echo", 1))
    with monkeypatch.context() as patch:
        patch.setattr(os, "name", "nt")
        with pytest.warns(RuntimeWarning, match="limit on time and memory does not hold"):
            assert usual.ask(("echo", 1), seconds=60) == ("usual", 1)
        assert usual.ask(("echo", 2), seconds=60) == ("usual", 2)


def test_the_memory_of_a_process_that_is_not_there_is_none() -> None:
    assert read_memory(2**22 + 1) == 0


@needs.linux
def test_a_limit_on_the_size_of_files_leaves_the_pipe(usual: Process) -> None:
    import resource

    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    ignored = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, before[1]))
    try:
        assert usual.ask(("echo", 1)) == ("usual", 1)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
        signal.signal(signal.SIGXFSZ, ignored)


# The pool


@pytest.fixture
def pool() -> Iterator[Callable[..., Pool[Process]]]:
    made: list[Pool[Process]] = []

    def make(workers: int = 2, **limits: Any) -> Pool[Process]:
        made.append(Pool(workers, lambda kind: process(kind or "usual", **limits)))
        return made[-1]

    yield make
    for each in made:
        each.close()


Pools = Callable[..., Pool[Process]]


def asked(question: object, made: Process) -> Any:
    return made.ask(question)[1]


def test_results_come_in_the_order_of_the_jobs(pool: Pools) -> None:
    ours = pool(3)
    questions = [("sleep", 0.2), *(("echo", number) for number in range(30))]
    jobs = (ours.submit(partial(asked, question)) for question in questions)
    assert list(ours.results(jobs)) == [0.2, *range(30)]


def test_results_come_as_they_are_done_where_the_order_does_not_matter(pool: Pools) -> None:
    ours = pool(2)
    slow_is_done, others_are_done = threading.Event(), threading.Event()

    def slow(made: Process) -> str:
        assert others_are_done.wait(60)
        slow_is_done.set()
        return str(asked(("echo", "slow"), made))

    jobs = [slow, *(partial(asked, ("echo", number)) for number in range(30))]
    results = ours.results(map(ours.submit, jobs), in_order=False)
    assert sorted(itertools.islice(results, 30)) == list(range(30))
    assert not slow_is_done.is_set()
    others_are_done.set()
    assert list(results) == ["slow"]


@pytest.mark.parametrize(("workers", "most"), [(1, 1), (2, 5)])
def test_only_so_many_jobs_are_taken_before_their_results_are(
    pool: Pools, workers: int, most: int
) -> None:
    ours = pool(workers)
    begun = 0

    def endless() -> Iterator[Future[int]]:
        nonlocal begun
        for number in itertools.count():
            begun += 1
            yield ours.submit(partial(asked, ("echo", number)))

    results = ours.results(endless())
    assert begun == 0
    for number in range(50):
        assert next(results) == number
        assert begun - number <= most


def test_what_the_iterator_raises_comes_after_the_results_before(pool: Pools) -> None:
    ours = pool()

    def broken() -> Iterator[Future[int]]:
        for number in range(3):
            yield ours.submit(partial(asked, ("echo", number)))
        raise KeyError("broken")

    results = ours.results(broken())
    assert list(itertools.islice(results, 3)) == [0, 1, 2]
    with pytest.raises(KeyError, match="broken"):
        next(results)


def test_what_a_job_raises_reaches_who_takes_the_results(pool: Pools) -> None:
    ours = pool()
    results = ours.results(map(ours.submit, [partial(asked, ("echo", 1)), partial(asked, None)]))
    assert next(results) == 1
    with pytest.raises(Lost, match="raised TypeError"):
        next(results)
    assert ours.ask(("echo", 2)) == ("usual", 2)


def test_threads_may_ask_single_questions(pool: Pools) -> None:
    ours = pool(2)
    answers: dict[int, Any] = {}

    def ask(number: int) -> None:
        answers[number] = ours.ask(("echo", number), seconds=60)

    threads = [threading.Thread(target=ask, args=(number,)) for number in range(10)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert answers == {number: ("usual", number) for number in range(10)}


def test_a_question_past_a_limit_costs_nothing_but_its_process(pool: Pools) -> None:
    ours = pool(1, memory=150_000_000 if sys.platform == "linux" else None)
    with pytest.raises(Lost) as lost:
        ours.ask(("sleep", 60), seconds=0.2)
    assert lost.value.reason == "deadline"
    with pytest.raises(Lost) as lost:
        ours.ask(("die", signal.SIGABRT))
    assert (lost.value.reason, lost.value.code) == ("crash", -signal.SIGABRT)
    if sys.platform == "linux":
        with pytest.raises(Lost) as lost:
            ours.ask(("hold", 300_000_000))
        assert lost.value.reason == "memory"
    assert ours.ask(("echo", 1)) == ("usual", 1)


def test_processes_are_used_again_and_each_kind_has_its_own(pool: Pools) -> None:
    ours = pool(1)
    pids = {
        kind: {ours.submit(lambda made: (made.ask(("echo", 1)), made.pid)[1], kind).result()}
        for kind in "ab"
    }
    for kind in "aabb":
        assert ours.ask(("echo", 1), kind=kind) == (kind, 1)
        pids[kind].add(ours.submit(lambda made: made.pid, kind).result())
    assert [len(each) for each in pids.values()] == [1, 1]
    assert pids["a"] != pids["b"]


def test_of_many_kinds_some_processes_wait_and_the_rest_are_ended(pool: Pools) -> None:
    ours = pool(2)
    meeting = threading.Barrier(2)

    def meet(made: Process) -> Process:
        made.ask(("echo", 1))
        meeting.wait(60)  # so two processes of the kind are busy at once
        return made

    used = [
        future.result()
        for kind in "abcde"
        for future in [ours.submit(meet, kind), ours.submit(meet, kind)]
    ]
    ours.submit(lambda made: made.pid).result()
    assert len({id(made) for made in used}) == 10
    assert sum(made.pid is not None for made in used) <= 2 + 6


def test_closing_from_another_thread_ends_all_questions(pool: Pools) -> None:
    ours = pool(2)
    assert ours.ask(("echo", 1)) == ("usual", 1)
    futures = [ours.submit(lambda made: made.ask(("sleep", 600))) for _ in range(6)]
    threading.Thread(target=ours.close).start()
    for future in futures:
        lost = future.exception(60)
        assert isinstance(lost, Lost)
        assert lost.reason == "closed"
    with pytest.raises(Lost) as refused:
        ours.ask(("echo", 1))
    assert refused.value.reason == "closed"


def test_leaving_the_pool_ends_its_processes() -> None:
    with Pool(1, lambda _: process()) as ours:
        pid = ours.submit(lambda made: (made.ask(("echo", 1)), made.pid)[1]).result()
        os.kill(pid, 0)
    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)
