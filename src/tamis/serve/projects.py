"""The endpoints of a project: its pages, their labels, and what is taught with them."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
from typing import Any, TypeVar

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import Response

from tamis.errors import TamisError
from tamis.options import DEFAULT_METHOD
from tamis.project import labels, pages, renewal, weights
from tamis.project.database import Database
from tamis.project.pages import StoredPage
from tamis.project.reading import ReadPage, as_sent
from tamis.serve.batch import BatchRun, Line
from tamis.serve.documents import body_of, example_of, parameter
from tamis.serve.problems import Problem, as_json
from tamis.serve.project_requests import (
    LabelsRequest,
    NextRequest,
    PageQuery,
    PagesQuery,
    ProjectPageRequest,
)
from tamis.serve.requests import MethodChoice, read_options, read_request, validate
from tamis.serve.service import Service
from tamis.serve.slots import Slot
from tamis.serve.work import Question, SentPage

_T = TypeVar("_T")
LINES = "application/x-ndjson"
"""The type of JSON lines."""

_UTF8 = "text/html; charset=utf-8"
_OF_PROJECT, _SHIPPED = "project:", "shipped"


class Projects:
    """The project of a service, asked beside the event loop."""

    def __init__(self, service: Service) -> None:
        self.service = service
        self._renewing: asyncio.Task[None] | None = None

    @property
    def database(self) -> Database:
        """The database, or the problem that there is none."""
        if self.service.project is None:
            raise Problem(
                404, "no project", "no project; start the server with: tamis serve --project FOLDER"
            )
        return self.service.project

    async def call(self, function: Callable[..., _T], *arguments: Any) -> _T:
        """What a function gives for the database."""
        return await asyncio.to_thread(function, self.database, *arguments)

    async def read(self, page: SentPage) -> ReadPage:
        """A page as a project keeps it, read by a worker."""
        answer = await self.service.ask(Question("project", [page], self.service.options))
        made: ReadPage = answer.value
        return made

    async def add(
        self, given: ProjectPageRequest, line: Line | None = None
    ) -> tuple[bool, dict[str, Any]]:
        """Add a page, those of lines in their order; whether it is new, and its entry."""
        _ = self.database  # before anything is fetched
        page = await self.service.page(given, self.service.options)
        read = await self.read(page)
        if line:
            await line.turn()
        is_new, number = await self.call(pages.add, read, given.name, page.url)
        return is_new, await self.entry(number)

    async def entry(self, number: int) -> dict[str, Any]:
        """A page as it is listed."""
        return await self.call(pages.entry, number, time.time())

    async def page(self, request: Request) -> StoredPage:
        """The page that an address names, with the blocks that this version of tamis finds."""
        number = number_of(request)
        if await self.call(renewal.is_old, number):
            await self.renew(number)
        return await self.call(pages.get_page, number)

    async def renew(self, number: int) -> None:
        """Read a page again."""
        page = await self.call(pages.get_page, number)
        await self.call(renewal.renew, number, await self.read(prepare_page(page)))

    def renew_soon(self) -> None:
        """Begin to read all open pages again: with other weights other decisions are close."""
        if self._renewing:
            self._renewing.cancel()
        self._renewing = asyncio.create_task(self._renew_all())
        self.service.closing.callback(self._renewing.cancel)

    async def _renew_all(self) -> None:
        for number in await self.call(pages.open_pages):
            with suppress(Problem, TamisError):
                await self.renew(number)

    async def view(self, page: StoredPage, shown: PageQuery) -> bytes:
        """A page as `/v1/view` shows it."""
        details = {**shown.model_dump(), "source": False, "labelling": True}
        answer = await self.service.ask(
            Question("view", [prepare_page(page)], self.service.options, details)
        )
        return answer.body

    async def save(self, number: int, change: labels.Change) -> labels.Saved:
        """Save labels, with the proposal for those that nobody gave if the page is done."""
        proposal: tuple[str, ...] | None = None
        while True:
            try:
                return await self.call(labels.save, number, change, time.time(), proposal)
            except labels.ProposalNeeded:
                page = await self.call(pages.get_page, number)
                proposal = (await self.read(prepare_page(page))).proposal


def weights_path(service: Service, name: str) -> str:
    """The file of weights of the project, by their name or `project:NAME`; a problem if not there.

    For whoever compares methods: `{"method": "tamis", "weights": "project:taught-1"}`.
    """
    path = weights.path_of(Projects(service).database, name.removeprefix(_OF_PROJECT))
    return str(path.resolve())


async def choice_of(service: Service, choice: MethodChoice) -> dict[str, Any]:
    """The options of a method that is compared, with the weights that it names."""
    own: dict[str, Any] = {"method": choice.method, "parameters": choice.parameters}
    options = read_options(own, service.options)  # says what is wrong with it
    if choice.weights is None:
        options = await service.with_accepted(options)
    elif options.method != DEFAULT_METHOD:
        raise Problem(
            422, "bad request", f"{choice.method} has no weights; leave them out, or compare tamis"
        )
    elif choice.weights.startswith(_OF_PROJECT):
        path = await asyncio.to_thread(weights_path, service, choice.weights)
        options = weights.with_weights(options, path)
    elif choice.weights != _SHIPPED:
        raise Problem(
            422, "bad request", f"weights is {choice.weights[:50]!r}; give shipped or project:NAME"
        )
    return {"method": options.method, "parameters": options.parameters}


def name_of(choice: MethodChoice) -> str:
    """What a method that is compared is called."""
    if choice.weights is None:
        return choice.method
    return f"{choice.method}, {choice.weights.removeprefix(_OF_PROJECT)}"


def prepare_page(page: StoredPage) -> SentPage:
    """A stored page as a worker gets it."""
    return SentPage(as_sent(page.source), page.url, _UTF8)


def number_of(request: Request) -> int:
    """The number of a page in an address."""
    text = str(request.path_params["id"])
    if not (text.isascii() and text.isdecimal() and len(text) < 19):
        raise Problem(404, "not in project", f"{text[:50]!r} is no number of a page")
    return int(text)


def answer_of(value: Any, status: int = 200) -> Response:
    """A value as JSON."""
    return Response(as_json(value), status, media_type="application/json")


def router(service: Service) -> APIRouter:
    """The endpoints, which are answered by a service."""
    routes = APIRouter(tags=["project"])
    projects = Projects(service)
    add = partial(service.add, routes)
    _add_pages(add, projects)
    _add_labels(add, projects)
    return routes


Adding = Callable[..., None]


def _add_pages(add: Adding, projects: Projects) -> None:
    service = projects.service

    async def listed(request: Request, slot: Slot) -> Response:
        """The pages of the project, by their state, in the order of adding or of teaching."""
        given = validate(PagesQuery, dict(request.query_params))
        total, entries = await projects.call(
            pages.list_pages, given.state, given.order, given.limit, given.offset, time.time()
        )
        return answer_of({"total": total, "pages": entries})

    async def of_line(line: Line) -> bytes:
        _, entry = await projects.add(read_request(ProjectPageRequest, line.body), line)
        return as_json(entry)

    async def added(request: Request, slot: Slot) -> Response:
        """Add a page, or as lines of JSON several; 200 and not 201 if it is there already."""
        _ = projects.database
        if request.headers.get("content-type", "").partition(";")[0].strip().lower() == LINES:
            return BatchRun(service, request, slot, of_line).response(LINES)
        given = read_request(ProjectPageRequest, await service.body(request, slot))
        is_new, entry = await projects.add(given)
        return answer_of(entry, 201 if is_new else 200)

    async def page(request: Request, slot: Slot) -> Response:
        """A page with its labels, and as the accepted method sees it."""
        shown = validate(PageQuery, dict(request.query_params))
        stored = await projects.page(request)
        head = {**await projects.entry(stored.id), "labels": stored.labels}
        view = await projects.view(stored, shown)
        body = as_json(head)[:-1] + b',"view":' + view + b"}"
        return Response(body, media_type="application/json")

    async def following(request: Request, slot: Slot) -> Response:
        """The next page to label, which is of the one who asks for ten minutes."""
        given = read_request(NextRequest, await service.body(request, slot))
        number = await projects.call(
            pages.claim_next, given.by, given.order, given.after, time.time()
        )
        return answer_of({"id": number})

    add(
        *("GET", "/v1/project/pages", listed),
        openapi_extra={
            "parameters": [
                parameter("state", "open, done, skipped or all."),
                parameter("order", "added, or teaching: those first that teach most."),
                parameter("limit", "Most pages, up to 1000."),
                parameter("offset", "Pages to leave out before."),
            ]
        },
        responses=example_of("project_pages"),
    )
    example = ProjectPageRequest.model_json_schema()["examples"][0]
    add(
        *("POST", "/v1/project/pages", added),
        status_code=201,
        openapi_extra=body_of(ProjectPageRequest, more={LINES: {"example": example}}),
        responses=example_of("project_entry", status=201),
    )
    ways = [
        parameter("document", "Whether to show the page itself, made harmless; true unless given."),
        parameter("pictures", "Whether it may load pictures; false unless given."),
    ]
    add("GET", "/v1/project/pages/{id}", page, **_of_page("project_page", parameters=ways))
    add(
        *("POST", "/v1/project/next", following),
        openapi_extra=body_of(NextRequest),
        responses=example_of("project_next"),
    )


def _add_labels(add: Adding, projects: Projects) -> None:
    service = projects.service

    async def version(request: Request, slot: Slot) -> Response:
        """The labels of a page as they are now: cheap, to see what others changed."""
        current = await projects.call(labels.current, number_of(request))
        return answer_of(current.to_dict())

    async def history(request: Request, slot: Slot) -> Response:
        """Every change of a page's labels: who, when, what."""
        changes = await projects.call(labels.history, number_of(request))
        return answer_of({"changes": changes})

    async def saved(request: Request, slot: Slot) -> Response:
        """Save labels; what others changed on other blocks stays, on the same ones is a problem."""
        number = number_of(request)
        given = read_request(LabelsRequest, await service.body(request, slot))
        change = labels.Change(
            given.version, given.hash, given.by, given.kinds(), given.state, given.force
        )
        return answer_of((await projects.save(number, change)).to_dict())

    add("GET", "/v1/project/pages/{id}/version", version, **_of_page("project_version"))
    add("GET", "/v1/project/pages/{id}/history", history, **_of_page("project_history"))
    add(
        *("POST", "/v1/project/pages/{id}/labels", saved),
        **_of_page("project_saved", body_of(LabelsRequest)),
    )


def _of_page(
    example: str,
    more: dict[str, Any] | None = None,
    parameters: Sequence[dict[str, Any]] = (),
) -> dict[str, Any]:
    number = {**parameter("id", "The number of a page.", required=True), "in": "path"}
    return {
        "openapi_extra": {"parameters": [number, *parameters], **(more or {})},
        "responses": example_of(example),
    }
