"""The one pool of processes: watched, ended past their limits, replaced, answered in order.

A `Process` answers one question at a time. A `Pool` has several of them and lends them to jobs.
All that goes wrong with a question is a `Lost`.

Not `multiprocessing`: its fork is unsafe once there are threads (numpy and our callers start some),
its spawn and forkserver run the caller's script again, which without an
`if __name__ == "__main__"` ends in an error. A process of ours runs nothing but `serve`.
"""

from __future__ import annotations

import math
import os
import pickle
import sys
import threading
import time
from collections import defaultdict, deque
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from contextlib import suppress
from functools import cache
from itertools import chain
from typing import TYPE_CHECKING, Any, Generic, Literal, Self, TypeVar

from tamis._runtime.channel import GONE, Channel, make_shared_memory, map_memory

if TYPE_CHECKING:
    from concurrent.futures import Future
    from subprocess import Popen

_T = TypeVar("_T")
_P = TypeVar("_P", bound="Process")

# Between two looks at a process that has not answered yet. Most answers come sooner.
_LOOK_SECONDS = 0.05
# How often it is tried to start a process, and how long each may take; newspaper4k takes 2 s.
_STARTS = 3
_START_SECONDS = 120.0 if os.name == "posix" else math.inf
# Begun jobs per worker whose results nobody took yet: all have work, and memory is bounded.
_AHEAD = 2

# What malloc of glibc gives back to the system after a page it asks for again with the next: 2 of
# 100 parts of the time. A worker's memory grows no further than that of its largest batch.
_KEEP_MEMORY = {"MALLOC_TRIM_THRESHOLD_": str(1 << 28), "MALLOC_MMAP_THRESHOLD_": str(1 << 26)}


class Lost(Exception):
    """A question without an answer. The text says what the process did: `ended by signal 9`.

    If the process has ended, the next question starts another.
    """

    def __init__(
        self,
        message: str,
        reason: Literal["crash", "deadline", "memory", "error", "start", "closed"],
        code: int | None = None,
    ) -> None:
        super().__init__(message)
        self.reason = reason
        """`error`: raised, or could not be sent; `start`: it never began, whatever the question."""
        self.code = code
        """Exit code of a crash, negative if a signal ended it."""

    @property
    def blameless(self) -> bool:
        """Whether no question is to blame: another one would be lost, too."""
        return self.reason in ("start", "closed")


