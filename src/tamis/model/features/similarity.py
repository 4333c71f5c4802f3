"""How much a block says what the page declares, and what other blocks of the page say."""

from __future__ import annotations

import numpy as np

from tamis.model.features import sequence, walk
from tamis.model.features.batch import Batch, Matrix

SIMILARITY = (
    "title.share",
    "title.cover",
    "description.share",
    "description.words",
    "description.cover",
    "data.share",
    "data.words",
    "data.cover",
    "duplicates",
)


def similarity(batch: Batch, out: Matrix) -> None:
    """The block beside title, description and JSON-LD, and the blocks with the same words.

    Of the title: the share of the block's words that are in it, and how much of it they are. Of
    the description and the data: the share of the block's pairs of neighbouring words that are in
    them; for the whole page, how many words they have and how much of them is found in blocks.
    `duplicates` counts the blocks with the same words, the block itself too.
    """
    wording = batch.wording
    declared = np.array(
        [(told.title_words, told.description_words, told.data_words) for told in batch.declared],
        float,
    )
    text = wording.text
    if len(batch.pages) > 1:
        text = text ^ (batch.page.astype(np.uint64) << np.uint64(32))
    same = walk.counts_alike(text)
    sequence.similarities(batch.first_block, wording.counts, declared, same, out)
