"""Reading FILE, URL or standard input, and the options that say how."""

from __future__ import annotations

import os
import re
import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, BinaryIO

import click
from click.shell_completion import CompletionItem

from tamis.cli.parameters import Decorator, combine_options, finite
from tamis.errors import FetchError, InputError, TooLargeError
from tamis.options import Options

if TYPE_CHECKING:
    from tamis.inputs import Fetched

_ALLOW_PRIVATE = "tamis.cli.allow_private"
_SCHEME = re.compile(r"[a-z][a-z0-9+.-]*://", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Source:
    """The bytes of a page and what is known about them before they are read."""

    body: bytes
    url: str | None
    content_type: str | None


def _limit(name: str, text: str) -> Decorator:
    seconds = name == "max_seconds"
    return click.option(
        f"--{name.replace('_', '-')}",
        type=click.FloatRange(min=0, min_open=True) if seconds else click.IntRange(min=1),
        default=getattr(Options(), name),
        callback=finite,
        metavar="N",
        show_default=True,
        help=text,
    )


def _or_piped(ctx: click.Context, parameter: click.Parameter, value: Any) -> Any:
    """What was given, or standard input if something is piped into the command.

    Or nothing, if an option says what to read.
    """
    if value or ctx.resilient_parsing or ctx.params.get("compare"):
        return value
    if sys.stdin is None or sys.stdin.isatty():
        raise click.MissingParameter(ctx=ctx, param=parameter)
    return ("-",) if parameter.nargs == -1 else "-"


def _files(_: click.Context, __: click.Parameter, start: str) -> list[CompletionItem]:
    """Files, which the shell knows best."""
    return [CompletionItem(start, type="file")]


def source_argument(metavar: str = "[FILE|URL|-]", *, several: bool = False) -> Decorator:
    """Add SOURCE or SOURCES to a command; a pipe needs neither."""
    name, nargs = ("sources", -1) if several else ("source", 1)
    return click.argument(
        name,
        metavar=metavar,
        nargs=nargs,
        required=False,
        callback=_or_piped,
        shell_complete=_files,
    )


def _note_private(ctx: click.Context, _: click.Parameter, value: bool) -> None:
    ctx.meta[_ALLOW_PRIVATE] = value


private_option = click.option(
    "--allow-private",
    is_flag=True,
    envvar="TAMIS_ALLOW_PRIVATE",
    expose_value=False,
    callback=_note_private,
    help="Read addresses of private networks and of this machine, too, and go through the proxy of"
    " the environment. For all commands: TAMIS_ALLOW_PRIVATE=1.",
)
"""Adds --allow-private to a command that reads addresses; `read_source` sees it."""


def allows_private() -> bool:
    """Whether the command that runs may read private addresses."""
    ctx = click.get_current_context(silent=True)
    return ctx is not None and bool(ctx.meta.get(_ALLOW_PRIVATE))


page_options = combine_options(
    click.option("--url", help="The address of a page that is read from a file."),
    click.option(
        "--content-type",
        metavar="TYPE",
        help="The Content-Type header of a page that is read from a file, for its charset:"
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


def read_source(source: str, url: str | None, content_type: str | None, options: Options) -> Source:
    """Read all of `source`, or say in an `InputError`, `FetchError` or `TooLargeError` why not."""
    if _SCHEME.match(source):
        fetched = _fetch(source, options)
        return Source(fetched.body, url or fetched.url, content_type or fetched.content_type)
    body = _read_stdin(options) if source == "-" else _read_file(source, options)
    return Source(body, url, content_type)


def _fetch(address: str, options: Options) -> Fetched:
    from tamis.download import FetchFailure
    from tamis.web import fetch

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
        hint = "--allow-private goes through the proxy of the environment"
        raise FetchError(f"{failure}; {hint}") from failure


def _read_stdin(options: Options) -> bytes:
    if sys.stdin is None:
        raise InputError("standard input: it is closed; give a file or a URL instead of -")
    return _read_all(sys.stdin.buffer, "standard input", options)


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
            f"{path}: no permission to read it; change its permissions or read it as another user"
        ) from None
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise InputError(f"{path}: cannot be read ({reason}); check the name") from error


def _read_all(stream: BinaryIO, name: str, options: Options) -> bytes:
    # One byte more than the limit is enough to know: the stream may be endless.
    body = stream.read(options.max_bytes + 1)
    if len(body) > options.max_bytes:
        raise TooLargeError(
            f"{name}: more than {options.max_bytes:,} bytes; raise --max-bytes to read it"
        )
    return body
