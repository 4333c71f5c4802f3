"""Links around more than one leaf, such as a card with picture, title and text: one link each."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from tamis._runtime import limits

if TYPE_CHECKING:
    from tamis.render.outline import Event, Mark, Span

_WORD = re.compile(r"\w")


def one_link_each(cards: list[tuple[Mark, list[Event]]]) -> None:
    """Leave each link on one of the leaves in it: the first heading, else the first text."""
    for link, leaves in limits.checked(cards):
        titles = [leaf for leaf in leaves if _says(leaf[3], link)] or leaves
        kept = next((leaf for leaf in titles if leaf[1] == "heading"), titles[0])
        for leaf in leaves:
            if leaf is not kept:
                _unlink(leaf[3], link)


def _says(spans: list[Span], link: Mark) -> bool:
    """Whether a leaf has words in a link."""
    return any(
        mark is link and isinstance(content, str) and _WORD.search(content)
        for _, content, marks in spans
        for mark in marks
    )


def _unlink(spans: list[Span], link: Mark) -> None:
    """Take a link from a leaf."""
    spans[:] = [
        (separator, content, tuple(mark for mark in marks if mark is not link))
        for separator, content, marks in spans
    ]
