"""What the sentences of `Method.because` are made of."""

from __future__ import annotations

import numpy as np

from tamis.methods._base import Indexes
from tamis.page import tags
from tamis.page.table import Page

_LONGEST_NAME = 40


def longest_runs(page: Page, blocks: Indexes) -> Indexes:
    """Of each of these blocks the visible text run with most characters, the first of equals."""
    texts = page.texts
    end = int(page.blocks.end_text[blocks].max(initial=0))
    length = np.where(texts.flags[:end] & tags.HIDDEN == 0, texts.chars[:end], -1)
    order = np.lexsort((-length, texts.block[:end]))
    return order[np.searchsorted(texts.block[:end], blocks)]


def element_name(page: Page, node: int) -> str:
    """The name of an element, short enough for a sentence whatever the page has."""
    return page.tag_name(node)[:_LONGEST_NAME]


def counted(count: int, thing: str) -> str:
    """A number of things, in words.

    >>> counted(1, "word"), counted(2000, "word")
    ('1 word', '2,000 words')
    """
    return f"1 {thing}" if count == 1 else f"{count:,} {thing}s"
