"""The command line: what its help looks like, and which exit codes errors become.

The commands are in `commands`.
"""

from __future__ import annotations

import sys
from importlib import import_module
from inspect import cleandoc
from typing import Any

import click

from tamis import __version__
from tamis._runtime.compiled import list_uncompiled
from tamis.cli.output import report
from tamis.errors import TamisError

# In the order in which people need them, which is the order of the help.
_COMMANDS = (
    "extract explain corpus convert serve mcp project cloud site methods page slope bench "
    "train labels examples completion"
).split()
# Commands that are not in a module of their own name.
_MODULES = {
    **dict.fromkeys(("explain", "convert"), "extract"),
    "labels": "train",
    "slope": "page",
    **dict.fromkeys(("serve", "mcp"), "servers"),
    **dict.fromkeys(("methods", "examples", "completion"), "getting_started"),
}


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


class _Program(CommandGroup):
    """A group whose commands end with one line on stderr, whatever goes wrong in them.

    0: done. 1: a bug in tamis. 2: wrong usage or a `TamisError`. 130: Ctrl-C. 141: the reader of
    our output went away, which a shell reports for `cat` in the same way, and without a word.
    """

    def list_commands(self, ctx: click.Context) -> list[str]:
        return _COMMANDS

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in _COMMANDS:
            return None
        module = import_module(f"tamis.cli.commands.{_MODULES.get(cmd_name, cmd_name)}")
        command: click.Command = getattr(module, f"{cmd_name}_command")
        return command

    def invoke(self, ctx: click.Context) -> object:
        try:
            return super().invoke(ctx)
        except (click.ClickException, click.exceptions.Exit, click.Abort):
            raise
        except TamisError as error:
            status, message = 2, str(error)
        except BrokenPipeError:
            ctx.exit(141)
        except KeyboardInterrupt:
            status, message = 130, "interrupted"
        except Exception as error:  # a bug of ours: one line for the user, a traceback with -X dev
            if sys.flags.dev_mode:
                raise
            status = 1
            message = (
                f"{type(error).__name__}: {error}; this is a bug in tamis: please report it with "
                "what `python -X dev -m tamis` prints for the same command"
            )
        report(message)
        ctx.exit(status)


def _show_version(ctx: click.Context, _: click.Parameter, wanted: bool) -> None:
    if wanted and not ctx.resilient_parsing:
        how = "not compiled, slower" if list_uncompiled() else "compiled"
        click.echo(f"tamis {__version__} ({how})")
        ctx.exit()


@click.group(
    cls=_Program,
    context_settings={"help_option_names": ["-h", "--help"]},
    epilog="Run `tamis COMMAND --help` for the options of a command.",
)
@click.option(
    "--version",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=_show_version,
    help="Show the version, and whether the scanner is compiled, and exit.",
)
def main() -> None:
    """Keep what a web page is about; drop navigation, ads and footers.

    \b
    Examples:
      tamis extract article.html
      tamis extract https://example.org/story --output story.md
      curl -s https://example.org/ | tamis extract --url https://example.org/
      tamis explain article.html --find 'a sentence that is missing'
    """
