"""Output: UTF-8 in any locale, files that appear only when complete, messages and progress.

Commands that take several pages share where each page goes and how failures are reported.
"""

from __future__ import annotations

import contextlib
import json
import os
import re
import sys
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, TextIO, TypeVar

import click

from tamis import Result
from tamis._runtime import storage
from tamis.errors import InputError, OutputError, TamisError

if TYPE_CHECKING:
    from click._termui_impl import ProgressBar

    from tamis.cli.sources import PageName

_T = TypeVar("_T")

EXTENSIONS = {"text": "txt", "markdown": "md", "html": "html", "json": "json"}
"""File extensions by format."""

_MOST_MESSAGES = 5
_LINE_LETTERS = 100
# Control characters, and those that change the order in which letters are shown.
_CONTROLS = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202d\u202e]")


def to_one_line(text: str) -> str:
    """Put `text` on one line and escape everything that a terminal would obey."""
    return "".join(c if c.isprintable() else repr(c)[1:-1] for c in " ".join(text.split()))


def cut_line(text: str) -> str:
    return to_one_line(text[:_LINE_LETTERS] + ("…" if len(text) > _LINE_LETTERS else ""))


def count_of(count: int, name: str) -> str:
    return f"{count:,} {name}" if count == 1 else f"{count:,} {name}s"


def escape_for_terminal(text: str) -> str:
    return _CONTROLS.sub(lambda match: repr(match[0])[1:-1], text)


def shows_colours(stream: TextIO) -> bool:
    """Whether a stream is a terminal with colours that nobody switched off (no-color.org)."""
    plain = os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb"
    return stream.isatty() and not plain


def as_json(value: object, **more: Any) -> str:
    return json.dumps(value, ensure_ascii=False, indent=2, **more) + "\n"


def report(message: str) -> None:
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


class Rendered(NamedTuple):
    """A page in the format that was asked for."""

    content: str | dict[str, Any]
    """A dictionary is written as a line of JSON."""
    is_empty: bool
    """Whether nothing was kept."""


def is_several(pages: Sequence[PageName], sources: Sequence[str]) -> bool:
    """Whether the sources may be more than one page, as a folder may with any content."""
    return len(pages) != 1 or pages[0].name != sources[0]


def choose_targets(pages: Sequence[PageName], folder: Path, extension: str) -> list[Path]:
    """Choose a file in a folder for each page. No two are the same and none replaces a page."""
    sources = {os.path.realpath(page.name) for page in pages}
    used: Counter[Path] = Counter()
    chosen = []
    for page in pages:
        wanted = folder / page.inside.with_suffix("")
        target = wanted.with_name(wanted.name + extension)
        while target in used:
            used[wanted] += 1
            target = wanted.with_name(f"{wanted.name}-{used[wanted] + 1}{extension}")
        if os.path.realpath(target) in sources:
            raise OutputError(f"{target}: would replace a page; choose another folder as --output")
        used[target] = 0
        chosen.append(target)
    return chosen


def describe_error(page: PageName, error: TamisError) -> str:
    return str(error) if str(error).startswith(page.name) else f"{page.name}: {error}"


@dataclass(frozen=True)
class PageOutput:
    """Where the pages of a command go, and in which format."""

    format: str
    output: str | None

    def check_several(self, url: str | None) -> None:
        """Refuse options that only make sense for a single page."""
        output = self.output
        if url is not None:
            raise click.UsageError("--url is the address of one page, but you gave several pages.")
        if output is None and self.format != "json":
            raise click.UsageError(
                "Several pages: give a folder with --output DIR, or --format json for a page per"
                " line."
            )
        is_named_so = output is not None and Path(output).suffix[1:].lower() in EXTENSIONS.values()
        if output and not os.path.isdir(output) and (is_named_so or os.path.isfile(output)):
            raise click.UsageError(
                "Several pages do not fit into one file: give a folder instead of --output"
                f" {output}."
            )

    def choose_file(self, page: PageName) -> str | None:
        """The file of a single page: --output itself, or a file in it if it is a folder."""
        output = self.output
        if output is None or not (os.path.isdir(output) or output.endswith(("/", os.sep))):
            return output
        make_folder(output)
        return str(choose_targets([page], Path(output), f".{EXTENSIONS[self.format]}")[0])

    def render(self, result: Result) -> str:
        if self.format == "json":
            return as_json(result.to_dict())
        text: str = getattr(result, self.format)
        return text if not text or text.endswith("\n") else text + "\n"

    def render_one(self, result: Result) -> Rendered:
        """Render one of several pages."""
        content = result.to_dict() if self.output is None else self.render(result)
        return Rendered(content, not result.text.strip())

    def write_several(
        self, pages: Sequence[PageName], results: Iterable[Rendered | TamisError]
    ) -> None:
        """Write each page, then report pages that gave nothing and pages that failed."""
        files: Sequence[Path | None] = [None] * len(pages)
        if self.output is not None:
            files = choose_targets(pages, Path(self.output), f".{EXTENSIONS[self.format]}")
        failed: list[str] = []
        empty: list[str] = []
        tasks = zip(pages, files, results, strict=True)
        with progress_bar(tasks, "extracting", len(pages), hidden=self.output is None) as bar:
            for page, target, result in bar:
                if isinstance(result, TamisError):
                    failed.append(describe_error(page, result))
                    continue
                if isinstance(result.content, dict):
                    content = {"source": page.name} | result.content
                    write(json.dumps(content, ensure_ascii=False) + "\n")
                elif target is not None:
                    make_folder(target.parent)
                    write(result.content, str(target))
                if result.is_empty:
                    empty.append(page.name)
        report_first(empty, "nothing was kept: ", "pages that gave nothing")
        for line in failed:
            report(f"left out: {line}")
        if failed:
            raise InputError(f"{len(failed):,} of {len(pages):,} pages could not be extracted")
