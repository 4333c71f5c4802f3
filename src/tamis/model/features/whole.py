"""What the page is like as a whole: the same for all of its blocks."""

from __future__ import annotations

import numpy as np

from tamis.model.features import sequence
from tamis.model.features.batch import KINDS, Batch, Floats, Matrix
from tamis.page import tags

_LANDMARKS = {
    "main": tags.IN_MAIN,
    "article": tags.IN_ARTICLE,
    "navigation": tags.IN_NAVIGATION,
    "aside": tags.IN_ASIDE,
    "form": tags.IN_FORM,
    "list": tags.IN_LIST,
}
_BITS = np.array(list(_LANDMARKS.values()), np.intc)

# Those of `sequence.wholes` come first.
WHOLE = tuple(
    f"page.{name}"
    for name in (
        "words",
        "blocks",
        "words_per_block",
        "words_deviation",
        "longest",
        "long_words",
        "long_share",
        "visible_words",
        "hidden",
        "punctuation_per_word",
        "headings",
        "h1",
        "siblings",
        "siblings_share",
        "container_share",
        "capitals",
        "digits",
        *(f"in_{name}" for name in _LANDMARKS),
        *(f"{kind}_per_block" for kind in KINDS),
        "words_median",
        "nodes",
        "bytes",
        "title_words",
        "is_article",
        "has_article",
    )
)


def whole(batch: Batch, out: Matrix) -> None:
    """The page as a whole.

    Words in long blocks, in hidden ones and in landmarks as shares of all words; words a block
    with their standard deviation and median; headings a block; the largest group of repeated
    siblings; the share of the text that the best container collects; kinds of elements a block.
    """
    blocks = batch.blocks
    rows = np.empty((len(batch.pages), len(WHOLE)))
    sequence.wholes(
        batch.first_block,
        batch.first_node,
        batch.sums,
        batch.kinds,
        batch.heading_level,
        batch.siblings,
        batch.containers.best_score,
        blocks.chars,
        blocks.capitals,
        blocks.digits,
        blocks.flags,
        _BITS,
        rows,
    )
    rows[:, -6] = _median(batch)
    rows[:, -5:] = [
        (len(page.nodes), len(page.source), told.title_words, told.is_article, told.has_article)
        for page, told in zip(batch.pages, batch.declared, strict=True)
    ]
    out[:] = rows if len(rows) == 1 else rows[batch.page]


def _median(batch: Batch) -> Floats:
    """The median of the words of the blocks of each page."""
    if len(batch.pages) == 1:
        ordered = np.sort(batch.blocks.words)
    else:
        ordered = np.sort((batch.page << 32) | batch.blocks.words) & 0xFFFFFFFF
    first, end = batch.first_block[:-1], batch.first_block[1:]
    last = len(batch) - 1  # for pages without blocks
    upper = ordered[np.minimum((first + end) // 2, last)]
    lower = ordered[np.minimum((first + np.maximum(end - 1, first)) // 2, last)]
    median: Floats = (lower + upper) / 2
    return median
