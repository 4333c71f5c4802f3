"""The limits of the call that is going on, looked at inside every long loop.

`extract` and every view of a `Result` open them with `within`; whatever runs below, in this thread
or task, asks `check` once in a while and `check_output` for what it writes. Outside of `within`
there is no limit.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextvars import ContextVar
from dataclasses import fields, is_dataclass
from typing import NamedTuple, TypeVar

from tamis.errors import DeadlineError, TooMuchOutputError

_T = TypeVar("_T")


class _Limits(NamedTuple):
    end: float
    """When the time is over, on the monotonic clock."""
    seconds: float
    """How long it was, for the message."""
    output: float
    """Most characters of a view."""


_NONE = _Limits(math.inf, math.inf, math.inf)
_CURRENT: ContextVar[_Limits] = ContextVar("tamis._runtime.limits", default=_NONE)


class within:
    """Limit what is called inside; of nested limits the one that ends first holds."""

    __slots__ = ("_limits", "_token")

    def __init__(self, seconds: float, output: float = math.inf) -> None:
        outer = _CURRENT.get()
        ends = min((outer.end, outer.seconds), (time.monotonic() + seconds, seconds))
        self._limits = _Limits(*ends, min(output, outer.output))

    def __enter__(self) -> None:
        self._token = _CURRENT.set(self._limits)

    def __exit__(self, error: type[BaseException] | None, *_: object) -> None:
        try:
            if error is None:
                check()
        finally:
            _CURRENT.reset(self._token)


def end() -> float:
    """When the time of the call is over, on the monotonic clock."""
    return _CURRENT.get().end


def check() -> None:
    """Raise a `DeadlineError` if the time of the call is over."""
    limits = _CURRENT.get()
    if time.monotonic() > limits.end:
        raise DeadlineError(
            f"extraction took longer than {limits.seconds:g} s;"
            " raise Options.max_seconds to give it more time"
        )


def check_each(items: Iterable[_T], every: int = 1000) -> Iterator[_T]:
    for place, item in enumerate(items, 1):
        yield item
        if not place % every:
            check()


def check_output(characters: int) -> None:
    """Raise a `TooMuchOutputError` if a view has more characters than it may."""
    limits = _CURRENT.get()
    if characters > limits.output:
        raise TooMuchOutputError(
            f"the output has more than {limits.output:,} characters;"
            " raise Options.max_output to allow more"
        )


def limit_output(items: Iterable[_T], count: Callable[[_T], int]) -> Iterator[_T]:
    """The parts of a view, as long as they together have no more characters than it may."""
    characters = 0
    for item in items:
        characters += count(item)
        check_output(characters)
        yield item


def count_characters(value: object) -> int:
    if isinstance(value, str):
        return len(value)
    if isinstance(value, list | tuple):
        return sum(map(count_characters, value))
    if isinstance(value, Mapping):
        return sum(map(count_characters, value.values()))
    if is_dataclass(value):
        return sum(count_characters(getattr(value, field.name)) for field in fields(value))
    return 0
