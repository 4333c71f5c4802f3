"""The endpoints of a project that teach: start, stop, accept, weights, and labels in and out."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncGenerator
from pathlib import Path
from typing import Literal, cast

from pydantic import Field
from starlette.responses import Response

from tamis._runtime.libraries import check_installed
from tamis.errors import InputError
from tamis.project import pages, taught, transfer
from tamis.serve.bodies import JSON, LINES, BatchRun, Line, Streamed, answer_json
from tamis.serve.endpoints.project_pages import list_page, renew_soon
from tamis.serve.openapi import Endpoints, describe_parameter
from tamis.serve.problems import Problem, as_json
from tamis.serve.requests import Query, StrictRequest, read_request, with_example
from tamis.serve.service import Call
from tamis.serve.tasks import Question

_NUMPY = "application/octet-stream"
_EXPORTS = {"jsonl": LINES, "label-studio": JSON, "web-main-bench": LINES}
_NAME = describe_parameter("name", "The name of weights.", place="path")
_LABELLED = (
    '{"id": "sieves", "dataset": "mine", "html": "<p>A tamis is a sieve.", "text": "A tamis is a'
    ' sieve.", "blocks": [{"kind": "main", "xpath": "/html/body/p", "start": 3, "end": 22}]}\n'
)


class LabelsQuery(Query):
    """Which labels to give out, and how."""

    format: Literal["jsonl", "label-studio", "web-main-bench"] = "jsonl"
    state: Literal["done", "all"] = "done"


class TeachRequest(StrictRequest):
    """How to teach."""

    model_config = with_example(comments=False)

    comments: bool = Field(False, description="Comments are content, too.")


class AcceptRequest(StrictRequest):
    """The weights to extract with."""

    model_config = with_example(weights="taught-1")

    weights: str | None = Field(description="Their name; null for the shipped ones.")


endpoints = Endpoints("project")


@endpoints.at("GET /v1/project", operation="project")
async def describe_project(call: Call) -> Response:
    """The project: how many pages are labelled, what was taught, what is accepted."""
    return answer_json(await call.service.ask_project(taught.describe_project))


@endpoints.at("GET /v1/project/teach", operation="state")
async def show_teaching(call: Call) -> Response:
    """How far the teaching is, and its report when it is done."""
    return await _answer_state(call)


@endpoints.at(
    "POST /v1/project/teach",
    takes=TeachRequest,
    status=202,
    example="show_teaching",
    operation="started",
)
async def start_teaching(call: Call) -> Response:
    """Begin to teach: the shipped weights, corrected by the labelled pages."""
    given = read_request(TeachRequest, await call.read_body() or b"{}")
    call.service.find_project()
    try:
        for module in ("lightgbm", "sklearn"):
            check_installed(module, "teaching", "train")
    except InputError as error:
        raise Problem(501, "not installed", str(error)) from error
    job = await call.service.ask_project(taught.start_teaching, given.comments)
    call.service.closing.callback(job.close)
    return await _answer_state(call, 202)


@endpoints.at("DELETE /v1/project/teach", example="show_teaching", operation="stopped")
async def stop_teaching(call: Call) -> Response:
    """Stop the teaching that runs; the weights stay as they are."""
    await call.service.ask_project(taught.stop_teaching)
    return await _answer_state(call)


@endpoints.at("POST /v1/project/accept", takes=AcceptRequest, operation="accepted")
async def accept_weights(call: Call) -> Response:
    """Make weights the project's method, for the service, the command and corpus runs."""
    given, service = await call.read(AcceptRequest), call.service
    await service.ask_project(taught.accept, given.weights)
    if service.accepted:
        await asyncio.to_thread(service.accepted.look)
    renew_soon(service)
    return answer_json({"accepted": given.weights})


@endpoints.at(
    "GET /v1/project/weights/{name}", parameters=[_NAME], gives=_NUMPY, operation="download"
)
async def send_weights(call: Call) -> Response:
    """Weights, a file for `--weights`."""
    return await _send_file(await _find_weights(call), _NUMPY)


@endpoints.at("GET /v1/project/weights/{name}/card", parameters=[_NAME], operation="card")
async def send_card(call: Call) -> Response:
    """The card of weights: what they learned from, how well, and the report."""
    return await _send_file((await _find_weights(call)).with_suffix(".json"), JSON)


@endpoints.at(
    "GET /v1/project/labels",
    parameters=[
        describe_parameter("format", ", ".join(transfer.FORMATS), example="jsonl"),
        describe_parameter("state", "done, or all: also those that are not done yet."),
    ],
    gives=LINES,
    operation="exported",
)
async def export_labels(call: Call) -> Response:
    """The labels of all pages that are done, in one of three formats."""
    given = call.read_query(LabelsQuery)
    numbers = await call.service.ask_project(transfer.list_labelled, given.state == "all")
    parts = _export_pages(call, numbers, given.format)
    answer = Streamed(parts, call.service.slots, call.slot, _EXPORTS[given.format])
    suffix = "json" if given.format == "label-studio" else "jsonl"
    answer.headers["content-disposition"] = f'attachment; filename="labels.{suffix}"'
    return answer


@endpoints.at(
    "POST /v1/project/labels",
    takes_also={LINES: {"example": _LABELLED}},
    gives=LINES,
    example="add_page",
    operation="imported",
)
async def import_labels(call: Call) -> Response:
    """Add labelled pages: lines with `id`, `html` and `blocks` or `text`."""
    service = call.service
    project = service.find_project()

    async def import_line(line: Line) -> bytes:
        details = {"line": line.body, "dataset": project.name}
        answer = await service.ask(Question("import", [], service.options, details))
        entry = cast(transfer.Imported, answer.value)
        await line.wait_turn()
        number = await service.ask_project(transfer.add_imported, entry, "import", time.time())
        return as_json(await list_page(service, number))

    return BatchRun(call, import_line).answer()


async def _answer_state(call: Call, status: int = 200) -> Response:
    state = await call.service.ask_project(taught.get_state, time.time())
    return answer_json(state, status)


async def _export_pages(call: Call, numbers: list[int], to: str) -> AsyncGenerator[bytes, None]:
    service = call.service
    names = await service.ask_project(transfer.name_pages, numbers)
    first, between, last = transfer.FRAMES[to]
    yield first
    for place, number in enumerate(numbers):
        page = await service.ask_project(pages.get_page, number)
        example = transfer.make_example(page, names[number], service.find_project().name)
        details = {"example": example, "to": to}
        async with service.slots.place(call.slot):
            answer = await service.ask(Question("export", [], service.options, details))
        yield (between if place else b"") + answer.body
    yield last


async def _find_weights(call: Call) -> Path:
    return await call.service.ask_project(taught.find_file, call.request.path_params["name"])


async def _send_file(path: Path, media_type: str) -> Response:
    try:
        content = await asyncio.to_thread(path.read_bytes)
    except OSError as error:
        detail = (
            f"{path.name} is not in the project folder any more ({error.strerror}); teach again"
        )
        raise Problem(404, "not in project", detail) from error
    headers = {"Content-Disposition": f'attachment; filename="{path.name}"'}
    return Response(content, 200, headers, media_type)
