"""The output of commands that take one or several pages: where each page goes, and what failed."""

from __future__ import annotations

import json
import os
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from tamis.cli.output import as_json, make_folder, progress_bar, report, report_first, write
from tamis.cli.parameters import EXTENSIONS
from tamis.cli.sources import PageName, read_source
from tamis.errors import InputError, OutputError, TamisError
from tamis.options import Options

if TYPE_CHECKING:
    from tamis import Result


class Rendered(NamedTuple):
    """A page in the format that was asked for."""

    content: str | dict[str, Any]
    """A dictionary is written as a line of JSON."""
    is_empty: bool
    """Whether nothing was kept."""


def is_several(pages: Sequence[PageName], sources: Sequence[str]) -> bool:
    """Whether the sources may be more than one page, as a folder may with any content."""
    return len(pages) != 1 or pages[0].name != sources[0]


def check_usage(output_format: str, output: str | None, url: str | None) -> None:
    """Refuse options that only make sense for a single page."""
    if url is not None:
        raise click.UsageError("--url is the address of one page, but you gave several pages.")
    if output is None and output_format != "json":
        raise click.UsageError(
            "Several pages: give a folder with --output DIR, or --format json for a page per line."
        )
    if output and (
        os.path.isfile(output)
        or (not os.path.isdir(output) and Path(output).suffix[1:].lower() in EXTENSIONS.values())
    ):
        raise click.UsageError(
            f"Several pages do not fit into one file: give a folder instead of --output {output}."
        )


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


def choose_file(page: PageName, output: str | None, output_format: str) -> str | None:
    """The file of a single page: --output itself, or a file in it if it is a folder."""
    if output is None or not (os.path.isdir(output) or output.endswith(("/", os.sep))):
        return output
    make_folder(output)
    return str(choose_targets([page], Path(output), f".{EXTENSIONS[output_format]}")[0])


def read_pages(
    pages: Iterable[PageName], url: str | None, content_type: str | None, options: Options
) -> Iterator[tuple[bytes, str | None, str | None] | TamisError]:
    """Read pages for `extract_many`; one that cannot be read gives its error."""
    for page in pages:
        try:
            read = read_source(page.name, url, content_type, options)
        except TamisError as error:
            yield error
        else:
            yield read.body, read.url, read.content_type


def extract_pages(
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
    content = result.to_dict() if as_line else render(result, output_format)
    return Rendered(content, not result.text.strip())


def render(result: Result, output_format: str) -> str:
    """The result in a format of --format."""
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
    """Write each page, then report pages that gave nothing and pages that failed."""
    files: Sequence[Path | None] = [None] * len(pages)
    if output is not None:
        files = choose_targets(pages, Path(output), f".{EXTENSIONS[output_format]}")
    failed: list[str] = []
    empty: list[str] = []
    tasks = zip(pages, files, results, strict=True)
    with progress_bar(tasks, "extracting", len(pages), hidden=output is None) as bar:
        for page, target, result in bar:
            if isinstance(result, TamisError):
                failed.append(describe_error(page, result))
                continue
            if isinstance(result.content, dict):
                write(json.dumps({"source": page.name} | result.content, ensure_ascii=False) + "\n")
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


def describe_error(page: PageName, error: TamisError) -> str:
    return str(error) if str(error).startswith(page.name) else f"{page.name}: {error}"
