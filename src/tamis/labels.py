"""From scores to the decision which blocks are content."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt


def label(scores: npt.NDArray[np.float64], threshold: float) -> npt.NDArray[np.bool_]:
    """Whether each block is content."""
    return scores >= threshold
