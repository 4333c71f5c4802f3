"""`tamis completion`: what Tab completes, for the shells that people use."""

from __future__ import annotations

import os
from pathlib import Path

import click
from click.shell_completion import get_completion_class

from tamis._runtime import storage
from tamis.cli.help import Command
from tamis.cli.output import make_folder, report, write
from tamis.errors import InputError, OutputError

SHELLS = ("bash", "zsh", "fish")


@click.command("completion", cls=Command)
@click.argument("shell", metavar="[bash|zsh|fish]", type=click.Choice(SHELLS), required=False)
@click.option("--install", is_flag=True, help="Set it up for you instead of printing it.")
def completion_command(shell: str | None, install: bool) -> None:
    """Complete commands, options and file names with Tab.

    Prints the script for a shell, by default the one that you use. With --install it is put where
    the shell finds it: for bash and zsh a file in ~/.local/share/tamis and a line in ~/.bashrc or
    ~/.zshrc that reads it, for fish a file in ~/.config/fish/completions.

    \b
    Examples:
      tamis completion --install
      tamis completion zsh > _tamis
    """
    name = shell or os.path.basename(os.environ.get("SHELL", ""))
    if name not in SHELLS:
        raise InputError(f"the shell {name!r} is none of {', '.join(SHELLS)}; name one of them")
    script = _script(name)
    if install:
        report(f"written to {_install(name, script)}; it holds in new terminals")
    else:
        write(script)


def _script(shell: str) -> str:
    made = get_completion_class(shell)
    assert made is not None
    program = click.get_current_context().find_root().command
    return made(program, {}, "tamis", "_TAMIS_COMPLETE").source() + "\n"


def _install(shell: str, script: str) -> Path:
    home = Path.home()
    if shell == "fish":
        config = Path(os.environ.get("XDG_CONFIG_HOME") or home / ".config")
        target = config / "fish" / "completions" / "tamis.fish"
    else:
        data = Path(os.environ.get("XDG_DATA_HOME") or home / ".local" / "share")
        target = data / "tamis" / f"completion.{shell}"
    make_folder(target.parent)
    storage.write(target, script)
    if shell != "fish":
        folder = Path(os.environ.get("ZDOTDIR") or home) if shell == "zsh" else home
        _add_line(folder / f".{shell}rc", f". '{target}'  # Tab completes tamis")
    return target


def _add_line(path: Path, line: str) -> None:
    """Add a line to the end of a file that may not be there, once."""
    try:
        text = path.read_text("utf-8", "surrogateescape") if path.exists() else ""
    except OSError as error:
        raise OutputError(f"{path}: cannot be read ({error.strerror}); add: {line}") from error
    if line in text.splitlines():
        return
    before = text if not text or text.endswith("\n") else text + "\n"
    storage.write(path, f"{before}{line}\n".encode("utf-8", "surrogateescape"))
