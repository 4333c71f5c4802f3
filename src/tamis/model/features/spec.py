"""The features of a block by name: what a model is trained on and what it reads.

The groups are in a fixed order and so are the columns of each. A model stores `VERSION` and the
names; `VERSION` changes with every change of a name, of an order or of what a number means.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from tamis.model.features import around, block, place, repetition, similarity, token_weights, whole
from tamis.model.features.batch import Batch, Matrix
from tamis.model.features.token_weights import Names, TokenTable, token_columns

VERSION = 1


@dataclass(frozen=True)
class Group:
    """Columns that are computed together."""

    columns: tuple[str, ...]
    compute: Callable[[Batch, Matrix], None]
    """Writes the columns of all blocks of a batch; the batch has at least one."""


GROUPS = {
    "own": Group(block.OWN, block.own),
    "element": Group(block.ELEMENT, block.element),
    "landmarks": Group(block.LANDMARKS, block.landmarks),
    "ratios": Group(block.RATIOS, block.ratios),
    "position": Group(place.POSITION, place.position),
    "neighbours": Group(place.NEIGHBOURS, place.neighbours),
    "headings": Group(place.HEADINGS, place.headings),
    "ancestors": Group(around.ANCESTORS, around.ancestors),
    "containers": Group(around.CONTAINERS, around.containers),
    "ways": Group(repetition.WAYS, repetition.ways),
    "siblings": Group(repetition.SIBLINGS, repetition.siblings),
    "similarity": Group(similarity.SIMILARITY, similarity.similarity),
    "whole": Group(whole.WHOLE, whole.whole),
}
"""All groups but the tokens, which need a table of weights and come last."""

NAMES = (
    *(name for group in GROUPS.values() for name in group.columns),
    *token_weights.TOKENS,
)
"""The columns in order."""


@dataclass(frozen=True, eq=False)
class Features:
    """The features of the blocks of some pages."""

    values: Matrix
    """A row a block, a column a name, in C order; all finite."""
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
        for group in GROUPS.values():
            end = start + len(group.columns)
            group.compute(batch, values[:, start:end])
            start = end
        token_columns(Names.of(batch), tokens, values[:, start:])
    return Features(values, batch.first_block)
