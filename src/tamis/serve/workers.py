"""The processes that extract, and how many requests may wait for them.

No page can take the server down: it is read in a process of the watched pool, which is ended past
its limits. A process that dies costs the request that it worked on another try, and no other.
"""

from __future__ import annotations

import asyncio
import threading
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from tamis.errors import TamisError
from tamis.many import crashed
from tamis.processes import Lost, Pool, Process, memory_of
from tamis.serve.problems import Problem, problem_of
from tamis.serve.settings import ServeSettings
from tamis.serve.work import Answer, Question

# After its own deadline a process has that long to say so before it is ended.
_GRACE_SECONDS = 2.0


@dataclass(slots=True)
class Slot:
    """The place of a request among those that are answered at a time."""

    held: int = 0
    """Bytes of its body."""


class Slots:
    """How many requests, and how many bytes of them, are there at a time."""

    def __init__(self, settings: ServeSettings) -> None:
        self._most, self._most_held = settings.queue, settings.max_held
        self.taken = 0
        self.held = 0

    @contextmanager
    def admitted(self) -> Iterator[Slot]:
        """A place, or the problem that there is none; at once, before anything is read."""
        if self.taken >= self._most:
            raise _busy(f"{self.taken} requests are being answered")
        slot = Slot()
        self.taken += 1
        try:
            yield slot
        finally:
            self.taken -= 1
            self.held -= slot.held

    def hold(self, slot: Slot, size: int) -> None:
        """Count more bytes of a request."""
        if self.held + size > self._most_held:
            raise _busy(f"{self.held:,} bytes of requests are being answered")
        slot.held += size
        self.held += size


def _busy(what: str) -> Problem:
    detail = f"{what}, and there is no room for more; try again in a second"
    return Problem(429, "busy", detail, {"Retry-After": "1"})


@dataclass
class Workers:
    """The pool, seen from the event loop."""

    settings: ServeSettings
    ready: bool = False
    """Whether all processes have begun."""
    lost: Counter[str] = field(default_factory=Counter)
    """Processes that were lost, by reason."""
    busy: int = 0
    waiting: int = 0

    def __post_init__(self) -> None:
        self._processes: list[Process] = []
        self._pool = Pool(self.settings.workers, self._make)
        self._lock = threading.Lock()

    def _make(self, _: object) -> Process:
        process = Process("tamis.serve.work:answering", None, self.settings.memory)
        self._processes.append(process)
        return process

    async def start(self) -> None:
        """Start all processes; a `TamisError` if that cannot be done."""
        together = threading.Barrier(self.settings.workers)

        def begin(process: Process) -> None:
            try:
                process.ask(Question("extract", [], self.settings.options))
                together.wait(120)  # or the next would get the same process
            except Lost:
                together.abort()
                raise

        jobs = [self._pool.submit(begin) for _ in range(self.settings.workers)]
        try:
            await asyncio.gather(*map(asyncio.wrap_future, jobs))
        except Lost as lost:
            raise crashed(lost, None) from lost
        self.ready = True

    def close(self) -> None:
        """End the processes."""
        self.ready = False
        self._pool.close()

    def memory(self) -> int:
        """Bytes of all processes that are in memory."""
        return sum(memory_of(process.pid) for process in self._processes if process.pid)

    async def ask(self, question: Question) -> Answer:
        """The answer, or the problem that a page made."""
        seconds = question.options.max_seconds + _GRACE_SECONDS
        with self._lock:
            self.waiting += 1

        def job(process: Process) -> Answer | TamisError:
            with self._lock:
                self.waiting -= 1
                self.busy += 1
            try:
                return self._tried_twice(process, question, seconds)
            finally:
                with self._lock:
                    self.busy -= 1

        try:
            answer = await asyncio.wrap_future(self._pool.submit(job))
        except Lost as lost:
            if lost.blameless:
                raise Problem(
                    503, "no worker", f"a worker process {lost}; try again later"
                ) from lost
            if lost.reason in ("deadline", "memory"):
                detail = f"the process that extracted the page {lost}; give a smaller page"
                raise Problem(422, "over a limit", detail) from lost
            answer = crashed(lost, None)
        if isinstance(answer, TamisError):
            raise problem_of(answer)
        return answer

    def _tried_twice(
        self, process: Process, question: Question, seconds: float
    ) -> Answer | TamisError:
        """A process may have died of something else: a lack of memory, a signal."""
        for last in (False, True):
            try:
                answer: Answer | TamisError = process.ask(question, seconds)
                return answer
            except Lost as lost:
                with self._lock:
                    self.lost[lost.reason] += 1
                if last or lost.reason != "crash":
                    raise
        raise AssertionError
