"""The progress of a long run: a line that changes in a terminal, now and then a line in a log."""

from __future__ import annotations

import shutil
import sys
import time
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from tamis.corpus.receipts import RecordCounts
    from tamis.corpus.run import Progress

_ERRORS = frozenset(["crash", "damaged", "too much memory", "too slow", "unreadable"])
# Between two lines of a log, and two changes of the line in a terminal.
_LOG_SECONDS = 30.0
_LOOK_SECONDS = 0.2


class Live:
    """Shows progress on standard error; nothing if it is to be quiet."""

    def __init__(self, quiet: bool) -> None:
        self._quiet = quiet
        self._terminal = sys.stderr.isatty()
        self._shown = time.monotonic() if not self._terminal else 0.0
        self._line = ""

    def __enter__(self) -> Live:
        return self

    def __exit__(self, *_: object) -> None:
        self.clear()

    def show(self, progress: Progress) -> None:
        """How far a step is."""
        if self._due(progress.done == progress.tasks):
            self._print(_line(progress))

    def fetched(self, done: int, of: int, failed: int) -> None:
        """How many addresses of a list were read."""
        if self._due(done == of):
            self._print(f"fetch  {done:,}/{of:,} addresses  failed {failed:,}")

    def clear(self) -> None:
        """Take the line back."""
        if self._line:
            click.echo("\r" + " " * len(self._line) + "\r", err=True, nl=False)
            self._line = ""

    def _due(self, last: bool) -> bool:
        now = time.monotonic()
        wait = _LOOK_SECONDS if self._terminal else _LOG_SECONDS
        if self._quiet or (now - self._shown < wait and not (last and self._terminal)):
            return False
        self._shown = now
        return True

    def _print(self, line: str) -> None:
        if not self._terminal:
            click.echo(line, err=True)
            return
        line = line[: shutil.get_terminal_size().columns - 1]
        click.echo("\r" + line.ljust(len(self._line)), err=True, nl=False)
        self._line = line


def _line(progress: Progress) -> str:
    counts, new, seconds = progress.counts, progress.new, max(progress.seconds, 1e-3)
    parts = [
        progress.step,
        f"{progress.done:,}/{progress.tasks:,}",
        f"{counts.records:,} pages",
        f"{new.records / seconds:,.0f}/s",
        f"{new.bytes / 1e6 / seconds:,.1f} MB/s",
        f"kept {counts.kept:,}{list_dropped(counts)}",
    ]
    if progress.seconds_left is not None:
        parts.append(f"{_clock(progress.seconds_left)} left")
    return "  ".join(parts)


def list_dropped(counts: RecordCounts) -> str:
    """How many records gave no row, by reason, the most frequent first; errors apart."""
    text = ""
    for name, errors in (("dropped", False), ("errors", True)):
        reasons = {
            reason: count
            for reason, count in counts.rejected.most_common()
            if (reason in _ERRORS) == errors
        }
        if reasons:
            listed = ", ".join(f"{reason} {count:,}" for reason, count in reasons.items())
            text += f", {name} {sum(reasons.values()):,} ({listed})"
    return text


def _clock(seconds: float) -> str:
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"
