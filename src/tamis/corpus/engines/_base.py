"""What an engine is."""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from tamis.corpus.receipts import RecordCounts, Run, Task
from tamis.errors import TamisError


class Update(NamedTuple):
    """News of a task."""

    task: Task
    counts: RecordCounts
    """What became of its records so far."""
    done: bool = False
    error: TamisError | None = None
    """Why it is given up."""


Engine = Callable[[Run, Sequence[Task]], Generator[Update, None, None]]
"""Does the tasks of a step, wherever; it is closed when nobody waits for them any more."""


@dataclass(frozen=True)
class EngineKind:
    """An engine that can be chosen by name."""

    name: str
    place: str
    """Where the work is done, in words."""
    start: Callable[[int | None, str | None], Engine]
    """Makes it from a number of workers and an address; an `InputError` if it cannot begin."""
