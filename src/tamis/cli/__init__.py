"""The command line: its commands are in `commands`; here errors become exit codes."""

from __future__ import annotations

import sys
from importlib import import_module

import click

from tamis import __version__
from tamis._runtime.compiled import list_uncompiled
from tamis.cli.help import CommandGroup
from tamis.cli.output import report
from tamis.errors import TamisError

__all__ = ["main"]

# In the order in which people need them, which is the order of the help.
_COMMANDS = (
    "extract explain corpus convert serve mcp project cloud site methods page slope bench "
    "train labels examples completion"
).split()
# Commands that are not in a module of their own name.
_MODULES = {
    "convert": "extract",
    "slope": "page",
    **dict.fromkeys(("serve", "mcp"), "servers"),
    **dict.fromkeys(("methods", "examples", "completion"), "getting_started"),
}


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