class Process:
    """A process that answers questions one by one, started when needed and after each death.

    `function` names, as `module:name`, what makes the function that answers from `settings`. It
    is called in the process.
    """

    def __init__(self, function: str, settings: object, memory: int | None = None) -> None:
        self._function = function
        self._settings = settings
        self._memory = memory
        """Most bytes of it that may be in memory, where the system reports them."""
        self._process: Popen[bytes] | None = None
        self._channel: Channel | None = None
        self._closed = False
        self._lock = threading.Lock()

    @property
    def pid(self) -> int | None:
        """Its number, if it runs."""
        return self._process.pid if self._process else None

    def ask(self, question: object, seconds: float = math.inf) -> Any:
        """The answer, within so many seconds; raises nothing but `Lost`."""
        return self._exchange(self._process or self._start(), question, seconds)

    def ask_each(self, items: Sequence[object], seconds: float = math.inf) -> list[Any]:
        """The answers to some items, asked for at once; if that fails, for each alone.

        The function must answer a list with a list. An item that fails alone, too, has its `Lost`
        as its answer; the others have lost nothing.
        """
        answers: list[Any] = []
        try:
            return self.ask(list(items), seconds) if items else answers
        except Lost as lost:
            if lost.blameless:
                raise
        for item in items:
            try:
                answers += self.ask([item], seconds)
            except Lost as lost:
                if lost.blameless:
                    raise
                answers.append(lost)
        return answers

    def kill(self) -> None:
        """End the process from another thread, for good; what it was asked is lost."""
        with self._lock:
            self._closed = True
            if self._process:
                self._process.kill()

    def end(self) -> int:
        """End the process if it did not end itself; its exit code."""
        process, self._process = self._process, None
        if process is None:
            return 0
        process.kill()
        code = process.wait()
        if self._channel:
            self._channel.close()
        return code

    def _start(self) -> Popen[bytes]:
        """A process that is ready for questions; none of them is to blame if there is none."""
        how, cause = "", None
        for _ in range(_STARTS):
            try:
                process = self._open()
                self._exchange(process, (self._function, self._settings), _START_SECONDS)
                return process
            except OSError as error:  # the system has no process or no memory left
                how = f"could not be started ({_describe_error(error)})"
            except Lost as lost:
                if lost.reason == "closed":
                    raise
                self.end()
                how, cause = f"{lost} before it began", lost
                if lost.reason != "crash":
                    break
        raise Lost(how, "start") from cause

    def _open(self) -> Popen[bytes]:
        from subprocess import PIPE

        shared, handle = make_shared_memory()
        try:
            with self._lock:
                if self._closed:
                    raise _make_lost()
                self._process = start_python(
                    f"from tamis._runtime.processes import serve; serve({handle})",
                    stdout=PIPE,
                    pass_fds=() if handle is None else (handle,),
                    env=_KEEP_MEMORY | os.environ,
                )
                assert self._process.stdin
                assert self._process.stdout
                self._channel = Channel(self._process.stdin, self._process.stdout, shared)
                return self._process
        finally:
            if handle is not None:
                os.close(handle)

    def _exchange(self, process: Popen[bytes], question: object, seconds: float) -> Any:
        channel = self._channel
        assert channel
        try:
            channel.write(*channel.pack(question))
            if self._memory or seconds < math.inf:
                self._watch(channel, process.pid, seconds)
            raised, answer = pickle.loads(channel.read())
        except GONE:
            raise self._crash(process) from None
        except Lost:
            self.end()
            raise
        except Exception as error:  # whatever pickle met, of which nothing is in the pipe
            raise Lost(f"cannot be asked this ({_describe_error(error)})", "error") from error
        if not raised:
            return answer
        message, traceback = answer
        lost = Lost(f"raised {message}", "error")
        lost.add_note(traceback)
        raise lost

    def _watch(self, channel: Channel, pid: int, seconds: float) -> None:
        """Return when there is an answer, or raise `Lost` when a limit is reached."""
        if os.name != "posix":
            return _warn_that_it_is_off("on time and memory")
        if self._memory and sys.platform != "linux":
            _warn_that_it_is_off("on memory")
        from select import POLLIN, poll

        deadline = time.monotonic() + seconds
        waiting = poll()  # select has no room for the handles of a large program
        waiting.register(channel.input, POLLIN)
        while not waiting.poll(max(0, min(_LOOK_SECONDS, deadline - time.monotonic())) * 1000):
            if time.monotonic() >= deadline:
                raise Lost(f"took longer than {seconds:g} s", "deadline")
            if self._memory and read_memory(pid) > self._memory:
                raise Lost(f"took more than {self._memory:,} bytes of memory", "memory")

    def _crash(self, process: Popen[bytes]) -> Lost:
        """How the process ended, which it did, or is just about to."""
        from subprocess import TimeoutExpired

        with suppress(TimeoutExpired):
            process.wait(5)  # its pipe closes a little before it is gone
        code = self.end()
        if self._closed:
            return _make_lost()
        return Lost(describe_end(code), "crash", code)


