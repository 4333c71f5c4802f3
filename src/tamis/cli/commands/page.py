"""`tamis page` and `tamis slope`: how a page was read, as a table or as a picture of its tags."""

from __future__ import annotations

import shutil
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from itertools import islice
from typing import Any

import click

from tamis import Page, Result, extract
from tamis.cli import Command
from tamis.cli.output import as_json, report, to_one_line, write
from tamis.cli.parameters import (
    choice_option,
    format_option,
    method_options,
    output_option,
    read_options,
)
from tamis.cli.sources import read_source, source_options
from tamis.methods._base import Unit
from tamis.options import Options
from tamis.page.tags import HIDDEN

_PATH = 32  # columns for the path, enough for four or five steps of it
_WITH_UNITS = "text_block_context"
_INDENT = 40  # columns; deeper nodes are shown at this depth
_WORDY = 12  # columns for attributes that are words, such as tokens
_LEAST_TEXT = 30  # columns for the words of a unit; paths only get what is left
_LEAST_PATH = 12
_HEADS = {
    "word_density": "words",
    "link_density": "links",
    "characters": "chars",
    "text_length": "text",
    "link_text_length": "links",
    "tag_count": "tags",
    "tag_ratio": "ratio",
    "tag_ratio_derivative": "slope",
    "cetr_verdict": "cetr",
}
_PLACED = {"text_density": "text", "link_density": "links"}


@click.command("page", cls=Command)
@source_options
@method_options(default=None)
@click.option("--nodes", is_flag=True, help="Show the elements instead of the blocks of text.")
@click.option(
    "--units",
    is_flag=True,
    help="Instead of the blocks, show the units that the paper of the method decides on, with each"
    f" verdict.  [default method: {_WITH_UNITS}]",
)
@format_option(
    *("text", "json", "svg"),
    help="json has the units; svg is a picture of the tags per line, inside and outside of what the"
    " method keeps.",
)
@output_option()
@click.option("--limit", type=click.IntRange(min=0), metavar="N", help="Only show the first N.")
def page_command(
    nodes: bool,
    units: bool,
    output_format: str,
    output: str | None,
    limit: int | None,
    **choices: Any,
) -> None:
    """Show how a page was read: its blocks of text, or its elements, one per line.

    The columns of blocks are number, words, the share of words in links, h for hidden, the path of
    the element without html and body, and the text; with --method also the score, and + if the
    block is kept. The columns of units are number, block, score, + for content, the numbers that
    the paper decides by, the path, and the unit's own words; --format json has the full names.
    Lines are cut to the width of the terminal, or to COLUMNS.

    \b
    Examples:
      tamis page article.html
      tamis page article.html --method tamis --focus recall --limit 40
      tamis page article.html --units --format json
      tamis page article.html --method textsweeper --units --limit 40
      tamis page article.html --method tamis --format svg --output tags.svg
      tamis page https://example.org/ --nodes | less
    """
    _check_usage(nodes, units, output_format, choices)
    if units and choices["method"] is None:
        choices["method"] = _WITH_UNITS
    source = choices["source"]
    options = read_options(choices)
    if units and options.make_method().decides_on == "blocks":
        raise click.UsageError(
            f"{choices['method']} decides on blocks; leave out --units to see the verdict on each."
        )
    read = read_source(source, choices["url"], choices["content_type"], options)
    page = read.parse(options)
    result = None
    if choices["method"] is not None or output_format == "svg":
        result = extract(page, url=read.url, options=options)
    if result is not None and output_format == "svg":
        from tamis.bench.charts import draw_tags

        write(draw_tags(result.page, result.kept), output)
    elif result is not None and output_format == "json":
        write(as_json(list(map(asdict, result.units[:limit]))), output)
    else:
        width = shutil.get_terminal_size((120, 24)).columns
        if nodes:
            total, kind, lines = len(page.nodes), "elements", _list_nodes(page)
        elif result is not None and units:
            total, kind, lines = len(result.units), "units", _list_units(result.units, width)
        else:
            total, kind, lines = len(page.blocks), "blocks of text", _list_blocks(page, result)
        shown = total if limit is None else min(limit, total)
        write(
            "".join(f"{_cut_columns(line, width)}\n" for line in islice(lines, shown + 1)), output
        )
        if shown < total:
            report(f"{total - shown:,} more {kind}; raise --limit to see them")
        if not total:
            report(f"{source}: the page has no {kind}")


def _check_usage(nodes: bool, units: bool, output_format: str, choices: dict[str, Any]) -> None:
    method = choices["method"]
    chosen = choices["focus"] != Options().focus or choices["threshold"] is not None
    scored = method is not None or units or output_format == "svg"
    if not scored and (choices["parameters"] or choices["weights"] or chosen):
        raise click.UsageError(
            "--parameter, --weights, --focus and --threshold belong to a method; say which one with"
            " --method."
        )
    if method is not None and nodes:
        raise click.UsageError("--method scores blocks; leave out --nodes to see the scores.")
    if nodes + units + (output_format == "svg") > 1:
        raise click.UsageError("--nodes, --units and --format svg exclude each other.")
    if output_format == "json" and not units:
        raise click.UsageError(
            "--format json is for --units; `tamis explain --format json` has the blocks."
        )


