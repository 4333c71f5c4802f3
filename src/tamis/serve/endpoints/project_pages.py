"""The endpoints of a project for its pages and their labels."""

from __future__ import annotations

import asyncio
import time
from contextlib import suppress
from typing import Annotated, Any, Literal, cast

from pydantic import Field
from starlette.responses import Response

from tamis.errors import TamisError
from tamis.project import labels, pages
from tamis.project.database import ReadPage
from tamis.project.pages import Order, StoredPage
from tamis.project.transfer import as_sent
from tamis.serve.bodies import JSON, LINES, BatchRun, Line, answer_json
from tamis.serve.openapi import Endpoints, describe_parameter
from tamis.serve.problems import Problem, as_json
from tamis.serve.requests import (
    PageRequest,
    Query,
    StrictRequest,
    read_request,
    refuse,
    with_example,
)
from tamis.serve.service import Call, Service
from tamis.serve.tasks import Question, SentPage

Name = Annotated[
    str, Field(min_length=1, max_length=200, description="Who: a name that others see.")
]
Kind = Literal["main", "title", "comments", "navigation", "promotion", "other"]

_UTF8 = "text/html; charset=utf-8"
_ID = describe_parameter("id", "The number of a page.", place="path")
_SIEVES = {
    "html": "<title>Sieves</title><p>A tamis is a sieve with a fine mesh.",
    "base_url": "https://example.org/sieves",
    "name": "sieves",
}


class ProjectPageRequest(PageRequest):
    """A page to label."""

    model_config = with_example(**_SIEVES)

    name: str = Field("", max_length=500, description="What people call it; else its address.")


class PagesQuery(Query):
    """Which pages to list, and how."""

    state: Literal["open", "done", "skipped", "all"] = Field(
        "all", description="open, done, skipped or all."
    )
    order: Order = Field("added", description="added, or teaching: those first that teach most.")
    limit: int = Field(100, ge=1, le=1000, description="Most pages, up to 1000.")
    offset: int = Field(0, ge=0, description="Pages to leave out before.")


class PageQuery(Query):
    """How to show a page."""

    document: bool = Field(
        True, description="Whether to show the page itself, made harmless; true unless given."
    )
    pictures: bool = Field(False, description="Whether it may load pictures; false unless given.")


class LabelsRequest(StrictRequest):
    """Changed labels of a page."""

    model_config = with_example(
        version=0,
        hash="9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
        by="ann",
        changes={"0": "main", "1": None},
        state="open",
    )

    version: int = Field(ge=0, description="Of the page as the person saw it.")
    hash: str = Field(max_length=100, description="Of the page as the person saw it.")
    by: Name
    changes: dict[str, Kind | None] = Field(
        default_factory=dict, description="Number of a block to its kind; null takes it back."
    )
    state: labels.State | None = None
    force: bool = Field(False, description="Overwrite what others changed meanwhile.")

    def to_change(self) -> labels.Change:
        for block in self.changes:
            if not (block.isascii() and block.isdecimal() and len(block) < 10):
                raise refuse(f"changes: {block[:50]!r} is not the number of a block")
        kinds = {int(block): kind for block, kind in self.changes.items()}
        return labels.Change(self.version, self.hash, self.by, kinds, self.state, self.force)


class NextRequest(StrictRequest):
    """Who wants a page to label."""

    model_config = with_example(by="ann", after=3, order="teaching")

    by: Name
    after: int | None = Field(None, description="The page that the person comes from.")
    order: Order = "added"


endpoints = Endpoints("project")


@endpoints.at("GET /v1/project/pages", query=PagesQuery, operation="listed")
async def list_pages(call: Call) -> Response:
    """The pages of the project, by their state, in the order of adding or of teaching."""
    given = call.read_query(PagesQuery)
    total, entries = await call.service.ask_project(
        pages.list_pages, given.state, given.order, given.limit, given.offset, time.time()
    )
    return answer_json({"total": total, "pages": entries})


