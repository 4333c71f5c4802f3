"""What a command reads: its source arguments, which pages they name, and the bytes of a page."""

from __future__ import annotations

import glob
import os
import re
import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePath
from typing import Any, BinaryIO, NamedTuple

import click
from click.shell_completion import CompletionItem

from tamis import Fetched, Page, Result, extract, parse
from tamis._runtime.storage import PAGE_SUFFIXES, walk_pages
from tamis.cli.parameters import (
    Decorator,
    combine_options,
    count_option,
    require_finite,
    seconds_option,
    text_option,
)
from tamis.errors import FetchError, InputError, TamisError, TooLargeError
from tamis.options import Options
from tamis.page.addresses import LONGEST_HOST, find_host

_ALLOW_PRIVATE = "tamis.cli.allow_private"
_ADDRESS = re.compile(r"https?://", re.IGNORECASE)
_SCHEME = re.compile(r"[a-z][a-z0-9+.-]*://", re.IGNORECASE)
_HOST = re.compile(r"[\w-]+(\.[\w-]+)*\.[^\W\d_]{2,}", re.ASCII)


def _limit(name: str, text: str) -> Decorator:
    add_option = seconds_option if name == "max_seconds" else count_option
    default = getattr(Options(), name)
    option = f"--{name.replace('_', '-')}"
    return add_option(option, text, default=default, show_default=True, callback=require_finite)


def _read_pipe(ctx: click.Context, parameter: click.Parameter, value: Any) -> Any:
    """Without an argument, read standard input if something is piped into the command."""
    if value or ctx.resilient_parsing or ctx.params.get("compare"):
        return value
    if sys.stdin is None or sys.stdin.isatty():
        raise click.MissingParameter(ctx=ctx, param=parameter)
    return ("-",) if parameter.nargs == -1 else "-"


def _complete_file(_: click.Context, __: click.Parameter, start: str) -> list[CompletionItem]:
    return [CompletionItem(start, type="file")]


def source_argument(metavar: str = "[FILE|URL|-]", *, several: bool = False) -> Decorator:
    """Add SOURCE or SOURCES to a command; a pipe needs neither."""
    name, nargs = ("sources", -1) if several else ("source", 1)
    return click.argument(
        name,
        metavar=metavar,
        nargs=nargs,
        required=False,
        callback=_read_pipe,
        shell_complete=_complete_file,
    )


def _note_private(ctx: click.Context, _: click.Parameter, value: bool) -> None:
    ctx.meta[_ALLOW_PRIVATE] = value


private_option = click.option(
    "--allow-private",
    is_flag=True,
    envvar="TAMIS_ALLOW_PRIVATE",
    expose_value=False,
    callback=_note_private,
    help="Also read addresses of private networks and of this machine, and use the proxy that the"
    " environment variables name. TAMIS_ALLOW_PRIVATE=1 does the same for all commands.",
)
"""Adds --allow-private to a command that reads addresses; `read_source` sees it."""


def allows_private() -> bool:
    """Whether the command that runs may read private addresses."""
    ctx = click.get_current_context(silent=True)
    return ctx is not None and bool(ctx.meta.get(_ALLOW_PRIVATE))


page_options = combine_options(
    click.option("--url", help="The address of a page that you read from a file."),
    text_option(
        "--content-type",
        "TYPE",
        "The Content-Type header of a page that you read from a file, for its charset:"
        " 'text/html; charset=windows-1251'.",
    ),
    _limit("max_bytes", "Largest page, in bytes."),
    _limit("max_nodes", "Most elements."),
    _limit("max_depth", "Deepest nesting."),
    _limit("max_seconds", "Longest time to fetch the page, and longest time to read it."),
    private_option,
)
"""Adds what is known about a page before it is read, and the limits of `Options`, to a command."""

source_options = combine_options(source_argument(), page_options)
"""Adds SOURCE and the options about it to a command."""


