"""Work in a process of its own that may die of it: watched, ended past its limits, replaced.

Not `multiprocessing`: its fork is unsafe once there are threads (numpy and our callers start some),
its spawn and forkserver run the caller's script again, which without an
`if __name__ == "__main__"` ends in an error. This process runs nothing but `serve`.
"""

from __future__ import annotations

import math
import os
import pickle
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from typing import IO, TYPE_CHECKING, Any

if TYPE_CHECKING:
    from mmap import mmap
    from subprocess import Popen

# Room in the memory that a process shares with us; what is larger goes through the pipe.
_SHARED_BYTES = 4 * 1024 * 1024
# Between two looks at a process that has not answered yet. Most answers come sooner.
_LOOK_SECONDS = 0.05

# What malloc of glibc gives back to the system after a page it asks for again with the next: 2 of
# 100 parts of the time. A worker's memory grows no further than that of its largest batch.
_KEEP_MEMORY = {"MALLOC_TRIM_THRESHOLD_": str(1 << 28), "MALLOC_MMAP_THRESHOLD_": str(1 << 26)}

_GONE = (EOFError, OSError, pickle.UnpicklingError)
"""What reading from and writing to a process raises that is no more."""


class Lost(Exception):
    """The process is no more, and with it what it was asked; the next question starts another."""

    def __init__(self, how: str, reason: str) -> None:
        super().__init__(how)
        self.reason = reason
        """`crash`, `deadline`, `memory`, `start` (it never began) or `closed`."""


class Process:
    """A process that answers questions one by one, started when needed and after each death.

    `function` names, as `module:name`, what makes the function that answers from `settings`. It
    is called in the process.
    """

    def __init__(self, function: str, settings: object, memory: int | None = None) -> None:
        import threading

        self._function = function
        self._settings = settings
        self._memory = memory
        """Most bytes of it that may be in memory, where the system tells."""
        self._process: Popen[bytes] | None = None
        self._shared: mmap | None = None
        self._closed = False
        self._lock = threading.Lock()

    @property
    def pid(self) -> int | None:
        """Its number, if it runs."""
        return self._process.pid if self._process else None

    def ask(self, question: object, seconds: float = math.inf) -> Any:
        """The answer; `Lost` if the process dies, takes too long or too much memory.

        Raises what pickle raises if the question cannot be sent; another process begins then.
        """
        process = self._process or self._start()
        try:
            return self._exchange(process, question, seconds)
        except _GONE:
            raise Lost(self._last_words(process), "crash") from None
        except Lost:
            self.end()
            raise
        except Exception:
            self.end()  # half a question is in the pipe
            raise

    def kill(self) -> None:
        """End the process from another thread, for good; whoever waits for it sees a crash."""
        with self._lock:
            self._closed = True
            if self._process:
                self._process.kill()

    def end(self) -> str:
        """End the process if it did not end itself, and tell how it did."""
        process, self._process = self._process, None
        if process is None:
            return "was not there"
        process.kill()
        code = process.wait()
        for pipe in (process.stdin, process.stdout):
            with suppress(OSError):  # what is still in the buffer has nowhere to go
                pipe.close()  # type: ignore[union-attr]  # both are there
        return f"ended by signal {-code}" if code < 0 else f"ended with exit code {code}"

    def _start(self) -> Popen[bytes]:
        from subprocess import PIPE, Popen

        self._shared, handle = _shared_memory()
        path = [folder for folder in sys.path if isinstance(folder, str)]
        code = f"import sys; sys.path[:] = {path}; from tamis.processes import serve"
        try:
            with self._lock:
                if self._closed:
                    raise Lost("is not wanted any more", "closed")
                self._process = process = Popen(
                    [sys.executable, "-c", f"{code}; serve({handle})"],
                    stdin=PIPE,
                    stdout=PIPE,
                    pass_fds=() if handle is None else (handle,),
                    env=_KEEP_MEMORY | os.environ,
                    process_group=0,  # out of reach of Ctrl-C: this process ends it
                )
        finally:
            if handle is not None:
                os.close(handle)
        try:
            self._exchange(process, (self._function, self._settings), math.inf)
        except _GONE:
            raise Lost(self._last_words(process), "start") from None
        return process

    def _exchange(self, process: Popen[bytes], question: object, seconds: float) -> Any:
        assert process.stdin is not None
        assert process.stdout is not None
        _send(question, process.stdin, self._shared)
        if os.name == "posix" and (self._memory or seconds < math.inf):
            self._watch(process.stdout, process.pid, seconds)
        return _receive(process.stdout, self._shared)

    def _watch(self, pipe: IO[bytes], pid: int, seconds: float) -> None:
        """Return when there is an answer, or raise `Lost` when a limit is reached."""
        from select import POLLIN, poll

        deadline = time.monotonic() + seconds
        waiting = poll()  # select has no room for the handles of a large program
        waiting.register(pipe, POLLIN)
        while not waiting.poll(max(0, min(_LOOK_SECONDS, deadline - time.monotonic())) * 1000):
            if time.monotonic() >= deadline:
                raise Lost(f"took longer than {seconds:g} s", "deadline")
            if self._memory and memory_of(pid) > self._memory:
                raise Lost(f"took more than {self._memory:,} bytes of memory", "memory")

    def _last_words(self, process: Popen[bytes]) -> str:
        from subprocess import TimeoutExpired

        with suppress(TimeoutExpired):
            process.wait(5)  # its pipe closes a little before it is gone
        return self.end()