class Pool(Generic[_P]):
    """Processes that are lent to jobs: at most `workers` at a time, each to one job.

    `make` makes a process of a kind, for pools that need several kinds; it is called when no idle
    one of that kind is there. All methods may be called from any thread.
    """

    def __init__(self, workers: int, make: Callable[[Any], _P]) -> None:
        from concurrent.futures import ThreadPoolExecutor

        self._workers = workers
        self._make = make
        self._threads = ThreadPoolExecutor(workers, "tamis")  # one per worker, to wait for it
        self._lock = threading.Lock()
        self._idle: dict[Hashable, list[_P]] = defaultdict(list)
        self._busy: set[_P] = set()
        self._closed = False

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def submit(self, job: Callable[[_P], _T], kind: Hashable = None) -> Future[_T]:
        """Have a job done with a process that nobody else uses meanwhile."""
        with self._lock:
            if self._closed:
                raise _make_lost()
            return self._threads.submit(self._do, job, kind)

    def ask(self, question: object, seconds: float = math.inf, kind: Hashable = None) -> Any:
        """The answer to a single question, when a process is free; see `Process.ask`."""
        return self.submit(lambda process: process.ask(question, seconds), kind).result()

    def results(self, jobs: Iterable[Future[_T]], *, in_order: bool = True) -> Iterator[_T]:
        """What jobs give that are submitted as they are taken from an iterator.

        Only so many are taken before the result of the first is: the iterator may be endless. With
        a single worker that is one, so that it and this process take one processor. If the
        iterator raises, so does this, after the results of the jobs before.
        """
        from concurrent.futures import FIRST_COMPLETED, wait

        waiting: deque[Future[_T]] = deque()

        def until(most: int) -> Iterator[_T]:
            while waiting and (len(waiting) > most or waiting[0].done()):
                if not in_order:
                    done = wait(waiting, return_when=FIRST_COMPLETED).done.pop()
                    waiting.remove(done)
                    waiting.appendleft(done)
                yield waiting.popleft().result()

        begun = iter(jobs)
        failure: Exception | None = None
        while True:
            try:
                waiting.append(next(begun))
            except StopIteration:
                break
            except Exception as error:  # the caller's, and it reaches the caller below
                failure = error
                break
            yield from until(_AHEAD * self._workers if self._workers > 1 else 0)
        yield from until(0)
        if failure:
            raise failure

    def close(self) -> None:
        """End the processes; what they were asked is lost, and no job begins any more."""
        with self._lock:
            self._closed = True
            processes = [*self._busy, *chain.from_iterable(self._idle.values())]
        for process in processes:
            process.kill()
        self._threads.shutdown()
        for process in processes:
            process.end()

    def _do(self, job: Callable[[_P], _T], kind: Hashable) -> _T:
        with self._lock:
            if self._closed:
                raise _make_lost()
            process = self._idle[kind].pop() if self._idle[kind] else self._make(kind)
            self._busy.add(process)
        try:
            return job(process)
        finally:
            with self._lock:
                self._busy.remove(process)
                self._idle[kind].append(process)
                # One per kind may wait, and a few more; workers times kinds would be many.
                surplus = sum(map(len, self._idle.values())) - self._workers - len(self._idle)
                process = max(self._idle.values(), key=len).pop(0) if surplus > 0 else process
            if surplus > 0:
                process.end()


def start_python(code: str, **settings: Any) -> Popen[bytes]:
    """Start a process with a pipe as its input. Ctrl-C does not reach it: who starts it ends it."""
    from subprocess import PIPE, Popen

    path = [folder for folder in sys.path if isinstance(folder, str)]
    command = [sys.executable, "-c", f"import sys; sys.path[:] = {path}; {code}"]
    return Popen(command, stdin=PIPE, process_group=0, **settings)


def describe_end(code: int) -> str:
    return f"ended by signal {-code}" if code < 0 else f"ended with exit code {code}"


def read_memory(pid: int) -> int:
    """Bytes of a process that are in memory; 0 if it is gone or the system does not report it."""
    try:
        with open(f"/proc/{pid}/statm", "rb") as file:
            return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except (OSError, ValueError, IndexError):
        return 0


def count_processors() -> int:
    if getattr(sys, "frozen", False) or not sys.executable:
        return 1  # an application with Python inside has no interpreter to start
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _make_lost() -> Lost:
    return Lost("is not wanted any more", "closed")


def _describe_error(error: Exception) -> str:
    return f"{type(error).__name__}: {error}"


@cache
def _warn_that_it_is_off(limit: str) -> None:
    import warnings

    message = f"this system does not let processes be watched: their limit {limit} does not hold"
    warnings.warn(message, RuntimeWarning, stacklevel=2)


def serve(handle: int | None) -> None:
    """What the process does: answer until no more questions come."""
    import signal
    from importlib import import_module

    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Windows has no process groups for Ctrl-C
    answers = os.fdopen(os.dup(1), "wb")
    channel = Channel(answers, sys.stdin.buffer, map_memory(handle))
    # What a library prints must not come between the answers.
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    function: Callable[[Any], Any] | None = None
    with suppress(*GONE):
        while True:
            message = channel.read()
            try:
                question, answer = pickle.loads(message), None
                if function:
                    answer = function(question)
                else:
                    (module, name), settings = question[0].split(":"), question[1]
                    function = getattr(import_module(module), name)(settings)
                packed = channel.pack((False, answer))
            except Exception as error:  # all that a function raises is an answer
                import traceback

                packed = channel.pack((True, (_describe_error(error), traceback.format_exc())))
            channel.write(*packed)
    os._exit(0)  # nobody reads what is left to flush
