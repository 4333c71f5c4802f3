"""Firecrawl's scrape and batch scrape, as its clients ask for them: `/v1/...` and `/v2/...`."""

from __future__ import annotations

from contextlib import AbstractAsyncContextManager, nullcontext
from functools import partial
from typing import Any

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import Response

from tamis.download import read_address
from tamis.errors import FetchError
from tamis.serve.documents import body_of, example_of, parameter
from tamis.serve.jobs import ScrapeJob
from tamis.serve.problems import Problem, as_json
from tamis.serve.requests import (
    BatchScrapeRequest,
    ScrapeFields,
    ScrapeRequest,
    keep_all,
    limit_seconds,
    read_request,
)
from tamis.serve.service import Service
from tamis.serve.slots import Slot
from tamis.serve.work import Question

_NO_WEBHOOK = "webhooks are not sent; leave webhook out and ask for the status of the job"


def router(service: Service) -> APIRouter:
    """The endpoints, which are answered by a service."""
    routes = APIRouter(tags=["as Firecrawl"])
    jobs = service.jobs

    async def document(
        url: str, asked: ScrapeFields, turn: AbstractAsyncContextManager[Any]
    ) -> bytes:
        """Scrape a page; `turn` is waited for before a worker process is asked."""
        options = limit_seconds(service.options, asked.seconds)
        page = await service.fetch(url, options)
        if asked.includeTags or not asked.onlyMainContent:
            options = keep_all(options)
        details = {"url": url, **asked.details()}
        async with turn:
            return (await service.ask(Question("scrape", [page], options, details))).body

    async def scrape(request: Request, slot: Slot) -> Response:
        """The page at an address as Firecrawl gives it."""
        given = read_request(ScrapeRequest, await service.body(request, slot))
        found = await document(given.url, given, nullcontext())
        return _answer(b'{"success":true,"data":' + found + b"}")

    async def start(request: Request, slot: Slot) -> Response:
        """Begin to scrape many pages, as Firecrawl does."""
        given = read_request(BatchScrapeRequest, await service.body(request, slot))
        if given.webhook is not None:
            raise Problem(422, "bad request", _NO_WEBHOOK)
        limit_seconds(service.options, given.seconds)  # a wrong one is an error now
        valid, invalid = _split(given, usual=_version(request) == "v2")
        scrape_one = partial(document, asked=given, turn=jobs.turn)
        if given.appendToId is None:
            job = jobs.start(valid, scrape_one, given.maxConcurrency)
        else:
            job = jobs.find(given.appendToId)
            jobs.append(job, valid, scrape_one)
        named = {} if invalid is None else {"invalidURLs": invalid}
        address = _address(request, job)
        return _answer(as_json({"success": True, "id": job.id, "url": address, **named}))

    async def status(request: Request, slot: Slot) -> Response:
        """How far a batch scrape is, and the documents that it has."""
        job = jobs.find(request.path_params["id"])
        skip, limit = (_count(request, name) for name in ("skip", "limit"))
        documents, following = job.page(skip or 0, limit or None)
        head = {
            "success": True,
            "status": job.status,
            "completed": len(job.done),
            "total": job.total,
            "creditsUsed": 0,
            "expiresAt": jobs.expiry(job).isoformat(),
        }
        if following is not None:
            size = f"&limit={limit}" if limit else ""
            head["next"] = f"{_address(request, job)}?skip={following}{size}"
        return _answer(as_json(head)[:-1] + b',"data":[' + b",".join(documents) + b"]}")

    async def errors(request: Request, slot: Slot) -> Response:
        """The URLs of a batch scrape that could not be scraped, and why."""
        job = jobs.find(request.path_params["id"])
        return _answer(as_json({"success": True, "errors": job.errors, "robotsBlocked": []}))

    async def cancel(request: Request, slot: Slot) -> Response:
        """End a batch scrape; the documents that it has stay."""
        job = jobs.find(request.path_params["id"])
        jobs.cancel(job)
        return _answer(as_json({"success": True, "status": job.status}))

    name = {**parameter("id", "The id of the job.", required=True), "in": "path"}
    part = [parameter("skip", "Documents to leave out."), parameter("limit", "Most documents.")]
    for version in ("v1", "v2"):
        batch = f"/{version}/batch/scrape"
        service.add(
            routes,
            *("POST", f"/{version}/scrape", scrape),
            openapi_extra=body_of(ScrapeRequest),
            responses=example_of("scrape"),
        )
        service.add(
            routes,
            *("POST", batch, start),
            openapi_extra=body_of(BatchScrapeRequest),
            responses=example_of("batch scrape"),
        )
        for method, path, handler, parameters in (
            ("GET", f"{batch}/{{id}}", status, [name, *part]),
            ("GET", f"{batch}/{{id}}/errors", errors, [name]),
            ("DELETE", f"{batch}/{{id}}", cancel, [name]),
        ):
            service.add(
                routes,
                *(method, path, handler),
                openapi_extra={"parameters": parameters},
                responses=example_of(f"batch {handler.__name__}"),
            )
    return routes


def _split(given: BatchScrapeRequest, *, usual: bool) -> tuple[list[str], list[str] | None]:
    """The valid URLs and the others; None for these if they are an error of the whole request."""
    ignore = usual if given.ignoreInvalidURLs is None else given.ignoreInvalidURLs
    valid, invalid, first = [], [], None
    for url in given.urls:
        try:
            read_address(url)
            valid.append(url)
        except FetchError as error:
            invalid.append(url)
            first = first or error
    if first and not (ignore and valid):
        raise first
    return valid, invalid if ignore else None


def _count(request: Request, name: str) -> int | None:
    text = request.query_params.get(name)
    if text is None:
        return None
    if not (text.isascii() and text.isdecimal() and len(text) < 10):
        raise Problem(422, "bad request", f"{name} is {text[:100]!r}; give a whole number")
    return int(text)


def _version(request: Request) -> str:
    return "v1" if "/v1/batch/scrape" in request.url.path else "v2"


def _address(request: Request, job: ScrapeJob) -> str:
    return f"{request.base_url}{_version(request)}/batch/scrape/{job.id}"


def _answer(body: bytes) -> Response:
    return Response(body, media_type="application/json")
