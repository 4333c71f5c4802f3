"""The help of a command: summaries are never cut, and the examples come last."""

from __future__ import annotations

from inspect import cleandoc
from typing import Any

import click

_EXAMPLES = "\b\nExamples:\n"

# What people write after a switch that they take for an option with a value.
_VALUES = {"yes", "no", "true", "false", "on", "off", "auto"}


class Command(click.Command):
    """A command whose docstring ends with its examples, which its help shows below the options."""

    def __init__(self, *arguments: Any, **more: Any) -> None:
        super().__init__(*arguments, **more)
        self.help, _, examples = cleandoc(self.help or "").partition(_EXAMPLES)
        self.examples = cleandoc("\n" + examples).splitlines()

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Parse as click does, but say what to write instead of a switch with a value."""
        if not ctx.resilient_parsing:
            self._refuse_values_of_switches(args)
        return super().parse_args(ctx, args)

    def _refuse_values_of_switches(self, args: list[str]) -> None:
        switches = {
            name: option
            for option in self.params
            if isinstance(option, click.Option) and option.is_flag
            for name in (*option.opts, *option.secondary_opts)
        }
        before = ""
        for argument in args:
            if argument == "--":
                return
            name, equals, _ = argument.partition("=")
            if argument.lower() in _VALUES and before in switches:
                name, equals = before, " "
            if equals and name in switches:
                option = switches[name]
                instead = " or ".join((*option.opts, *option.secondary_opts))
                raise click.UsageError(
                    f"{name} is a switch and takes no value: write {instead}, or leave it out."
                )
            before = argument

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
