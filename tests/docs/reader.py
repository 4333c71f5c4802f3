"""Somebody who copies the blocks of a page into a terminal, a Python session and files.

`sh` blocks are commands that succeed, `console` blocks commands and what they print (`...` is
anything), `python` blocks examples of one session or whole programs, or files to be saved.
"""

from __future__ import annotations

import contextlib
import doctest
import io
import json
import os
import re
import subprocess
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import yaml
from tests.docs.blocks import Block

DATA: dict[str, Callable[[str], Any]] = {
    "json": json.loads,
    "yaml": lambda text: list(yaml.safe_load_all(text)),
    "xml": ElementTree.fromstring,
    "text": str,
}
"""Blocks that are read and not run, by what must be able to read them."""

_COMMAND = re.compile(r"^\$ ((?:.*\\\n)*.*)\n((?:(?!\$ ).*\n)*)", re.MULTILINE)
_READS_AN_ADDRESS = re.compile(r"((?:fetch|extract_url)(?:_async)?\([^(),]+)")
_PROBLEM = "urn:tamis:problem:"  # an answer of the service to a line of a batch
# Hosts of this machine stand in for those of the web, which tamis would not read unless told so.
_TAMIS = """#!/bin/sh
if [ "$1" = corpus ]; then shift; set -- corpus --allow-private --delay 0 "$@"; fi
exec "{python}" -m tamis "$@"
"""
_PYTHON = '#!/bin/sh\nexec "{python}" "$@"\n'


class Reader:
    """A reader with a folder, a home, and addresses that answer in the place of others."""

    def __init__(self, home: Path, folder: Path, stand_ins: Mapping[str, str]) -> None:
        self.folder = folder
        self.stand_ins = stand_ins
        self.session: dict[str, Any] = {"__name__": "__main__"}
        programs = home / "bin"
        programs.mkdir(parents=True)
        for name, script in (("tamis", _TAMIS), ("python", _PYTHON)):
            (programs / name).write_text(script.format(python=sys.executable))
            (programs / name).chmod(0o755)
        (home / ".curlrc").write_text("fail-with-body\n")
        own = {key: value for key, value in os.environ.items() if not key.startswith("TAMIS_")}
        self.environment = own | {
            "PATH": f"{programs}{os.pathsep}{os.environ['PATH']}",
            "HOME": str(home),
            "XDG_CACHE_HOME": str(home / "cache"),
            "XDG_CONFIG_HOME": str(home / "config"),
            "XDG_DATA_HOME": str(home / "data"),
            "SHELL": "/bin/bash",
            "LC_ALL": "C.UTF-8",
            "COLUMNS": "120",
            "no_proxy": "*",
            "TAMIS_ALLOW_PRIVATE": "1",  # hosts of this machine stand in for those of the web
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
        elif block.kind == "python" and ">>>" in block.text:
            self.try_examples(block)
        elif block.kind == "python":
            code = _READS_AN_ADDRESS.sub(r"\1, allow_private=True", self._here(block.text))
            (self.folder / "program.py").write_text(code, "utf-8")
            self.run("python program.py", block)
        else:
            DATA[block.kind](block.text)

    def run(self, commands: str, block: Block) -> str:
        """What commands print that succeed."""
        finished = subprocess.run(
            ["sh", "-euc", self._here(commands)],
            cwd=self.folder,
            env=self.environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
        )
        printed = finished.stdout.decode()
        is_well = finished.returncode == 0 and _PROBLEM not in printed
        assert is_well, f"line {block.line}: {commands}\n{printed}"
        return printed

    def run_and_compare(self, block: Block) -> None:
        """Run the commands of a block; each must print what is below it."""
        assert block.text.startswith("$ "), f"line {block.line}: no command"
        for command, expected in _COMMAND.findall(block.text):
            printed = self.run(command, block)
            pattern = re.escape(expected).replace(re.escape("..."), ".*?")
            assert re.fullmatch(pattern, printed, re.DOTALL), (
                f"line {block.line}: {command}\n{printed}"
            )

    def try_examples(self, block: Block) -> None:
        """Type what is behind >>> into the session."""
        name = f"line {block.line}"
        test = doctest.DocTestParser().get_doctest(block.text, self.session, name, None, 0)
        runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS, verbose=False)
        differences = io.StringIO()
        with contextlib.chdir(self.folder):
            runner.run(test, out=differences.write, clear_globs=False)
        self.session.update(test.globs)
        assert not runner.failures, differences.getvalue()

    def _here(self, text: str) -> str:
        for address, stand_in in self.stand_ins.items():
            text = text.replace(address, stand_in)
        return text
