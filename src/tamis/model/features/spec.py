"""The features of a block by name: what a model is trained on and what it reads.

The groups are in a fixed order and so are the columns of each. A model stores `VERSION` and the
names; `VERSION` changes with every change of a name, of an order or of what a number means.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from tamis.model.features import around, block, walk, whole
from tamis.model.features.batch import Batch, Matrix
from tamis.model.features.token_weights import PlacedTokens, TokenTable, token_columns

VERSION = 1

_PASSES = (block, around, whole)  # `whole` needs what `around` leaves in the columns
GROUPS = {
    group: tuple(names)
    for written in (*_PASSES, walk)
    for group, names in written.NAMES.groups.items()
}
"""The names of the columns that are computed together; those of tokens come last."""

NAMES = tuple(name for names in GROUPS.values() for name in names)
"""The columns in order."""


@dataclass(frozen=True, eq=False)
class Features:
    """The features of the blocks of some pages."""

    values: Matrix
    """One row per block, one column per name, in C order; all finite."""
    first: npt.NDArray[np.int64]
    """First row of each page, and the end."""

    def page(self, number: int) -> Matrix:
        """The rows of one page."""
        return self.values[self.first[number] : self.first[number + 1]]


def table(batch: Batch, tokens: TokenTable) -> Features:
    """The features of all blocks of a batch, hidden ones too."""
    values = np.empty((len(batch), len(NAMES)), np.float32)
    if len(batch):
        start = 0
        for written in _PASSES:
            end = start + len(written.NAMES)
            written.write(batch.columns, values[:, start:end])
            start = end
        token_columns(PlacedTokens.of(batch), tokens, values[:, start:])
    return Features(values, batch.first_block)
