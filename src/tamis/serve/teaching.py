"""The endpoints of a project that teach: start, stop, accept, weights, and labels in and out."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncGenerator
from functools import partial
from pathlib import Path
from typing import cast

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import Response

from tamis._runtime.extras import check_installed
from tamis.errors import InputError
from tamis.project import exchange, pages, teaching, weights
from tamis.project.overview import overview
from tamis.serve.answers import Streamed
from tamis.serve.batch import BatchRun, Line
from tamis.serve.documents import body_of, example_of, parameter
from tamis.serve.problems import Problem, as_json
from tamis.serve.project_requests import EXAMPLES, AcceptRequest, LabelsQuery, TeachRequest
from tamis.serve.projects import LINES, Adding, Projects, answer_of
from tamis.serve.requests import read_request, validate
from tamis.serve.service import Service
from tamis.serve.slots import Slot
from tamis.serve.work import Question

_NUMPY = "application/octet-stream"
_EXPORTS = {"jsonl": LINES, "label-studio": "application/json", "web-main-bench": LINES}


def router(service: Service) -> APIRouter:
    """The endpoints, which are answered by a service."""
    routes = APIRouter(tags=["project"])
    projects = Projects(service)
    add = partial(service.add, routes)
    _add_overview(add, projects)
    _add_teaching(add, projects)
    _add_weights(add, projects)
    _add_exchange(add, projects)
    return routes


def _add_overview(add: Adding, projects: Projects) -> None:
    async def project(request: Request, slot: Slot) -> Response:
        """The project: how many pages are labelled, what was taught, what is accepted."""
        return answer_of(await projects.call(overview))

    add("GET", "/v1/project", project, responses=example_of("project"))


def _add_teaching(add: Adding, projects: Projects) -> None:
    async def started(request: Request, slot: Slot) -> Response:
        """Begin to teach: the shipped weights, corrected by the labelled pages."""
        given = read_request(TeachRequest, await projects.service.body(request, slot) or b"{}")
        _ = projects.database
        try:
            for module in ("lightgbm", "sklearn"):
                check_installed(module, "teaching", "train")
        except InputError as error:
            raise Problem(501, "not installed", str(error)) from error
        job = await projects.call(teaching.start, given.comments)
        projects.service.closing.callback(job.close)
        return answer_of(await projects.call(teaching.state, time.time()), 202)

    async def state(request: Request, slot: Slot) -> Response:
        """How far the teaching is, and its report when it is done."""
        return answer_of(await projects.call(teaching.state, time.time()))

    async def stopped(request: Request, slot: Slot) -> Response:
        """Stop the teaching that runs; the weights stay as they are."""
        await projects.call(teaching.stop)
        return answer_of(await projects.call(teaching.state, time.time()))

    add(
        *("POST", "/v1/project/teach", started),
        status_code=202,
        openapi_extra=body_of(TeachRequest),
        responses=example_of("project_teaching", status=202),
    )
    add("GET", "/v1/project/teach", state, responses=example_of("project_teaching"))
    add("DELETE", "/v1/project/teach", stopped, responses=example_of("project_teaching"))


def _add_weights(add: Adding, projects: Projects) -> None:
    async def accepted(request: Request, slot: Slot) -> Response:
        """Make weights the project's method, for the service, the command and corpus runs."""
        given = read_request(AcceptRequest, await projects.service.body(request, slot))
        await projects.call(weights.accept, given.weights)
        if projects.service.accepted:
            await asyncio.to_thread(projects.service.accepted.look)
        projects.renew_soon()
        return answer_of({"accepted": given.weights})

    async def download(request: Request, slot: Slot) -> Response:
        """Weights, a file for `--weights`."""
        path = await projects.call(weights.path_of, request.path_params["name"])
        return await _file(path, _NUMPY)

    async def card(request: Request, slot: Slot) -> Response:
        """The card of weights: what they learned from, how well, and the report."""
        path = await projects.call(weights.path_of, request.path_params["name"])
        return await _file(path.with_suffix(".json"), "application/json")

    add(
        *("POST", "/v1/project/accept", accepted),
        openapi_extra=body_of(AcceptRequest),
        responses=example_of("project_accepted"),
    )
    name = {**parameter("name", "The name of weights.", required=True), "in": "path"}
    extra = {"parameters": [name]}
    add(
        *("GET", "/v1/project/weights/{name}", download),
        openapi_extra=extra,
        responses=example_of("project_weights", _NUMPY),
    )
    add(
        *("GET", "/v1/project/weights/{name}/card", card),
        openapi_extra=extra,
        responses=example_of("project_card"),
    )


def _add_exchange(add: Adding, projects: Projects) -> None:
    service = projects.service

    async def entries(numbers: list[int], to: str, slot: Slot) -> AsyncGenerator[bytes, None]:
        names = await projects.call(exchange.names_of, numbers)
        first, between, last = exchange.FRAMES[to]
        yield first
        for place, number in enumerate(numbers):
            page = await projects.call(pages.get_page, number)
            example = exchange.example_of(page, names[number], projects.database.name)
            details = {"example": example, "to": to}
            async with service.slots.place(slot):
                answer = await service.ask(Question("export", [], service.options, details))
            yield (between if place else b"") + answer.body
        yield last

    async def exported(request: Request, slot: Slot) -> Response:
        """The labels of all pages that are done, in one of three formats."""
        given = validate(LabelsQuery, dict(request.query_params))
        find = partial(exchange.labelled_pages, all_labels=given.state == "all")
        numbers = await projects.call(find)
        parts = entries(numbers, given.format, slot)
        answer = Streamed(parts, service.slots, slot, _EXPORTS[given.format])
        suffix = "json" if given.format == "label-studio" else "jsonl"
        answer.headers["content-disposition"] = f'attachment; filename="labels.{suffix}"'
        return answer

    async def of_line(line: Line) -> bytes:
        details = {"line": line.body, "dataset": projects.database.name}
        answer = await service.ask(Question("import", [], service.options, details))
        entry = cast(exchange.Imported, answer.value)
        await line.turn()
        number = await projects.call(exchange.add, entry, "import", time.time())
        return as_json(await projects.entry(number))

    async def imported(request: Request, slot: Slot) -> Response:
        """Add labelled pages: lines with `id`, `html` and `blocks` or `text`."""
        _ = projects.database
        return BatchRun(service, request, slot, of_line).response(LINES)

    add(
        *("GET", "/v1/project/labels", exported),
        openapi_extra={
            "parameters": [
                parameter("format", ", ".join(exchange.FORMATS), example="jsonl"),
                parameter("state", "done, or all: also those that are not done yet."),
            ]
        },
        responses=example_of("project_labels", LINES),
    )
    example = {LINES: {"example": EXAMPLES["project_labels"]}}
    add(
        *("POST", "/v1/project/labels", imported),
        openapi_extra={"requestBody": {"required": True, "content": example}},
        responses=example_of("project_entry", LINES),
    )


async def _file(path: Path, media_type: str) -> Response:
    try:
        content = await asyncio.to_thread(path.read_bytes)
    except OSError as error:
        detail = (
            f"{path.name} is not in the project folder any more ({error.strerror}); teach again"
        )
        raise Problem(404, "not in project", detail) from error
    headers = {"Content-Disposition": f'attachment; filename="{path.name}"'}
    return Response(content, 200, headers, media_type)
