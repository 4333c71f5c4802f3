"""The endpoints of tamis itself, `/v1/...`."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import fields
from typing import Annotated, Any, Literal

from pydantic import Field
from starlette.responses import Response

from tamis.cloud.draw import PALETTES
from tamis.methods._registry import describe, names
from tamis.options import DEFAULT_METHOD, Options
from tamis.project import taught
from tamis.serve.bodies import LINES, BatchRun, Line, answer_json
from tamis.serve.openapi import Endpoints, describe_parameter
from tamis.serve.problems import Problem, make_unsupported
from tamis.serve.requests import (
    EXAMPLE_PAGE,
    FormatsRequest,
    OnePageRequest,
    PageRequest,
    StrictRequest,
    read_options,
    read_request,
    refuse,
    validate,
    with_example,
)
from tamis.serve.service import Call, Service
from tamis.serve.tasks import Question, SentPage

_HTML_TYPES = ("text/html", "application/xhtml+xml")
_OF_PYTHON = {"True": True, "False": False, "None": None}
"""Values as the messages about options write them."""
_OF_PAGE = ("url", "base_url")
_OF_PROJECT, _SHIPPED = "project:", "shipped"


class ExtractRequest(FormatsRequest, OnePageRequest):
    """What to extract from a page."""

    model_config = with_example(html=EXAMPLE_PAGE, formats=["text", "metadata"])


class BatchRequest(ExtractRequest):
    """A line of a batch."""

    id: str | int | None = Field(None, description="Comes back with the result.")


class ExplainRequest(OnePageRequest):
    """A page whose blocks are explained."""

    model_config = with_example(html=EXAMPLE_PAGE)

    format: Literal["json", "html"] = "json"
    source: bool = Field(False, description="Give the source, too, whose bytes offsets count.")
    block: int | None = Field(None, ge=0, description="Explain this block alone.")


class ViewRequest(OnePageRequest):
    """A page that is looked at."""

    model_config = with_example(html=EXAMPLE_PAGE)

    document: bool = Field(True, description="Give the page itself, too, made harmless.")
    pictures: bool = Field(False, description="Let it load pictures and style sheets.")
    source: bool = Field(False, description="Give the source of the page, too.")


class MethodChoice(StrictRequest):
    """A method with its parameters."""

    method: str
    parameters: dict[str, Any] = Field(default_factory=dict)
    weights: str | None = Field(
        default=None,
        description="Of tamis: shipped, or project:NAME for those of the project; else accepted"
        " ones, if there are any.",
    )

    @property
    def name(self) -> str:
        if self.weights is None:
            return self.method
        return f"{self.method}, {self.weights.removeprefix(_OF_PROJECT)}"


class CompareRequest(OnePageRequest):
    """A page and the methods that are compared on it."""

    model_config = with_example(html=EXAMPLE_PAGE, methods=["tamis", "boilerpipe"])

    methods: Annotated[list[str | MethodChoice], Field(min_length=2, max_length=8)]
    gold: str | None = Field(None, description="The right text, which each is measured against.")


class CloudStyle(StrictRequest):
    """How a cloud looks."""

    palette: str = Field(default=PALETTES[0], description=", ".join(PALETTES))
    dark: bool = False
    seed: int = 0


class CloudRequest(OnePageRequest):
    """A page whose words are drawn."""

    model_config = with_example(html=EXAMPLE_PAGE, terms=40)

    format: Literal["svg", "json"] = "svg"
    terms: int = Field(80, ge=1, le=1000)
    style: CloudStyle | None = None


class SiteRequest(FormatsRequest):
    """Pages of one site."""

    model_config = with_example(
        pages=[
            {"html": "<p>Menu, search, imprint.<p>Rain floods forty cellars."},
            {"html": "<p>Menu, search, imprint.<p>A choir wins silver."},
            {"html": "<p>Menu, search, imprint.<p>The bakery closes."},
        ],
        formats=["text"],
        options={"method": "x_cex"},
    )

    pages: Annotated[list[PageRequest], Field(min_length=1, max_length=200)]
    options: dict[str, Any] = Field(default_factory=dict)
    model: bool = Field(False, description="Give the model, too: a file for --method, in base64.")


endpoints = Endpoints("tamis")


@endpoints.at(
    "GET /v1/extract",
    parameters=[
        describe_parameter(
            "url", "The address of the page.", required=True, example="https://example.org/"
        ),
        describe_parameter("base_url", "What relative addresses of the page are resolved against."),
        describe_parameter(
            "formats", "Names with commas between them.", example="markdown,metadata"
        ),
        *(
            describe_parameter(each.name, f"`{each.name}` of tamis.Options.")
            for each in fields(Options)
            if each.name not in ("parameters", "page_type_weights")
        ),
    ],
    example="extract",
)
async def extract_url(call: Call) -> Response:
    """What the page at an address is about."""
    return await _ask(call, "extract", _read_query(call.request.query_params))


@endpoints.at(
    "POST /v1/extract",
    takes=ExtractRequest,
    takes_also={"text/html": {"schema": {"type": "string"}}},
)
async def extract(call: Call) -> Response:
    """What a page is about, in the formats that are asked for."""
    body = await call.read_body()
    if call.media_type not in _HTML_TYPES:
        return await _ask(call, "extract", _read_extract(body))
    given = _read_query(call.request.query_params)
    options = read_options(given.options, call.service.options)
    page = SentPage(body, given.base_url or given.url, call.request.headers["content-type"])
    return await call.service.answer(Question("extract", [page], options, given.get_details()))


@endpoints.at(
    "POST /v1/batch", takes=ExtractRequest, takes_type=LINES, gives=LINES, operation="batch"
)
async def extract_batch(call: Call) -> Response:
    """Many pages: a line of JSON in for each, a line out, in order, as they come."""

    async def extract_line(line: Line) -> bytes:
        given = read_request(BatchRequest, line.body)
        line.name = given.id
        question = await _make_question(call.service, "extract", given, {})
        return (await call.service.ask(question)).body

    return BatchRun(call, extract_line).answer()


@endpoints.at("POST /v1/explain", takes=ExplainRequest)
async def explain(call: Call) -> Response:
    """Every block of a page with its score, its kind, its reason and its place."""
    return await _ask(call, "explain", await call.read(ExplainRequest))


@endpoints.at("POST /v1/view", takes=ViewRequest)
async def view(call: Call) -> Response:
    """A page to be looked at: its blocks with their decisions, and itself, made harmless."""
    return await _ask(call, "view", await call.read(ViewRequest))


@endpoints.at("GET /v1/methods", operation="methods")
async def list_methods(call: Call) -> Response:
    """The methods, each with its parameters and their defaults."""
    return answer_json({"methods": [describe(name) for name in names()]})


@endpoints.at("POST /v1/compare", takes=CompareRequest)
async def compare(call: Call) -> Response:
    """Several methods on one page: what each keeps, how far they agree, where they differ."""
    given = await call.read(CompareRequest)
    methods = [
        MethodChoice(method=each) if isinstance(each, str) else each for each in given.methods
    ]
    choices = [await _choose_method(call.service, each) for each in methods]
    labels = _number_names([each.name for each in methods])
    return await _ask(call, "compare", given, names=labels, choices=choices)


@endpoints.at("POST /v1/cloud", takes=CloudRequest, gives="image/svg+xml", operation="cloud")
async def draw_cloud(call: Call) -> Response:
    """The words that matter on a page, as a picture or a list."""
    return await _ask(call, "cloud", await call.read(CloudRequest))


@endpoints.at("POST /v1/site", takes=SiteRequest, operation="site")
async def extract_site(call: Call) -> Response:
    """Pages of one site, each extracted with what all have in common."""
    given = await call.read(SiteRequest)
    options = read_options(given.options, call.service.options)
    pages = await call.service.get_pages(given.pages, options)
    details = {**given.get_details(), "model": given.model}
    return await call.service.answer(Question("site", pages, options, details))


async def _ask(call: Call, task: str, given: OnePageRequest, **details: Any) -> Response:
    return await call.service.answer(await _make_question(call.service, task, given, details))


async def _make_question(
    service: Service, task: str, given: OnePageRequest, more: Mapping[str, Any]
) -> Question:
    options = read_options(given.options, service.options)
    page = await service.get_page(given, options)
    return Question(task, [page], options, {**given.get_details(), **more})


def _read_extract(body: bytes) -> ExtractRequest:
    try:
        return read_request(ExtractRequest, body)
    except Problem:
        if b'"urls"' in body:  # Firecrawl's v1 clients have a call of the same path
            raise make_unsupported("POST", "/v1/extract with urls") from None
        raise


def _read_query(query: Mapping[str, str]) -> ExtractRequest:
    """Read a request from the parameters of an address: url, base_url, formats and options."""
    given: dict[str, Any] = {name: query[name] for name in _OF_PAGE if name in query}
    if "formats" in query:
        given["formats"] = [name.strip() for name in query["formats"].split(",")]
    given["options"] = {
        name: _read_value(text)
        for name, text in query.items()
        if name not in (*_OF_PAGE, "formats")
    }
    return validate(ExtractRequest, given)


def _read_value(text: str) -> Any:
    """Read true, 0.5 and null as JSON; everything else is text."""
    if text in _OF_PYTHON:
        return _OF_PYTHON[text]
    try:
        return json.loads(text)
    except ValueError:
        return text


def _number_names(names: list[str]) -> list[str]:
    """Number equal names: a method may be there twice, with other parameters."""
    return [
        f"{name} {names[:place].count(name) + 1}" if names.count(name) > 1 else name
        for place, name in enumerate(names)
    ]


async def _choose_method(service: Service, choice: MethodChoice) -> dict[str, Any]:
    """Make options of a method that is compared, with the weights that it names."""
    given: dict[str, Any] = {"method": choice.method, "parameters": choice.parameters}
    options = read_options(given, service.options)  # says what is wrong with it
    if choice.weights is None:
        options = await service.with_accepted(options)
    elif options.method != DEFAULT_METHOD:
        raise refuse(f"{choice.method} has no weights; leave them out, or compare tamis")
    elif choice.weights.startswith(_OF_PROJECT):
        name = choice.weights.removeprefix(_OF_PROJECT)
        path = await service.ask_project(taught.find_file, name)
        options = taught.with_weights(options, str(path.resolve()))
    elif choice.weights != _SHIPPED:
        raise refuse(f"weights is {choice.weights[:50]!r}; give shipped or project:NAME")
    return {"method": options.method, "parameters": options.parameters}
