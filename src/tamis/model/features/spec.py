"""The features of a block by name: what a model is trained on and what it reads.

The groups are in a fixed order and so are the columns of each. A model stores `VERSION` and the
names; `VERSION` changes with every change of a name, of an order or of what a number means.
"""

from __future__ import annotations

import numpy as np

from tamis import limits
from tamis.model.features import around, block, walk, whole
from tamis.model.features.batch import Batch, Matrix
from tamis.model.features.token_weights import PlacedTokens, TokenTable, token_columns

VERSION = 2

_PASSES = (block, around, whole)  # `whole` needs what `around` leaves in the columns
GROUPS = {
    group: tuple(names)
    for written in (*_PASSES, walk)
    for group, names in written.NAMES.groups.items()
}
"""The names of the columns that are computed together; those of tokens come last."""

NAMES = tuple(name for names in GROUPS.values() for name in names)
"""The columns in order."""


def table(batch: Batch, tokens: TokenTable) -> Matrix:
    """The features of all blocks of a batch, hidden ones too: one row per block, in C order."""
    values = np.empty((len(batch), len(NAMES)), np.float32)
    if len(batch):
        start = 0
        for written in _PASSES:
            limits.check()
            end = start + len(written.NAMES)
            written.write(batch.columns, values[:, start:end])
            start = end
        limits.check()
        token_columns(PlacedTokens.of(batch), tokens, values[:, start:])
    return values
