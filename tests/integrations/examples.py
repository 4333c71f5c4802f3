"""The examples of docs/how-to/integrations: each a whole program, whose output is below it."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
EXAMPLE = re.compile(r"```python\n(.*?)```\n(?:\n```text\n(.*?)```\n)?", re.DOTALL)


def examples(name: str) -> pytest.MarkDecorator:
    """Run a test for each example of a page of docs/how-to/integrations, with what it prints."""
    page = (ROOT / "docs" / "how-to" / "integrations" / f"{name}.md").read_text("utf-8")
    found = EXAMPLE.findall(page)
    assert found, f"{name}.md has no example"
    return pytest.mark.parametrize(("code", "printed"), found, ids=range(1, len(found) + 1))


def run_example(code: str, printed: str, folder: Path) -> None:
    """Run an example in a folder with the pages of `examples`, and compare what it prints."""
    shutil.copytree(ROOT / "examples", folder / "examples")
    (folder / "example.py").write_text(code, "utf-8")
    command = [sys.executable, "-X", "utf8", "example.py"]
    run = subprocess.run(command, cwd=folder, capture_output=True, text=True, encoding="utf-8")
    assert run.returncode == 0, run.stderr
    if printed:
        assert run.stdout == printed, run.stdout
