"""Many pages in one request: JSON lines in, JSON lines out, in order, as they come."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable
from dataclasses import dataclass
from typing import NamedTuple

from starlette.requests import Request

from tamis.errors import TamisError
from tamis.serve.answers import Streamed
from tamis.serve.bodies import read_lines
from tamis.serve.problems import Problem, as_json, problem_of
from tamis.serve.service import Service
from tamis.serve.slots import Slot

# Answers that a client may leave unread while it still sends: many read when all is sent.
_UNREAD_BYTES = 16 * 1024 * 1024
# Lines per worker that are begun.
_AHEAD = 2


@dataclass
class Line:
    """A line of a batch."""

    body: bytes
    before: asyncio.Task[_LineAnswer] | None
    """What answers the line before."""
    name: str | int | None = None
    """What it is called, if it says so: comes back with the answer."""

    async def turn(self) -> None:
        """Wait until the lines before are answered."""
        if self.before:
            await asyncio.wait([self.before])


class _LineAnswer(NamedTuple):
    line: bytes
    held: int = 0
    """Bytes of it that are counted until it is sent."""


class BatchRun:
    """One batch: lines are begun as they come, and answered in order.

    `answer` makes a JSON object of a line; what it raises is an error in its place. The run has no
    place among the requests that are answered, which a slow client would keep: each line has.
    """

    def __init__(
        self,
        service: Service,
        request: Request,
        slot: Slot,
        answer: Callable[[Line], Awaitable[bytes]],
    ) -> None:
        self._service = service
        self._request = request
        self._slot = slot
        self._answered = answer
        self._begun: asyncio.Queue[asyncio.Task[_LineAnswer] | Problem | None] = asyncio.Queue()
        self._turns = asyncio.Semaphore(_AHEAD * service.settings.workers)
        self._begins = 0
        """Bytes of the line that has not ended."""
        self._unread = 0
        self._room = asyncio.Event()
        self._room.set()

    def response(self, media_type: str) -> Streamed:
        """The answer, which is sent line by line."""
        return Streamed(self._answers(), self._service.slots, self._slot, media_type)

    async def _answers(self) -> AsyncGenerator[bytes, None]:
        """A line of JSON for every line of the request that is not empty."""
        reading = asyncio.create_task(self._read())
        try:
            while (begun := await self._begun.get()) is not None:
                if isinstance(begun, Problem):
                    yield self._refused(begun)
                else:
                    answer = await begun
                    yield answer.line
                    self._count(-answer.held)
        finally:
            reading.cancel()
            while not self._begun.empty():
                begun = self._begun.get_nowait()
                if isinstance(begun, asyncio.Task):
                    begun.cancel()

    async def _read(self) -> None:
        before: asyncio.Task[_LineAnswer] | None = None
        try:
            async for sent in read_lines(self._request, self._service.settings, self._keep):
                await self._room.wait()
                await self._turns.acquire()
                self._hold(_size(sent))
                before = asyncio.create_task(self._answer(sent, before))
                self._begun.put_nowait(before)
        except Problem as problem:  # the rest cannot be read
            self._begun.put_nowait(problem)
        finally:
            self._begun.put_nowait(None)

    async def _answer(
        self, sent: bytes | Problem, before: asyncio.Task[_LineAnswer] | None
    ) -> _LineAnswer:
        try:
            async with self._service.slots.place(self._slot):
                return await self._of_line(sent, before)
        finally:
            self._turns.release()
            self._hold(-_size(sent))

    async def _of_line(
        self, sent: bytes | Problem, before: asyncio.Task[_LineAnswer] | None
    ) -> _LineAnswer:
        line = Line(b"" if isinstance(sent, Problem) else sent, before)
        try:
            if isinstance(sent, Problem):
                raise sent
            body = await self._answered(line)
            self._count(len(body))
        except Problem as problem:
            return _LineAnswer(self._refused(problem, line.name))
        except TamisError as error:
            return _LineAnswer(self._refused(problem_of(error), line.name))
        if line.name is None:
            return _LineAnswer(body + b"\n", len(body))
        return _LineAnswer(b'{"id":' + as_json(line.name) + b"," + body[1:] + b"\n", len(body))

    def _refused(self, problem: Problem, name: str | int | None = None) -> bytes:
        self._service.metrics.reject(problem.reason)
        named = {} if name is None else {"id": name}
        return as_json({**named, "error": problem.document()}) + b"\n"

    def _count(self, size: int) -> None:
        """Count more bytes of answers that are not sent, or fewer."""
        self._hold(size)
        self._unread += size
        (self._room.set if self._unread < _UNREAD_BYTES else self._room.clear)()

    def _keep(self, size: int) -> None:
        """Count the bytes of a line that has not ended."""
        self._hold(size - self._begins)
        self._begins = size

    def _hold(self, size: int) -> None:
        self._service.slots.hold(self._slot, size)


def _size(sent: bytes | Problem) -> int:
    return 0 if isinstance(sent, Problem) else len(sent)
