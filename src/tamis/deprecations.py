"""Names of earlier versions that are still answered, until when, and what warns of them.

A name that is replaced works for two minor versions more (CONTRIBUTING.md). It has a line in
`RENAMED`; `tests/test_deprecations.py` fails as soon as the version is there in which it goes.
"""

from __future__ import annotations

import warnings
from typing import Any, NamedTuple


class Renamed(NamedTuple):
    """What took the place of a name, since which version, and in which the old one goes."""

    new: str
    since: str
    until: str


RENAMED = {
    "Block.label": Renamed("Block.kept", "0.2.0", "0.4.0"),
    "Site.templates": Renamed("Site.template_count", "0.2.0", "0.4.0"),
    "Site.template()": Renamed("Site.template_blocks", "0.2.0", "0.4.0"),
    "--out": Renamed("--output", "0.2.0", "0.4.0"),
    "--title yes": Renamed("--title", "0.3.0", "0.5.0"),
    "--title no": Renamed("--no-title", "0.3.0", "0.5.0"),
    "--title auto": Renamed("neither --title nor --no-title", "0.3.0", "0.5.0"),
}
"""Old names and what they are now. Those that a module has today (`tamis.methods()`,
`tamis.cloud()`) cannot be answered."""


def message(old: str) -> str:
    """What people are told who use an old name."""
    new, since, until = RENAMED[old]
    return f"{old} is {new} since tamis {since}, and goes in {until}"


def warn(old: str, *, stacklevel: int = 2) -> None:
    """Warn the caller of whoever calls this that a name is an old one."""
    warnings.warn(message(old), DeprecationWarning, stacklevel=stacklevel + 1)


def renamed(old: str) -> property:
    """An attribute under its old name, "Class.name", which answers with the new one."""
    new = RENAMED[old].new.rpartition(".")[2]

    def answer(self: Any) -> Any:
        warn(old)
        return getattr(self, new)

    return property(answer, doc=message(old) + ".")
