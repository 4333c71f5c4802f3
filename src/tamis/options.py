"""One frozen object holds every choice a caller can make."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """How to extract. Every field has a default; `dataclasses.replace` makes variants.

    The limits hold inside the call: a page over one of them ends with a `LimitError` that names
    the limit. The 6,447 pages of our data sets need at most 5.3 MB, 15,797 elements and depth 137.
    """

    method: str = "boilerpipe"
    """Name of the extraction method; `tamis.methods()` lists them."""

    parameters: Mapping[str, Any] = field(default_factory=dict)
    """Parameters of the method, by the names of its fields: `{"variant": "density"}`."""

    threshold: float = 0.5
    """A block is content when its score is at least this."""

    max_bytes: int = 64 * 1024 * 1024
    """Largest page, in bytes."""

    max_nodes: int = 1_000_000
    """Most elements in a page."""

    max_depth: int = 2_000
    """Deepest nesting of elements."""

    max_seconds: float = 60.0
    """Longest time for one page."""
