"""Bodies of requests, read within a size and a time; answers, sent in parts."""

from __future__ import annotations

import asyncio
import zlib
from collections.abc import AsyncGenerator, AsyncIterator, Callable
from contextlib import ExitStack, aclosing
from typing import Self

from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from tamis._runtime.storage import unpack
from tamis.errors import InputError
from tamis.serve.http.problems import Problem
from tamis.serve.http.sharing import Slot, Slots
from tamis.serve.settings import ServeSettings

# From that size on unpacking is done beside the event loop.
_LARGE = 1 << 16
_CLOSE = {"Connection": "close"}


def _too_large(limit: int) -> Problem:
    return Problem(
        413, "too large", f"the request has more than {limit:,} bytes; send less at once"
    )


def _too_slow(seconds: float) -> Problem:
    detail = f"the request did not come within {seconds:g} seconds; send it again"
    return Problem(408, "slow client", detail, _CLOSE)


def _was_cut() -> Problem:
    detail = "the request was the oldest of this client, which sent too much at a time; send less"
    return Problem(408, "cut", detail, _CLOSE)


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
        raise (_was_cut() if slot.is_cut else _too_slow(settings.body_seconds)) from None
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
        detail = f"the request cannot be unpacked: {error}; send it plain, or as gzip"
        raise Problem(415, "bad coding", detail) from error
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
            detail = f"the request cannot be unpacked: {error}; send it plain, or as gzip"
            raise Problem(415, "bad coding", detail) from error


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