def _list_blocks(page: Page, result: Result | None) -> Iterator[str]:
    blocks = page.blocks
    scored = "" if result is None else "score k  "
    yield f"block words links h  {scored}{'path':{_PATH}}  text"
    for i in range(len(blocks)):
        words = float(blocks.words[i])
        links = float(blocks.link_words[i]) / words if words else 0.0
        hidden = "h" if blocks.flags[i] & HIDDEN else " "
        if result is not None:
            scored = f"{result.scores[i]:5.2f} {'+' if result.kept[i] else ' '}  "
        path = _pad_path(page.xpath(int(blocks.node[i])))
        text = to_one_line(page.block_text(i)[:1000])
        yield f"{i:5} {words:5.0f} {links:5.2f} {hidden}  {scored}{path}  {text}"


def _list_units(units: Sequence[Unit], width: int) -> Iterator[str]:
    first = units[0].attributes if units else {}
    # Paths of other elements are only in JSON: here they would leave no room for that of the unit.
    names = [name for name, value in first.items() if not str(value).startswith("/")]
    heads = [_short_name(name) for name in names]
    cells = [[_format_cell(own.attributes[name]) for name in names] for own in units]
    widths = [max(map(_count_columns, column)) for column in zip(heads, *cells, strict=True)]
    # The columns that numbers, words and the blanks between them leave.
    room = min(_PATH, width - 22 - sum(widths) - len(widths) - 3 - _LEAST_TEXT)
    head = _align_columns(heads, widths)
    place = f"{'path':{room}}  " if room >= _LEAST_PATH else ""
    yield f" unit block score c  {head}  {place}text"
    for number, (unit, values) in enumerate(zip(units, cells, strict=True)):
        sign = "+" if unit.content else " "
        path = f"{_pad_path(unit.xpath, room)}  " if place else ""
        text = to_one_line(unit.text[:1000])
        numbers = f"{number:5} {unit.block:5} {unit.score:5.2f} {sign}"
        yield f"{numbers}  {_align_columns(values, widths)}  {path}{text}"


def _short_name(name: str) -> str:
    """The heading of a column; `text[-1]`, `text[+0]` become `text-1`, `text`."""
    name, _, place = name.removeprefix("lines_").partition("[")
    # Columns of a block and its neighbours are many, so their names are shorter.
    name = _PLACED.get(name, name) if place else _HEADS.get(name, name)
    return name + place.removesuffix("]").replace("+0", "")


def _format_cell(value: float | str) -> str:
    if isinstance(value, str):
        # Write classes and ids as in style sheets, which is shorter.
        return _cut_columns(to_one_line(value.replace("class:", ".").replace("id:", "#")), _WORDY)
    value = round(value, 6)
    decimals = 0 if value == int(value) or abs(value) >= 100 else 1 if abs(value) >= 10 else 2
    return f"{value:.{decimals}f}"


def _align_columns(cells: Sequence[str], widths: Sequence[int]) -> str:
    return " ".join(
        " " * (width - _count_columns(cell)) + cell
        for cell, width in zip(cells, widths, strict=True)
    )


def _list_nodes(page: Page) -> Iterator[str]:
    nodes = page.nodes
    yield " node depth h  element"
    for i in range(len(nodes)):
        depth = int(nodes.depth[i])
        hidden = "h" if nodes.flags[i] & HIDDEN else " "
        name = page.attribute(i, "id")
        classes = page.attribute(i, "class")
        element = page.tag_name(i) + (f"#{name}" if name else "")
        element += "".join(f".{name}" for name in (classes or "").split())
        yield f"{i:5} {depth:5} {hidden}  {' ' * min(depth, _INDENT)}{to_one_line(element)}"


def _pad_path(xpath: str, room: int = _PATH) -> str:
    path = xpath.removeprefix("/html/").removeprefix("body/")
    if len(path) > room:
        path = "…" + path[1 - room :]
    # Element names may be in any script: count columns, not characters.
    while _count_columns(path) > room:
        path = "…" + path[2:]
    return path + " " * (room - _count_columns(path))


def _count_columns(text: str) -> int:
    return sum(map(_width_of, text))


def _width_of(character: str) -> int:
    """Columns in a terminal: none for combining accents, two for wide letters."""
    if unicodedata.category(character) in ("Mn", "Me", "Cf"):
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1


def _cut_columns(line: str, width: int) -> str:
    """As much of `line` as fits into `width` columns, never a letter without its accents."""
    if len(line) <= width and line.isascii():
        return line.rstrip()
    used, fits = 0, 0
    for end, character in enumerate(line):
        used += _width_of(character)
        if used > width:
            return line[:fits].rstrip() + "…"
        if used < width:  # leave one column for the ellipsis
            fits = end + 1
    return line.rstrip()


@click.command("slope", cls=Command)
@source_options
@choice_option(
    "--variant",
    ("one", "many"),
    "one",
    "The segments to draw in bold: the best one, or all flat ones.",
)
@output_option()
def slope_command(variant: str, output: str | None, **choices: Any) -> None:
    """Draw the document slope curve of a page: HTML tags over tokens, as SVG.

    Text makes the curve flat, menus make it rise. Bold segments are what the method bte keeps.

    \b
    Examples:
      tamis slope article.html --output slope.svg
      tamis slope article.html --variant many --output slope.svg
    """
    from tamis.methods.bte import Bte
    from tamis.render.method_pictures import draw_slope

    source = choices["source"]
    page = read_source(source, choices["url"], choices["content_type"], Options()).parse(Options())
    write(draw_slope(page, Bte(variant=variant), to_one_line(page.title or source)), output)
