"""What an outline is made of: events, the spans of a leaf, and the records in these."""

from __future__ import annotations

from typing import Any, NamedTuple, TypeAlias


class Image(NamedTuple):
    """An image."""

    src: str
    alt: str


class Embed(Image):
    """A video, a recording or a post that the page shows in a frame."""

    __slots__ = ()


class Formula(NamedTuple):
    """A formula as TeX."""

    tex: str
    display: bool
    text: str = ""
    """Its characters if the page has no TeX source. Formats without TeX show them."""
    image: Image | None = None
    """The picture that shows it, if it is no text of the page."""


class Note(NamedTuple):
    """A footnote."""

    label: str
    """The text of its reference."""
    name: str
    """The name of the place that the reference links to."""
    reference: int = -1
    """The element of the reference: two references to the same note stay two."""


class Callout(NamedTuple):
    """A box in the text, such as a tip or a warning."""

    kind: str
    """As the page names it: note, tip, warning ...; empty if it does not."""
    fold: str
    """A minus if it is closed until somebody opens it, a plus if it can be closed."""
    titled: bool
    """Whether its first leaf is its title."""


Mark: TypeAlias = tuple[str, Any]
"""The name of a mark (strong, emphasis, link ...) and its value: a link's target, a `Note`."""
Marks: TypeAlias = tuple[Mark, ...]
Span: TypeAlias = tuple[str, "str | Image | Formula", Marks]
"""What separates it from the span before ("", " " or line breaks), the content, its marks."""

OPEN, LEAF, CLOSE = range(3)
Event: TypeAlias = tuple[int, str, Any, list[Span]]
"""The action, the kind of container or leaf, its value, the spans of a leaf.

The value of a list is its first number or None; of a cell, whether it is a header and how many
columns and rows it spans; of a heading, its level; of a listing, its language; of a callout, its
`Callout`; of others, the `Note` that they hold, or None.
"""


class Outline(NamedTuple):
    """The kept part of a page."""

    events: list[Event]
    """In document order."""
    places: dict[int, tuple[int, int]]
    """By the `id` of the spans of a leaf, its first and its last text."""
