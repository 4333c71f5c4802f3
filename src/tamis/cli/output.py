"""Writing: UTF-8 to standard output whatever the locale, and files that appear whole or not."""

from __future__ import annotations

import contextlib
import json
import os
import re
import sys
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, TextIO, TypeVar

import click

from tamis._runtime import storage
from tamis.errors import OutputError

if TYPE_CHECKING:
    from click._termui_impl import ProgressBar

_T = TypeVar("_T")

_MOST_MESSAGES = 5
# What a terminal obeys, and what shows letters in another order than they are in.
_OBEYED = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202d\u202e]")


def one_line(text: str) -> str:
    """Return `text` on one line, with nothing in it that a terminal would obey."""
    return "".join(c if c.isprintable() else repr(c)[1:-1] for c in " ".join(text.split()))


def for_terminal(text: str) -> str:
    """Text of several lines with nothing in it that a terminal would obey."""
    return _OBEYED.sub(lambda match: repr(match[0])[1:-1], text)


def has_colours(stream: TextIO) -> bool:
    """Whether a stream is a terminal that shows colours, and nobody wants none: no-color.org."""
    plain = os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb"
    return stream.isatty() and not plain


def as_json(value: object, **more: Any) -> str:
    """A value as JSON that people can read."""
    return json.dumps(value, ensure_ascii=False, indent=2, **more) + "\n"


def report(message: str) -> None:
    """Print a message about what is done, which is not part of the output."""
    click.echo(f"tamis: {one_line(message)}", err=True)


def report_first(messages: Sequence[str], before: str, total: str = "") -> None:
    """Print the first of many messages, and how many they are."""
    for message in messages[:_MOST_MESSAGES]:
        report(before + message)
    if messages and total:
        report(f"{total}: {len(messages):,}")


def progress_bar(
    items: Iterable[_T], label: str, length: int, *, hidden: bool = False
) -> ProgressBar[_T]:
    """The items, with a bar in a terminal that shows how many of them are done."""
    hidden |= not sys.stderr.isatty()
    return click.progressbar(
        items, length=length, label=label, show_pos=True, file=sys.stderr, hidden=hidden
    )


def make_folder(folder: str | os.PathLike[str]) -> None:
    """Make a folder, and those above it, if it is not there."""
    try:
        os.makedirs(folder, exist_ok=True)
    except OSError as error:
        raise OutputError(
            f"{os.fspath(folder)}: no such folder can be made ({error.strerror}); choose another"
            " with --output"
        ) from error


def write(content: str | bytes, path: str | None = None, *, styled: bool = False) -> None:
    """Write to standard output, or to a file that holds either its old content or all the new.

    What a page says to a terminal is shown, not obeyed, unless the content is `styled` by us; files
    and pipes get it as it is.
    """
    to_stdout = path is None or path == "-"
    if isinstance(content, str):
        if to_stdout and not styled and sys.stdout is not None and sys.stdout.isatty():
            content = for_terminal(content)
        content = content.encode("utf-8", "replace")
    try:
        if path is None or path == "-":
            _write_stdout(content)
        elif os.path.exists(path) and not os.path.isfile(path) and not os.path.isdir(path):
            with open(path, "wb") as device:  # /dev/null, a named pipe: must not be replaced
                device.write(content)
        else:
            storage.write(path, content)
    except BrokenPipeError:
        raise
    except (OSError, OutputError) as error:
        problem = str(error)
        if isinstance(error, OSError):
            where = "standard output" if to_stdout else path
            problem = f"{where}: cannot be written ({error.strerror or error})"
        raise OutputError(f"{problem}; choose another place with --output") from error


def _write_stdout(data: bytes) -> None:
    if sys.stdout is None:
        raise OSError("it is closed")
    rest = memoryview(data)
    try:
        # Under PYTHONUNBUFFERED this is a bare file, which may write less than it was given.
        while rest:
            rest = rest[sys.stdout.buffer.write(rest) :]
        sys.stdout.buffer.flush()
    except OSError:
        # What is left in the buffer would fail again, with a traceback, when Python exits.
        with contextlib.suppress(OSError):
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        raise
