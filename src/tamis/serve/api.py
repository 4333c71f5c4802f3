"""The endpoints of tamis itself, `/v1/...`."""

from __future__ import annotations

from functools import partial
from typing import Any

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import Response

from tamis.methods._registry import describe, names
from tamis.serve import projects
from tamis.serve.batch import BatchRun, Line
from tamis.serve.documents import body_of, example_of, parameters_of_page
from tamis.serve.problems import Problem, as_json, make_unsupported
from tamis.serve.requests import (
    BatchRequest,
    CloudRequest,
    CompareRequest,
    ExplainRequest,
    ExtractRequest,
    MethodChoice,
    OnePageRequest,
    SiteRequest,
    ViewRequest,
    read_options,
    read_query,
    read_request,
)
from tamis.serve.service import Service
from tamis.serve.slots import Slot
from tamis.serve.work import Question, SentPage


def router(service: Service) -> APIRouter:
    """The endpoints, which are answered by a service."""
    routes = APIRouter(tags=["tamis"])

    async def ask(task: str, given: OnePageRequest, **details: Any) -> Response:
        options = read_options(given.options, service.options)
        page = await service.page(given, options)
        return await service.answer(Question(task, [page], options, details))

    async def extracted(given: ExtractRequest) -> Response:
        return await ask("extract", given, **given.details())

    async def extract(request: Request, slot: Slot) -> Response:
        """What a page is about, in the formats that are asked for."""
        body = await service.body(request, slot)
        content_type = request.headers.get("content-type", "")
        if content_type.partition(";")[0].strip().lower() not in (
            "text/html",
            "application/xhtml+xml",
        ):
            return await extracted(_read_extract(body))
        given = read_query(request.query_params)
        options = read_options(given.options, service.options)
        page = SentPage(body, given.base_url or given.url, content_type)
        return await service.answer(Question("extract", [page], options, given.details()))

    async def extract_url(request: Request, slot: Slot) -> Response:
        """What the page at an address is about."""
        return await extracted(read_query(request.query_params))

    async def of_line(line: Line) -> bytes:
        given = read_request(BatchRequest, line.body)
        line.name = given.id
        options = read_options(given.options, service.options)
        page = await service.page(given, options)
        answer = await service.ask(Question("extract", [page], options, given.details()))
        return answer.body

    async def batch(request: Request, slot: Slot) -> Response:
        """Many pages: a line of JSON in for each, a line out, in order, as they come."""
        return BatchRun(service, request, slot, of_line).response("application/x-ndjson")

    async def explain(request: Request, slot: Slot) -> Response:
        """Every block of a page with its score, its kind, its reason and its place."""
        given = read_request(ExplainRequest, await service.body(request, slot))
        wanted = {"format": given.format, "source": given.source, "block": given.block}
        return await ask("explain", given, **wanted)

    async def view(request: Request, slot: Slot) -> Response:
        """A page to be looked at: its blocks with their decisions, and itself, made harmless."""
        given = read_request(ViewRequest, await service.body(request, slot))
        wanted = {"document": given.document, "pictures": given.pictures, "source": given.source}
        return await ask("view", given, **wanted)

    async def methods(request: Request, slot: Slot) -> Response:
        """The methods, each with its parameters and their defaults."""
        described = [describe(name) for name in names()]
        return Response(as_json({"methods": described}), media_type="application/json")

    async def compare(request: Request, slot: Slot) -> Response:
        """Several methods on one page: what each keeps, how far they agree, where they differ."""
        given = read_request(CompareRequest, await service.body(request, slot))
        chosen = [
            MethodChoice(method=each) if isinstance(each, str) else each for each in given.methods
        ]
        choices = [await projects.choice_of(service, each) for each in chosen]
        own_names = _distinct([projects.name_of(each) for each in chosen])
        return await ask("compare", given, names=own_names, choices=choices, gold=given.gold)

    async def cloud(request: Request, slot: Slot) -> Response:
        """The words that matter on a page, as a picture or a list."""
        given = read_request(CloudRequest, await service.body(request, slot))
        style = given.style.model_dump() if given.style else {}
        return await ask("cloud", given, format=given.format, terms=given.terms, style=style)

    async def site(request: Request, slot: Slot) -> Response:
        """Pages of one site, each extracted with what all have in common."""
        given = read_request(SiteRequest, await service.body(request, slot))
        options = read_options(given.options, service.options)
        pages = await service.pages(given.pages, options)
        details = {**given.details(), "model": given.model}
        return await service.answer(Question("site", pages, options, details))

    add = partial(service.add, routes)
    add(
        *("GET", "/v1/extract", extract_url),
        openapi_extra={"parameters": parameters_of_page()},
        responses=example_of("extract"),
    )
    html = {"text/html": {"schema": {"type": "string"}}}
    add(
        *("POST", "/v1/extract", extract),
        openapi_extra=body_of(ExtractRequest, more=html),
        responses=example_of("extract"),
    )
    add(
        *("POST", "/v1/batch", batch),
        openapi_extra=body_of(ExtractRequest, "application/x-ndjson"),
        responses=example_of("batch", "application/x-ndjson"),
    )
    for path, handler, model, media_type in (
        ("explain", explain, ExplainRequest, "application/json"),
        ("view", view, ViewRequest, "application/json"),
        ("compare", compare, CompareRequest, "application/json"),
        ("cloud", cloud, CloudRequest, "image/svg+xml"),
        ("site", site, SiteRequest, "application/json"),
    ):
        add(
            *("POST", f"/v1/{path}", handler),
            openapi_extra=body_of(model),
            responses=example_of(path, media_type),
        )
    add("GET", "/v1/methods", methods, responses=example_of("methods"))
    return routes


def _read_extract(body: bytes) -> ExtractRequest:
    try:
        return read_request(ExtractRequest, body)
    except Problem:
        if b'"urls"' in body:  # Firecrawl's v1 clients have a call of the same path
            raise make_unsupported("POST", "/v1/extract with urls") from None
        raise


def _distinct(names: list[str]) -> list[str]:
    """Names that differ: a method may be there twice, with other parameters."""
    return [
        f"{name} {names[:place].count(name) + 1}" if names.count(name) > 1 else name
        for place, name in enumerate(names)
    ]
