"""How clients share the places of requests, bytes in memory and connections.

A request takes a place when all of it has arrived, and gives the place back when its answer is
made. A client that sends or reads slowly therefore holds no place. Its bytes are counted, and when
the client needs room, its oldest transfer is cut.

No client has a fixed share, since a proxy may be the only client. A client may take more as long as
it has less than three times what is free. So a client that is alone gets three quarters of
everything, two clients that take all they can get three sevenths each, and something is always left
for the next one.
"""

from __future__ import annotations

import asyncio
import ipaddress
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar

from starlette.requests import ClientDisconnect
from starlette.types import Receive

from tamis.serve.problems import Problem
from tamis.serve.settings import ServeSettings

_T = TypeVar("_T")


@dataclass(eq=False, slots=True)
class Client:
    """What one client has."""

    name: str
    requests: int = 0
    places: int = 0
    held: int = 0
    transfers: dict[Slot, asyncio.Timeout] = field(default_factory=dict)
    """Requests that it sends and answers that it reads, the oldest first."""


@dataclass(eq=False, slots=True)
class Slot:
    """What one request takes up."""

    client: Client
    places: int = 0
    held: int = 0
    """Bytes of its body and its answer."""
    is_cut: bool = False
    """Whether it was ended to make room."""
    has_left: bool = False
    """Whether its client closed the connection."""
    _waits: set[asyncio.Task[Any]] = field(default_factory=set)
    """What ends when the client leaves."""
    _look: asyncio.TimerHandle | asyncio.Task[None] | None = None

    def watch(self, receive: Receive, seconds: float) -> None:
        """End what waits for the client when it leaves; begin to look after so many seconds.

        The request must have been read; until `stop_watching` nobody else may call `receive`.
        """

        async def look() -> None:
            more = True
            while (message := await receive())["type"] != "http.disconnect":
                if not more:
                    return  # a server that says again and again that it has all
                more = message.get("more_body", False)
            self.has_left = True
            for task in self._waits:
                task.cancel()

        def begin() -> None:
            self._look = asyncio.create_task(look())

        self._look = asyncio.get_running_loop().call_later(seconds, begin)

    def stop_watching(self) -> None:
        """Let others call `receive` again."""
        if self._look:
            self._look.cancel()

    @contextmanager
    def wait(self) -> Iterator[None]:
        """Run the block as long as the client is there; else raise `ClientDisconnect`."""
        task = asyncio.current_task()
        if self.has_left or not task:
            raise ClientDisconnect
        self._waits.add(task)
        try:
            yield
        except asyncio.CancelledError:
            if self.has_left and not task.uncancel():
                raise ClientDisconnect from None
            raise
        finally:
            self._waits.discard(task)


class Slots:
    """The places, and the bytes of requests and answers that may be in memory."""

    def __init__(self, settings: ServeSettings) -> None:
        self._most, self._most_held = settings.queue, settings.max_held
        self.taken = 0
        self.held = 0
        self.clients: dict[str, Client] = {}
        """Those that have requests here, by name."""
        self._left = asyncio.Event()

    @contextmanager
    def open_slot(self, name: str) -> Iterator[Slot]:
        """Open a slot of a client; closing it gives back all that it has."""
        client = self.clients.get(name) or self.clients.setdefault(name, Client(name))
        slot = Slot(client)
        client.requests += 1
        try:
            yield slot
        finally:
            slot.stop_watching()
            self.hold(slot, -slot.held)
            self.leave(slot, slot.places)
            client.requests -= 1
            if not client.requests:
                del self.clients[name]

    def has_room(self, client: Client) -> bool:
        return may_take(client.places, self.taken, self._most)

    def check_room(self, slot: Slot) -> None:
        if not self.has_room(slot.client):
            raise _make_busy_problem(f"{self.taken} requests are being answered")

    def enter(self, slot: Slot) -> None:
        self.check_room(slot)
        self._take(slot)

    @asynccontextmanager
    async def place(self, slot: Slot) -> AsyncIterator[None]:
        """Wait for a place, and have it for a while: parts of a long answer take turns."""
        while not self.has_room(slot.client):
            self._left.clear()
            await self._left.wait()
        self._take(slot)
        try:
            yield
        finally:
            self.leave(slot)

    def _take(self, slot: Slot) -> None:
        slot.places += 1
        slot.client.places += 1
        self.taken += 1

    def leave(self, slot: Slot, places: int = 1) -> None:
        """Give places back; a closed slot has given back its own already."""
        places = min(places, slot.places)
        slot.places -= places
        slot.client.places -= places
        self.taken -= places
        self._left.set()

    def hold(self, slot: Slot, size: int) -> None:
        """Count more bytes of a request, or fewer; the oldest transfers are cut to make room."""
        client, size = slot.client, max(size, -slot.held)
        while size > 0 and not may_take(client.held, self.held, self._most_held, size):
            if not self._cut_oldest(client, slot):
                raise _make_busy_problem(f"{self.held:,} bytes of requests and answers are held")
        slot.held += size
        client.held += size
        self.held += size

    @contextmanager
    def transfer(self, slot: Slot, limit: asyncio.Timeout) -> Iterator[None]:
        """Let a client send or read until the limit; cutting the transfer brings it forward."""
        slot.client.transfers[slot] = limit
        try:
            yield
        finally:
            slot.client.transfers.pop(slot, None)

    def _cut_oldest(self, client: Client, spared: Slot) -> bool:
        for slot, limit in client.transfers.items():
            if slot is not spared and slot.held:
                del client.transfers[slot]
                self.hold(slot, -slot.held)
                slot.is_cut = True
                if not limit.expired():
                    limit.reschedule(asyncio.get_running_loop().time())
                return True
        return False


def _make_busy_problem(what: str) -> Problem:
    detail = f"{what}, and there is no room for more; try again in a second"
    return Problem(429, "busy", detail, {"Retry-After": "1"})


class ByClient(Generic[_T]):
    """What each client has, in order."""

    def __init__(self) -> None:
        self.of: dict[str, dict[_T, None]] = {}
        self.count = 0

    def add(self, client: str, added: _T) -> None:
        self.of.setdefault(client, {})[added] = None
        self.count += 1

    def remove(self, client: str, removed: _T) -> None:
        own = self.of.get(client, {})
        if removed in own:
            del own[removed]
            self.count -= 1
            if not own:
                del self.of[client]


_TIMES_FREE = 3


def may_take(own: int, taken: int, most: int, size: int = 1) -> bool:
    """Whether a client that has `own` of all that is `taken` may take `size` more.

    >>> may_take(own=95, taken=95, most=128), may_take(own=96, taken=96, most=128)
    (True, False)
    """
    return own + size - 1 < _TIMES_FREE * (most - taken - size + 1)


def name_client(host: str) -> str:
    """Name the client behind an address: the address, or the network of an IPv6 address.

    Whoever has one IPv6 address has all of its /64.

    >>> name_client("192.0.2.7"), name_client("2001:db8::1:2:3:4"), name_client("::ffff:192.0.2.7")
    ('192.0.2.7', '2001:db8::/64', '192.0.2.7')
    """
    if ":" not in host:
        return host
    try:
        address = ipaddress.IPv6Address(host.partition("%")[0])
    except ValueError:
        return host
    if address.ipv4_mapped:
        return str(address.ipv4_mapped)
    return str(ipaddress.IPv6Network((int(address) >> 64 << 64, 64)))
