"""`tamis cloud`: the words that matter on pages, as a picture or a list."""

from __future__ import annotations

import os
import sys
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

import click

from tamis import extract_many
from tamis.cli import Command
from tamis.cli.output import (
    as_json,
    choose_targets,
    describe_error,
    make_folder,
    progress_bar,
    report,
    report_first,
    write,
)
from tamis.cli.parameters import (
    choice_option,
    format_option,
    method_options,
    output_option,
    read_options,
)
from tamis.cli.sources import PageName, find_pages, private_option, read_pages, source_argument
from tamis.cloud.draw import PALETTES
from tamis.describe.metadata.language import find_language_tags
from tamis.errors import InputError, TamisError
from tamis.options import DEFAULT_METHOD, Options

if TYPE_CHECKING:
    from tamis.cloud.draw import Cloud, Style
    from tamis.cloud.terms import Text

_FORMATS = ("svg", "html", "png", "json", "csv")
# How many other pages --each compares a page with: more change little and cost time.
_OTHERS = 20


@click.command("cloud", cls=Command)
@source_argument("[FILE|DIR|URL|-]...", several=True)
@format_option(
    *_FORMATS,
    help="svg is a picture made of text, html a page that shows how often a term occurs, png a"
    " bitmap (pip install 'tamis[cloud]'); json and csv have the terms and their weights.",
)
@click.option(
    "--terms",
    type=click.IntRange(1, 1000),
    default=80,
    show_default=True,
    metavar="N",
    help="Most terms in a cloud.",
)
@click.option("--each", is_flag=True, help="Draw one cloud per page; --output is then a folder.")
@click.option(
    "--compare",
    nargs=2,
    metavar="A B",
    help="Draw two clouds side by side: what distinguishes A from B, and B from A. Each is a FILE,"
    " URL or DIR.",
)
@click.option("--url", help="The address of a single page that you read from a file.")
@click.option(
    "--language",
    metavar="NAME",
    callback=lambda _, __, name: find_language_tags(name)[0] if name else None,
    help="The language of all pages: thai, th, zh-TW.  [default: what each page says]",
)
@method_options(default=DEFAULT_METHOD)
@private_option
@choice_option("--palette", PALETTES, PALETTES[0], None)
@click.option("--dark", is_flag=True, help="Draw light letters on a dark background.")
@click.option(
    "--seed", type=int, default=0, show_default=True, help="Another seed gives another layout."
)
@click.option(
    "--font", metavar="FILE", help="The font of a PNG.  [default: one that has the letters]"
)
@output_option()
def cloud_command(
    sources: tuple[str, ...],
    output_format: str,
    terms: int,
    each: bool,
    compare: tuple[str, str] | None,
    url: str | None,
    language: str | None,
    palette: str,
    dark: bool,
    seed: int,
    font: str | None,
    output: str | None,
    **choices: Any,
) -> None:
    """Draw the words that matter on pages, without the words of their menus.

    A page is a file, an http or https address, or - for standard input. A folder stands for all
    .html files and the like in it and below it, without the frames that a browser saves beside a
    page. Several pages give one cloud. tamis reports a page that it cannot read and leaves it out.

    \b
    Examples:
      tamis cloud article.html --output cloud.svg
      tamis cloud https://example.org/story --format html --dark --output cloud.html
      tamis cloud pages/ --terms 40 --format csv
      tamis cloud pages/ --each --output clouds/
      tamis cloud --compare ours/ theirs/ --output both.svg
      tamis cloud thai.html --method xpath_blocks --parameter least_group=0
      tamis cloud pages/ --method example.org.npz --output site.svg
    """
    from tamis.cloud.draw import Style

    if bool(sources) == bool(compare):
        raise click.UsageError("Give either pages or --compare A B.")
    if each and compare:
        raise click.UsageError("--each and --compare exclude each other: give one of them.")
    if each and output is None:
        raise click.UsageError("--each writes files: give a folder with --output DIR.")
    if url and (len(sources) != 1 or os.path.isdir(sources[0])):
        raise click.UsageError("--url is the address of a single page.")
    if output_format == "png" and output is None and sys.stdout.isatty():
        raise click.UsageError("A terminal cannot show a PNG: give --output FILE.")
    options = read_options(choices)
    style = Style(palette=palette, dark=dark, seed=seed)
    draw = partial(_draw, output_format=output_format, style=style, font=font)
    with _report_warnings():
        if compare:
            first, second = (_read([source], None, output, language, options) for source in compare)
            clouds = [_make_cloud(first, terms, second), _make_cloud(second, terms, first)]
            write(draw(clouds), output)
            return
        pages = _read(sources, url, output, language, options)
        if output is None or not each:
            write(draw([_make_cloud(pages, terms)]), output)
            return
        names = [page.name for page in pages.pages]
        files = choose_targets(names, Path(output), f".{output_format}")
        drawn = _make_each(pages.pages, terms)
        with progress_bar(drawn, "clouds", len(files), hidden=len(files) < 2) as bar:
            for cloud, file in zip(bar, files, strict=True):
                make_folder(file.parent)
                write(draw([cloud]), str(file))


