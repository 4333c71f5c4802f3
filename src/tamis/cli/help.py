"""The help of a command: summaries are never cut, and the examples come last."""

from __future__ import annotations

from inspect import cleandoc
from typing import Any

import click

from tamis.cli.output import report
from tamis.deprecations import RENAMED, message

_EXAMPLES = "\b\nExamples:\n"


class Command(click.Command):
    """A command whose docstring ends with its examples, which its help shows below the options."""

    def __init__(self, *arguments: Any, **more: Any) -> None:
        super().__init__(*arguments, **more)
        self.help, _, examples = cleandoc(self.help or "").partition(_EXAMPLES)
        self.examples = cleandoc("\n" + examples).splitlines()

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """As click does; options by names of earlier versions, too, with a line on stderr."""
        names = {name for option in self.params for name in option.opts}
        options = args[: args.index("--")] if "--" in args else args
        for place, argument in enumerate(options):
            name, equals, value = argument.partition("=")
            if name in RENAMED and name not in names and RENAMED[name].new in names:
                if not ctx.resilient_parsing:  # a shell that completes
                    report(message(name))
                args[place] = RENAMED[name].new + equals + value
        return super().parse_args(ctx, args)

    def get_short_help_str(self, limit: int = 0) -> str:
        """The first sentence, whole: the list of commands wraps it."""
        return super().get_short_help_str(len(self.help or ""))

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The examples, a line each, however long."""
        super().format_epilog(ctx, formatter)
        with formatter.section("Examples"):
            for example in self.examples:
                formatter.write(f"{'':{formatter.current_indent}}{example}\n")


class CommandGroup(Command, click.Group):
    """A command with commands, which its help lists in the order of what people do first."""

    command_class = Command

    def list_commands(self, ctx: click.Context) -> list[str]:
        """As they were added."""
        return list(self.commands)
