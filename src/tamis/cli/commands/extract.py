"""`tamis extract`, `tamis explain` and `tamis convert`: the content of pages, or a whole page."""

from __future__ import annotations

import math
import sys
from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

import click

from tamis import Result, extract_many, to_markdown
from tamis.cli import Command
from tamis.cli.output import (
    PageOutput,
    as_json,
    cut_line,
    is_several,
    report,
    shows_colours,
    to_one_line,
    write,
)
from tamis.cli.parameters import (
    choice_option,
    count_option,
    format_option,
    method_options,
    output_option,
    project_option,
    read_options,
    switch_option,
)
from tamis.cli.sources import (
    PageName,
    find_pages,
    page_options,
    read_pages,
    read_source,
    source_argument,
    source_options,
)
from tamis.decide.decision import USUAL_THRESHOLD
from tamis.errors import InputError
from tamis.methods._base import Unit
from tamis.options import DEFAULT_METHOD, OVERVIEWS, Options


@click.command("extract", cls=Command)
@source_argument("[FILE|DIR|URL|-]...", several=True)
@format_option(
    *("text", "markdown", "html", "json"),
    help="json has the structured content, the metadata, the posts of a thread or of comments, and"
    " every block with its score, its kind and its place in the source.",
)
@output_option(
    "FILE|DIR",
    "Write to this file instead of standard output, or to one file per page in this folder. A file"
    " appears only when it is complete.",
)
@switch_option("comments", "Also keep the comments of readers.")
@switch_option("tables", "Keep tables of data.")
@switch_option("links", "Keep the targets of links.")
@switch_option("images", "Keep images.")
@switch_option("hidden", "Keep content that a browser does not show at first.")
@switch_option("title", "Put the title at the top, once, or leave it out.")
@switch_option(
    "front_matter",
    "Begin the Markdown with YAML: title, authors, date, address, language, site, page type and"
    " number of words.",
)
@choice_option(
    "--overview",
    OVERVIEWS,
    Options().overview,
    "What to do with a page that lists links to other pages: treat it like any other page, keep"
    " nothing, or keep only its entries.",
)
@count_option("--workers", "Processes that read several pages.  [default: one per processor]")
@method_options(default=DEFAULT_METHOD)
@project_option
@page_options
def extract_command(
    sources: tuple[str, ...],
    output_format: str,
    output: str | None,
    workers: int | None,
    **choices: Any,
) -> None:
    """Print what pages are about, without navigation, ads and footers.

    A page is a file, an http or https address, or - for standard input; a pipe needs no -. A folder
    stands for all .html files and the like in it and below it. You can give patterns such as
    'saved/*.html'. Several pages go into a folder, one file each, or as JSON to standard output,
    one page per line; tamis reports those that fail. The output is UTF-8.

    \b
    Examples:
      tamis extract article.html
      tamis extract https://example.org/story -o story.md
      curl -s https://example.org/ | tamis extract --url https://example.org/
      tamis extract saved/ --format md --output texts/
      tamis extract article.html --focus recall
      tamis extract article.html --project mine/
      tamis extract article.html -o article.md --title --front-matter
    """
    check_front_matter(choices["front_matter"], output_format)
    pages = find_pages(sources)
    target = PageOutput(output_format, output)
    if not is_several(pages, sources):
        write_result(extract_source(sources[0], choices), pages[0], target)
        return
    target.check_several(choices["url"])
    options = read_options(choices)
    items = read_pages(pages, None, choices["content_type"], options)
    results = extract_many(items, options=options, workers=workers, then=target.render_one)
    target.write_several(pages, results)


def borrow_options(*names: str) -> list[click.Parameter]:
    """Options of `tamis extract` for commands in which they mean the same."""
    return [option for option in extract_command.params if option.name in names]


def write_result(result: Result, page: PageName, target: PageOutput) -> None:
    """Write a single page, and report if nothing was kept."""
    path = target.choose_file(page)
    write(target.render(result), path)
    if not result.text.strip():
        report(f"{page.name}: {_explain_nothing(result)}")


def check_front_matter(wanted: bool, output_format: str) -> None:
    if wanted and output_format != "markdown":
        raise click.UsageError("--front-matter is for Markdown; add --format markdown.")


def extract_source(source: str, choices: dict[str, Any]) -> Result:
    """Extract the page of a command that has `page_options` and `method_options`."""
    options = read_options(choices)
    read = read_source(source, choices["url"], choices["content_type"], options)
    return read.extract(options)


def _explain_nothing(result: Result) -> str:
    decision = result.decision
    blocks = len(decision.scores)
    if not blocks:
        return (
            "nothing was kept, since the page has no text; if scripts write its text, save the page"
            " in a browser and give that file"
        )
    if options := " and ".join(
        f"--{name}" for name in decision.switched if name in Options.__dataclass_fields__
    ):
        return f"nothing was kept of {blocks:,} blocks, because of the options for {options}"
    best = math.floor(float(decision.scores.max()) * 100) / 100
    why = ""
    if decision.cut > 1:
        # The whole page was dropped, so its best blocks may have any score.
        why = ", since the page looks like one without content (blocked, an error, a login)"
        best = min(best, USUAL_THRESHOLD)
    lower = f"--threshold {best:g} or " if 0 < best < decision.cut else ""
    return (
        f"nothing was kept of {blocks:,} blocks{why}; try {lower}another --method (`tamis methods`"
        " lists them)"
    )


