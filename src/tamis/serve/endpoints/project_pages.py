"""The endpoints of a project for its pages and their labels."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import Annotated, Any, Literal, TypeVar, cast

from pydantic import Field
from starlette.responses import Response

from tamis.errors import TamisError
from tamis.project import labels, pages
from tamis.project.database import Database
from tamis.project.pages import Order, StoredPage
from tamis.project.reading import ReadPage, as_sent
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

_T = TypeVar("_T")
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


@dataclass(frozen=True, slots=True)
class Project:
    """The project of a service, asked beside the event loop."""

    service: Service

    def find_database(self) -> Database:
        """Find the database of the project, or raise the problem that there is none."""
        if self.service.project is None:
            raise Problem(
                404, "no project", "no project; start the server with: tamis serve --project FOLDER"
            )
        return self.service.project

    async def run(self, function: Callable[..., _T], *arguments: Any) -> _T:
        """Run a function of the database in a thread."""
        return await asyncio.to_thread(function, self.find_database(), *arguments)

    async def read(self, page: SentPage) -> ReadPage:
        question = Question("project", [page], self.service.options)
        return cast(ReadPage, (await self.service.ask(question)).value)

    async def read_again(self, number: int) -> ReadPage:
        return await self.read(_send_again(await self.run(pages.get_page, number)))

    async def add(
        self, given: ProjectPageRequest, line: Line | None = None
    ) -> tuple[bool, dict[str, Any]]:
        """Add a page; lines of a batch are added in order."""
        self.find_database()  # before anything is fetched
        page = await self.service.get_page(given, self.service.options)
        read = await self.read(page)
        if line:
            await line.wait_turn()
        is_new, number = await self.run(pages.add_page, read, given.name, page.url)
        return is_new, await self.list_page(number)

    async def list_page(self, number: int) -> dict[str, Any]:
        return await self.run(pages.list_page, number, time.time())

    async def renew(self, number: int) -> None:
        await self.run(labels.renew_page, number, await self.read_again(number))

    def renew_soon(self) -> None:
        """Begin to read all open pages again: with other weights other decisions are close."""
        service = self.service
        if service.renewing:
            service.renewing.cancel()
        service.renewing = asyncio.create_task(self._renew_all())
        service.closing.callback(service.renewing.cancel)

    async def _renew_all(self) -> None:
        for number in await self.run(pages.list_open):
            with suppress(Problem, TamisError):
                await self.renew(number)


endpoints = Endpoints("project")


@endpoints.at("GET /v1/project/pages", query=PagesQuery, operation="listed")
async def list_pages(call: Call) -> Response:
    """The pages of the project, by their state, in the order of adding or of teaching."""
    given = call.read_query(PagesQuery)
    total, entries = await Project(call.service).run(
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
    project = Project(call.service)
    project.find_database()

    async def add_line(line: Line) -> bytes:
        _, entry = await project.add(read_request(ProjectPageRequest, line.body), line)
        return as_json(entry)

    if call.media_type == LINES:
        return BatchRun(call, add_line).answer()
    is_new, entry = await project.add(await call.read(ProjectPageRequest))
    return answer_json(entry, 201 if is_new else 200)


@endpoints.at("GET /v1/project/pages/{id}", parameters=[_ID], query=PageQuery, operation="page")
async def show_page(call: Call) -> Response:
    """A page with its labels, and as the accepted method sees it."""
    project, shown = Project(call.service), call.read_query(PageQuery)
    number = _read_number(call)
    if await project.run(labels.is_old, number):  # another version of tamis found its blocks
        await project.renew(number)
    stored = await project.run(pages.get_page, number)
    head = {**await project.list_page(number), "labels": stored.labels}
    details = {**shown.model_dump(), "source": False, "labelling": True}
    question = Question("view", [_send_again(stored)], call.service.options, details)
    view = (await call.service.ask(question)).body
    return Response(as_json(head)[:-1] + b',"view":' + view + b"}", media_type=JSON)


@endpoints.at("POST /v1/project/next", takes=NextRequest, operation="following")
async def claim_page(call: Call) -> Response:
    """The next page to label, which is of the one who asks for ten minutes."""
    given = await call.read(NextRequest)
    number = await Project(call.service).run(
        pages.claim_next, given.by, given.order, given.after, time.time()
    )
    return answer_json({"id": number})


@endpoints.at("GET /v1/project/pages/{id}/version", parameters=[_ID], operation="version")
async def show_labels(call: Call) -> Response:
    """The labels of a page as they are now: cheap, to see what others changed."""
    saved = await Project(call.service).run(labels.get_labels, _read_number(call))
    return answer_json(saved.to_dict())


@endpoints.at("GET /v1/project/pages/{id}/history", parameters=[_ID], operation="history")
async def list_changes(call: Call) -> Response:
    """Every change of a page's labels: who, when, what."""
    changes = await Project(call.service).run(labels.list_changes, _read_number(call))
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
    project, number = Project(call.service), _read_number(call)
    change = (await call.read(LabelsRequest)).to_change()
    try:
        saved = await project.run(labels.save_labels, number, change, time.time())
    except labels.ProposalNeeded:  # blocks of a page that is done get the proposal of the method
        proposal = (await project.read_again(number)).proposal
        saved = await project.run(labels.save_labels, number, change, time.time(), proposal)
    return answer_json(saved.to_dict())


def _read_number(call: Call) -> int:
    text = str(call.request.path_params["id"])
    if not (text.isascii() and text.isdecimal() and len(text) < 19):
        raise Problem(404, "not in project", f"{text[:50]!r} is not the number of a page")
    return int(text)


def _send_again(page: StoredPage) -> SentPage:
    return SentPage(as_sent(page.source), page.url, _UTF8)
