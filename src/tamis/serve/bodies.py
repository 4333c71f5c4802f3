"""Bodies of requests, read within a size and a time; answers, sent in parts; batches.

A batch is many pages in one request: JSON lines in, JSON lines out, in order, as they come.
"""

from __future__ import annotations

import asyncio
import zlib
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable
from contextlib import ExitStack, aclosing
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, Self

from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from tamis._runtime.storage import unpack
from tamis.errors import InputError, TamisError
from tamis.serve.problems import Problem, as_json, make_problem
from tamis.serve.settings import ServeSettings
from tamis.serve.sharing import Slot, Slots

if TYPE_CHECKING:
    from tamis.serve.service import Call

# From that size on unpacking is done beside the event loop.
_LARGE = 1 << 16
_CLOSE = {"Connection": "close"}

JSON: Final = "application/json"
LINES: Final = "application/x-ndjson"
"""The type of JSON lines."""


def _too_large(limit: int) -> Problem:
    return Problem(
        413, "too large", f"the request has more than {limit:,} bytes; send less at once"
    )


def _too_slow(seconds: float) -> Problem:
    detail = f"the request did not come within {seconds:g} seconds; send it again"
    return Problem(408, "slow client", detail, _CLOSE)


def _bad_coding(error: Exception) -> Problem:
    detail = f"the request cannot be unpacked: {error}; send it plain, or as gzip"
    return Problem(415, "bad coding", detail)


def _find_coding(request: Request) -> str:
    coding = request.headers.get("content-encoding", "").strip().lower()
    return "" if coding == "identity" else coding


async def read_body(request: Request, settings: ServeSettings, slots: Slots, slot: Slot) -> bytes:
    """Read all of a request, and unpack it."""
    declared = request.headers.get("content-length", "")
    if declared.isdecimal() and int(declared) > settings.max_body:
        raise _too_large(settings.max_body)
    parts, size = [], 0
    try:
        async with asyncio.timeout(settings.body_seconds) as limit:
            with slots.transfer(slot, limit):
                async for part in request.stream():
                    slots.hold(slot, len(part))
                    size += len(part)
                    if size > settings.max_body:
                        raise _too_large(settings.max_body)
                    parts.append(part)
    except TimeoutError:
        if not slot.is_cut:
            raise _too_slow(settings.body_seconds) from None
        detail = (
            "the request was the oldest of this client, which sent too much at a time; send less"
        )
        raise Problem(408, "cut", detail, _CLOSE) from None
    body = b"".join(parts)
    coding = _find_coding(request)
    if not coding or not body:
        return body
    try:
        if len(body) < _LARGE:
            unpacked = unpack(body, coding, settings.max_body)
        else:
            unpacked = await asyncio.to_thread(unpack, body, coding, settings.max_body)
    except (ValueError, InputError) as error:
        raise _bad_coding(error) from error
    if len(unpacked) > settings.max_body:
        raise _too_large(settings.max_body)
    slots.hold(slot, len(unpacked))
    return unpacked


async def read_lines(
    request: Request, settings: ServeSettings, keep: Callable[[int], None]
) -> AsyncIterator[bytes | Problem]:
    """The lines of a request as they come; in place of one that is too long, the problem.

    `keep` is told how many bytes there are of a line that has not ended.
    """
    rest, skipping = bytearray(), False
    async for part in _unpack_parts(request, settings):
        *lines, last = part.split(b"\n")
        for line in lines:
            rest += line
            if skipping or len(rest) > settings.max_body:
                yield _too_large(settings.max_body)
            elif rest.strip():
                yield bytes(rest)
            rest, skipping = bytearray(), False
        if skipping or len(rest) + len(last) > settings.max_body:
            rest, skipping = bytearray(), True  # the rest of the line is not kept
        else:
            rest += last
        keep(len(rest))
    if skipping:
        yield _too_large(settings.max_body)
    elif rest.strip():
        yield bytes(rest)


async def _unpack_parts(request: Request, settings: ServeSettings) -> AsyncIterator[bytes]:
    coding = _find_coding(request)
    if coding not in ("", "gzip", "x-gzip", "deflate"):
        raise Problem(
            415, "bad coding", f"{coding!r} is not known here; send lines plain or as gzip"
        )
    member = zlib.decompressobj(47)
    async for part in _receive_parts(request, settings.body_seconds):
        if not coding:
            yield part
            continue
        try:
            while part:
                if member.eof:
                    member = zlib.decompressobj(47)
                yield member.decompress(part, _LARGE)
                part = member.unconsumed_tail or member.unused_data
        except zlib.error as error:
            raise _bad_coding(error) from error