@click.command("explain", cls=Command)
@source_options
@method_options(default=DEFAULT_METHOD)
@project_option
@format_option(
    *("text", "html", "json"),
    help="html is a page to open in a browser: all blocks, coloured by their score.",
)
@output_option()
@click.option("--all", "shown", flag_value="all", default=True, help="Show all blocks.  [default]")
@click.option("--kept", "shown", flag_value="kept", help="Only show kept blocks.")
@click.option(
    "--dropped", "shown", flag_value="dropped", help="Only show the blocks that were dropped."
)
@click.option("--find", metavar="TEXT", help="Only show the blocks that contain this text.")
def explain_command(
    output_format: str, output: str | None, shown: str, find: str | None, **choices: Any
) -> None:
    """Show why each block of a page was kept or dropped.

    Each block comes with + if it was kept, its score, the kind of region it is in and the start of
    its text. Below you see the decision and what the score rests on: for tamis the three signals
    that moved it most, for other methods the path in their tree, their ratio and its threshold, or
    the pages that share the block.

    \b
    Examples:
      tamis explain article.html --find 'a sentence that is missing'
      tamis explain article.html --dropped | less
      tamis explain https://example.org/story --format html --output why.html
    """
    if output_format == "html" and (shown != "all" or find is not None):
        raise click.UsageError(
            "--kept, --dropped and --find choose blocks for text and json; the HTML view shows all"
            " blocks and has its own switches."
        )
    source = choices["source"]
    result = extract_source(source, choices)
    if output_format == "html":
        write(result.explain(), output)
        return
    chosen = _choose_blocks(result, shown, find)
    if find is not None and not chosen:
        raise InputError(
            f"{source}: no block has the text {find!r}; give a shorter piece of it, without markup"
            " (a script may add the text when you open the page)"
        )
    if output_format == "json":
        write(_format_json(result, chosen), output)
    else:
        from tamis.describe.reasons import write_choice
        from tamis.render.explanation import group_units

        colour = output is None and shows_colours(sys.stdout)
        units = group_units(result.units)
        lines = (_format_block(result, block, units.get(block, ()), colour) for block in chosen)
        write("".join(lines), output, styled=colour)
        if find is None and (choice := write_choice(result.decision)):
            report(choice)
    if not len(result.scores):
        report(f"{source}: the page has no text")


def _choose_blocks(result: Result, shown: str, find: str | None) -> list[int]:
    from tamis.describe.blocks import find_containing

    blocks = result.blocks
    return [
        number
        for number in (range(len(blocks)) if find is None else find_containing(blocks, find))
        if shown == "all" or blocks[number].kept == (shown == "kept")
    ]


def _format_block(result: Result, number: int, units: Sequence[Unit], colour: bool) -> str:
    block, reason = result.blocks[number], result.reasons[number]
    sign = "+" if block.kept else "-"
    head = f"{sign} {block.score:.2f} {block.kind:10}"
    because = f"       {to_one_line(reason.text)}"
    if colour:
        head = click.style(head, fg="cyan" if block.kept else "yellow", bold=block.kept)
        because = click.style(because, dim=True)
    # The only unit of a block has the score of the block.
    parts = [f"       {_format_unit(unit)}\n" for unit in units] if len(units) > 1 else []
    return f"{head} {cut_line(block.text)}\n{because}\n{''.join(parts)}"


def _format_unit(unit: Unit) -> str:
    return f"{'+' if unit.content else '-'} {unit.score:.2f} {cut_line(unit.text)}"


def _format_json(result: Result, chosen: list[int]) -> str:
    from tamis.render.explanation import list_rows

    blocks = list_rows(result.blocks, result.reasons, result.units, chosen)
    described: dict[str, Any] = {"url": result.url, "method": result.method}
    if choice := result.decision.choice:
        described["choice"] = asdict(choice)
    return as_json({**described, "blocks": blocks})


@click.command(
    "convert",
    cls=Command,
    params=borrow_options("tables", "links", "images", "title", "front_matter"),
)
@output_option()
@source_options
def convert_command(
    source: str, url: str | None, content_type: str | None, output: str | None, **choices: Any
) -> None:
    """Convert a whole page to Markdown, with navigation, ads and footers.

    You get everything that a browser shows; `tamis extract` keeps only what a page is about.

    \b
    Examples:
      tamis convert mail.html
      tamis convert https://example.org/ --output page.md
      pandoc notes.docx -t html | tamis convert --no-images
    """
    options = Options(**choices)
    read = read_source(source, url, content_type, options)
    text = to_markdown(read.body, url=read.url, content_type=read.content_type, options=options)
    write(text + "\n" if text else "", output)
