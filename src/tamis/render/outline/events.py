# cython: annotation_typing=False, wraparound=True
"""What an outline is made of: events, the spans of a leaf, and the records in these.

A link may be around more than one leaf, such as a card with picture, title and text. One of them
keeps it.
"""

from __future__ import annotations

import re
from typing import Any, NamedTuple, TypeAlias

from tamis._runtime import limits

_WORD = re.compile(r"\w")


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


# Links around more than one leaf


class LinkedLeaves:
    """The links that are around more than one leaf, with these leaves."""

    def __init__(self) -> None:
        self.cards: list[tuple[Mark, list[Event]]] = []
        # The link that was open when the leaf before ended.
        self.link: Mark | None = None
        self.leaf_before: Event | None = None

    def follow(self, leaf: Event, marks: Marks) -> None:
        """Note the links of a leaf that ends; `marks` are those that are open after it."""
        link = self.link
        if link is not None and _has_mark(leaf[3], link):
            if self.cards and self.cards[-1][0] is link:
                self.cards[-1][1].append(leaf)
            elif self.leaf_before is not None:
                self.cards.append((link, [self.leaf_before, leaf]))
        self.link, self.leaf_before = None, leaf
        for mark in marks:
            if mark[0] == "link" and _has_mark(leaf[3], mark):
                self.link = mark

    def keep_one_each(self) -> None:
        """Leave each link on one of its leaves: the first heading, else the first text."""
        for link, leaves in limits.check_each(self.cards):
            titles = [leaf for leaf in leaves if _has_words(leaf[3], link)] or leaves
            kept = next((leaf for leaf in titles if leaf[1] == "heading"), titles[0])
            for leaf in leaves:
                if leaf is not kept:
                    leaf[3][:] = [
                        (separator, content, tuple([mark for mark in marks if mark is not link]))
                        for separator, content, marks in leaf[3]
                    ]


def is_linked(marks: Marks) -> bool:
    """Whether text with these marks is in a link, or is the reference to a footnote."""
    # Compiled, a loop takes a fifth of the time of `any`.
    for mark in marks:
        if mark[0] in ("link", "note"):
            break
    else:
        return False
    return True


def _has_mark(spans: list[Span], mark: Mark) -> bool:
    """Whether a leaf has a mark, that of the same element."""
    for _, _, marks in spans:
        for other in marks:
            if other is mark:
                return True
    return False


def _has_words(spans: list[Span], link: Mark) -> bool:
    for _, content, marks in spans:
        if isinstance(content, str) and _WORD.search(content):
            for mark in marks:
                if mark is link:
                    return True
    return False
