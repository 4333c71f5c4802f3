"""`/r/`: pages as Jina's reader gives them."""

from __future__ import annotations

import asyncio
import math
import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Any
from urllib.parse import parse_qsl

from pydantic import BaseModel, Field
from starlette.requests import Request
from starlette.responses import Response

from tamis.many import encode_page
from tamis.serve.openapi import Endpoints, describe_parameter
from tamis.serve.requests import (
    keep_all,
    limit_seconds,
    read_request,
    refuse,
    validate,
    with_example,
)
from tamis.serve.service import Call
from tamis.serve.tasks import Question, SentPage

# Some proxies make one slash of two.
_SCHEME = re.compile(r"(https?):/+", re.IGNORECASE)
_CONTENT = {"markdown": "markdown", "content": "markdown", "text": "text", "html": "html"}
_FORMS = {"markdown": "markdown", "text": "plain", "html": "html"}
_HEADERS = [
    describe_parameter(name, meaning, place="header", example=example)
    for name, meaning, example in (
        ("Accept", "text/plain, text/markdown or application/json", "application/json"),
        ("X-Respond-With", "markdown, text or html: the content alone", "markdown"),
        ("X-Target-Selector", "CSS selectors of what is wanted", "article, .story"),
        ("X-Remove-Selector", "CSS selectors of what is not wanted", ".share, .related"),
        ("X-Retain-Images", "none for no images", "none"),
        ("X-Retain-Links", "none for no addresses of links", "none"),
        ("X-Token-Budget", "most tokens; more is a problem", "4000"),
        ("X-Timeout", "most seconds", "10"),
    )
]


class ReadRequest(BaseModel):
    """As Jina's reader takes it; fields that are not known here are ignored."""

    model_config = with_example(url="https://example.org/", removeSelector="nav")

    url: str | None = Field(default=None, description="The address of the page, or of the HTML.")
    html: str | None = Field(
        default=None, description="The HTML of the page, which is then not fetched."
    )
    respondWith: str | None = None
    targetSelector: str | list[str] | None = None
    removeSelector: str | list[str] | None = None
    retainImages: str | None = None
    retainLinks: str | None = None
    tokenBudget: float | None = None
    timeout: float | None = Field(default=None, description="Seconds.")


endpoints = Endpoints("as Jina's reader")


@endpoints.at(
    "GET /r/{address:path}",
    parameters=[
        describe_parameter("address", place="path", example="https://example.org/"),
        *_HEADERS,
    ],
    gives="text/plain",
)
async def read(call: Call) -> Response:
    """The page at an address as Jina's reader gives it."""
    return await _read_page(call, ReadRequest())


@endpoints.at("POST /r/{address:path}", is_documented=False)
@endpoints.at(
    "POST /r/",
    takes=ReadRequest,
    takes_also={"application/x-www-form-urlencoded": {"schema": {"type": "object"}}},
    parameters=_HEADERS,
    gives="text/plain",
    example="read",
)
async def read_sent(call: Call) -> Response:
    """The page that is sent, or whose address is, as Jina's reader gives it."""
    return await _read_page(call, await _read_body(await call.read_body()))


async def _read_page(call: Call, given: ReadRequest) -> Response:
    """Read a page; a field of the body wins over the header of the same name."""
    service, request = call.service, call.request
    asked = {
        name.removeprefix("x-"): value
        for name, value in request.headers.items()
        if name.startswith("x-")
    }
    sent = given.model_dump(exclude_none=True, exclude={"url", "html"})
    asked |= {re.sub("([A-Z])", r"-\1", name).lower(): value for name, value in sent.items()}
    respond_with = str(asked.get("respond-with") or asked.get("return-format") or "")
    respond_with = respond_with.lower().strip()
    wanted = _list_selectors(asked.get("target-selector"))
    options = replace(
        limit_seconds(service.options, _read_number(asked, "timeout")),
        images=service.options.images and asked.get("retain-images") != "none",
        links=service.options.links and asked.get("retain-links") not in ("none", "text"),
    )
    details = {
        "content": _CONTENT.get(respond_with, "markdown"),
        "form": _choose_form(request.headers.get("accept", ""), respond_with),
        "budget": _read_number(asked, "token-budget"),
        "wanted": wanted,
        "unwanted": _list_selectors(asked.get("remove-selector")),
    }
    if given.html is not None:
        page = SentPage(encode_page(given.html), given.url, "text/html; charset=utf-8")
    else:
        page = await service.fetch(_complete_address(given.url or _read_path(request)), options)
    options = keep_all(options) if wanted else options
    return await service.answer(Question("read", [page], options, details))


async def _read_body(body: bytes) -> ReadRequest:
    """Read JSON or a form; curl calls both a form unless told otherwise."""
    if body.lstrip()[:1] in (b"{", b"["):
        return read_request(ReadRequest, body)
    try:  # a page in a form takes a while to decode
        text = body.decode("utf-8", "replace")
        fields = await asyncio.to_thread(parse_qsl, text, max_num_fields=100)
    except ValueError as error:
        raise refuse(f"the form cannot be read ({error}); send url=... or a JSON object") from error
    return validate(ReadRequest, dict(fields))


def _read_path(request: Request) -> str:
    """Read the address behind `/r/` as it was written there, with its own query."""
    raw: bytes = request.scope["raw_path"]
    address = raw.decode("latin-1").partition("/r/")[2]
    if query := request.scope["query_string"].decode("latin-1"):
        address += f"?{query}"
    return re.sub(r"^(https?)%3a(%2f)+", r"\1://", address, flags=re.IGNORECASE)


def _complete_address(address: str) -> str:
    if not address:
        raise refuse(
            "the address is missing; write it as /r/https://example.org/page, or send url or html"
        )
    if match := _SCHEME.match(address):
        return f"{match[1]}://{address[match.end() :]}"
    return address if "://" in address else f"https://{address}"


def _choose_form(accept: str, respond_with: str) -> str:
    """Choose between JSON, the content alone, and the content after lines about the page."""
    kinds = accept.lower()
    if "application/json" in kinds:
        return "json"
    if respond_with in _FORMS:
        return _FORMS[respond_with]
    return "markdown" if "text/markdown" in kinds else "labelled"


def _list_selectors(given: Any) -> list[str]:
    """List CSS selectors: one text in a header, or several in a body."""
    texts = [given] if isinstance(given, str) else given or []
    return [text for text in texts if text.strip()]


def _read_number(asked: Mapping[str, Any], name: str) -> float | None:
    given = asked.get(name)
    if given is None:
        return None
    try:
        value = float(given)
    except ValueError:
        value = math.nan
    if not 0 < value < math.inf:
        raise refuse(f"x-{name} is {str(given)[:100]!r}; give a number above 0")
    return value
