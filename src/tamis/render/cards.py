"""Links around more than one leaf, such as a card with picture, title and text: one link each."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from tamis import limits

if TYPE_CHECKING:
    from tamis.render.outline import Event, Span

_WORD = re.compile(r"\w")


def one_link_each(leaves: list[Event]) -> None:
    """Leave a link that is around several leaves on one: the first heading, else the first text."""
    around: dict[int, list[Event]] = {}  # by the mark itself: another element has another
    for leaf in limits.checked(leaves):
        for _, _, marks in leaf[3]:
            for mark in marks:
                if mark[0] == "link":
                    own = around.setdefault(id(mark), [])
                    if not own or own[-1] is not leaf:
                        own.append(leaf)
    for number, own in limits.checked(list(around.items())):
        if len(own) > 1:
            titled = [leaf for leaf in own if _says(leaf[3], number)] or own
            kept = next((leaf for leaf in titled if leaf[1] == "heading"), titled[0])
            for leaf in own:
                if leaf is not kept:
                    _unlink(leaf[3], number)


def _says(spans: list[Span], number: int) -> bool:
    """Whether a leaf has words in the link of that number."""
    return any(
        id(mark) == number and isinstance(content, str) and _WORD.search(content)
        for _, content, marks in spans
        for mark in marks
    )


def _unlink(spans: list[Span], number: int) -> None:
    """Take a link from a leaf."""
    spans[:] = [
        (separator, content, tuple(mark for mark in marks if id(mark) != number))
        for separator, content, marks in spans
    ]
