"""Each tutorial, from top to bottom in an empty folder, as a reader copies it.

`sh` blocks are commands, `console` blocks commands and what they print (`...` is anything),
`python` blocks are examples of one session or files that the page says to save.
"""

from __future__ import annotations

import contextlib
import doctest
import io
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from tests.docs.blocks import Block, blocks

FOLDER = Path(__file__).parents[2] / "docs" / "tutorials"
TUTORIALS = sorted(path for path in FOLDER.glob("*.md") if path.stem != "index")
NEEDS = {
    "crawl-to-parquet": ["fastwarc", "pyarrow"],
    "reproduce-a-paper": ["sklearn"],
    "teach": ["lightgbm", "sklearn"],
}
"""What the extras bring that a tutorial installs."""
NOT_RUN = {"installs", "needs a network", "opens a browser"}
"""Reasons for a block that no test runs."""
SHOWN_ONLY = {"text", "{toctree}"}

_COMMAND = re.compile(r"^\$ ((?:.*\\\n)*.*)\n((?:(?!\$ ).*\n)*)", re.MULTILINE)


class Reader:
    """Somebody who copies the blocks of a page into a terminal, a Python session and files."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder / "empty"
        self.folder.mkdir()
        self.session: dict[str, Any] = {"__name__": "__main__"}
        programs = folder / "bin"
        programs.mkdir()
        for name, module in (("tamis", " -m tamis"), ("python", "")):
            program = programs / name
            program.write_text(f'#!/bin/sh\nexec "{sys.executable}"{module} "$@"\n')
            program.chmod(0o755)
        own = {key: value for key, value in os.environ.items() if not key.startswith("TAMIS_")}
        self.environment = own | {
            "PATH": f"{programs}{os.pathsep}{os.environ['PATH']}",
            "HOME": str(folder),
            "XDG_CACHE_HOME": str(folder / "cache"),
            "XDG_DATA_HOME": str(folder / "data"),
            "LC_ALL": "C.UTF-8",
        }

    def follow(self, block: Block) -> None:
        """Do what a reader does with a block; an assertion says where it went wrong."""
        if block.file_name:
            path = self.folder / block.file_name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(block.text, "utf-8")
        elif block.kind == "sh":
            self.run(block.text, block)
        elif block.kind == "console":
            self.run_and_compare(block)
        elif block.kind == "python":
            self.try_examples(block)
        else:
            assert block.kind in SHOWN_ONLY, f"line {block.line}: what is a {block.kind!r} block?"

    def run(self, commands: str, block: Block) -> str:
        finished = subprocess.run(
            ["sh", "-eu", "-c", commands],
            cwd=self.folder,
            env=self.environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
        )
        printed = finished.stdout.decode()
        assert finished.returncode == 0, f"line {block.line}: {commands}\n{printed}"
        return printed

    def run_and_compare(self, block: Block) -> None:
        commands = _COMMAND.findall(block.text)
        assert block.text.startswith("$ "), f"line {block.line}: no command"
        for command, expected in commands:
            printed = self.run(command, block)
            pattern = re.escape(expected).replace(re.escape("..."), ".*?")
            assert re.fullmatch(pattern, printed, re.DOTALL), (
                f"line {block.line}: {command}\n{printed}"
            )

    def try_examples(self, block: Block) -> None:
        name = f"line {block.line}"
        test = doctest.DocTestParser().get_doctest(block.text, self.session, name, None, 0)
        assert test.examples, f"{name}: neither examples with >>> nor a file to save"
        runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS, verbose=False)
        differences = io.StringIO()
        with contextlib.chdir(self.folder):
            runner.run(test, out=differences.write, clear_globs=False)
        self.session.update(test.globs)
        assert not runner.failures, differences.getvalue()


@pytest.mark.parametrize("path", TUTORIALS, ids=lambda path: path.stem)
def test_a_tutorial_works_from_an_empty_folder(path: Path, tmp_path: Path) -> None:
    for package in NEEDS.get(path.stem, ()):
        pytest.importorskip(package, reason=f"{path.name} needs {package}, which an extra brings")
    reader = Reader(tmp_path)
    for block in blocks(path):
        if not block.not_run:
            reader.follow(block)


@pytest.mark.parametrize("path", TUTORIALS, ids=lambda path: path.stem)
def test_what_is_not_run_installs_or_needs_a_network_or_a_browser(path: Path) -> None:
    left_out = [block for block in blocks(path) if block.not_run]
    assert {block.not_run for block in left_out} <= NOT_RUN
    for block in left_out:
        if block.not_run == "installs":
            assert "pip install" in block.text, f"line {block.line} installs nothing"


def test_the_index_lists_every_tutorial_with_the_time_it_takes() -> None:
    index = (FOLDER / "index.md").read_text("utf-8")
    listed = re.findall(r"\]\(([\w-]+)\.md\).*?(\d+) minutes?", index)
    assert sorted(name for name, _ in listed) == [path.stem for path in TUTORIALS]
    for name, minutes in listed:
        assert f"{minutes} minute" in (FOLDER / f"{name}.md").read_text("utf-8").split("\n## ")[0]
    toctree = next(block.text for block in blocks(FOLDER / "index.md") if "toctree" in block.kind)
    assert toctree.split()[1:] == [name for name, _ in listed]
