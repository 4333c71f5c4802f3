"""The modules of the page that need no browser, tested by node's own test runner."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

_TESTS = sorted(Path(__file__).parent.glob("*.test.mjs"))


@pytest.mark.skipif(not shutil.which("node"), reason="node is not installed")
@pytest.mark.parametrize("file", _TESTS, ids=lambda file: file.name.partition(".")[0])
def test_modules_of_the_page_do_what_their_tests_say(file: Path) -> None:
    run = subprocess.run(
        ["node", "--test", str(file)], capture_output=True, text=True, timeout=120, check=False
    )
    assert run.returncode == 0, run.stdout + run.stderr
