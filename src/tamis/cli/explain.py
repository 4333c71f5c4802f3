"""`tamis explain`: why each block of a page was kept or dropped."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import click

from tamis.cli.extract import extract_source
from tamis.cli.help import Command
from tamis.cli.output import as_json, has_colours, one_line, report, write
from tamis.cli.parameters import format_option, method_options, output_option, project_option
from tamis.cli.source import source_options
from tamis.describe.blocks import find_containing
from tamis.errors import InputError
from tamis.options import DEFAULT_METHOD

if TYPE_CHECKING:
    from tamis import Result
    from tamis.methods._base import Unit

_TEXT = 100  # letters of a block that are shown


@click.command("explain", cls=Command)
@source_options
@method_options(default=DEFAULT_METHOD)
@project_option
@format_option(
    *("text", "html", "json"),
    help="html is a page of its own, to open in a browser: all blocks, coloured by their score.",
)
@output_option()
@click.option("--all", "shown", flag_value="all", default=True, help="Show all blocks.  [default]")
@click.option("--kept", "shown", flag_value="kept", help="Show the blocks that were kept.")
@click.option("--dropped", "shown", flag_value="dropped", help="Show those that were dropped.")
@click.option("--find", metavar="TEXT", help="Show the blocks that contain this text.")
def explain_command(
    output_format: str, output: str | None, shown: str, find: str | None, **choices: Any
) -> None:
    """Show why each block of a page was kept or dropped.

    For each block + if it was kept, its score, what kind of region it is in and the start of its
    text; below that the decision and what the score rests on: the three signals that moved it most
    for tamis, for other methods the path in their tree, their ratio and its border, the pages that
    share the block.

    \b
    Examples:
      tamis explain article.html --find 'a sentence that is missing'
      tamis explain article.html --dropped | less
      tamis explain https://example.org/story --format html --output why.html
    """
    if output_format == "html" and (shown != "all" or find is not None):
        raise click.UsageError(
            "--kept, --dropped and --find choose blocks for text and json; the HTML view shows all"
            " of them and has its own switches."
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
            " (a script may write it when the page is opened)"
        )
    if output_format == "json":
        write(_as_json(result, chosen), output)
    else:
        colour = output is None and has_colours(sys.stdout)
        from tamis.render.explain import units_by_block

        units = units_by_block(result.units)
        lines = (_lines(result, block, units.get(block, ()), colour) for block in chosen)
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


def _lines(result: Result, number: int, units: Sequence[Unit], colour: bool) -> str:
    block, reason = result.blocks[number], result.reasons[number]
    sign = "+" if block.kept else "-"
    head = f"{sign} {block.score:.2f} {block.kind:10}"
    text = block.text[:_TEXT] + ("…" if len(block.text) > _TEXT else "")
    because = f"       {one_line(reason.text)}"
    if colour:
        head = click.style(head, fg="cyan" if block.kept else "yellow", bold=block.kept)
        because = click.style(because, dim=True)
    # A unit that is the whole block has its score.
    parts = [f"       {_unit_line(unit)}\n" for unit in units] if len(units) > 1 else []
    return f"{head} {one_line(text)}\n{because}\n{''.join(parts)}"


def _unit_line(unit: Unit) -> str:
    text = unit.text[:_TEXT] + ("…" if len(unit.text) > _TEXT else "")
    return f"{'+' if unit.content else '-'} {unit.score:.2f} {one_line(text)}"


def _as_json(result: Result, chosen: list[int]) -> str:
    from tamis.render import explain

    blocks = explain.rows(result.blocks, result.reasons, result.units, chosen)
    return as_json({"url": result.url, "method": result.method, "blocks": blocks})
