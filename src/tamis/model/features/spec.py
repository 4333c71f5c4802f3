"""The features of a block by name: what a model is trained on and what it reads.

The groups are in a fixed order and so are the columns of each. A model stores `VERSION` and the
names; `VERSION` changes with every change of a name, of an order or of what a number means.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import accumulate, pairwise

import numpy as np

from tamis._runtime import limits
from tamis.model.features import block_features, page_features, surrounding_features, token_weights
from tamis.model.features.batch import Batch
from tamis.model.features.columns import Span, allocate_columns
from tamis.model.features.token_weights import PlacedTokens, TokenTable, TokenWeights
from tamis.page.arrays import Matrix

VERSION = 3

# The last one needs what the one before it prepares.
_PASSES = (block_features, surrounding_features, page_features)
GROUPS = {
    group: tuple(names)
    for written in (*_PASSES, token_weights)
    for group, names in written.NAMES.groups.items()
}
"""The names of the columns that are computed together; those of tokens come last."""

NAMES = tuple(name for names in GROUPS.values() for name in names)
"""The columns in order."""

_ENDS = tuple(accumulate((len(written.NAMES) for written in _PASSES), initial=0))
_COLUMNS = tuple(zip(_PASSES, pairwise(_ENDS), strict=True))

STEP = 256
"""Blocks whose features are computed together: as many as a usual cache has room for."""


def compute_steps(batch: Batch, tokens: TokenTable) -> Iterator[tuple[int, int, Matrix]]:
    """The features of all blocks of a batch, hidden ones too, some blocks at a time.

    The first block, the end, and one row per feature with the numbers of these blocks. The room is
    the same for all steps.
    """
    if not len(batch):
        return
    columns = batch.columns
    for written in _PASSES:
        limits.check()
        written.prepare(columns)
    weights = TokenWeights(PlacedTokens.from_batch(batch), tokens)
    count = -(-len(batch) // STEP)
    size = -(-len(batch) // count)
    values = allocate_columns(len(NAMES), size)
    for first in range(0, len(batch), size):
        limits.check()
        end = min(first + size, len(batch))
        for page, begin, stop in batch.split_parts(first, end):
            span = Span(page, begin, stop, first)
            for written, (start, after) in _COLUMNS:
                written.write(columns, span, values[start:after])
        weights.write(first, values[_ENDS[-1] :, : end - first])
        yield first, end, values[:, : end - first]


def make_table(batch: Batch, tokens: TokenTable) -> Matrix:
    """The features of all blocks of a batch: one row per block, in C order."""
    made = np.empty((len(batch), len(NAMES)), np.float32)
    for first, end, values in compute_steps(batch, tokens):
        made[first:end] = values.T
    return made
