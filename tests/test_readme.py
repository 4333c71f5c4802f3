"""The commands that the README shows print what it shows."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
CONSOLES = re.findall(r"```console\n(.*?)```", (ROOT / "README.md").read_text("utf-8"), re.DOTALL)
COMMANDS = re.findall(r"^\$ (.*)\n((?:(?!\$ ).*\n)*)", "".join(CONSOLES), re.MULTILINE)


@pytest.mark.parametrize(("command", "printed"), COMMANDS, ids=[line for line, _ in COMMANDS])
def test_a_command_of_the_readme_prints_what_is_below_it(command: str, printed: str) -> None:
    shell = f'tamis() {{ "{sys.executable}" -m tamis "$@"; }}; {command}'
    environment = os.environ | {"LC_ALL": "C.UTF-8"}
    finished = subprocess.run(
        ["sh", "-c", shell], cwd=ROOT, env=environment, capture_output=True, check=True
    )
    assert finished.stdout.decode() == printed
