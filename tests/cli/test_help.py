"""The help of the program and of each command, and what shells complete."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import fields
from pathlib import Path

import click
import pytest
from click.testing import CliRunner
from tests import needs

from tamis import Options
from tamis.cli import main

ARTICLE = Path(__file__).parent.parent / "pages" / "news-en" / "source.html"


def _commands(command: click.Command, *names: str) -> Iterator[tuple[str, ...]]:
    yield names
    if isinstance(command, click.Group):
        context = click.Context(command)
        for name in command.list_commands(context):
            inner = command.get_command(context, name)
            assert inner is not None
            yield from _commands(inner, *names, name)


def _options(names: tuple[str, ...]) -> Iterator[click.Option]:
    command: click.Command = main
    for name in names:
        assert isinstance(command, click.Group)
        inner = command.get_command(click.Context(command), name)
        assert inner is not None
        command = inner
    yield from (option for option in command.params if isinstance(option, click.Option))


def shown(*names: str) -> str:
    return CliRunner().invoke(main, [*names, "--help"]).stdout


@pytest.mark.parametrize("names", list(_commands(main)), ids=" ".join)
def test_every_help_ends_with_two_examples_and_cuts_nothing(names: tuple[str, ...]) -> None:
    lines = shown(*names).splitlines()
    examples = lines[lines.index("Examples:") + 1 :]
    assert len(examples) >= 2
    assert all("tamis " in example and example.startswith("  ") for example in examples)
    assert "..." not in "".join(line for line in lines[1:] if not line.startswith("  -"))


@pytest.mark.parametrize("names", list(_commands(main)), ids=" ".join)
def test_yes_or_no_is_a_switch_and_not_a_value(names: tuple[str, ...]) -> None:
    switches = {field.name for field in fields(Options) if field.default in (True, False, "auto")}
    for option in _options(names):
        if isinstance(option.type, click.Choice):
            assert not {"yes", "no", "true", "false"} & {*option.type.choices}, option.opts
        if isinstance(option.type, click.types.BoolParamType):
            assert option.is_flag, option.opts
        if option.name in switches:
            assert option.secondary_opts == [f"--no-{option.opts[0][2:]}"], option.opts


def test_the_default_format_is_that_of_the_output_where_there_is_one() -> None:
    assert "[default: from the name of --output, else text]" in " ".join(shown("extract").split())
    assert "from the name of --output" not in shown("methods") + shown("bench")


def test_the_commands_come_in_the_order_of_what_people_do_first() -> None:
    output = shown()
    places = [output.index(f"\n  {name} ") for name in ("extract", "explain", "corpus", "train")]
    assert places == sorted(places)
    assert shown("site").index("\n  learn") < shown("site").index("\n  extract")


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion_is_printed_for_each_shell(shell: str) -> None:
    result = CliRunner().invoke(main, ["completion", shell], env={"SHELL": "/bin/false"})
    assert (result.exit_code, result.stderr) == (0, "")
    assert "_TAMIS_COMPLETE" in result.stdout


def install(shell: str, home: Path) -> str:
    where = {"HOME": str(home), "SHELL": f"/usr/bin/{shell}"}
    unset = dict.fromkeys(("XDG_DATA_HOME", "XDG_CONFIG_HOME", "ZDOTDIR"))
    result = CliRunner().invoke(main, ["completion", "--install"], env=where | unset)
    assert (result.exit_code, result.stdout) == (0, ""), result.output
    return result.stderr


@pytest.mark.parametrize("shell", ["bash", "zsh"])
def test_completion_is_installed_by_one_command_and_once(shell: str, tmp_path: Path) -> None:
    settings = tmp_path / f".{shell}rc"
    settings.write_bytes(b"alias ll='ls -l' # \xe9")
    for _ in range(2):
        assert "open a new terminal to use it" in install(shell, tmp_path)
    script = tmp_path / ".local" / "share" / "tamis" / f"completion.{shell}"
    assert "_TAMIS_COMPLETE" in script.read_text()
    line = f". '{script}'  # Tab completes tamis\n".encode()
    assert settings.read_bytes() == b"alias ll='ls -l' # \xe9\n" + line


def test_fish_has_a_folder_for_completions(tmp_path: Path) -> None:
    install("fish", tmp_path)
    assert (tmp_path / ".config" / "fish" / "completions" / "tamis.fish").exists()


def test_a_shell_that_is_not_known_is_an_error_with_advice() -> None:
    result = CliRunner().invoke(main, ["completion"], env={"SHELL": "/bin/tcsh"})
    assert result.exit_code == 2
    assert "the shell 'tcsh' is not supported; name one of bash, zsh, fish" in result.stderr


def completed(*words: str) -> list[str]:
    asked = {"_TAMIS_COMPLETE": "bash_complete", "COMP_CWORD": str(len(words))}
    done = subprocess.run(
        [sys.executable, "-m", "tamis"],
        env={**os.environ, **asked, "COMP_WORDS": " ".join(("tamis", *words))},
        capture_output=True,
        text=True,
        timeout=300,
    )
    return done.stdout.split("\n")[:-1]


def test_commands_options_formats_and_files_are_completed() -> None:
    assert completed("ex") == ["plain,extract", "plain,explain", "plain,examples"]
    assert "plain,--focus" in completed("extract", "--fo")
    assert completed("extract", "--ti") == ["plain,--title"]
    assert completed("extract", "--no-t") == ["plain,--no-tables", "plain,--no-title"]
    assert completed("extract", "--title", "sa") == ["file,sa"]
    assert completed("extract", "--format", "m") == ["plain,markdown"]
    assert completed("extract", "sa") == ["file,sa"]


@needs.posix
@pytest.mark.parametrize(("no_color", "coloured"), [("", True), ("1", False)])
def test_colours_are_for_terminals_that_want_them(no_color: str, coloured: bool) -> None:
    ours, terminal = os.openpty()
    environment = {**os.environ, "NO_COLOR": no_color, "TERM": "xterm"}
    command = [sys.executable, "-m", "tamis", "explain", str(ARTICLE), "--find", "the"]
    process = subprocess.Popen(command, stdout=terminal, env=environment)
    os.close(terminal)
    output = b""
    try:
        while part := os.read(ours, 65536):
            output += part
    except OSError:  # the other end is closed
        pass
    os.close(ours)
    assert process.wait(60) == 0
    assert (b"\x1b[" in output) == coloured
    piped = subprocess.run(command, capture_output=True, timeout=300).stdout
    assert b"\x1b[" not in piped
