"""Several pages on the command line: a file for each, or a line of JSON, and what failed."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from tamis.cli.output import as_json, make_folder, progress_bar, report, report_first, write
from tamis.cli.pages import PageName, targets
from tamis.cli.parameters import EXTENSIONS
from tamis.cli.source import read_source
from tamis.errors import InputError, TamisError
from tamis.options import Options

if TYPE_CHECKING:
    from tamis import Result


class Rendered(NamedTuple):
    """A page in the format that was asked for."""

    content: str | dict[str, Any]
    """Plain values for a line of JSON."""
    empty: bool
    """Whether nothing was kept."""


def is_several(pages: Sequence[PageName], sources: Sequence[str]) -> bool:
    """Whether there may be more than one page: a folder is several, whatever is in it."""
    return len(pages) != 1 or pages[0].name != sources[0]


def check_usage(output_format: str, output: str | None, url: str | None) -> None:
    """Refuse what is for one page alone."""
    if url is not None:
        raise click.UsageError("--url is the address of one page, and there are several.")
    if output is None and output_format != "json":
        raise click.UsageError(
            "Several pages: give a folder with --output DIR, or --format json for a page per line."
        )
    if output and not os.path.isdir(output) and _is_file_name(output):
        raise click.UsageError(
            f"Several pages do not go into one file: give a folder instead of --output {output}."
        )


def _is_file_name(output: str) -> bool:
    return os.path.isfile(output) or Path(output).suffix[1:].lower() in EXTENSIONS.values()


def file_of(page: PageName, output: str | None, output_format: str) -> str | None:
    """Where a single page goes: the file that was named, or one of its own name in a folder."""
    if output is None or not (os.path.isdir(output) or output.endswith(("/", os.sep))):
        return output
    make_folder(output)
    return str(targets([page], Path(output), f".{EXTENSIONS[output_format]}")[0])


def read_pages(
    pages: Iterable[PageName], url: str | None, content_type: str | None, options: Options
) -> Iterator[tuple[bytes, str | None, str | None] | TamisError]:
    """What `extract_many` takes of each page; the error of one that cannot be read."""
    for page in pages:
        try:
            read = read_source(page.name, url, content_type, options)
        except TamisError as error:
            yield error
        else:
            yield read.body, read.url, read.content_type


def extracted_pages(
    pages: Sequence[PageName],
    content_type: str | None,
    options: Options,
    output_format: str,
    output: str | None,
    workers: int | None,
) -> Iterator[Rendered | TamisError]:
    """The pages, rendered in worker processes, in their order; an error in place of a page."""
    from tamis import extract_many

    items = read_pages(pages, None, content_type, options)
    then = partial(render_one, output_format=output_format, as_line=output is None)
    return extract_many(items, options=options, workers=workers, then=then)


def render_one(result: Result, output_format: str, as_line: bool) -> Rendered:
    """A page as it is written, or what is in its line."""
    content = result.to_dict() if as_line else render(result, output_format)
    return Rendered(content, not result.text.strip())


def render(result: Result, output_format: str) -> str:
    """The result in a format of `--format`."""
    if output_format == "json":
        return as_json(result.to_dict())
    text: str = getattr(result, output_format)
    return text if not text or text.endswith("\n") else text + "\n"


def write_several(
    pages: Sequence[PageName],
    results: Iterable[Rendered | TamisError],
    output_format: str,
    output: str | None,
) -> None:
    """Write each page, then say what gave nothing and, page by page, what failed."""
    files: Sequence[Path | None] = [None] * len(pages)
    if output is not None:
        files = targets(pages, Path(output), f".{EXTENSIONS[output_format]}")
    failed: list[str] = []
    empty: list[str] = []
    tasks = zip(pages, files, results, strict=True)
    with progress_bar(tasks, "extracting", len(pages), hidden=output is None) as bar:
        for page, target, result in bar:
            if isinstance(result, TamisError):
                failed.append(message(page, result))
                continue
            if isinstance(result.content, dict):
                write(json.dumps({"source": page.name} | result.content, ensure_ascii=False) + "\n")
            elif target is not None:
                make_folder(target.parent)
                write(result.content, str(target))
            if result.empty:
                empty.append(page.name)
    report_first(empty, "nothing was kept: ", "pages that gave nothing")
    for line in failed:
        report(f"left out: {line}")
    if failed:
        raise InputError(f"{len(failed):,} of {len(pages):,} pages could not be extracted")


def message(page: PageName, error: TamisError) -> str:
    """The error of a page, in a line that names it."""
    return str(error) if str(error).startswith(page.name) else f"{page.name}: {error}"