async def _receive_parts(request: Request, seconds: float) -> AsyncIterator[bytes]:
    stream = request.stream()
    while True:
        try:
            async with asyncio.timeout(seconds):
                part = await anext(stream, None)
        except TimeoutError:
            raise _too_slow(seconds) from None
        except ClientDisconnect:
            return
        if part is None:
            return
        yield part


def answer_json(value: Any, status: int = 200) -> Response:
    return Response(as_json(value), status, media_type=JSON)


PIECE = 1 << 16
"""Bytes that are sent at a time: so much of an answer is out of our hands while nobody reads it."""


class Streamed(Response):
    """An answer that is sent in parts. It keeps its slot until it is sent, or cut to make room."""

    _open_slot = ExitStack()

    def __init__(
        self, parts: AsyncGenerator[bytes, None], slots: Slots, slot: Slot, media_type: str = ""
    ) -> None:
        super().__init__(media_type=media_type)
        del self.headers["content-length"]
        self._parts, self._slots, self._slot = parts, slots, slot

    @classmethod
    def from_response(cls, response: Response, slots: Slots, slot: Slot) -> Self:
        """Make a large answer one that is sent in pieces."""
        own = cls(_cut(bytes(response.body)), slots, slot)
        own.status_code, own.raw_headers = response.status_code, response.raw_headers
        return own

    def keep(self, open_slot: ExitStack) -> None:
        """Keep the slot open until the answer is sent."""
        self._open_slot = open_slot

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        with self._open_slot:
            try:
                async with asyncio.timeout(None) as limit, aclosing(self._parts) as parts:
                    with self._slots.transfer(self._slot, limit):
                        await self._send(parts, send)
            except TimeoutError:
                if not self._slot.is_cut:
                    raise
                # The server sees that the answer has no end, and closes the connection.

    async def _send(self, parts: AsyncGenerator[bytes, None], send: Send) -> None:
        status, headers = self.status_code, self.raw_headers
        await send({"type": "http.response.start", "status": status, "headers": headers})
        async for part in parts:
            await send({"type": "http.response.body", "body": part, "more_body": True})
        await send({"type": "http.response.body", "body": b""})


async def _cut(body: bytes) -> AsyncGenerator[bytes, None]:
    for start in range(0, len(body), PIECE):
        yield body[start : start + PIECE]


# Answers that a client may leave unread while it still sends: many read when all is sent.
_UNREAD_BYTES = 16 * 1024 * 1024
# Lines per worker that are begun.
_AHEAD = 2


@dataclass
class Line:
    """A line of a batch."""

    body: bytes
    before: _LineTask | None
    """What answers the line before."""
    name: str | int | None = None
    """What it is called, if it says so: comes back with the answer."""

    async def wait_turn(self) -> None:
        if self.before:
            await asyncio.wait([self.before])


_LineTask = asyncio.Task[tuple[bytes, int]]
"""What answers a line, and the bytes of the answer that are counted until it is sent."""


class BatchRun:
    """One batch: lines are begun as they come, and answered in order.

    `answer` makes a JSON object of a line; what it raises is an error in its place. The run has no
    place among the requests that are answered, which a slow client would keep: each line has.
    """

    def __init__(self, call: Call, answer: Callable[[Line], Awaitable[bytes]]) -> None:
        self._call = call
        self._service = service = call.service
        self._answer_body = answer
        self._begun: asyncio.Queue[_LineTask | Problem | None] = asyncio.Queue()
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
                    line, held = await begun
                    yield line
                    self._count(-held)
        finally:
            reading.cancel()
            while not self._begun.empty():
                begun = self._begun.get_nowait()
                if isinstance(begun, asyncio.Task):
                    begun.cancel()

    async def _read(self) -> None:
        before: _LineTask | None = None
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
        self, sent: bytes | Problem, before: _LineTask | None
    ) -> tuple[bytes, int]:
        line = Line(b"" if isinstance(sent, Problem) else sent, before)
        try:
            async with self._service.slots.place(self._call.slot):
                if isinstance(sent, Problem):
                    raise sent
                body = await self._answer_body(line)
                self._count(len(body))
        except (Problem, TamisError) as error:
            return self._refuse(make_problem(error), line.name), 0
        finally:
            self._turns.release()
            self._hold(-len(line.body))
        named = b"{" if line.name is None else b'{"id":' + as_json(line.name) + b","
        return named + body[1:] + b"\n", len(body)

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
