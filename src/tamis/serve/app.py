"""The application: `uvicorn --factory tamis.serve.app:create` serves it, too."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from functools import cache
from typing import Any

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.routing import Route

from tamis.serve.endpoints import (
    extraction,
    firecrawl,
    jina,
    page_files,
    project_pages,
    project_weights,
)
from tamis.serve.http.guard import Guard
from tamis.serve.http.problems import Problem, is_firecrawl, make_unsupported
from tamis.serve.openapi import make_route, write_document
from tamis.serve.service import Service
from tamis.serve.settings import ServeSettings

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
