"""Output: UTF-8 in any locale, files that appear only when complete, messages and progress."""

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
_LINE_LETTERS = 100
# Control characters, and those that change the order in which letters are shown.
_CONTROLS = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202d\u202e]")


def to_one_line(text: str) -> str:
    """Put `text` on one line and escape everything that a terminal would obey."""
    return "".join(c if c.isprintable() else repr(c)[1:-1] for c in " ".join(text.split()))


def cut_line(text: str) -> str:
    """The start of a text on one line."""
    return to_one_line(text[:_LINE_LETTERS] + ("…" if len(text) > _LINE_LETTERS else ""))


def escape_for_terminal(text: str) -> str:
    return _CONTROLS.sub(lambda match: repr(match[0])[1:-1], text)


def shows_colours(stream: TextIO) -> bool:
    """Whether a stream is a terminal with colours that nobody switched off (no-color.org)."""
    plain = os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb"
    return stream.isatty() and not plain


def as_json(value: object, **more: Any) -> str:
    return json.dumps(value, ensure_ascii=False, indent=2, **more) + "\n"


def report(message: str) -> None:
    """Print a message to standard error."""
    click.echo(f"tamis: {to_one_line(message)}", err=True)


def report_first(messages: Sequence[str], before: str, total: str = "") -> None:
    """Print the first few messages and, after `total`, how many there are."""
    for message in messages[:_MOST_MESSAGES]:
        report(before + message)
    if messages and total:
        report(f"{total}: {len(messages):,}")


def progress_bar(
    items: Iterable[_T], label: str, length: int, *, hidden: bool = False
) -> ProgressBar[_T]:
    """Iterate over the items with a progress bar, which only terminals show."""
    hidden |= not sys.stderr.isatty()
    return click.progressbar(
        items, length=length, label=label, show_pos=True, file=sys.stderr, hidden=hidden
    )


def make_folder(folder: str | os.PathLike[str]) -> None:
    try:
        os.makedirs(folder, exist_ok=True)
    except OSError as error:
        raise OutputError(
            f"{os.fspath(folder)}: this folder cannot be made ({error.strerror}); choose another"
            " with --output"
        ) from error


def write(content: str | bytes, path: str | None = None, *, styled: bool = False) -> None:
    """Write to standard output, or replace a file once the new content is complete.

    On a terminal, control characters of a page are escaped, unless the content is `styled` by us.
    Files and pipes get the content unchanged.
    """
    to_stdout = path is None or path == "-"
    if isinstance(content, str):
        if to_stdout and not styled and sys.stdout is not None and sys.stdout.isatty():
            content = escape_for_terminal(content)
        content = content.encode("utf-8", "replace")
    try:
        if path is None or path == "-":
            _write_stdout(content)
        elif os.path.exists(path) and not os.path.isfile(path) and not os.path.isdir(path):
            with open(path, "wb") as device:  # do not replace /dev/null or a named pipe
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
        # With PYTHONUNBUFFERED this is a raw file, whose write may stop early.
        while rest:
            rest = rest[sys.stdout.buffer.write(rest) :]
        sys.stdout.buffer.flush()
    except OSError:
        # Otherwise Python would write the rest again when it exits, and print a traceback.
        with contextlib.suppress(OSError):
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        raise
