"""What is made of a page when it is first asked for, and kept with it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Generic, TypeVar, overload

T = TypeVar("T")


class lazy(Generic[T]):
    """A property that is made once. A `cached_property` takes a lock for that before Python 3.12.

    Two threads that ask at the same time both make it, and it is the same.
    """

    def __init__(self, make: Callable[[Any], T]) -> None:
        self._make = make
        self.__name__ = make.__name__
        self.__doc__ = make.__doc__

    @overload
    def __get__(self, owner: None, kind: type) -> lazy[T]: ...

    @overload
    def __get__(self, owner: object, kind: type) -> T: ...

    def __get__(self, owner: object | None, kind: type) -> lazy[T] | T:
        if owner is None:
            return self
        # Found there the next time: this has no `__set__`, so the attribute comes first.
        made = owner.__dict__[self.__name__] = self._make(owner)
        return made
