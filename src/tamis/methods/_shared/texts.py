"""From a verdict on the text runs of a page to scores of its blocks."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from tamis.methods._shared.density import Floats
from tamis.page import tags
from tamis.page.table import Page


def kept_share(page: Page, kept: npt.ArrayLike) -> Floats:
    """For each block the share of its visible characters that `kept` marks, one number per text.

    How a verdict on text runs becomes a score of blocks; hidden blocks have 0.
    """
    texts, blocks = page.texts, len(page.blocks)
    chars = np.where(texts.flags & tags.HIDDEN == 0, texts.chars, 0)
    marked = np.bincount(texts.block, chars * np.asarray(kept, float), blocks)
    share: Floats = marked / np.maximum(np.bincount(texts.block, chars, blocks), 1)
    # Sums of fractions may end a rounding error above 1.
    return np.clip(share, 0.0, 1.0)