@endpoints.at(
    "POST /v1/project/pages",
    takes=ProjectPageRequest,
    takes_also={LINES: {"example": _SIEVES}},
    status=201,
    operation="added",
)
async def add_page(call: Call) -> Response:
    """Add a page, or as lines of JSON several; 200 and not 201 if it is there already."""
    service = call.service
    service.find_project()  # before anything is fetched

    async def add(given: ProjectPageRequest, line: Line | None) -> tuple[bool, dict[str, Any]]:
        page = await service.get_page(given, service.options)
        read = await _read_page(service, page)
        if line:
            await line.wait_turn()
        is_new, number = await service.ask_project(pages.add_page, read, given.name, page.url)
        return is_new, await list_page(service, number)

    async def add_line(line: Line) -> bytes:
        _, entry = await add(read_request(ProjectPageRequest, line.body), line)
        return as_json(entry)

    if call.media_type == LINES:
        return BatchRun(call, add_line).answer()
    is_new, entry = await add(await call.read(ProjectPageRequest), None)
    return answer_json(entry, 201 if is_new else 200)


@endpoints.at("GET /v1/project/pages/{id}", parameters=[_ID], query=PageQuery, operation="page")
async def show_page(call: Call) -> Response:
    """A page with its labels, and as the accepted method sees it."""
    service, shown = call.service, call.read_query(PageQuery)
    number = _read_number(call)
    if await service.ask_project(labels.is_old, number):  # another version found its blocks
        await _renew_page(service, number)
    stored = await service.ask_project(pages.get_page, number)
    head = {**await list_page(service, number), "labels": stored.labels}
    details = {**shown.model_dump(), "source": False, "labelling": True}
    question = Question("view", [_send_again(stored)], service.options, details)
    view = (await service.ask(question)).body
    return Response(as_json(head)[:-1] + b',"view":' + view + b"}", media_type=JSON)


@endpoints.at("POST /v1/project/next", takes=NextRequest, operation="following")
async def claim_page(call: Call) -> Response:
    """The next page to label, which is of the one who asks for ten minutes."""
    given = await call.read(NextRequest)
    number = await call.service.ask_project(
        pages.claim_next, given.by, given.order, given.after, time.time()
    )
    return answer_json({"id": number})


@endpoints.at("GET /v1/project/pages/{id}/version", parameters=[_ID], operation="version")
async def show_labels(call: Call) -> Response:
    """The labels of a page as they are now: cheap, to see what others changed."""
    saved = await call.service.ask_project(labels.get_labels, _read_number(call))
    return answer_json(saved.to_dict())


@endpoints.at("GET /v1/project/pages/{id}/history", parameters=[_ID], operation="history")
async def list_changes(call: Call) -> Response:
    """Every change of a page's labels: who, when, what."""
    changes = await call.service.ask_project(labels.list_changes, _read_number(call))
    return answer_json({"changes": changes})


@endpoints.at(
    "POST /v1/project/pages/{id}/labels",
    takes=LabelsRequest,
    parameters=[_ID],
    example="show_labels",
    operation="saved",
)
async def save_labels(call: Call) -> Response:
    """Save labels; what others changed on other blocks stays, on the same ones is a problem."""
    service, number = call.service, _read_number(call)
    change = (await call.read(LabelsRequest)).to_change()
    try:
        saved = await service.ask_project(labels.save_labels, number, change, time.time())
    except labels.ProposalNeeded:  # blocks of a page that is done get the proposal of the method
        proposal = (await _read_again(service, number)).proposal
        saved = await service.ask_project(labels.save_labels, number, change, time.time(), proposal)
    return answer_json(saved.to_dict())


def _read_number(call: Call) -> int:
    text = str(call.request.path_params["id"])
    if not (text.isascii() and text.isdecimal() and len(text) < 19):
        raise Problem(404, "not in project", f"{text[:50]!r} is not the number of a page")
    return int(text)


def _send_again(page: StoredPage) -> SentPage:
    return SentPage(as_sent(page.source), page.url, _UTF8)


async def list_page(service: Service, number: int) -> dict[str, Any]:
    return await service.ask_project(pages.list_page, number, time.time())


async def _read_page(service: Service, page: SentPage) -> ReadPage:
    return cast(ReadPage, (await service.ask(Question("project", [page], service.options))).value)


async def _read_again(service: Service, number: int) -> ReadPage:
    return await _read_page(service, _send_again(await service.ask_project(pages.get_page, number)))


async def _renew_page(service: Service, number: int) -> None:
    await service.ask_project(labels.renew_page, number, await _read_again(service, number))


def renew_soon(service: Service) -> None:
    """Begin to read all open pages again: with other weights other decisions are close."""

    async def renew_all() -> None:
        for number in await service.ask_project(pages.list_open):
            with suppress(Problem, TamisError):
                await _renew_page(service, number)

    if service.renewing:
        service.renewing.cancel()
    service.renewing = asyncio.create_task(renew_all())
    service.closing.callback(service.renewing.cancel)
