"""The modules of the page that need no browser, tested by node's own test runner."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from tests.browser import required

_TESTS = sorted(Path(__file__).parent.glob("*.test.mjs"))


@pytest.mark.parametrize("file", _TESTS, ids=lambda file: file.name.partition(".")[0])
def test_modules_of_the_page_do_what_their_tests_say(file: Path) -> None:
    command = [*required.node(), "--test", str(file)]
    run = subprocess.run(command, capture_output=True, text=True, timeout=300)
    assert run.returncode == 0, run.stdout + run.stderr
