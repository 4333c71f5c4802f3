"""Progress: a line that changes in a terminal, now and then a line in a log."""

from __future__ import annotations

import io
from collections import Counter
from types import SimpleNamespace
from typing import Any

import pytest

from tamis.cli.commands.corpus import Live, list_dropped
from tamis.corpus.manifest import RecordCounts


class Screen(io.StringIO):
    """Standard error that is a terminal or not."""

    def __init__(self, terminal: bool) -> None:
        super().__init__()
        self._terminal = terminal

    def isatty(self) -> bool:
        return self._terminal


def progress(done: int = 3, **changes: Any) -> Any:
    counts = RecordCounts(
        1200, 36_000_000, 1000, Counter({"short": 150, "language": 40, "crash": 10})
    )
    usual = {
        "step": "extract",
        "done": done,
        "tasks": 8,
        "counts": counts,
        "new": RecordCounts(600, 18_000_000),
        "seconds": 2.0,
        "seconds_left": 3725.0,
    }
    return SimpleNamespace(**(usual | changes))


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """The time, which the test sets."""
    now = [100.0]
    monkeypatch.setattr("tamis.cli.commands.corpus.time.monotonic", lambda: now[0])
    return now


def shown(monkeypatch: pytest.MonkeyPatch, terminal: bool, columns: int = 200) -> Screen:
    screen = Screen(terminal)
    monkeypatch.setattr("sys.stderr", screen)
    monkeypatch.setenv("COLUMNS", str(columns))
    return screen


LINE = (
    "extract  3/8  1,200 pages  300/s  9.0 MB/s"
    "  kept 1,000, dropped 190 (short 150, language 40), errors 10 (crash 10)  1:02:05 left"
)


def test_a_terminal_has_one_line_that_changes_and_is_taken_back(
    monkeypatch: pytest.MonkeyPatch, clock: list[float]
) -> None:
    screen = shown(monkeypatch, terminal=True)
    with Live(quiet=False) as live:
        live.show(progress())
        assert screen.getvalue() == f"\r{LINE}"
        clock[0] += 0.1
        live.show(progress(4))
        assert screen.getvalue() == f"\r{LINE}"  # too soon
        clock[0] += 0.2
        live.show(progress(done=5, counts=RecordCounts(5), new=RecordCounts(5), seconds_left=None))
        last = screen.getvalue().rpartition("\r")[2]
        assert last.rstrip() == "extract  5/8  5 pages  2/s  0.0 MB/s  kept 0"
        assert len(last) == len(LINE)  # nothing of the longer line is left
    assert screen.getvalue().endswith("\r")
    assert "\n" not in screen.getvalue()


def test_the_end_of_a_step_is_shown_at_once(
    monkeypatch: pytest.MonkeyPatch, clock: list[float]
) -> None:
    screen = shown(monkeypatch, terminal=True)
    live = Live(quiet=False)
    live.show(progress(7))
    live.show(progress(8))
    assert "extract  8/8" in screen.getvalue()


def test_a_line_is_not_wider_than_the_terminal(
    monkeypatch: pytest.MonkeyPatch, clock: list[float]
) -> None:
    screen = shown(monkeypatch, terminal=True, columns=40)
    Live(quiet=False).show(progress())
    assert screen.getvalue() == f"\r{LINE[:39]}"


def test_a_log_has_a_line_every_half_minute(
    monkeypatch: pytest.MonkeyPatch, clock: list[float]
) -> None:
    screen = shown(monkeypatch, terminal=False, columns=40)
    with Live(quiet=False) as live:
        for _ in range(65):
            live.show(progress())
            clock[0] += 1
        live.show(progress(8))
    assert screen.getvalue() == f"{LINE}\n" * 2


def test_addresses_that_are_read_are_counted(
    monkeypatch: pytest.MonkeyPatch, clock: list[float]
) -> None:
    screen = shown(monkeypatch, terminal=True)
    Live(quiet=False).show_fetched(1500, 20_000, 12)
    assert screen.getvalue() == "\rfetch  1,500/20,000 addresses  failed 12"


@pytest.mark.parametrize("terminal", [True, False])
def test_quiet_shows_nothing(
    monkeypatch: pytest.MonkeyPatch, clock: list[float], terminal: bool
) -> None:
    screen = shown(monkeypatch, terminal)
    with Live(quiet=True) as live:
        clock[0] += 100
        live.show(progress())
        live.show_fetched(1, 1, 0)
    assert screen.getvalue() == ""


@pytest.mark.parametrize(
    ("seconds", "printed"), [(4.4, "0:04 left"), (61, "1:01 left"), (36_000, "10:00:00 left")]
)
def test_the_time_left_is_told_like_a_clock(
    monkeypatch: pytest.MonkeyPatch, clock: list[float], seconds: float, printed: str
) -> None:
    screen = shown(monkeypatch, terminal=True)
    Live(quiet=False).show(progress(seconds_left=seconds))
    assert screen.getvalue().endswith(printed)


def test_reasons_are_told_by_their_frequency_and_errors_apart() -> None:
    rejected = Counter({"too slow": 1, "short": 2, "not html": 3000, "damaged": 4})
    assert list_dropped(RecordCounts(rejected=rejected)) == (
        ", dropped 3,002 (not html 3,000, short 2), errors 5 (damaged 4, too slow 1)"
    )
    assert list_dropped(RecordCounts()) == ""
