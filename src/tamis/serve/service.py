"""What all endpoints share: places, pages by their addresses, answers, counts."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncGenerator, Callable, Coroutine, Sequence
from contextlib import ExitStack, aclosing
from dataclasses import dataclass, field, replace
from typing import Any

from fastapi import APIRouter
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from tamis.download import FetchLimits
from tamis.errors import TamisError, TooLargeError
from tamis.many import encoded
from tamis.options import Options
from tamis.project.database import Database
from tamis.project.weights import Accepted
from tamis.serve.bodies import read_body
from tamis.serve.jobs import ScrapeJobs
from tamis.serve.metrics import Metrics
from tamis.serve.problems import MEDIA_TYPE, Problem, problem_of
from tamis.serve.requests import PageRequest, check_one_page
from tamis.serve.settings import ServeSettings
from tamis.serve.work import Answer, Question, SentPage
from tamis.serve.workers import Slot, Slots, Workers
from tamis.web import fetch_async

# Pages of a site that are fetched at a time.
_FETCHES = 8

Handler = Callable[[Request, Slot], Coroutine[Any, Any, Response]]
Endpoint = Callable[[Request], Coroutine[Any, Any, Response]]


class Streamed(Response):
    """An answer that is sent as it is made, while more of the request may be read."""

    def __init__(self, parts: AsyncGenerator[bytes, None], media_type: str) -> None:
        super().__init__(media_type=media_type)
        del self.headers["content-length"]
        self._parts = parts
        self.places = ExitStack()
        """What is given back at the end."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send it."""
        start = {"type": "http.response.start", "status": 200, "headers": self.raw_headers}
        with self.places:
            async with aclosing(self._parts) as parts:
                await send(start)
                async for part in parts:
                    await send({"type": "http.response.body", "body": part, "more_body": True})
            await send({"type": "http.response.body", "body": b""})


