"""The name of a feature and the number of its column, both from the line that names it."""

from __future__ import annotations

from collections.abc import Callable


class Numbering:
    """The columns that a module writes, numbered in the order in which it names them."""

    def __init__(self) -> None:
        self.groups: dict[str, list[str]] = {}

    def group(self, name: str) -> Callable[..., int]:
        """Begin a group. The function names its columns and gives the number of the first."""
        names = self.groups[name] = []

        def column(*added: str) -> int:
            first = len(self)
            names.extend(added)
            return first

        return column

    def __len__(self) -> int:
        return sum(map(len, self.groups.values()))
