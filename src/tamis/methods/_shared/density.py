"""Values of the blocks before and after each block."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]


def previous(values: Floats) -> Floats:
    """The value of the block before each block, 0 at the first."""
    return np.concatenate((np.zeros(1), values[:-1])) if len(values) else values


def following(values: Floats) -> Floats:
    """The value of the block after each block, 0 at the last."""
    return np.concatenate((values[1:], np.zeros(1))) if len(values) else values
