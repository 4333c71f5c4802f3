"""`tamis slope`: the document slope curve of a page, which the method bte reads."""

from __future__ import annotations

from typing import Any

import click

from tamis.cli.help import Command
from tamis.cli.output import one_line, write
from tamis.cli.parameters import output_option
from tamis.cli.source import read_source, source_options
from tamis.options import Options


@click.command("slope", cls=Command)
@source_options
@click.option(
    "--variant",
    type=click.Choice(("one", "many")),
    default="one",
    show_default=True,
    help="The segments that are drawn in bold: the best one, or all flat ones.",
)
@output_option()
def slope_command(variant: str, output: str | None, **choices: Any) -> None:
    """Draw the document slope curve of a page: HTML tags over tokens, as SVG.

    Text makes the curve flat, menus make it rise. What the method bte keeps is in bold.

    \b
    Examples:
      tamis slope article.html --output slope.svg
      tamis slope article.html --variant many --output slope.svg
    """
    import tamis
    from tamis.methods.bte import Bte
    from tamis.render.method_pictures import slope

    read = read_source(choices["source"], choices["url"], choices["content_type"], Options())
    page = tamis.parse(read.body, content_type=read.content_type)
    write(slope(page, Bte(variant=variant), one_line(page.title or choices["source"])), output)
