"""Many pages in one request: JSON lines in, JSON lines out, in order, as they come."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable
from dataclasses import dataclass
from typing import NamedTuple

from tamis.errors import TamisError
from tamis.serve.http.bodies import Streamed, read_lines
from tamis.serve.http.problems import Problem, as_json, make_problem
from tamis.serve.openapi import LINES
from tamis.serve.service import Call

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

    async def wait_turn(self) -> None:
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

    def __init__(self, call: Call, answer: Callable[[Line], Awaitable[bytes]]) -> None:
        self._call = call
        self._service = service = call.service
        self._answer_body = answer
        self._begun: asyncio.Queue[asyncio.Task[_LineAnswer] | Problem | None] = asyncio.Queue()
        self._turns = asyncio.Semaphore(_AHEAD * service.settings.workers)
        self._begins = 0
        """Bytes of the line that has not ended."""
        self._unread = 0
        self._room = asyncio.Event()
        self._room.set()

    def answer(self) -> Streamed:
        return Streamed(self._answer_lines(), self._service.slots, self._call.slot, LINES)

    async def _answer_lines(self) -> AsyncGenerator[bytes, None]:
        """Answer every line of the request that is not empty."""
        reading = asyncio.create_task(self._read())
        try:
            while (begun := await self._begun.get()) is not None:
                if isinstance(begun, Problem):
                    yield self._refuse(begun)
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
            async for sent in read_lines(self._call.request, self._service.settings, self._keep):
                await self._room.wait()
                await self._turns.acquire()
                if isinstance(sent, bytes):
                    self._hold(len(sent))
                before = asyncio.create_task(self._answer_line(sent, before))
                self._begun.put_nowait(before)
        except Problem as problem:  # the rest cannot be read
            self._begun.put_nowait(problem)
        finally:
            self._begun.put_nowait(None)

    async def _answer_line(
        self, sent: bytes | Problem, before: asyncio.Task[_LineAnswer] | None
    ) -> _LineAnswer:
        line = Line(b"" if isinstance(sent, Problem) else sent, before)
        try:
            async with self._service.slots.place(self._call.slot):
                if isinstance(sent, Problem):
                    raise sent
                body = await self._answer_body(line)
                self._count(len(body))
        except Problem as problem:
            return _LineAnswer(self._refuse(problem, line.name))
        except TamisError as error:
            return _LineAnswer(self._refuse(make_problem(error), line.name))
        finally:
            self._turns.release()
            self._hold(-len(line.body))
        if line.name is None:
            return _LineAnswer(body + b"\n", len(body))
        return _LineAnswer(b'{"id":' + as_json(line.name) + b"," + body[1:] + b"\n", len(body))

    def _refuse(self, problem: Problem, name: str | int | None = None) -> bytes:
        self._service.metrics.count_problem(problem.reason)
        named = {} if name is None else {"id": name}
        return as_json({**named, "error": problem.to_dict()}) + b"\n"

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
        self._service.slots.hold(self._call.slot, size)