@dataclass(frozen=True, slots=True)
class _Page:
    name: PageName
    text: Text
    title: str
    link: str | None


@dataclass(frozen=True, slots=True)
class _Pages:
    name: str
    pages: list[_Page]


def _read(
    sources: Sequence[str],
    url: str | None,
    output: str | None,
    language: str | None,
    options: Options,
) -> _Pages:
    """Extract all pages of the sources; the error of a single page is raised."""
    from tamis.cloud.terms import Text

    names = find_pages(sources)
    errors: list[str] = []
    pages = []
    results = extract_many(read_pages(names, url, None, options), options=options)
    tasks = zip(names, results, strict=True)
    with progress_bar(tasks, "pages", len(names), hidden=len(names) < 2) as bar:
        for name, result in bar:
            path = name.name
            if isinstance(result, TamisError):
                if len(names) == 1:
                    raise result
                errors.append(describe_error(name, result))
                continue
            about = result.metadata
            # A browser does not show content that is embedded in data, so there is no link.
            link = None if result.embedded else result.url or _make_link(path, output)
            text = Text(result.weighed_blocks(), language or about.language)
            pages.append(_Page(name, text, about.title, link))
    report_first(errors, "left out: ", "pages left out")
    if not pages:
        raise InputError(f"{', '.join(sources)}: none of {len(names):,} pages could be read")
    if len(pages) == 1:
        return _Pages(pages[0].title or pages[0].name.name, pages)
    return _Pages(sources[0].rstrip("/\\") if len(sources) == 1 else f"{len(pages):,} pages", pages)


def _make_link(path: str, output: str | None) -> str | None:
    if path == "-" or output is None:
        return None
    folder = output if os.path.isdir(output) else os.path.dirname(output)
    try:
        return quote(Path(os.path.relpath(path, folder or ".")).as_posix())
    except ValueError:  # on another drive
        return None


def _make_cloud(pages: _Pages, terms: int, other: _Pages | None = None) -> Cloud:
    from tamis.cloud.draw import cloud_of

    cloud = cloud_of(
        [page.text for page in pages.pages],
        title=pages.name,
        url=pages.pages[0].link if len(pages.pages) == 1 else None,
        most=terms,
        against=[page.text for page in other.pages] if other else (),
    )
    if not cloud.terms:
        report(f"{pages.name}: nothing with terms was kept")
    return cloud


def _make_each(pages: Sequence[_Page], terms: int) -> Iterator[Cloud]:
    """Make a cloud of each page, compared with some of the others."""
    step = max(1, len(pages) // _OTHERS)
    for page in pages:
        others = [other for other in pages[::step] if other is not page]
        alone = _Pages(page.title or page.name.name, [page])
        yield _make_cloud(alone, terms, _Pages("", others) if others else None)


def _draw(
    clouds: Sequence[Cloud], output_format: str, style: Style, font: str | None
) -> str | bytes:
    from tamis.cloud import draw

    if output_format == "svg":
        return draw.draw_svg(clouds, style)
    if output_format == "html":
        return draw.draw_html(clouds, style)
    if output_format == "png":
        from tamis.cloud.png import draw_png

        return draw_png(clouds, style, font)
    if output_format == "csv":
        return draw.write_csv(clouds)
    listed: object = (
        clouds[0].to_list()
        if len(clouds) == 1
        else [{"title": cloud.title, "terms": cloud.to_list()} for cloud in clouds]
    )
    return as_json(listed)


@contextmanager
def _report_warnings() -> Iterator[None]:
    """Report warnings about a missing segmenter or letter in one line each."""
    from tamis.cloud.png import GlyphWarning
    from tamis.cloud.segment import SegmenterWarning

    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("ignore")  # nobody can act on those of the packages that we use
        for category in (GlyphWarning, SegmenterWarning):
            warnings.simplefilter("always", category)
        try:
            yield
        finally:
            for warning in caught:
                report(str(warning.message))
