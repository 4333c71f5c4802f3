"""A server of the Model Context Protocol, `tamis mcp`: pages for language models.

`fetch` has the parameters, texts and prompt of the reference server, so that tamis can replace it;
`extract`, `explain` and `links` are ours. The server reads addresses within the guards of
`tamis.fetch` and what robots.txt files allow, and files only in folders that you name at the start.
"""

from __future__ import annotations

import asyncio
import hmac
import json
import socket
import time
from collections.abc import Callable, Coroutine
from dataclasses import dataclass, replace
from functools import wraps
from pathlib import Path
from typing import Annotated, Any, Literal, NamedTuple, ParamSpec, TypeVar

import uvicorn
from mcp.server import MCPServer
from mcp.server.mcpserver.exceptions import ToolError
from mcp.server.transport_security import TransportSecuritySettings
from mcp.types import ToolAnnotations
from pydantic import BaseModel, Field
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Receive, Scope, Send

from tamis._runtime.version import __version__
from tamis.corpus.politeness import Politeness, PoliteReader
from tamis.describe.blocks import find_containing, find_nearest
from tamis.errors import InputError, NotHtmlError, TamisError
from tamis.flow import extract
from tamis.inputs import Fetched
from tamis.many import encode_page
from tamis.options import Focus, Options
from tamis.page.encoding import decode
from tamis.page.reader import find_kind
from tamis.result import Result
from tamis.serve.settings import ServeSettings
from tamis.web.download import USER_AGENT, FetchFailure

_P = ParamSpec("_P")
_T = TypeVar("_T")

# How many cut pages are remembered, and for how many seconds a client can ask for the rest.
_CUT_PAGES = 16
_CUT_SECONDS = 600.0
_BLOCKS = 20  # how many blocks `explain` describes
_TEXT = 200  # letters of a block

_READS = ToolAnnotations(
    read_only_hint=True, destructive_hint=False, idempotent_hint=True, open_world_hint=True
)
_INSTRUCTIONS = (
    "fetch reads a page of the web as Markdown: what it is about, without navigation, ads and"
    " footers. If something is missing, ask explain why; links gives the entries of an overview"
    " page; extract reads HTML or a file."
)
Url = Annotated[str, Field(description="URL to fetch", json_schema_extra={"format": "uri"})]
Source = Annotated[
    str | None, Field(description="URL of the page; give this, html or file, one of the three")
]
Html = Annotated[str | None, Field(description="HTML of the page")]
File = Annotated[
    str | None, Field(description="Path of a saved page, in a folder that the server may read")
]
BaseUrl = Annotated[
    str | None, Field(description="Address of the HTML or file, to make its links absolute")
]
MaxLength = Annotated[
    int,
    Field(description="Maximum number of characters to return.", ge=1, le=999999, strict=True),
]
StartIndex = Annotated[
    int,
    Field(
        description="On return output starting at this character index, useful if a previous call"
        " was truncated and more context is required.",
        ge=0,
        strict=True,
    ),
]
Raw = Annotated[
    bool,
    Field(description="Get the page as it was sent, without simplification.", strict=True),
]
View = Annotated[
    Literal["markdown", "text", "html", "json"],
    Field(description="What to return; json has metadata and every block, too."),
]
Lean = Annotated[Focus, Field(description="What counts more: nothing wrong, or nothing missing.")]
Comments = Annotated[bool, Field(description="Keep the comments of readers, too.")]
Missing = Annotated[
    str, Field(description="A sentence of the page, or a part of one, to be explained.")
]


class Entry(BaseModel):
    """An entry of an overview page."""

    title: str
    link: str
    teaser: str


class Entries(BaseModel):
    """What `links` gives: how probable it is that the page is an overview, and its entries."""

    overview: float
    items: list[Entry]


@dataclass(frozen=True, slots=True, kw_only=True)
class McpSettings:
    """The choices of the person who runs the server."""

    user_agent: str = USER_AGENT
    """The name for servers and their robots.txt."""
    robots: bool = True
    """Obey robots.txt when a model asks. A person who uses the prompt may read everything."""
    allow_private: bool = False
    """Also read private and loopback addresses."""
    files: tuple[Path, ...] = ()
    """Folders whose pages may be read."""
    max_seconds: float = 30.0
    """Longest time to fetch a page, and longest time to extract it."""


class _Text(NamedTuple):
    prefix: str
    content: str
    made: float


def _explain_errors(
    function: Callable[_P, Coroutine[Any, Any, _T]],
) -> Callable[_P, Coroutine[Any, Any, _T]]:
    """Turn errors into messages that tell the model what to do instead."""

    @wraps(function)
    async def tool(*args: _P.args, **fields: _P.kwargs) -> _T:
        try:
            return await function(*args, **fields)
        except TamisError as error:
            is_refused = isinstance(error, FetchFailure) and error.reason == "robots"
            hint = ", or let the user read it by the prompt fetch" if is_refused else ""
            raise ToolError(f"{error}{hint}") from error

    return tool