def memory_of(pid: int) -> int:
    """Bytes of a process that are in memory; 0 if it is gone or the system does not tell."""
    try:
        with open(f"/proc/{pid}/statm", "rb") as file:
            return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except (OSError, ValueError, IndexError):
        return 0


def processors() -> int:
    """How many processes can work at a time."""
    if getattr(sys, "frozen", False) or not sys.executable:
        return 1  # an application with Python inside has no interpreter to start
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _shared_memory() -> tuple[mmap | None, int | None]:
    """Memory for the messages to and from a process, and its handle.

    Through the pipe a page of 240 kB takes 0.05 ms more, and its extraction 0.8 ms. Other systems
    than Linux have no such memory that needs no name and no cleaning up.
    """
    if sys.platform == "linux":
        from mmap import mmap

        handle = os.memfd_create("tamis")
        try:
            os.ftruncate(handle, _SHARED_BYTES)
            return mmap(handle, _SHARED_BYTES), handle
        except OSError:  # a limit on the size of files (`ulimit -f`) holds for it, too
            os.close(handle)
    return None, None


def _send(message: object, pipe: IO[bytes], shared: mmap | None) -> None:
    size = 0
    if shared:
        shared.seek(0)
        with suppress(ValueError):  # no room
            pickle.dump(message, shared, pickle.HIGHEST_PROTOCOL)
            size = shared.tell()
    pickle.dump(size, pipe)
    if not size:
        pickle.dump(message, pipe, pickle.HIGHEST_PROTOCOL)
    pipe.flush()


def _receive(pipe: IO[bytes], shared: mmap | None) -> Any:
    size = pickle.load(pipe)
    if not size:
        return pickle.load(pipe)
    assert shared
    with memoryview(shared) as view:
        return pickle.loads(view[:size])


def serve(handle: int | None) -> None:
    """What the process does: answer until no more questions come."""
    import signal
    from importlib import import_module
    from mmap import mmap

    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Windows has no process groups for Ctrl-C
    shared = None if handle is None else mmap(handle, _SHARED_BYTES)
    questions = sys.stdin.buffer
    answers = os.fdopen(os.dup(1), "wb")
    # What a library prints must not come between the answers.
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    try:
        function, settings = _receive(questions, shared)
        module, name = function.split(":")
        answer: Callable[[Any], Any] = getattr(import_module(module), name)(settings)
        _send("ready", answers, shared)
        while True:
            _send(answer(_receive(questions, shared)), answers, shared)
    except _GONE:
        os._exit(0)  # nobody reads what is left to flush
