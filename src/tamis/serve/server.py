"""Run uvicorn with limits on clients, which it lacks: on their time and their connections."""

from __future__ import annotations

import socket
from asyncio import TimerHandle, Transport
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from typing import Any, Protocol

import uvicorn
from prometheus_client import disable_created_metrics
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol
from uvicorn.server import ServerState

from tamis.errors import CrashError, InputError
from tamis.serve.app import create
from tamis.serve.http.sharing import may_take, name_client
from tamis.serve.settings import ServeSettings

# Connections that wait to be accepted: a burst of clients is not an error.
_BACKLOG = 2048
_KEEP_ALIVE_SECONDS = 30
_MOST_HEAD_BYTES = 1 << 16
_OTHER_FILES = 64


class TimedProtocol(HttpToolsProtocol):
    """Cuts who is slow, to send the head of a request or to read the answer, or sends no end of it.

    How long a body may take depends on the request, see `tamis.serve.http.bodies`.
    """

    settings: ServeSettings
    open: Connections
    _client = ""
    _head_bytes = 0
    _has_head = False
    """Whether the head of a request is there, and not yet all of its body."""
    _head_timer: TimerHandle | None = None
    _send_timer: TimerHandle | None = None

    def __init__(self, config: uvicorn.Config, server_state: ServerState, **more: Any) -> None:
        super().__init__(config, server_state, **more)
        self._wait_for_head()

    def connection_made(self, transport: Transport) -> None:  # type: ignore[override]  # as in uvicorn
        super().connection_made(transport)
        self._client = name_client(self.client[0] if self.client else "")
        self.open.add(self._client, self)

    @property
    def waits_for_client(self) -> bool:
        cycle = self.cycle
        return cycle is None or cycle.response_complete or cycle.more_body or self.flow.write_paused

    def cut(self) -> None:
        if self.transport:
            self.transport.abort()

    def data_received(self, data: bytes) -> None:
        idle = self.cycle is None or self.cycle.response_complete
        if idle and self._head_timer is None:
            self._wait_for_head()
        super().data_received(data)
        if self._head_timer and not self._has_head:
            self._head_bytes += len(data)
            if self._head_bytes > _MOST_HEAD_BYTES:
                self.send_400_response("The head of the request is too large.")

    def on_headers_complete(self) -> None:
        self._head_bytes, self._has_head = 0, True
        self._head_timer = _cancel(self._head_timer)
        super().on_headers_complete()

    def on_message_complete(self) -> None:
        self._has_head = False
        self._head_timer = _cancel(self._head_timer)
        self.open.touch(self._client, self)
        super().on_message_complete()

    def pause_writing(self) -> None:
        super().pause_writing()
        seconds = self.settings.send_seconds
        self._send_timer = self.loop.call_later(seconds, self.cut)

    def resume_writing(self) -> None:
        self._send_timer = _cancel(self._send_timer)
        super().resume_writing()

    def connection_lost(self, exc: Exception | None) -> None:
        self.open.remove(self._client, self)
        self._head_timer = _cancel(self._head_timer)
        self._send_timer = _cancel(self._send_timer)
        super().connection_lost(exc)

    def _wait_for_head(self) -> None:
        seconds = self.settings.header_seconds
        self._head_timer = self.loop.call_later(seconds, self.cut)


def _cancel(timer: TimerHandle | None) -> TimerHandle | None:
    if timer:
        timer.cancel()
    return None


def listen(settings: ServeSettings) -> socket.socket:
    try:
        found = socket.getaddrinfo(settings.host, settings.port, type=socket.SOCK_STREAM)
        family, _, _, _, address = found[0]
        listening = socket.create_server(address, family=family, backlog=_BACKLOG)
        # Head and body are two packets; else the second waits 40 ms for the first to be confirmed.
        listening.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        return listening
    except (OSError, OverflowError) as error:
        raise InputError(
            f"{settings.host}:{settings.port} cannot be listened on ({error}); choose another"
            " with --host and --port"
        ) from error


def run(settings: ServeSettings, ready: Callable[[str], None]) -> None:
    """Serve until a signal; finish what runs by then. `ready` gets the address."""
    # When each series began would be a series of its own.
    disable_created_metrics()  # type: ignore[no-untyped-call]  # has no annotations
    with listen(settings) as listening:
        try:
            make_server(settings, ready, listening).run([listening])
        except SystemExit as error:  # uvicorn's, if the application does not start
            raise CrashError(
                "the processes that extract cannot be started; give --memory more, or see above"
            ) from error


def make_server(
    settings: ServeSettings, ready: Callable[[str], None], listening: socket.socket
) -> uvicorn.Server:
    host, port = listening.getsockname()[:2]
    shown = f"[{host}]" if ":" in host else host
    app = create(settings, partial(ready, f"http://{shown}:{port}"))
    own = {"settings": settings, "open": Connections(_most_connections(settings))}
    config = uvicorn.Config(
        app,
        http=type("_Protocol", (TimedProtocol,), own),
        proxy_headers=bool(settings.trusted_proxies),
        forwarded_allow_ips=list(settings.trusted_proxies),
        ws="none",
        lifespan="on",
        log_level="warning",
        access_log=False,
        server_header=False,
        timeout_keep_alive=_KEEP_ALIVE_SECONDS,
        timeout_graceful_shutdown=int(2 * settings.max_seconds) + 10,
    )
    return uvicorn.Server(config)


def _most_connections(settings: ServeSettings) -> int:
    """Leave files for pages to fetch, and for worker processes."""
    with suppress(ImportError):
        import resource

        files, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
        if files != resource.RLIM_INFINITY:
            others = settings.queue + 8 * settings.workers + _OTHER_FILES
            return max(1, min(settings.connections, max(files - others, files // 2)))
    return settings.connections


def more_files() -> None:
    """Let this process open as many files as the system allows."""
    with suppress(ImportError, OSError, ValueError):
        import resource

        _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))


class Connection(Protocol):
    """What the server knows about a connection."""

    @property
    def waits_for_client(self) -> bool: ...

    def cut(self) -> None: ...


class Connections:
    """So many at a time. Of a client that opens too many, the one that idles longest is closed."""

    def __init__(self, most: int) -> None:
        self._most = most
        self.count = 0
        self._of: dict[str, dict[Connection, None]] = {}
        """By client; the one that was used last is the last."""

    def add(self, client: str, connection: Connection) -> None:
        own = self._of.get(client, {})
        is_one_too_many = not may_take(len(own), self.count, self._most)
        self._of.setdefault(client, own)[connection] = None
        self.count += 1
        if is_one_too_many:
            idle = next((each for each in own if each.waits_for_client), connection)
            self.remove(client, idle)
            idle.cut()

    def touch(self, client: str, connection: Connection) -> None:
        own = self._of.get(client, {})
        if connection in own:
            del own[connection]
            own[connection] = None

    def remove(self, client: str, connection: Connection) -> None:
        own = self._of.get(client, {})
        if connection in own:
            del own[connection]
            self.count -= 1
        if not own:
            self._of.pop(client, None)
