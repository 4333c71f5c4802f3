"""Many pages in one request: JSON lines in, JSON lines out, in order, as they come."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable
from dataclasses import dataclass

from starlette.requests import Request

from tamis.errors import TamisError
from tamis.serve.bodies import read_lines
from tamis.serve.problems import Problem, as_json, problem_of
from tamis.serve.service import Service

# Answers that a client may leave unread while it still sends: many read when all is sent.
_UNREAD_BYTES = 16 * 1024 * 1024
# Lines per worker that are begun.
_AHEAD = 2


@dataclass
class Line:
    """A line of a batch."""

    body: bytes
    before: asyncio.Task[bytes] | None
    """What answers the line before."""
    name: str | int | None = None
    """What it is called, if it says so: comes back with the answer."""

    async def turn(self) -> None:
        """Wait until the lines before are answered."""
        if self.before:
            await asyncio.wait([self.before])


class BatchRun:
    """One batch: lines are begun as they come, and answered in order.

    `answer` makes a JSON object of a line; what it raises is an error in its place.
    """

    def __init__(
        self, service: Service, request: Request, answer: Callable[[Line], Awaitable[bytes]]
    ) -> None:
        self._service = service
        self._request = request
        self._answered = answer
        self._begun: asyncio.Queue[asyncio.Task[bytes] | Problem | None] = asyncio.Queue()
        self._places = asyncio.Semaphore(_AHEAD * service.settings.workers)
        self._unread = 0
        self._room = asyncio.Event()
        self._room.set()

    async def answers(self) -> AsyncGenerator[bytes, None]:
        """A line of JSON for every line of the request that is not empty."""
        reading = asyncio.create_task(self._read())
        try:
            while (begun := await self._begun.get()) is not None:
                line = self._refused(begun) if isinstance(begun, Problem) else await begun
                yield line
                self._count(-len(line))
        finally:
            reading.cancel()
            while not self._begun.empty():
                begun = self._begun.get_nowait()
                if isinstance(begun, asyncio.Task):
                    begun.cancel()

    async def _read(self) -> None:
        before: asyncio.Task[bytes] | None = None
        try:
            async for line in read_lines(self._request, self._service.settings):
                await self._room.wait()
                await self._places.acquire()
                before = asyncio.create_task(self._answer(line, before))
                self._begun.put_nowait(before)
        except Problem as problem:  # the rest cannot be read
            self._begun.put_nowait(problem)
        finally:
            self._begun.put_nowait(None)

    async def _answer(self, line: bytes | Problem, before: asyncio.Task[bytes] | None) -> bytes:
        try:
            answer = await self._of_line(line, before)
        finally:
            self._places.release()
        self._count(len(answer))
        return answer

    async def _of_line(self, sent: bytes | Problem, before: asyncio.Task[bytes] | None) -> bytes:
        line = Line(b"" if isinstance(sent, Problem) else sent, before)
        try:
            if isinstance(sent, Problem):
                raise sent
            body = await self._answered(line)
        except Problem as problem:
            return self._refused(problem, line.name)
        except TamisError as error:
            return self._refused(problem_of(error), line.name)
        if line.name is None:
            return body + b"\n"
        return b'{"id":' + as_json(line.name) + b"," + body[1:] + b"\n"

    def _refused(self, problem: Problem, name: str | int | None = None) -> bytes:
        self._service.metrics.reject(problem.reason)
        named = {} if name is None else {"id": name}
        return as_json({**named, "error": problem.document()}) + b"\n"

    def _count(self, size: int) -> None:
        self._unread += size
        (self._room.set if self._unread < _UNREAD_BYTES else self._room.clear)()
