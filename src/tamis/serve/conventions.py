"""The endpoints that clients of other services already speak: Jina's reader, Firecrawl's scrape."""

from __future__ import annotations

import math
import re
from dataclasses import replace
from typing import Any

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import Response

from tamis.options import Options
from tamis.serve.documents import body_of, example_of, header
from tamis.serve.problems import Problem
from tamis.serve.requests import ScrapeRequest, read_request
from tamis.serve.service import Service
from tamis.serve.work import Question
from tamis.serve.workers import Slot

# Some proxies make one slash of two.
_SCHEME = re.compile(r"(https?):/+", re.IGNORECASE)
_CONTENT = {"markdown": "markdown", "content": "markdown", "text": "text", "html": "html"}
_FORMS = {"markdown": "markdown", "text": "plain", "html": "html"}

_HEADERS = [
    header("Accept", "text/plain, text/markdown or application/json", "application/json"),
    header("X-Respond-With", "markdown, text or html: the content alone", "markdown"),
    header("X-Target-Selector", "CSS selectors of what is wanted", "article, .story"),
    header("X-Remove-Selector", "CSS selectors of what is not wanted", ".share, .related"),
    header("X-Retain-Images", "none for no images", "none"),
    header("X-Retain-Links", "none for no addresses of links", "none"),
    header("X-Token-Budget", "most tokens; more is a problem", "4000"),
    header("X-Timeout", "most seconds", "10"),
]


def router(service: Service) -> APIRouter:
    """The endpoints, which are answered by a service."""
    routes = APIRouter(tags=["as other services"])

    async def read(request: Request, slot: Slot) -> Response:
        """The page at an address as Jina's reader gives it."""
        headers = request.headers
        name = headers.get("x-respond-with") or headers.get("x-return-format") or ""
        content = _CONTENT.get(name.lower().strip(), "markdown")
        form = _form(headers.get("accept", ""), name.lower().strip())
        options = replace(
            _within(service.options, _number(request, "x-timeout")),
            images=service.options.images and headers.get("x-retain-images") != "none",
            links=service.options.links and headers.get("x-retain-links") not in ("none", "text"),
        )
        wanted, unwanted = (
            _selectors(headers.get(f"x-{which}-selector")) for which in ("target", "remove")
        )
        details = {
            "content": content,
            "form": form,
            "budget": _number(request, "x-token-budget"),
            "wanted": wanted,
            "unwanted": unwanted,
        }
        page = await service.fetch(_address(request), options)
        options = _whole(options) if wanted else options
        return await service.answer(Question("read", [page], options, details))

    async def scrape(request: Request, slot: Slot) -> Response:
        """The page at an address as Firecrawl gives it."""
        given = read_request(ScrapeRequest, await service.body(request, slot))
        seconds = None if given.timeout is None else given.timeout / 1000
        options = _within(service.options, seconds)
        page = await service.fetch(given.url, options)
        if given.includeTags or not given.onlyMainContent:
            options = _whole(options)
        details = {
            "url": given.url,
            "formats": [
                str(each.get("type")) if isinstance(each, dict) else each for each in given.formats
            ],
            "wanted": given.includeTags or (),
            "unwanted": given.excludeTags or (),
        }
        return await service.answer(Question("scrape", [page], options, details))

    address: dict[str, Any] = {
        "name": "address",
        "in": "path",
        "required": True,
        "schema": {"type": "string"},
        "example": "https://example.org/",
    }
    service.add(
        routes,
        *("GET", "/r/{address:path}", read),
        openapi_extra={"parameters": [address, *_HEADERS]},
        responses=example_of("read", "text/plain"),
    )
    service.add(
        routes,
        *("POST", "/v2/scrape", scrape),
        openapi_extra=body_of(ScrapeRequest),
        responses=example_of("scrape"),
    )
    return routes


def _address(request: Request) -> str:
    """The address behind `/r/`, as it was written there, with its own query."""
    raw: bytes = request.scope["raw_path"]
    address = raw.decode("latin-1").partition("/r/")[2]
    if query := request.scope["query_string"].decode("latin-1"):
        address += f"?{query}"
    address = re.sub(r"^(https?)%3a(%2f)+", r"\1://", address, flags=re.IGNORECASE)
    if not address:
        detail = "there is no address; write it as /r/https://example.org/page"
        raise Problem(422, "bad request", detail)
    if match := _SCHEME.match(address):
        return f"{match[1]}://{address[match.end() :]}"
    return address if "://" in address else f"https://{address}"


def _form(accept: str, respond_with: str) -> str:
    """What the answer looks like: JSON, the content alone, or with lines about the page."""
    kinds = accept.lower()
    if "application/json" in kinds:
        return "json"
    if respond_with in _FORMS:
        return _FORMS[respond_with]
    return "markdown" if "text/markdown" in kinds else "labelled"


def _selectors(text: str | None) -> list[str]:
    return [text] if text and text.strip() else []


def _number(request: Request, name: str) -> float | None:
    text = request.headers.get(name)
    if text is None:
        return None
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not 0 < value < math.inf:
        raise Problem(422, "bad request", f"{name} is {text[:100]!r}; give a number above 0")
    return value


def _within(options: Options, seconds: float | None) -> Options:
    if seconds is None:
        return options
    if not seconds > 0:
        raise Problem(422, "bad request", f"timeout is {seconds}; give a number above 0")
    return replace(options, max_seconds=min(seconds, options.max_seconds))


def _whole(options: Options) -> Options:
    """All that a browser shows is kept, whatever its score."""
    return replace(options, threshold=0.0, hidden=False)
