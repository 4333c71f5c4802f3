"""A process that answers, is watched, and is replaced when it dies."""

from __future__ import annotations

import os
import signal
import sys
import time
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from tamis.processes import Lost, Process, memory_of

pytestmark = pytest.mark.skipif(os.name != "posix", reason="other systems are not watched")


def doing(settings: Any) -> Callable[[tuple[str, Any]], Any]:
    """Made in the process: what it answers."""
    if settings == "not":
        sys.exit(3)
    held: list[bytes] = []

    def answer(question: tuple[str, Any]) -> Any:
        what, value = question
        if what == "sleep":
            time.sleep(value)
        elif what == "hold":
            held.append(b"x" * value)
            time.sleep(2)
        elif what == "die":
            os.kill(os.getpid(), value)
        elif what == "print":
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
    one = process()
    yield one
    one.end()


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
    started = time.monotonic()
    with pytest.raises(Lost, match=r"longer than 0\.2 s") as lost:
        usual.ask(("sleep", 30), seconds=0.2)
    assert lost.value.reason == "deadline"
    assert time.monotonic() - started < 10
    assert usual.ask(("echo", 2)) == ("usual", 2)
    assert usual.pid != first
    with pytest.raises(ProcessLookupError):
        os.kill(first or 0, 0)


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells the memory of a process")
def test_one_that_takes_too_much_memory_is_ended_and_replaced() -> None:
    one = process(memory=150_000_000)
    try:
        assert one.ask(("echo", 1)) == ("usual", 1)
        with pytest.raises(Lost, match="150,000,000 bytes of memory") as lost:
            one.ask(("hold", 300_000_000))
        assert lost.value.reason == "memory"
        assert one.ask(("echo", 2)) == ("usual", 2)
    finally:
        one.end()


def test_one_that_dies_is_replaced(usual: Process) -> None:
    with pytest.raises(Lost, match="ended by signal 9") as lost:
        usual.ask(("die", signal.SIGKILL))
    assert lost.value.reason == "crash"
    assert usual.ask(("echo", 2)) == ("usual", 2)


def test_a_question_that_cannot_be_sent_is_an_error_and_the_next_is_answered(
    usual: Process,
) -> None:
    with pytest.raises(Exception, match=r"pickle|local object"):
        usual.ask(("echo", lambda: None))
    assert usual.ask(("echo", 2)) == ("usual", 2)


def test_one_that_does_not_begin_says_how_it_ended() -> None:
    with pytest.raises(Lost, match="ended with exit code 3") as lost:
        process("not").ask(("echo", 1))
    assert lost.value.reason == "start"


def test_none_begins_after_it_was_killed_for_good(usual: Process) -> None:
    usual.ask(("echo", 1))
    usual.kill()
    with pytest.raises(Lost):
        usual.ask(("echo", 2))
    with pytest.raises(Lost) as lost:
        usual.ask(("echo", 2))
    assert lost.value.reason == "closed"


def test_the_memory_of_a_process_that_is_not_there_is_none() -> None:
    assert memory_of(2**22 + 1) == 0


@pytest.mark.skipif(sys.platform != "linux", reason="other systems have no such memory")
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
