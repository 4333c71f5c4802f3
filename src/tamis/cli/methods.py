"""`tamis methods`: what --method and --parameter can be."""

from __future__ import annotations

import shutil
import textwrap
from functools import partial
from typing import Any

import click

from tamis.cli.help import Command
from tamis.cli.output import as_json, write
from tamis.cli.parameters import format_option


@click.command("methods", cls=Command)
@format_option(
    "text",
    "json",
    by_name=False,
    help="json is a list of name, summary, default (true for the method that is used unless another"
    " is named), fitted (true for a method that learns from pages of a site first) and parameters"
    " with their defaults.",
)
def methods_command(output_format: str) -> None:
    """List the extraction methods, each with its parameters and their defaults.

    A method that is shown as fitted learns from pages of one site before it scores: see
    `tamis site`.

    \b
    Examples:
      tamis methods
      tamis methods --format json
      tamis extract article.html --method boilerpipe --parameter NAME=VALUE
    """
    import tamis
    from tamis.methods._registry import describe

    described = [describe(name) for name in tamis.list_methods()]
    if output_format == "json":
        write(as_json(described, default=str))
    else:
        write(_table(described))


def _table(described: list[dict[str, Any]]) -> str:
    margin = max((len(method["name"]) for method in described), default=0) + 2
    width = max(shutil.get_terminal_size((100, 24)).columns, margin + 30)
    wrap = partial(textwrap.wrap, width=width, subsequent_indent=" " * margin)
    lines = []
    for method in described:
        summary = method["summary"] or "(no description)"
        summary += " (default)" * method["default"] + " (fitted to a site)" * method["fitted"]
        lines += wrap(summary, initial_indent=method["name"].ljust(margin))
        settings = "  ".join(f"{name}={value}" for name, value in method["parameters"].items())
        lines += wrap(settings, initial_indent=" " * margin, break_on_hyphens=False)
    return "".join(f"{line}\n" for line in lines)
