"""What all endpoints share: places, pages by their addresses, questions to workers, counts."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Coroutine, Mapping, Sequence
from contextlib import ExitStack, nullcontext
from contextvars import ContextVar
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, TypeVar

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest
from pydantic import BaseModel
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response

from tamis.errors import TamisError, TooLargeError
from tamis.inputs import Fetched
from tamis.many import encode_page
from tamis.options import Options
from tamis.project.database import Database
from tamis.project.taught import Accepted
from tamis.serve.bodies import PIECE, Streamed, read_body
from tamis.serve.problems import MEDIA_TYPE, Problem, make_problem
from tamis.serve.requests import PageRequest, check_one_page, read_request, validate
from tamis.serve.scrape_jobs import ScrapeJobs
from tamis.serve.settings import ServeSettings
from tamis.serve.sharing import Slot, Slots, name_client
from tamis.serve.tasks import Answer, Question, SentPage
from tamis.serve.workers import Workers
from tamis.web.download import Download, FetchLimits
from tamis.web.fetch import wait_for_page

# Pages of a site that are fetched at a time.
_FETCHES = 8

# After that long a look whether the client of a request is still there; most are answered sooner.
_LOOK_SECONDS = 0.1
# How often the bytes of a page that is fetched are counted.
_COUNT_SECONDS = 0.05

_M = TypeVar("_M", bound=BaseModel)
_T = TypeVar("_T")

_SLOT: ContextVar[Slot | None] = ContextVar("tamis.serve.slot", default=None)
"""Of the request that is being answered."""


@dataclass(frozen=True, slots=True)
class Call:
    """A request that is being answered."""

    service: Service
    request: Request
    slot: Slot

    @property
    def media_type(self) -> str:
        given = self.request.headers.get("content-type", "")
        return given.partition(";")[0].strip().lower()

    async def read_body(self) -> bytes:
        """Read the body; the request has a place from then on."""
        body = await read_body(self.request, self.service.settings, self.service.slots, self.slot)
        self.service.enter(self.request, self.slot)
        return body

    async def read(self, model: type[_M]) -> _M:
        return read_request(model, await self.read_body())

    def read_query(self, model: type[_M]) -> _M:
        return validate(model, dict(self.request.query_params))


_BOUNDS_SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30]


class Metrics:
    """What a service counts, in a registry of its own; threads may count, too."""

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        counter = partial(Counter, registry=self.registry)
        self._requests = counter(
            "tamis_requests", "Requests that were answered.", ("endpoint", "status")
        )
        self._rejects = counter("tamis_rejects", "Problems, by reason.", ("reason",))
        self._parts = Histogram(
            "tamis_part_seconds",
            "Time of fetch, extract and render.",
            ("part",),
            buckets=_BOUNDS_SECONDS,
            registry=self.registry,
        )
        self._lost = counter("tamis_workers_lost", "Worker processes lost, by reason.", ("reason",))

    def count_request(self, endpoint: str, status: int) -> None:
        self._requests.labels(endpoint, status).inc()

    def count_problem(self, reason: str) -> None:
        self._rejects.labels(reason).inc()

    def count_seconds(self, parts: Mapping[str, float]) -> None:
        """Count the time of some parts: fetch, extract, render."""
        for part, seconds in parts.items():
            self._parts.labels(part).observe(seconds)

    def count_lost_worker(self, reason: str) -> None:
        self._lost.labels(reason).inc()

    def write(self, gauges: Mapping[str, tuple[str, float]]) -> bytes:
        """Write all metrics; `gauges` are current values with their meaning, by name."""
        now = CollectorRegistry()
        for name, (meaning, value) in gauges.items():
            Gauge(name, meaning, registry=now).set(value)
        return generate_latest(self.registry) + generate_latest(now)


Handler = Callable[[Call], Coroutine[Any, Any, Response]]
Responder = Callable[[Request], Coroutine[Any, Any, Response]]


@dataclass
class Service:
    """The parts of the service."""

    settings: ServeSettings

    def __post_init__(self) -> None:
        self.metrics = Metrics()
        self.slots = Slots(self.settings)
        self.workers = Workers(self.settings, self.metrics.count_lost_worker)
        self.jobs = ScrapeJobs(self.settings, self.metrics.count_problem)
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
        self.endpoints: dict[tuple[str, str], Responder] = {}
        """What answers a method and a path that has no parameters."""
        self.renewing: asyncio.Task[None] | None = None
        """Reads the open pages of the project again."""

    def make_responder(self, handle: Handler) -> Responder:
        """Give requests a place, let a handler answer, and turn errors into problem documents."""

        async def answer(request: Request) -> Response:
            try:
                with ExitStack() as open_slot:
                    client = name_client(request.client.host if request.client else "")
                    slot = open_slot.enter_context(self.slots.open_slot(client))
                    _SLOT.set(slot)
                    if request.method == "POST":
                        self.slots.check_room(slot)  # or its body would be read in vain
                    else:
                        self.enter(request, slot)
                    response = await handle(Call(self, request, slot))
                    slot.stop_watching()
                    self.slots.leave(slot, slot.places)
                    if not isinstance(response, Streamed):
                        if len(response.body) <= PIECE:
                            return response
                        self.slots.hold(slot, len(response.body) - slot.held)
                        response = Streamed.from_response(response, self.slots, slot)
                    response.keep(open_slot.pop_all())
                    return response
            except (Problem, TamisError) as error:
                return self.refuse(request, make_problem(error))
            except ClientDisconnect:
                self.metrics.count_problem("client left")
                return Response(status_code=400)

        return answer

    def refuse(self, request: Request, problem: Problem) -> Response:
        self.metrics.count_problem(problem.reason)
        body = problem.write(request.scope["path"])
        return Response(body, problem.status, problem.headers, MEDIA_TYPE)

    def enter(self, request: Request, slot: Slot) -> None:
        """Take a place; a client that leaves before it is answered gives it back."""
        self.slots.enter(slot)
        slot.watch(request.receive, _LOOK_SECONDS)

    async def answer(self, question: Question) -> Response:
        answer = await self.ask(question)
        return Response(answer.body, media_type=answer.media_type)

    async def ask(self, question: Question) -> Answer:
        question = question._replace(options=await self.with_accepted(question.options))
        slot = _SLOT.get()
        with slot.wait() if slot else nullcontext():
            answer = await self.workers.ask(question, slot.client.name if slot else "")
        self.metrics.count_seconds(answer.seconds)
        return answer

    def find_project(self) -> Database:
        """Find the database of the project, or raise the problem that there is none."""
        if self.project is None:
            raise Problem(
                404, "no project", "no project; start the server with: tamis serve --project FOLDER"
            )
        return self.project

    async def ask_project(self, function: Callable[..., _T], *arguments: Any) -> _T:
        """Run a function of the project's database in a thread."""
        return await asyncio.to_thread(function, self.find_project(), *arguments)

    async def with_accepted(self, options: Options) -> Options:
        """Add the weights that are accepted in the project, if there is one."""
        if self.accepted is None:
            return options
        if self.accepted.is_old:
            await asyncio.to_thread(self.accepted.look)
        return self.accepted.apply(options)

    async def get_page(self, page: PageRequest, options: Options) -> SentPage:
        """Read the page of a request, or fetch it."""
        check_one_page(page)
        if page.html is not None:
            return SentPage(encode_page(page.html), page.base_url, "text/html; charset=utf-8")
        assert page.url is not None
        fetched = await self.fetch(page.url, options)
        return fetched if page.base_url is None else fetched._replace(url=page.base_url)

    async def get_pages(
        self, pages: Sequence[PageRequest], options: Options
    ) -> list[SentPage | TamisError]:
        """Get several pages; one that cannot be fetched is replaced by its error."""
        for page in pages:
            check_one_page(page)
        few, total = asyncio.Semaphore(_FETCHES), 0

        async def read(page: PageRequest) -> SentPage | TamisError:
            nonlocal total
            try:
                async with few:
                    sent = await self.get_page(page, options)
            except TamisError as error:
                return error.with_traceback(None)
            total += len(sent.html)
            if total > options.max_bytes:
                return TooLargeError(
                    f"the pages together have more than {options.max_bytes:,} bytes; give fewer"
                )
            return sent

        reading = [asyncio.create_task(read(page)) for page in pages]
        try:
            return list(await asyncio.gather(*reading))
        finally:
            for task in reading:  # if there is no room for one page, the others are not wanted
                task.cancel()

    async def fetch(self, url: str, options: Options) -> SentPage:
        limits = FetchLimits(
            max_bytes=options.max_bytes,
            max_seconds=options.max_seconds,
            timeout=min(20.0, options.max_seconds),
            allow_private=self.settings.allow_private,
        )
        started, slot = time.perf_counter(), _SLOT.get()
        try:
            with slot.wait() if slot else nullcontext():
                fetched = await self._download(Download(url, limits), slot)
        finally:
            self.metrics.count_seconds({"fetch": time.perf_counter() - started})
        return SentPage(fetched.body, fetched.url, fetched.content_type, fetched.status)

    async def _download(self, download: Download, slot: Slot | None) -> Fetched:
        """Download a page, and count its bytes as they come if a request has asked for it."""
        reading, counted = asyncio.ensure_future(wait_for_page(download)), 0
        try:
            while True:
                await asyncio.wait([reading], timeout=_COUNT_SECONDS)
                if slot:
                    self.slots.hold(slot, download.received - counted)
                counted = download.received
                if reading.done():
                    return reading.result()
        finally:
            reading.cancel()

    def read_gauges(self) -> dict[str, tuple[str, float]]:
        return {
            "tamis_workers": ("Worker processes.", self.settings.workers),
            "tamis_workers_busy": ("Those that extract.", self.workers.busy),
            "tamis_waiting": ("Questions that wait for one.", self.workers.waiting),
            "tamis_clients": ("Clients that ask now.", len(self.slots.clients)),
            "tamis_slots": ("Requests that may be there at a time.", self.settings.queue),
            "tamis_slots_taken": ("Requests that are there.", self.slots.taken),
            "tamis_held_bytes": ("Bytes of requests and answers.", self.slots.held),
            "tamis_jobs": ("Batch scrapes that run.", self.jobs.running),
            "tamis_jobs_held_bytes": ("Bytes that batch scrapes keep.", self.jobs.held),
            "tamis_workers_memory_bytes": ("Memory of the workers.", self.workers.measure_memory()),
        }
