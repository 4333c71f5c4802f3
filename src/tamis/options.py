"""One frozen object holds every choice a caller can make."""

from __future__ import annotations

import datetime
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, get_args

Focus = Literal["precision", "balanced", "recall"]
FOCI: tuple[Focus, ...] = get_args(Focus)
"""What the decision can lean to, from the least to the most text."""

Overview = Literal["keep", "skip", "items"]
OVERVIEWS: tuple[Overview, ...] = get_args(Overview)
"""What can become of an overview page: like any other, nothing, or its entries alone."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """How to extract. Every field has a default; `dataclasses.replace` makes variants.

    The limits hold inside the call: a page over one of them ends with a `LimitError` that names
    the limit. The 6,447 pages of our data sets need at most 5.3 MB, 15,797 elements and depth 137.
    """

    method: str = "tamis"
    """Name of the extraction method; `tamis.methods()` lists them."""

    parameters: Mapping[str, Any] = field(default_factory=dict)
    """Parameters of the method, by the names of its fields: `{"variant": "density"}`."""

    focus: Focus = "balanced"
    """What counts more when the scores are probabilities: nothing wrong, or nothing missing."""

    threshold: float | None = None
    """A block is content when its score is at least this, whatever the focus.

    None leaves the decision to the method: the best expected F where scores are probabilities, 0.5
    elsewhere.
    """

    comments: bool = False
    """Keep the readers' comments, too. `Result.comments` has them in any case."""

    tables: bool = True
    """Keep what is in tables of data; tables for the layout do not count."""

    links: bool = True
    """Keep the targets of links; their text stays in any case."""

    images: bool = True
    """Keep images, in Markdown, HTML and JSON."""

    hidden: bool = True
    """Keep content that a browser does not show: behind a tab, for readers without scripts."""

    overview: Overview = "keep"
    """What to do with a page that is a list of links to other pages; see `Result.overview`."""

    today: datetime.date | None = None
    """The day of the extraction: no date of a page is later than the day after. None believes any,
    so that the same page has the same dates whenever it is read."""

    max_bytes: int = 64 * 1024 * 1024
    """Largest page, in bytes."""

    max_nodes: int = 1_000_000
    """Most elements in a page."""

    max_depth: int = 2_000
    """Deepest nesting of elements."""

    max_seconds: float = 60.0
    """Longest time for the extraction of a page, and for each view of its result."""

    max_output: int = 256 * 1024 * 1024
    """Most characters of a view."""

    def __post_init__(self) -> None:
        if self.focus not in FOCI:
            raise ValueError(f"focus is {self.focus!r}; give one of {', '.join(FOCI)}")
        if self.overview not in OVERVIEWS:
            raise ValueError(f"overview is {self.overview!r}; give one of {', '.join(OVERVIEWS)}")
        if self.today is not None and type(self.today) is not datetime.date:
            raise ValueError(f"today is {self.today!r}; give a datetime.date or None")
