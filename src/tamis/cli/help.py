"""The help of a command: summaries are never cut, and the examples come last."""

from __future__ import annotations

from collections.abc import Container
from inspect import cleandoc
from typing import Any

import click

from tamis.cli.output import report
from tamis.deprecations import RENAMED, message

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
        """Parse as click does, but answer spellings of earlier versions with a line on stderr."""
        end = args.index("--") if "--" in args else len(args)
        words = args[:end] if ctx.resilient_parsing else self._respell(args[:end])
        return super().parse_args(ctx, words + args[end:])

    def _respell(self, args: list[str]) -> list[str]:
        """Replace the old names of options, and refuse the values of switches."""
        options = {
            name: option
            for option in self.params
            if isinstance(option, click.Option)
            for name in (*option.opts, *option.secondary_opts)
        }
        words: list[str] = []
        for argument in args:
            name, equals, value = argument.partition("=")
            if words and words[-1] in options and argument.lower() in _VALUES:
                name, equals, value = words[-1], " ", argument
            option = options.get(name)
            if option and option.is_flag and equals:
                if equals == " ":
                    words.pop()
                words += _respell_switch(option, name, value, options)
            elif not option and name in RENAMED and RENAMED[name].new in options:
                report(message(name))
                words.append(RENAMED[name].new + equals + value)
            else:
                words.append(argument)
        return words

    def get_short_help_str(self, limit: int = 0) -> str:
        """The first sentence, whole: the list of commands wraps it."""
        return super().get_short_help_str(len(self.help or ""))

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The examples, a line each, however long."""
        super().format_epilog(ctx, formatter)
        with formatter.section("Examples"):
            for example in self.examples:
                formatter.write(f"{'':{formatter.current_indent}}{example}\n")


def _respell_switch(
    option: click.Option, name: str, value: str, known: Container[str]
) -> list[str]:
    """Return what to write today for a switch with a value, if that was ever an option."""
    old = f"{name} {value}"
    if old in RENAMED:
        report(message(old))
        return [RENAMED[old].new] if RENAMED[old].new in known else []
    instead = " or ".join((*option.opts, *option.secondary_opts))
    raise click.UsageError(
        f"{name} is a switch and takes no value: write {instead}, or leave it out."
    )


class CommandGroup(Command, click.Group):
    """A command with commands, which its help lists in the order of what people do first."""

    command_class = Command

    def list_commands(self, ctx: click.Context) -> list[str]:
        """As they were added."""
        return list(self.commands)
