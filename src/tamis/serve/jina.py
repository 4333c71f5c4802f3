"""`/r/`: pages as Jina's reader gives them."""

from __future__ import annotations

import asyncio
import math
import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Any
from urllib.parse import parse_qsl

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import Response

from tamis.many import encode_page
from tamis.serve.documents import body_of, example_of, header
from tamis.serve.problems import Problem
from tamis.serve.requests import ReadRequest, keep_all, limit_seconds, read_request, validate
from tamis.serve.service import Service
from tamis.serve.slots import Slot
from tamis.serve.work import Question, SentPage

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
    routes = APIRouter(tags=["as Jina's reader"])

    async def answer(request: Request, given: ReadRequest) -> Response:
        """Read a page; a field of the body wins over the header of the same name."""
        asked = {
            name.removeprefix("x-"): value
            for name, value in request.headers.items()
            if name.startswith("x-")
        }
        sent = given.model_dump(exclude_none=True, exclude={"url", "html"})
        asked |= {_kebab(name): value for name, value in sent.items()}
        name = str(asked.get("respond-with") or asked.get("return-format") or "").lower().strip()
        wanted, unwanted = (
            _selectors(asked.get(f"{which}-selector")) for which in ("target", "remove")
        )
        options = replace(
            limit_seconds(service.options, _number(asked, "timeout")),
            images=service.options.images and asked.get("retain-images") != "none",
            links=service.options.links and asked.get("retain-links") not in ("none", "text"),
        )
        details = {
            "content": _CONTENT.get(name, "markdown"),
            "form": _form(request.headers.get("accept", ""), name),
            "budget": _number(asked, "token-budget"),
            "wanted": wanted,
            "unwanted": unwanted,
        }
        if given.html is not None:
            page = SentPage(encode_page(given.html), given.url, "text/html; charset=utf-8")
        else:
            page = await service.fetch(_absolute(given.url or _path(request)), options)
        options = keep_all(options) if wanted else options
        return await service.answer(Question("read", [page], options, details))

    async def read(request: Request, slot: Slot) -> Response:
        """The page at an address as Jina's reader gives it."""
        return await answer(request, ReadRequest())

    async def read_sent(request: Request, slot: Slot) -> Response:
        """The page that is sent, or whose address is, as Jina's reader gives it."""
        return await answer(request, await _read_body(await service.body(request, slot)))

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
    form = {"application/x-www-form-urlencoded": {"schema": {"type": "object"}}}
    service.add(
        routes,
        *("POST", "/r/", read_sent),
        openapi_extra={"parameters": _HEADERS, **body_of(ReadRequest, more=form)},
        responses=example_of("read", "text/plain"),
    )
    service.add(routes, "POST", "/r/{address:path}", read_sent, include_in_schema=False)
    return routes


async def _read_body(body: bytes) -> ReadRequest:
    """What was sent: JSON, or a form. curl calls both a form unless told otherwise."""
    if body.lstrip()[:1] in (b"{", b"["):
        return read_request(ReadRequest, body)
    try:  # a page in a form takes a while to decode
        text = body.decode("utf-8", "replace")
        fields = await asyncio.to_thread(parse_qsl, text, max_num_fields=100)
    except ValueError as error:
        detail = f"the form cannot be read ({error}); send url=... or a JSON object"
        raise Problem(422, "bad request", detail) from error
    return validate(ReadRequest, dict(fields))


def _kebab(name: str) -> str:
    return re.sub("([A-Z])", r"-\1", name).lower()


def _path(request: Request) -> str:
    """The address behind `/r/`, as it was written there, with its own query."""
    raw: bytes = request.scope["raw_path"]
    address = raw.decode("latin-1").partition("/r/")[2]
    if query := request.scope["query_string"].decode("latin-1"):
        address += f"?{query}"
    return re.sub(r"^(https?)%3a(%2f)+", r"\1://", address, flags=re.IGNORECASE)


def _absolute(address: str) -> str:
    if not address:
        detail = "there is no address; write it as /r/https://example.org/page, or send url or html"
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


def _selectors(given: Any) -> list[str]:
    """CSS selectors: one text in a header, or several in a body."""
    texts = [given] if isinstance(given, str) else given or []
    return [text for text in texts if text.strip()]


def _number(asked: Mapping[str, Any], name: str) -> float | None:
    given = asked.get(name)
    if given is None:
        return None
    try:
        value = float(given)
    except ValueError:
        value = math.nan
    if not 0 < value < math.inf:
        shown = str(given)[:100]
        raise Problem(422, "bad request", f"x-{name} is {shown!r}; give a number above 0")
    return value
