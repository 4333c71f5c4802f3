"""The application and its server: uvicorn with the limits on clients that it lacks.

`uvicorn --factory tamis.serve.app:create` serves the application without these limits.
"""

from __future__ import annotations

import socket
from asyncio import TimerHandle, Transport
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from functools import cache, partial
from typing import Any

import uvicorn
from prometheus_client import disable_created_metrics
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.routing import Route
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol
from uvicorn.server import ServerState

from tamis.errors import CrashError, InputError
from tamis.serve.endpoints import (
    extraction,
    firecrawl,
    jina,
    page_files,
    project_pages,
    project_weights,
)
from tamis.serve.guard import Guard
from tamis.serve.openapi import make_route, write_document
from tamis.serve.problems import Problem, is_firecrawl, make_unsupported
from tamis.serve.service import Service
from tamis.serve.settings import ServeSettings
from tamis.serve.sharing import ByClient, may_take, name_client

_MODULES = (extraction, jina, firecrawl, project_pages, project_weights)
ENDPOINTS = [endpoint for module in _MODULES for endpoint in module.endpoints]
_METRICS_TYPE = "text/plain; version=0.0.4; charset=utf-8"


class Application(Starlette):
    """The application of a service."""

    @staticmethod
    @cache
    def openapi() -> dict[str, Any]:
        return write_document(ENDPOINTS, _HEALTH)


def create(
    settings: ServeSettings | None = None, ready: Callable[[], None] | None = None
) -> Application:
    """Create the application with these settings, or the usual ones.

    `ready` is called when the service can answer.
    """
    service = Service(settings or ServeSettings())
    answers = {(each.method, each.path): service.make_responder(each.handle) for each in ENDPOINTS}
    service.endpoints = {key: answer for key, answer in answers.items() if "{" not in key[1]}

    @asynccontextmanager
    async def run_workers(_: Starlette) -> AsyncIterator[None]:
        try:
            await service.workers.start()
            if ready:
                ready()
            yield
        finally:
            service.workers.close()
            service.closing.close()

    paths = [each.shown_path for each in ENDPOINTS if each.is_documented]
    app = Application(
        routes=[
            Route("/openapi.json", _send_document),
            *(make_route(*key, answer) for key, answer in answers.items()),
            *page_files.make_routes(),
            *(make_route("GET", path, answer) for path, answer in _HEALTH.items()),
        ],
        middleware=[Middleware(Guard, service=service, paths=[*paths, *_HEALTH])],
        exception_handlers={HTTPException: _refuse_route, Exception: _report_defect},
        lifespan=run_workers,
    )
    app.state.service = service
    return app


def _send_document(request: Request) -> Response:
    return JSONResponse(request.app.openapi())


async def _check_health(request: Request) -> Response:
    """The server answers."""
    return PlainTextResponse("ok\n")


async def _check_readiness(request: Request) -> Response:
    """Whether pages can be extracted, and there is room for a request."""
    service: Service = request.app.state.service
    if service.workers.ready and service.slots.taken < service.settings.queue:
        return PlainTextResponse("ready\n")
    return PlainTextResponse("busy\n" if service.workers.ready else "starting\n", 503)


async def _send_metrics(request: Request) -> Response:
    """Requests, times, problems and the state of the pool, for Prometheus."""
    service: Service = request.app.state.service
    return Response(service.metrics.write(service.read_gauges()), media_type=_METRICS_TYPE)


_HEALTH = {"/healthz": _check_health, "/readyz": _check_readiness, "/metrics": _send_metrics}


async def _refuse_route(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    service: Service = request.app.state.service
    path = request.url.path
    if is_firecrawl(path):
        return service.refuse(request, make_unsupported(request.method, path))
    detail = f"{request.method} {path[:200]}: {error.detail}; see /openapi.json"
    reason = "no such endpoint" if error.status_code in (404, 405) else "bad request"
    problem = Problem(error.status_code, reason, detail, dict(error.headers or {}))
    return service.refuse(request, problem)


async def _report_defect(request: Request, error: Exception) -> Response:
    service: Service = request.app.state.service
    detail = f"{type(error).__name__}; report the request as a defect of tamis"
    return service.refuse(request, Problem(500, "defect", detail))


# Connections that wait to be accepted: a burst of clients is not an error.
_BACKLOG = 2048
_KEEP_ALIVE_SECONDS = 30
_MOST_HEAD_BYTES = 1 << 16
_OTHER_FILES = 64


class TimedProtocol(HttpToolsProtocol):
    """Cuts who is slow, to send the head of a request or to read the answer, or sends no end of it.

    How long a body may take depends on the request, see `tamis.serve.bodies`.
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


class Connections(ByClient[TimedProtocol]):
    """So many at a time. Of a client that opens too many, the one that idles longest is closed."""

    def __init__(self, most: int) -> None:
        super().__init__()
        self._most = most

    def add(self, client: str, added: TimedProtocol) -> None:
        is_one_too_many = not may_take(len(self.of.get(client, ())), self.count, self._most)
        super().add(client, added)
        if is_one_too_many:
            idle = next((each for each in self.of[client] if each.waits_for_client), added)
            self.remove(client, idle)
            idle.cut()

    def touch(self, client: str, used: TimedProtocol) -> None:
        own = self.of.get(client, {})
        if used in own:
            own[used] = own.pop(used)
