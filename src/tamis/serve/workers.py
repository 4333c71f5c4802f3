"""The processes that extract, and the questions that wait for them.

No page can take the server down: it is read in a process of the watched pool, which is ended past
its limits. A process that dies costs the request that it worked on another try, and no other.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import dataclass, field
from functools import partial

from tamis._runtime.processes import Lost, Pool, Process, read_memory
from tamis.errors import TamisError
from tamis.many import make_crash_error
from tamis.serve.problems import Problem, make_problem
from tamis.serve.settings import ServeSettings
from tamis.serve.sharing import ByClient
from tamis.serve.tasks import Answer, Question

# After its own deadline a process has that long to say so before it is ended.
_GRACE_SECONDS = 2.0


@dataclass(eq=False, slots=True)
class _Waiting:
    """A question that waits for a process."""

    question: Question
    outcome: Future[Answer | TamisError] = field(default_factory=Future)


class Turns(ByClient[_Waiting]):
    """Questions that wait: those of each client in their order, the clients in turn."""

    def take(self) -> _Waiting | None:
        """Take the next question, if there is one; the client is then the last."""
        if not self.of:
            return None
        client, own = next(iter(self.of.items()))
        waiting = next(iter(own))
        self.remove(client, waiting)
        if own:
            self.of[client] = self.of.pop(client)
        return waiting


@dataclass
class Workers:
    """The pool, seen from the event loop."""

    settings: ServeSettings
    count_lost: Callable[[str], None]
    """Is told why a process was lost."""
    ready: bool = False
    """Whether all processes have begun."""
    busy: int = 0

    def __post_init__(self) -> None:
        self._processes: list[Process] = []
        self._pool = Pool(self.settings.workers, self._make)
        self._turns = Turns()
        self._lock = threading.Lock()

    @property
    def waiting(self) -> int:
        return self._turns.count

    def _make(self, _: object) -> Process:
        process = Process(
            "tamis.serve.tasks:make_worker", self.settings.max_answer, self.settings.memory
        )
        self._processes.append(process)
        return process

    async def start(self) -> None:
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
            raise make_crash_error(lost, None) from lost
        self.ready = True

    def close(self) -> None:
        self.ready = False
        self._pool.close()
        while waiting := self._turns.take():
            waiting.outcome.set_exception(Lost("is not wanted any more", "closed"))

    def measure_memory(self) -> int:
        return sum(read_memory(process.pid) for process in self._processes if process.pid)

    async def ask(self, question: Question, client: str) -> Answer:
        """Ask a question; cancelling this takes the question back."""
        waiting = _Waiting(question)
        with self._lock:
            self._turns.add(client, waiting)
        try:
            self._pool.submit(self._answer_next)
            answer = await asyncio.wrap_future(waiting.outcome)
        except Lost as lost:
            if lost.blameless:
                raise Problem(
                    503, "no worker", f"a worker process {lost}; try again later"
                ) from lost
            if lost.reason in ("deadline", "memory"):
                detail = f"the process that extracted the page {lost}; give a smaller page"
                raise Problem(422, "over a limit", detail) from lost
            answer = make_crash_error(lost, None)
        finally:
            with self._lock:
                self._turns.remove(client, waiting)
        if isinstance(answer, TamisError):
            raise make_problem(answer)
        return answer

    def _answer_next(self, process: Process) -> None:
        """Let a process answer the next question, whichever that is by then."""
        with self._lock:
            waiting = self._turns.take()
            if waiting is None or not waiting.outcome.set_running_or_notify_cancel():
                return  # it was taken back, and there is one job for each question
            self.busy += 1
        try:
            finish = partial(waiting.outcome.set_result, self._try_twice(process, waiting.question))
        except BaseException as error:
            finish = partial(waiting.outcome.set_exception, error)
        with self._lock:
            self.busy -= 1
        finish()

    def _try_twice(self, process: Process, question: Question) -> Answer | TamisError:
        """Try again if a process dies, perhaps of a lack of memory or of a signal."""
        seconds = question.options.max_seconds + _GRACE_SECONDS
        for last in (False, True):
            try:
                answer: Answer | TamisError = process.ask(question, seconds)
                return answer
            except Lost as lost:
                self.count_lost(lost.reason)
                if last or lost.reason != "crash":
                    raise
        raise AssertionError