class _Tools:
    """The tools. Clients see their parameters and docstrings."""

    def __init__(self, settings: McpSettings) -> None:
        self._settings = settings
        limits = Politeness(
            user_agent=settings.user_agent,
            allow_private=settings.allow_private,
            max_seconds=settings.max_seconds,
            timeout=min(20.0, settings.max_seconds),
            robots=settings.robots,
            # Give scripts, settings and notes unchanged.
            pages_only=False,
        )
        self._for_models = PoliteReader(limits)
        self._for_people = PoliteReader(replace(limits, robots=False))
        self._cut: dict[tuple[str, bool], _Text] = {}

    @_explain_errors
    async def fetch(
        self, url: Url, max_length: MaxLength = 5000, start_index: StartIndex = 0, raw: Raw = False
    ) -> str:
        """Fetch a URL from the internet and extract its main content as markdown.

        Without navigation, ads and footers. With raw it is the page as it was sent. Long pages are
        cut: the last line says how to go on.
        """
        text = self._cut.pop((url, raw), None)
        if not start_index or text is None or time.monotonic() - text.made > _CUT_SECONDS:
            text = await self._read_text(self._for_models, url, raw)
        if start_index + max_length < len(text.content):
            # Keep the page for the next call, which asks for the rest of it.
            self._cut[url, raw] = text
            if len(self._cut) > _CUT_PAGES:
                self._cut.pop(next(iter(self._cut)))
        part = _cut_part(text.content, start_index, max_length, "fetch")
        return f"{text.prefix}Contents of {url}:\n{part}"

    async def fetch_prompt(self, url: Url) -> str:
        """Fetch a URL and extract its contents as markdown."""
        try:
            # robots.txt is for programs, and here a person asks.
            text = await self._read_text(self._for_people, url, raw=False)
        except TamisError as error:
            return str(error)
        return text.prefix + text.content

    @_explain_errors
    async def extract(
        self,
        html: Html = None,
        file: File = None,
        base_url: BaseUrl = None,
        format: View = "markdown",
        focus: Lean = "balanced",
        comments: Comments = False,
        max_length: MaxLength = 20000,
        start_index: StartIndex = 0,
    ) -> str:
        """Extract the main content of a page that you have: its HTML, or a file."""
        result = await self._extract(None, html, file, base_url, focus=focus, comments=comments)
        content = await asyncio.to_thread(_render, result, format)
        return _cut_part(content, start_index, max_length, "extract")

    @_explain_errors
    async def explain(
        self, find: Missing, url: Source = None, html: Html = None, file: File = None
    ) -> str:
        """Say why a sentence of a page was kept or dropped, or that the page has it nowhere."""
        result = await self._extract(url, html, file, None)
        return await asyncio.to_thread(_explain, result, find)

    @_explain_errors
    async def links(
        self, url: Source = None, html: Html = None, file: File = None, base_url: BaseUrl = None
    ) -> Entries:
        """List the entries of an overview page: a front page, a category, results, a forum.

        overview is how probable it is that the page is one; below 0.5 there are no items.
        """
        result = await self._extract(url, html, file, base_url)
        return await asyncio.to_thread(_list_entries, result)

    async def _read_text(self, reader: PoliteReader, url: str, raw: bool) -> _Text:
        page = await reader.read(url)
        prefix, content = await asyncio.to_thread(_convert, page, raw, self._settings.max_seconds)
        return _Text(prefix, content, time.monotonic())

    async def _extract(
        self, url: str | None, html: str | None, file: str | None, base_url: str | None, **more: Any
    ) -> Result:
        page: Fetched | Path | bytes
        if url is not None and html is None and file is None:
            page = await self._for_models.read(url)
        elif html is not None and url is None and file is None:
            page = encode_page(html)
        elif file is not None and url is None and html is None:
            page = self._resolve_file(file)
        else:
            raise InputError("give exactly one of url, html and file")
        options = Options(max_seconds=self._settings.max_seconds, **more)
        content_type = "text/html; charset=utf-8" if html is not None else None
        return await asyncio.to_thread(
            extract, page, url=base_url, content_type=content_type, options=options
        )

    def _resolve_file(self, file: str) -> Path:
        """The path of a file in one of the folders, with links resolved."""
        paths = [
            path
            for folder in self._settings.files
            if (path := (folder / file).resolve()).is_relative_to(folder.resolve())
        ]
        if paths:
            return next((path for path in paths if path.exists()), paths[0])
        raise InputError(
            f"{file!r}: not in a folder that this server may read; start it with --files FOLDER,"
            " or send the html"
        )


def _convert(page: Fetched, raw: bool, max_seconds: float) -> tuple[str, str]:
    """The content of a page, after what the reference server says about it."""
    kind = page.content_type or ""
    is_page = "html" in kind or not kind or b"<html" in page.body[:100]
    if raw or not is_page:
        if seems := find_kind(page.body):
            raise NotHtmlError(
                f"{page.url}: no text, it seems to be {seems}; give the address of a page or a text"
            )
        content = decode(page.body, page.content_type).source.decode("utf-8", "replace")
        why = "cannot be simplified to markdown, but here is the raw content"
        return f"Content type {kind} {why}:\n", content
    result = extract(page, title=True, max_seconds=max_seconds)
    return "", result.markdown or "<error>Page failed to be simplified from HTML</error>"


