"""`tamis convert`: a whole page as Markdown."""

from __future__ import annotations

from typing import Any

import click

from tamis.cli.extract import extract_command
from tamis.cli.help import Command
from tamis.cli.output import write
from tamis.cli.parameters import output_option
from tamis.cli.source import read_source, source_options
from tamis.options import Options

_OUTPUT = ("tables", "links", "images", "title", "front_matter")


@click.command(
    "convert",
    cls=Command,
    params=[option for option in extract_command.params if option.name in _OUTPUT],
)
@output_option()
@source_options
def convert_command(
    source: str, url: str | None, content_type: str | None, output: str | None, **choices: Any
) -> None:
    """Convert a whole page to Markdown, with navigation, ads and footers.

    All that a browser shows; what a page is about is for `tamis extract`.

    \b
    Examples:
      tamis convert mail.html
      tamis convert https://example.org/ --output page.md
      pandoc notes.docx -t html | tamis convert --no-images
    """
    from tamis import to_markdown

    options = Options(**choices)
    read = read_source(source, url, content_type, options)
    text = to_markdown(read.body, url=read.url, content_type=read.content_type, options=options)
    write(text + "\n" if text else "", output)
