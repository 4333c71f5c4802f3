"""The modules of the page: their types, by the TypeScript compiler."""

from __future__ import annotations

import subprocess
from pathlib import Path

from tests.browser import required

HERE = Path(__file__).parent


def test_the_types_of_the_page_are_right() -> None:
    compiler = required.node_module("typescript/bin/tsc")
    command = [*required.node(), str(compiler), "--project", str(HERE)]
    run = subprocess.run(command, capture_output=True, text=True, timeout=300)
    assert run.returncode == 0, run.stdout + run.stderr


def test_the_lock_file_names_no_registry() -> None:
    text = (HERE / "package-lock.json").read_text("utf-8")
    assert '"integrity"' in text and "://" not in text