def _cut_part(content: str, start_index: int, max_length: int, tool: str) -> str:
    """A part of a text, with the messages of the reference server, which models know."""
    end = start_index + max_length
    if start_index >= len(content):
        return "<error>No more content available.</error>"
    if end >= len(content):
        return content[start_index:]
    return (
        f"{content[start_index:end]}\n\n<error>Content truncated. Call the {tool} tool with a"
        f" start_index of {end} to get more content.</error>"
    )


def _render(result: Result, format: str) -> str:
    if format == "json":
        return json.dumps(result.to_dict(), ensure_ascii=False)
    view: str = getattr(result, format)
    return view


def _list_entries(result: Result) -> Entries:
    items = [Entry(title=each.title, link=each.link, teaser=each.teaser) for each in result.items]
    return Entries(overview=round(result.overview, 3), items=items)


def _explain(result: Result, find: str) -> str:
    numbers = find_containing(result.blocks, find)
    if numbers:
        intro = f"{len(numbers)} blocks of the page have this text."
    elif (number := find_nearest(result.blocks, find)) is not None:
        numbers, intro = [number], "No block has this text; the nearest one:"
    else:
        return (
            "The page has this text nowhere, nor most of its words: a script may write it when the"
            " page is opened, or it stands on another page."
        )
    lines = [intro]
    for number in numbers[:_BLOCKS]:
        block = result.blocks[number]
        text = block.text[:_TEXT] + ("…" if len(block.text) > _TEXT else "")
        lines += [
            f"\n{'KEPT' if block.kept else 'DROPPED'}, score {block.score:.2f}, {block.kind}, in"
            f" {block.xpath}:\n> {text}\n{block.reason}"
        ]
    if len(numbers) > _BLOCKS:
        lines.append(f"\nand {len(numbers) - _BLOCKS} more; give a longer piece of the text")
    return "\n".join(lines)


def make_server(settings: McpSettings | None = None) -> MCPServer[Any]:
    """Make a server to run over stdio or to mount in your own application."""
    tools = _Tools(settings or McpSettings())
    server: MCPServer[Any] = MCPServer(
        "tamis",
        version=__version__,
        instructions=_INSTRUCTIONS,
        log_level="WARNING",
        subscriptions=False,
    )
    for function in (tools.fetch, tools.extract, tools.explain):
        server.tool(annotations=_READS, structured_output=False)(function)
    server.tool(annotations=_READS, structured_output=True)(tools.links)
    server.prompt(name="fetch")(tools.fetch_prompt)
    return server


def run_stdio(settings: McpSettings) -> None:
    """Serve the program that started this one, until it closes the pipe."""
    make_server(settings).run("stdio")


def run_http(settings: McpSettings, where: ServeSettings, ready: Callable[[str], None]) -> None:
    """Serve streamable HTTP at `/mcp` until a signal ends it; `ready` gets the address."""
    try:
        family = socket.AF_INET6 if ":" in where.host else socket.AF_INET
        listening = socket.create_server((where.host, where.port), family=family)
    except (OSError, OverflowError) as error:
        raise InputError(
            f"cannot listen on {where.host}:{where.port} ({error}); choose another address with"
            " --host and --port"
        ) from error
    host = f"[{where.host}]" if family == socket.AF_INET6 else where.host
    port = listening.getsockname()[1]
    names = ["localhost", "127.0.0.1", "[::1]", host, *where.allowed_hosts]
    app: ASGIApp = make_server(settings).streamable_http_app(
        stateless_http=True,
        transport_security=TransportSecuritySettings(
            # Without a token, the Host and Origin headers tell requests of other sites apart.
            enable_dns_rebinding_protection=where.token is None,
            allowed_hosts=[form for name in names for form in (name, f"{name}:*")],
            allowed_origins=[
                f"{scheme}://{name}{port}"
                for name in names
                for scheme in ("http", "https")
                for port in ("", ":*")
            ],
        ),
    )
    if where.token is not None:
        app = _TokenGuard(app, where.token.encode())
    with listening:
        config = uvicorn.Config(app, ws="none", log_level="warning", server_header=False)
        ready(f"http://{host}:{port}/mcp")
        uvicorn.Server(config).run([listening])


@dataclass
class _TokenGuard:
    """Only lets requests with the token pass."""

    app: ASGIApp
    token: bytes

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http":
            given = dict(scope["headers"]).get(b"authorization", b"")
            scheme, _, token = given.partition(b" ")
            if scheme.lower() != b"bearer" or not hmac.compare_digest(token.strip(), self.token):
                message = "this server needs its token; send it as Authorization: Bearer TOKEN"
                refused = PlainTextResponse(message, 401, {"WWW-Authenticate": "Bearer"})
                await refused(scope, receive, send)
                return
        await self.app(scope, receive, send)
