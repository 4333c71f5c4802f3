"""The directive `commands`: every command with its options and examples, from its help."""

from __future__ import annotations

import re
from collections.abc import Iterator

import click
from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

from tamis.cli import Command, main


class Commands(SphinxDirective):
    """All commands, a section each, those of a group below it."""

    def run(self) -> list[nodes.Node]:
        """The nodes of the sections, made anew in every build: they follow from the code."""
        self.env.note_reread()
        text = "\n\n".join(_sections(click.Context(main, info_name="tamis")))
        made: list[nodes.Node] = self.parse_text_to_nodes(text, allow_section_headings=True)
        return made


def _sections(context: click.Context) -> Iterator[str]:
    group = context.command
    assert isinstance(group, click.Group)
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        assert isinstance(command, Command)
        below = click.Context(command, parent=context, info_name=name)
        level = "##" if context.parent is None else "###"
        yield f"{level} `{below.command_path}`"
        yield _plain(command.help or "")
        usage = " ".join([below.command_path, *command.collect_usage_pieces(below)])
        yield f"```text\n{usage}\n```"
        options = [each.get_help_record(below) for each in command.get_params(below)]
        rows = [
            f"| `{_cell(names)}` | {_cell(_plain(text))} |" for names, text in filter(None, options)
        ]
        yield "\n".join(["| option | |", "|---|---|", *rows])
        if command.examples:
            yield "\n".join(["```sh", *command.examples, "```"])
        if isinstance(command, click.Group):
            yield from _sections(below)


def _plain(text: str) -> str:
    """Markdown of a help, in which only code is more than text."""
    parts = re.split(r"(`[^`]*`)", text.replace("\b\n", ""))
    return "".join(
        part if number % 2 else re.sub(r"([*_<\[\]\\])", r"\\\1", part)
        for number, part in enumerate(parts)
    )


def _cell(text: str) -> str:
    return " ".join(text.split()).replace("|", "\\|")


def setup(app: Sphinx) -> dict[str, bool]:
    """Make the directive known."""
    app.add_directive("commands", Commands)
    return {"parallel_read_safe": True}
