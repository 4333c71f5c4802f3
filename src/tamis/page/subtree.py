"""What is at or below chosen elements, and which chosen element is the nearest above."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from tamis.page import tags
from tamis.page.arrays import Flags
from tamis.page.table import Page


def texts_below(page: Page, nodes: npt.NDArray[np.intp]) -> Flags:
    """The texts at or below any of these nodes."""
    texts = len(page.texts) + 1
    opened = np.bincount(page.nodes.first_text[nodes], minlength=texts)
    closed = np.bincount(page.nodes.end_text[nodes], minlength=texts)
    below: Flags = np.cumsum(opened - closed)[:-1] > 0
    return below


def nodes_within(page: Page, nodes: npt.NDArray[np.intp]) -> Flags:
    """The nodes at or below any of these nodes."""
    count = len(page.nodes) + 1
    opened = np.bincount(nodes, minlength=count)
    closed = np.bincount(page.nodes.last[nodes] + 1, minlength=count)
    within: Flags = np.cumsum(opened - closed)[:-1] > 0
    return within


def nearest(page: Page, chosen: Flags) -> npt.NDArray[np.intp]:
    """For each node the nearest chosen node at or above it, else the root."""
    above = np.where(chosen, np.arange(len(chosen)), np.maximum(page.nodes.parent, 0))
    # Each round doubles the steps that have been taken.
    for _ in range(int(page.nodes.depth.max(initial=0)).bit_length()):
        above = above[above]
    return above


def texts_outside_forms(page: Page, *, frames: bool = True) -> Flags:
    """The texts that are shown and in no form.

    A form around half of the page or more is a frame of its server (ASP.NET) and does not count,
    unless `frames` is off.
    """
    shown: Flags = page.texts.flags & tags.HIDDEN == 0
    forms = np.flatnonzero(page.nodes.tag == tags.ID["form"])
    if len(forms):
        if frames:
            length = page.sums_below(page.texts.chars * shown).astype(float)
            forms = forms[2 * length[forms] < length[0]]
        shown = shown & ~texts_below(page, forms)
    return shown
