"""Answers that are sent in parts, as their clients read them."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from contextlib import ExitStack, aclosing
from typing import Self

from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from tamis.serve.slots import Slot, Slots

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
    def of(cls, response: Response, slots: Slots, slot: Slot) -> Self:
        """A large answer, which is sent in pieces."""
        own = cls(_cut(bytes(response.body)), slots, slot)
        own.status_code, own.raw_headers = response.status_code, response.raw_headers
        return own

    def keep(self, open_slot: ExitStack) -> None:
        """Close the slot when the answer is sent."""
        self._open_slot = open_slot

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send it."""
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