@dataclass
class Service:
    """The parts of the service."""

    settings: ServeSettings
    metrics: Metrics = field(default_factory=Metrics)

    def __post_init__(self) -> None:
        self.slots = Slots(self.settings)
        self.workers = Workers(self.settings)
        self.jobs = ScrapeJobs(self.settings, self.metrics)
        seconds, usual = self.settings.max_seconds, self.settings.options
        self.options = replace(
            usual,
            max_seconds=min(seconds, usual.max_seconds),
            max_bytes=min(self.settings.max_body, usual.max_bytes),
        )
        """The usual options, and the highest limits of a request."""
        self.project = Database(self.settings.project) if self.settings.project else None
        self.accepted = Accepted(self.project) if self.project else None
        """The weights of the project, which all questions are asked with that name none."""
        self.closing = ExitStack()
        """What is ended with the service, the last that began first."""
        self.closing.callback(self.jobs.close)
        if self.project:
            self.closing.callback(self.project.close)
        self.endpoints: dict[tuple[str, str], Endpoint] = {}
        """The endpoints by method and path."""

    def add(self, routes: APIRouter, method: str, path: str, handler: Handler, **more: Any) -> None:
        """Add an endpoint; `more` is for the OpenAPI document."""
        endpoint = self.endpoint(handler)
        self.endpoints[method, path] = endpoint
        routes.add_api_route(
            path,
            endpoint,
            methods=[method],
            summary=handler.__doc__,
            response_model=None,
            **more,
        )

    def endpoint(self, handler: Handler) -> Endpoint:
        """A handler that gets a place, or is not called; what it raises is a problem document."""

        async def answered(request: Request) -> Response:
            try:
                with ExitStack() as places:
                    slot = places.enter_context(self.slots.admitted())
                    response = await handler(request, slot)
                    if isinstance(response, Streamed):
                        response.places = places.pop_all()
                    return response
            except Problem as problem:
                return self.refused(request, problem)
            except TamisError as error:
                return self.refused(request, problem_of(error))
            except ClientDisconnect:
                self.metrics.reject("client left")
                return Response(status_code=400)

        answered.__doc__ = handler.__doc__
        answered.__name__ = handler.__name__
        return answered

    def refused(self, request: Request, problem: Problem) -> Response:
        """The problem document, counted."""
        self.metrics.reject(problem.reason)
        body = problem.body(request.scope["path"])
        return Response(body, problem.status, problem.headers, MEDIA_TYPE)

    async def body(self, request: Request, slot: Slot) -> bytes:
        """All of a request."""
        return await read_body(request, self.settings, self.slots, slot)

    async def answer(self, question: Question) -> Response:
        """What a process makes of the pages of a question."""
        answer = await self.ask(question)
        return Response(answer.body, media_type=answer.media_type)

    async def ask(self, question: Question) -> Answer:
        """As `answer`, for who sends it otherwise."""
        question = question._replace(options=await self.with_accepted(question.options))
        answer = await self.workers.ask(question)
        self.metrics.took(answer.seconds)
        return answer

    async def with_accepted(self, options: Options) -> Options:
        """Options with the weights that are accepted in the project, if there is one."""
        if self.accepted is None:
            return options
        if self.accepted.is_old:
            await asyncio.to_thread(self.accepted.look)
        return self.accepted.apply(options)

    async def page(self, page: PageRequest, options: Options) -> SentPage:
        """The page that was sent, or whose address was."""
        check_one_page(page)
        if page.html is not None:
            return SentPage(encoded(page.html), page.base_url, "text/html; charset=utf-8")
        assert page.url is not None
        fetched = await self.fetch(page.url, options)
        return fetched if page.base_url is None else fetched._replace(url=page.base_url)

    async def pages(
        self, pages: Sequence[PageRequest], options: Options
    ) -> list[SentPage | TamisError]:
        """Several pages; in place of one that could not be fetched, the error."""
        for page in pages:
            check_one_page(page)
        few, total = asyncio.Semaphore(_FETCHES), 0

        async def read(page: PageRequest) -> SentPage | TamisError:
            nonlocal total
            try:
                async with few:
                    sent = await self.page(page, options)
            except TamisError as error:
                return error.with_traceback(None)
            total += len(sent.html)
            if total > options.max_bytes:
                return TooLargeError(
                    f"the pages together have more than {options.max_bytes:,} bytes; give fewer"
                )
            return sent

        return list(await asyncio.gather(*map(read, pages)))

    async def fetch(self, url: str, options: Options) -> SentPage:
        """A page by its address, within the limits of the options."""
        limits = FetchLimits(
            max_bytes=options.max_bytes,
            max_seconds=options.max_seconds,
            timeout=min(20.0, options.max_seconds),
            allow_private=self.settings.allow_private,
        )
        started = time.perf_counter()
        try:
            fetched = await fetch_async(url, limits)
        finally:
            self.metrics.took({"fetch": time.perf_counter() - started})
        return SentPage(fetched.body, fetched.url, fetched.content_type, fetched.status)

    def gauges(self) -> dict[str, tuple[str, float]]:
        """The state of now, for the metrics."""
        return {
            "tamis_workers": ("Worker processes.", self.settings.workers),
            "tamis_workers_busy": ("Those that extract.", self.workers.busy),
            "tamis_waiting": ("Questions that wait for one.", self.workers.waiting),
            "tamis_slots": ("Requests that may be there at a time.", self.settings.queue),
            "tamis_slots_taken": ("Requests that are there.", self.slots.taken),
            "tamis_held_bytes": ("Bytes of their bodies.", self.slots.held),
            "tamis_jobs": ("Batch scrapes that run.", self.jobs.running),
            "tamis_jobs_held_bytes": ("Bytes that batch scrapes keep.", self.jobs.held),
            "tamis_workers_memory_bytes": ("Memory of the workers.", self.workers.memory()),
        }
