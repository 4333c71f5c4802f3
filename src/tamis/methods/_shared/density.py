"""Densities of text and links of blocks (Kohlschuetter, Fankhauser, Nejdl 2010)."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from tamis.page.table import Blocks

Floats = npt.NDArray[np.float64]


def text_density(blocks: Blocks) -> Floats:
    """Words a line when the block is wrapped at 80 characters, its last line left out."""
    return blocks.line_words / blocks.lines


def link_density(blocks: Blocks) -> Floats:
    """Share of the words that are in links."""
    return blocks.link_words / np.maximum(blocks.words, 1)


def previous(values: Floats) -> Floats:
    """The value of the block before each block, 0 at the first."""
    return np.concatenate((np.zeros(1), values[:-1])) if len(values) else values


def following(values: Floats) -> Floats:
    """The value of the block after each block, 0 at the last."""
    return np.concatenate((values[1:], np.zeros(1))) if len(values) else values