@dataclass(frozen=True, slots=True)
class PageName:
    """A page before it is read."""

    name: str
    """A file or an address."""
    host: str
    """From its address or a folder; empty if these name none."""
    folder: str
    """A name for this page and those beside it if they have no host."""
    inside: PurePath
    """Its path from the folder that was given."""

    def choose_site_name(self, page: Page) -> str:
        return self.host or page.declared.host or self.folder[: LONGEST_HOST // 4]


def find_pages(sources: Sequence[str]) -> list[PageName]:
    """All pages of the sources; an `InputError` if a folder or a pattern has none.

    A file that does not exist counts as a page, so that it does not stop the others.
    """
    return [page for source in sources for page in _find_pages(source)]


def _find_pages(source: str) -> Iterator[PageName]:
    if _ADDRESS.match(source):
        name = re.sub(r"[^A-Za-z0-9_.-]+", "-", source.partition("://")[2])[:LONGEST_HOST]
        name = name.strip("-.") or "page"
        yield PageName(source, find_host(source), "pages", PurePath(f"{name}.html"))
    elif os.path.isdir(source):
        inside = list(_list_folder(source))
        if not inside:
            raise InputError(f"{source}: no file in it ends in {', '.join(PAGE_SUFFIXES)}")
        yield from inside
    elif glob.has_magic(source) and not os.path.exists(source):
        matching = sorted(glob.glob(source, recursive=True))
        if not matching:
            raise InputError(f"{source}: no file matches this pattern; check it")
        yield from (page for name in matching for page in _find_pages(name))
    else:
        path = Path("page" if source == "-" else source)
        folder = path.absolute().parent.name or "pages"
        yield PageName(source, _find_host(path.parent), folder, PurePath(path.name))


def _list_folder(top: str) -> Iterator[PageName]:
    own = Path(top).absolute().name or "pages"
    for path in walk_pages(top):
        inside = PurePath(os.path.relpath(path, top))
        folder = inside.parent
        group = folder.parts[0] if folder.parts else own
        yield PageName(path, _find_host(own / folder), group, inside)


def _find_host(path: PurePath) -> str:
    names = (name.lower().removeprefix("www.") for name in reversed(path.parts))
    return next((name for name in names if _HOST.fullmatch(name)), "")


class Source(NamedTuple):
    """The bytes of a page and what is known about them."""

    body: bytes
    url: str | None
    content_type: str | None

    def parse(self, options: Options) -> Page:
        return parse(self.body, content_type=self.content_type, options=options)

    def extract(self, options: Options) -> Result:
        return extract(self.body, url=self.url, content_type=self.content_type, options=options)


def read_source(source: str, url: str | None, content_type: str | None, options: Options) -> Source:
    """Read a file, an address or standard input.

    Raises an `InputError`, `FetchError` or `TooLargeError` if that is not possible.
    """
    if _SCHEME.match(source):
        fetched = _fetch(source, options)
        return Source(fetched.body, url or fetched.url, content_type or fetched.content_type)
    if source != "-":
        body = _read_file(source, options)
    elif sys.stdin is not None:
        body = _read_all(sys.stdin.buffer, "standard input", options)
    else:
        raise InputError("standard input: it is closed; give a file or a URL instead of -")
    return Source(body, url, content_type)


def _fetch(address: str, options: Options) -> Fetched:
    from tamis.web.download import FetchFailure
    from tamis.web.fetch import fetch

    allow_private = allows_private()
    try:
        return fetch(
            address,
            max_bytes=options.max_bytes,
            max_seconds=options.max_seconds,
            allow_private=allow_private,
        )
    except FetchFailure as failure:
        from urllib.request import getproxies

        if allow_private or failure.reason != "no answer" or not getproxies():
            raise
        hint = "your environment names a proxy; add --allow-private to use it"
        raise FetchError(f"{failure}; {hint}") from failure


def _read_file(path: str, options: Options) -> bytes:
    try:
        if os.path.isdir(path):
            raise InputError(f"{path}: a directory, not a page; give one of the files in it")
        with open(path, "rb") as file:
            return _read_all(file, path, options)
    except FileNotFoundError:
        raise InputError(
            f"{path}: no such file; check the name (a web address starts with https://)"
        ) from None
    except PermissionError:
        raise InputError(
            f"{path}: you have no permission to read it; change its permissions or read it as"
            " another user"
        ) from None
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise InputError(f"{path}: cannot be read ({reason}); check the name") from error


def _read_all(stream: BinaryIO, name: str, options: Options) -> bytes:
    # The stream may be endless: read one byte more than the limit.
    body = stream.read(options.max_bytes + 1)
    if len(body) > options.max_bytes:
        raise TooLargeError(
            f"{name}: more than {options.max_bytes:,} bytes; raise --max-bytes to read it"
        )
    return body


def read_pages(
    pages: Iterable[PageName], url: str | None, content_type: str | None, options: Options
) -> Iterator[tuple[bytes, str | None, str | None] | TamisError]:
    """Read pages for `extract_many`; one that cannot be read gives its error."""
    for page in pages:
        try:
            yield read_source(page.name, url, content_type, options)[:3]
        except TamisError as error:
            yield error
