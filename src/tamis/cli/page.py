"""`tamis page`: the page table, to see why a block was kept, and a picture of its tags."""

from __future__ import annotations

import shutil
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from itertools import islice
from typing import TYPE_CHECKING, Any

import click

from tamis.cli.help import Command
from tamis.cli.output import as_json, one_line, report, write
from tamis.cli.parameters import format_option, method_options, output_option, read_options
from tamis.cli.source import read_source, source_options
from tamis.options import Options
from tamis.page.tags import HIDDEN

if TYPE_CHECKING:
    from tamis import Page, Result
    from tamis.methods._base import Unit

_PATH = 32  # columns for the path, enough for four or five steps of it
_WITH_UNITS = "text_block_context"
_INDENT = 40  # columns: deeper nodes are shown at this depth, beside the number


@click.command("page", cls=Command)
@source_options
@method_options(default=None)
@click.option("--nodes", is_flag=True, help="Show the elements instead of the blocks of text.")
@click.option(
    "--units",
    is_flag=True,
    help="Show what the paper of the method decides on instead of the blocks, with the verdict on"
    f" each.  [default method: {_WITH_UNITS}]",
)
@format_option(
    *("text", "json", "svg"),
    help="json has the units; svg is a picture of the tags by line, inside and outside of what the"
    " method keeps.",
)
@output_option()
@click.option("--limit", type=click.IntRange(min=0), metavar="N", help="Show only the first N.")
def page_command(
    nodes: bool,
    units: bool,
    output_format: str,
    output: str | None,
    limit: int | None,
    **choices: Any,
) -> None:
    """Show how a page was read: its blocks of text, or its elements, one per line.

    Columns of the blocks: number, words, share of the words that are in links, h for hidden,
    the path of the element without html and body, the text. With --method also the score, and +
    for the blocks that are kept. Columns of the units: number, block, score, + for content, the
    numbers that the paper decides by, the path, the unit's own words; --format json has the full
    names. Lines are cut to the width of the terminal, or to COLUMNS.

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
    import tamis

    options = read_options(choices)
    if units and options.make_method().decides_on == "blocks":
        raise click.UsageError(
            f"{choices['method']} decides on blocks; leave out --units to see the verdict on each."
        )
    read = read_source(source, choices["url"], choices["content_type"], options)
    page = tamis.parse(read.body, options=options, content_type=read.content_type)
    result = None
    if choices["method"] is not None or output_format == "svg":
        result = tamis.extract(page, url=read.url, options=options)
    if result is not None and output_format == "svg":
        from tamis.evaluate import tag_lines

        write(tag_lines.picture(result.page, result.kept), output)
    elif result is not None and output_format == "json":
        write(as_json(list(map(asdict, result.units[:limit]))), output)
    else:
        width = shutil.get_terminal_size((120, 24)).columns
        total, kind, lines = _table(page, result, nodes, units, width)
        shown = total if limit is None else min(limit, total)
        write("".join(f"{_cut(line, width)}\n" for line in islice(lines, shown + 1)), output)
        if shown < total:
            report(f"{total - shown:,} more {kind}; raise --limit to see them")
        if not total:
            report(f"{source}: the page has no {kind}")


def _table(
    page: Page, result: Result | None, nodes: bool, units: bool, width: int
) -> tuple[int, str, Iterator[str]]:
    """How many rows there are, what they are, and their lines after a head."""
    if nodes:
        return len(page.nodes), "elements", _node_lines(page)
    if result is not None and units:
        return len(result.units), "units", _unit_lines(result.units, width)
    return len(page.blocks), "blocks of text", _block_lines(page, result)


def _check_usage(nodes: bool, units: bool, output_format: str, choices: dict[str, Any]) -> None:
    """Refuse options that do not belong together."""
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


def _block_lines(page: Page, result: Result | None) -> Iterator[str]:
    blocks = page.blocks
    scored = "" if result is None else "score k  "
    yield f"block words links h  {scored}{'path':{_PATH}}  text"
    for i in range(len(blocks)):
        words = float(blocks.words[i])
        links = float(blocks.link_words[i]) / words if words else 0.0
        hidden = "h" if blocks.flags[i] & HIDDEN else " "
        if result is not None:
            scored = f"{result.scores[i]:5.2f} {'+' if result.kept[i] else ' '}  "
        path = _padded_path(page.xpath(int(blocks.node[i])))
        text = one_line(page.block_text(i)[:1000])
        yield f"{i:5} {words:5.0f} {links:5.2f} {hidden}  {scored}{path}  {text}"


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
_WORDY = 12  # columns for attributes that are words, such as tokens
_LEAST_TEXT = 30  # columns for the words of a unit, before paths are shown, too
_LEAST_PATH = 12


def _unit_lines(units: Sequence[Unit], width: int) -> Iterator[str]:
    first = units[0].attributes if units else {}
    # Paths of other elements are for JSON: they would leave no room for the unit's own.
    names = [name for name, value in first.items() if not str(value).startswith("/")]
    heads = [_short_name(name) for name in names]
    cells = [[_cell(own.attributes[name]) for name in names] for own in units]
    widths = [max(map(_columns, column)) for column in zip(heads, *cells, strict=True)]
    # What is left beside the numbers, the words and the blanks between them.
    room = min(_PATH, width - 22 - sum(widths) - len(widths) - 3 - _LEAST_TEXT)
    head = _align_columns(heads, widths)
    place = f"{'path':{room}}  " if room >= _LEAST_PATH else ""
    yield f" unit block score c  {head}  {place}text"
    for number, (unit, values) in enumerate(zip(units, cells, strict=True)):
        sign = "+" if unit.content else " "
        path = f"{_padded_path(unit.xpath, room)}  " if place else ""
        text = one_line(unit.text[:1000])
        numbers = f"{number:5} {unit.block:5} {unit.score:5.2f} {sign}"
        yield f"{numbers}  {_align_columns(values, widths)}  {path}{text}"


def _short_name(name: str) -> str:
    """The head of a column; `text[-1]` and its like are `text-1`, `text`, `text+1`."""
    name, _, place = name.removeprefix("lines_").partition("[")
    # Of a block and its neighbours, where there are many columns.
    name = _PLACED.get(name, name) if place else _HEADS.get(name, name)
    return name + place.removesuffix("]").replace("+0", "")


def _cell(value: float | str) -> str:
    if isinstance(value, str):
        # Tokens of classes and ids as in style sheets, which is shorter.
        return _cut(one_line(value.replace("class:", ".").replace("id:", "#")), _WORDY)
    value = round(value, 6)
    decimals = 0 if value == int(value) or abs(value) >= 100 else 1 if abs(value) >= 10 else 2
    return f"{value:.{decimals}f}"


def _align_columns(cells: Sequence[str], widths: Sequence[int]) -> str:
    """The cells at the right of their columns, in columns of a terminal."""
    return " ".join(
        " " * (width - _columns(cell)) + cell for cell, width in zip(cells, widths, strict=True)
    )


def _node_lines(page: Page) -> Iterator[str]:
    nodes = page.nodes
    yield " node depth h  element"
    for i in range(len(nodes)):
        depth = int(nodes.depth[i])
        hidden = "h" if nodes.flags[i] & HIDDEN else " "
        name = page.attribute(i, "id")
        classes = page.attribute(i, "class")
        element = page.tag_name(i) + (f"#{name}" if name else "")
        element += "".join(f".{name}" for name in (classes or "").split())
        yield f"{i:5} {depth:5} {hidden}  {' ' * min(depth, _INDENT)}{one_line(element)}"


def _padded_path(xpath: str, room: int = _PATH) -> str:
    path = xpath.removeprefix("/html/").removeprefix("body/")
    if len(path) > room:
        path = "…" + path[1 - room :]
    # Element names may be written in any script: count columns, not characters.
    while _columns(path) > room:
        path = "…" + path[2:]
    return path + " " * (room - _columns(path))


def _columns(text: str) -> int:
    return sum(map(_width, text))


def _width(character: str) -> int:
    """Columns of a terminal: none for accents that combine, two for wide letters."""
    if unicodedata.category(character) in ("Mn", "Me", "Cf"):
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1


def _cut(line: str, width: int) -> str:
    """Return as much of `line` as `width` columns show, never a letter without its accents."""
    if len(line) <= width and line.isascii():
        return line.rstrip()
    used, fits = 0, 0
    for end, character in enumerate(line):
        used += _width(character)
        if used > width:
            return line[:fits].rstrip() + "…"
        if used < width:  # one column is for the sign of the cut
            fits = end + 1
    return line.rstrip()
