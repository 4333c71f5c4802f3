"""The application: `uvicorn --factory tamis.serve.app:create` serves it, too."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

from fastapi import FastAPI
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response

from tamis._runtime.version import __version__
from tamis.serve import api, files, firecrawl, jina, projects, teaching
from tamis.serve.documents import DocumentedApp
from tamis.serve.guard import Guard
from tamis.serve.problems import Problem, is_firecrawl, make_unsupported
from tamis.serve.service import Service
from tamis.serve.settings import ServeSettings

_DESCRIPTION = "Keeps what a web page is about and drops the rest."
_METRICS_TYPE = "text/plain; version=0.0.4; charset=utf-8"


def create(
    settings: ServeSettings | None = None, ready: Callable[[], None] | None = None
) -> FastAPI:
    """The application with these settings, or the usual ones; `ready` is called when it is."""
    service = Service(settings or ServeSettings())

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        try:
            await service.workers.start()
            if ready:
                ready()
            yield
        finally:
            service.workers.close()
            service.closing.close()

    app = DocumentedApp(
        title="tamis",
        version=__version__,
        description=_DESCRIPTION,
        docs_url=None,  # those pages load their scripts from elsewhere
        redoc_url=None,
        lifespan=lifespan,
    )
    app.state.service = service
    app.include_router(api.router(service))
    app.include_router(jina.router(service))
    app.include_router(firecrawl.router(service))
    app.include_router(projects.router(service))
    app.include_router(teaching.router(service))
    app.include_router(files.router())
    _add_health(app, service)
    _add_problems(app, service)
    app.add_middleware(Guard, service=service, paths=app.openapi()["paths"])
    return app


def _add_health(app: FastAPI, service: Service) -> None:
    @app.get("/healthz", tags=["health"], response_class=PlainTextResponse)
    async def healthz() -> str:
        """The server answers."""
        return "ok\n"

    @app.get("/readyz", tags=["health"], response_class=PlainTextResponse)
    async def readyz() -> Response:
        """Whether pages can be extracted, and there is room for a request."""
        if service.workers.ready and service.slots.taken < service.settings.queue:
            return PlainTextResponse("ready\n")
        return PlainTextResponse("busy\n" if service.workers.ready else "starting\n", 503)

    @app.get("/metrics", tags=["health"], response_class=PlainTextResponse)
    async def metrics() -> Response:
        """Requests, times, problems and the state of the pool, for Prometheus."""
        text = service.metrics.write(service.gauges())
        return Response(text, media_type=_METRICS_TYPE)


def _add_problems(app: FastAPI, service: Service) -> None:
    async def of_routing(request: Request, error: Exception) -> Response:
        assert isinstance(error, HTTPException)
        if is_firecrawl(request.url.path):
            return service.refused(request, make_unsupported(request.method, request.url.path))
        detail = f"{request.method} {request.url.path[:200]}: {error.detail}; see /openapi.json"
        reason = "no such endpoint" if error.status_code in (404, 405) else "bad request"
        problem = Problem(error.status_code, reason, detail, dict(error.headers or {}))
        return service.refused(request, problem)

    async def of_defect(request: Request, error: Exception) -> Response:
        detail = f"{type(error).__name__}; report the request as a defect of tamis"
        return service.refused(request, Problem(500, "defect", detail))

    app.add_exception_handler(HTTPException, of_routing)
    app.add_exception_handler(Exception, of_defect)
