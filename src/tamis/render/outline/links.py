# cython: annotation_typing=False, wraparound=True
"""Links around more than one leaf, such as a card with picture, title and text: one link each."""

from __future__ import annotations

import re

from tamis._runtime import limits
from tamis.render.outline.events import Event, Mark, Marks, Span

_WORD = re.compile(r"\w")


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
