"""Every snippet of the documentation runs, and every command that it names is there.

The tutorials have a test of their own, and so has the gallery. pytest itself collects the examples
with >>>. The line before a snippet that is not run here says why: `<!-- not run: REASON -->`.
"""

from __future__ import annotations

import re
import shlex
import shutil
import tomllib
from pathlib import Path

import click
import pytest
from markdown_it import MarkdownIt
from tests import needs
from tests.docs.blocks import INDENTED, Block, blocks
from tests.docs.conftest import ROOT, SERVICE, SITE
from tests.docs.reader import DATA, Reader

from tamis.cli import main

PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md"] + [
    path
    for path in sorted((ROOT / "docs").rglob("*.md"))
    if path.relative_to(ROOT).parts[1] not in ("tutorials", "gallery")
]
NOT_RUN = {
    "installs",
    "needs a network",
    "opens a browser",
    "needs the data sets",
    "takes long",
    "needs a cluster",
}
RUN_BY = "run by "
EXTRAS = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"][
    "optional-dependencies"
]
MAKEFILE = (ROOT / "Makefile").read_text("utf-8")
OF_ALL_BENCHMARKS = (ROOT / "benchmarks" / "script.py").read_text("utf-8")


def name(path: Path) -> str:
    return str(path.relative_to(ROOT))


def to_run(path: Path) -> list[Block]:
    return [
        block
        for block in blocks(path)
        if block.kind in ("sh", "console") or (block.kind == "python" and ">>>" not in block.text)
        if not block.not_run
    ]


@pytest.mark.parametrize("path", [path for path in PAGES if to_run(path)], ids=name)
def test_the_snippets_of_a_page_run(
    path: Path, tmp_path: Path, at_hand: Path, site: str, request: pytest.FixtureRequest
) -> None:
    snippets = to_run(path)
    code = "".join(block.text for block in snippets)
    if "curl " in code and not shutil.which("curl"):
        pytest.skip(needs.NO_CURL)
    stand_ins = {SITE: site}
    if SERVICE in code:
        service = request.getfixturevalue("service")
        stand_ins |= {SERVICE: service, "127.0.0.1:8765": service}
    folder = shutil.copytree(at_hand, tmp_path / "folder")
    if "run/part-" in code:
        shutil.copytree(request.getfixturevalue("rows"), folder / "run")
    reader = Reader(tmp_path / "home", folder, stand_ins)
    for block in snippets:
        reader.follow(block)


@pytest.mark.parametrize("path", PAGES, ids=name)
def test_code_is_fenced_with_its_language_and_says_why_it_is_not_run(path: Path) -> None:
    for block in blocks(path):
        where = f"{name(path)}, line {block.line}"
        assert block.kind not in ("", INDENTED), f"{where}: no fence with a language"
        if block.kind in DATA:
            DATA[block.kind](block.text)
        else:
            known = ("sh", "console", "python", "diff")
            assert block.kind in known or block.kind.startswith("{"), where
        if block.not_run and block.not_run.startswith(RUN_BY):
            test = ROOT / block.not_run.removeprefix(RUN_BY)
            assert path.stem in test.read_text("utf-8"), f"{where}: {test.name} does not name it"
        else:
            assert block.not_run in {None, *NOT_RUN}, f"{where}: {block.not_run}"


def commands(path: Path) -> list[list[str]]:
    """The words of all commands of a page that are not run, and of those in its text."""
    lines: list[str] = []
    for block in blocks(path):
        if block.kind == "sh" and block.not_run:
            lines += block.text.replace("\\\n", " ").splitlines()
    for token in MarkdownIt("commonmark").enable("table").parse(path.read_text("utf-8")):
        lines += [child.content for child in token.children or () if child.type == "code_inline"]
    found = []
    for line in lines:
        if re.match(r"(\.venv/bin/)?(tamis|python) |make |pip install ", line):
            words = shlex.shlex(line, posix=True, punctuation_chars=True)
            words.whitespace_split = True
            found.append(list(words))
    return found


@pytest.mark.parametrize("path", PAGES, ids=name)
def test_every_command_and_option_that_a_page_names_is_there(path: Path) -> None:
    for words in commands(path):
        program, *rest = words
        check = {"tamis": of_tamis, "python": of_python, "make": of_make, "pip": of_pip}
        wrong = check[program.removeprefix(".venv/bin/")](rest)
        assert not wrong, f"{name(path)}: {shlex.join(words)}: {wrong}"


def options(words: list[str]) -> list[str]:
    return [word.partition("=")[0] for word in words if re.match(r"--?[a-z]", word)]


def of_tamis(words: list[str]) -> str:
    command: click.Command = main
    context = click.Context(command)
    while isinstance(command, click.Group) and words and words[0][0] not in "-.":
        below = command.get_command(context, words[0])
        if not below:
            return f"no command {words[0]}"
        command, words = below, words[1:]
    known = {
        option
        for parameter in command.get_params(context)
        for option in (*parameter.opts, *parameter.secondary_opts)
    }
    return ", ".join(set(options(words)) - known)


def of_python(words: list[str]) -> str:
    if words[0] == "-m":
        if words[1].partition(".")[0] != "tamis":
            return ""  # somebody else's program
        program = ROOT / "src" / (words[1].replace(".", "/") + ".py")
        words = words[1:]
    else:
        program = ROOT / words[0]
    if not program.is_file():
        return f"no {program.relative_to(ROOT)}"
    source = program.read_text("utf-8") + OF_ALL_BENCHMARKS
    return ", ".join(option for option in options(words[1:]) if f'"{option}"' not in source)


def of_make(words: list[str]) -> str:
    targets = re.findall(r"^([a-z-]+):", MAKEFILE, re.MULTILINE)
    return ", ".join(word for word in words if "=" not in word and word not in targets)


def of_pip(words: list[str]) -> str:
    named = ",".join(re.findall(r"(?:tamis|\.)\[(.*)\]", " ".join(words)))
    return ", ".join(set(named.split(",")) - {*EXTRAS, ""})
