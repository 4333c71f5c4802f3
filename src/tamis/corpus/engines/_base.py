"""What an engine is."""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass

from tamis.corpus.local import Update
from tamis.corpus.receipts import Run, Task

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
