"""`tamis explain`: why each block of a page was kept or dropped."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import click

from tamis.cli.commands.extract import extract_source
from tamis.cli.help import Command
from tamis.cli.output import as_json, cut_line, report, shows_colours, to_one_line, write
from tamis.cli.parameters import format_option, method_options, output_option, project_option
from tamis.cli.sources import source_options
from tamis.describe.blocks import find_containing
from tamis.errors import InputError
from tamis.options import DEFAULT_METHOD

if TYPE_CHECKING:
    from tamis import Result
    from tamis.methods._base import Unit


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
        colour = output is None and shows_colours(sys.stdout)
        from tamis.render.explanation import group_units

        units = group_units(result.units)
        lines = (_format_block(result, block, units.get(block, ()), colour) for block in chosen)
        write("".join(lines), output, styled=colour)
    if not len(result.scores):
        report(f"{source}: the page has no text")


def _choose_blocks(result: Result, shown: str, find: str | None) -> list[int]:
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
    from tamis.render import explanation

    blocks = explanation.list_rows(result.blocks, result.reasons, result.units, chosen)
    return as_json({"url": result.url, "method": result.method, "blocks": blocks})
