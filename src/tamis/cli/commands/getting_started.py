"""`tamis methods`, `tamis examples` and `tamis completion`: what you need when you start."""

from __future__ import annotations

import os
import shutil
import textwrap
from functools import partial
from importlib import resources
from pathlib import Path
from typing import Any

import click
from click.shell_completion import get_completion_class

from tamis import list_methods
from tamis._runtime import storage
from tamis.cli import Command
from tamis.cli.output import as_json, make_folder, report, write
from tamis.cli.parameters import format_option
from tamis.errors import InputError, OutputError
from tamis.methods._registry import describe

SHELLS = ("bash", "zsh", "fish")


@click.command("completion", cls=Command)
@click.argument("shell", metavar="[bash|zsh|fish]", type=click.Choice(SHELLS), required=False)
@click.option("--install", is_flag=True, help="Install the script instead of printing it.")
def completion_command(shell: str | None, install: bool) -> None:
    """Complete commands, options and file names with Tab.

    Prints the script for a shell, by default the one that you use. --install puts it where the
    shell finds it: for bash and zsh into a file in ~/.local/share/tamis, which a new line in
    ~/.bashrc or ~/.zshrc reads; for fish into a file in ~/.config/fish/completions.

    \b
    Examples:
      tamis completion --install
      tamis completion zsh > _tamis
    """
    name = shell or os.path.basename(os.environ.get("SHELL", ""))
    if name not in SHELLS:
        raise InputError(f"the shell {name!r} is not supported; name one of {', '.join(SHELLS)}")
    script = _make_script(name)
    if install:
        report(f"wrote {_install(name, script)}; open a new terminal to use it")
    else:
        write(script)


def _make_script(shell: str) -> str:
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
    """Add a line to the end of a file, which may not exist, unless it has that line."""
    try:
        text = path.read_text("utf-8", "surrogateescape") if path.exists() else ""
    except OSError as error:
        raise OutputError(f"{path}: cannot be read ({error.strerror}); add: {line}") from error
    if line in text.splitlines():
        return
    before = text if not text or text.endswith("\n") else text + "\n"
    storage.write(path, f"{before}{line}\n".encode("utf-8", "surrogateescape"))


@click.command("examples", cls=Command)
@click.option(
    "-o",
    "--output",
    "folder",
    type=click.Path(path_type=Path),
    metavar="DIR",
    default="examples",
    show_default=True,
    help="The folder for the pages; tamis makes it if there is none.",
)
def examples_command(folder: Path) -> None:
    """Write the example pages of the tutorials to a folder.

    You get a news article, a forum thread and a Thai article, all invented, with everything that
    usually surrounds such content. tamis does not overwrite a file of yours with the same name.

    \b
    Examples:
      tamis examples
      tamis examples --output pages/
    """
    # The page of `tamis serve` shows them too. Do not import its package: that needs an extra.
    shipped = resources.files("tamis") / "serve" / "page" / "examples"
    pages = {page.name: page.read_bytes() for page in shipped.iterdir()}
    make_folder(folder)
    paths = [folder / name for name in sorted(pages)]
    missing = [path for path in paths if not _is_there(path, pages[path.name])]
    for path in missing:
        storage.write(path, pages[path.name])
    report(f"{'wrote' if missing else 'already there:'} {', '.join(map(str, missing or paths))}")


def _is_there(path: Path, content: bytes) -> bool:
    """Whether the file is there already; another file in its place is an error."""
    if not path.exists():
        return False
    try:
        same = path.read_bytes() == content
    except OSError:
        same = False
    if same:
        return True
    raise OutputError(
        f"{path}: exists and is not the example page; rename it, or choose another folder with "
        "--output"
    )


@click.command("methods", cls=Command)
@format_option(
    "text",
    "json",
    by_name=False,
    help="json is a list of name, summary, default (true for the method that tamis uses if you name"
    " none), fitted (true for a method that first learns from pages of a site) and parameters with"
    " their defaults.",
)
def methods_command(output_format: str) -> None:
    """List the extraction methods, each with its parameters and their defaults.

    A method marked as fitted first learns from pages of one site: see `tamis site`.

    \b
    Examples:
      tamis methods
      tamis methods --format json
      tamis extract article.html --method boilerpipe --parameter NAME=VALUE
    """
    described = [describe(name) for name in list_methods()]
    if output_format == "json":
        write(as_json(described, default=str))
    else:
        write(_format_table(described))


def _format_table(described: list[dict[str, Any]]) -> str:
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
