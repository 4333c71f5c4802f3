"""Firecrawl's scrape and batch scrape, as its clients ask for them: `/v1/...` and `/v2/...`."""

from __future__ import annotations

from contextlib import AbstractAsyncContextManager, nullcontext
from dataclasses import replace
from functools import partial
from typing import Annotated, Any

from pydantic import BaseModel, Field
from starlette.responses import Response

from tamis.errors import FetchError
from tamis.serve.bodies import JSON, answer_json
from tamis.serve.openapi import Endpoints, describe_parameter
from tamis.serve.problems import as_json
from tamis.serve.requests import keep_all, limit_seconds, refuse, with_example
from tamis.serve.scrape_jobs import ScrapeJob
from tamis.serve.service import Call, Service
from tamis.serve.tasks import Question
from tamis.web.download import read_address

_NO_WEBHOOK = "webhooks are not sent; leave webhook out and ask for the status of the job"
_ID = describe_parameter("id", "The id of the job.", place="path")


class ScrapeFields(BaseModel):
    """How Firecrawl scrapes a page; fields that are not known here are ignored."""

    formats: list[str | dict[str, Any]] = ["markdown"]
    onlyMainContent: bool = True
    includeTags: list[str] | None = None
    excludeTags: list[str] | None = None
    timeout: float | None = Field(None, description="Milliseconds.")

    @property
    def seconds(self) -> float | None:
        return None if self.timeout is None else self.timeout / 1000

    def get_details(self) -> dict[str, Any]:
        names = (each.get("type") if isinstance(each, dict) else each for each in self.formats)
        return {
            "formats": list(map(str, names)),
            "wanted": self.includeTags or (),
            "unwanted": self.excludeTags or (),
        }


class ScrapeRequest(ScrapeFields):
    """A page that is scraped."""

    model_config = with_example(url="https://example.org/", formats=["markdown", "links"])

    url: str


class BatchScrapeRequest(ScrapeFields):
    """Pages that are scraped by a job."""

    model_config = with_example(urls=["https://example.org/1", "https://example.org/2"])

    urls: Annotated[list[str], Field(min_length=1)]
    ignoreInvalidURLs: bool | None = Field(
        None, description="Leave out URLs that are not valid, and name them. Usual in v2."
    )
    maxConcurrency: int | None = Field(None, ge=1, description="Most pages at a time.")
    appendToId: str | None = Field(None, description="Add the URLs to this job, which still runs.")
    webhook: Any = Field(None, description="Refused: ask for the status instead.")


_v2 = Endpoints("as Firecrawl")


@_v2.at("POST /v2/scrape", takes=ScrapeRequest)
async def scrape(call: Call) -> Response:
    """The page at an address as Firecrawl gives it."""
    given = await call.read(ScrapeRequest)
    found = await _scrape_page(call.service, given.url, given, nullcontext())
    return Response(b'{"success":true,"data":' + found + b"}", media_type=JSON)


@_v2.at("POST /v2/batch/scrape", takes=BatchScrapeRequest, operation="start")
async def start_batch(call: Call) -> Response:
    """Begin to scrape many pages, as Firecrawl does."""
    given = await call.read(BatchScrapeRequest)
    if given.webhook is not None:
        raise refuse(_NO_WEBHOOK)
    limit_seconds(call.service.options, given.seconds)  # a wrong one is an error now
    valid, invalid = _split_urls(given, usual=_find_version(call) == "v2")
    jobs = call.service.jobs
    scrape_one = partial(_scrape_page, call.service, asked=given, turn=jobs.turn)
    if given.appendToId is None:
        job = jobs.start(valid, scrape_one, given.maxConcurrency)
    else:
        job = jobs.find(given.appendToId)
        jobs.append(job, valid, scrape_one)
    named = {} if invalid is None else {"invalidURLs": invalid}
    return answer_json({"success": True, "id": job.id, "url": _make_address(call, job), **named})


@_v2.at(
    "GET /v2/batch/scrape/{id}",
    parameters=[
        _ID,
        describe_parameter("skip", "Documents to leave out."),
        describe_parameter("limit", "Most documents."),
    ],
    operation="status",
)
async def show_batch(call: Call) -> Response:
    """How far a batch scrape is, and the documents that it has."""
    job = _find_job(call)
    skip, limit = _read_count(call, "skip"), _read_count(call, "limit")
    documents, following = job.list_documents(skip, limit or None)
    head = {
        "success": True,
        "status": job.status,
        "completed": len(job.done),
        "total": job.total,
        "creditsUsed": 0,
        "expiresAt": call.service.jobs.find_expiry(job).isoformat(),
    }
    if following is not None:
        size = f"&limit={limit}" if limit else ""
        head["next"] = f"{_make_address(call, job)}?skip={following}{size}"
    body = as_json(head)[:-1] + b',"data":[' + b",".join(documents) + b"]}"
    return Response(body, media_type=JSON)


@_v2.at("DELETE /v2/batch/scrape/{id}", parameters=[_ID], operation="cancel")
async def cancel_batch(call: Call) -> Response:
    """End a batch scrape; the documents that it has stay."""
    job = _find_job(call)
    call.service.jobs.cancel(job)
    return answer_json({"success": True, "status": job.status})


@_v2.at("GET /v2/batch/scrape/{id}/errors", parameters=[_ID], operation="errors")
async def list_errors(call: Call) -> Response:
    """The URLs of a batch scrape that could not be scraped, and why."""
    errors = _find_job(call).errors
    return answer_json({"success": True, "errors": errors, "robotsBlocked": []})


endpoints = [replace(each, path=each.path.replace("/v2/", "/v1/")) for each in _v2] + _v2


async def _scrape_page(
    service: Service, url: str, asked: ScrapeFields, turn: AbstractAsyncContextManager[Any]
) -> bytes:
    """Scrape a page; wait for `turn` before asking a worker."""
    options = limit_seconds(service.options, asked.seconds)
    page = await service.fetch(url, options)
    if asked.includeTags or not asked.onlyMainContent:
        options = keep_all(options)
    details = {"url": url, **asked.get_details()}
    async with turn:
        return (await service.ask(Question("scrape", [page], options, details))).body


def _find_job(call: Call) -> ScrapeJob:
    return call.service.jobs.find(call.request.path_params["id"])


def _split_urls(given: BatchScrapeRequest, *, usual: bool) -> tuple[list[str], list[str] | None]:
    """Split into valid URLs and others; None for these if they fail the whole request."""
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


def _read_count(call: Call, name: str) -> int:
    text = call.request.query_params.get(name, "0")
    if not (text.isascii() and text.isdecimal() and len(text) < 10):
        raise refuse(f"{name} is {text[:100]!r}; give a whole number")
    return int(text)


def _find_version(call: Call) -> str:
    return "v1" if "/v1/batch/scrape" in call.request.url.path else "v2"


def _make_address(call: Call, job: ScrapeJob) -> str:
    return f"{call.request.base_url}{_find_version(call)}/batch/scrape/{job.id}"
