"""Which texts are at or below some elements."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from tamis.page import tags
from tamis.page.table import Page

Marks = npt.NDArray[np.bool_]


def texts_below(page: Page, nodes: npt.NDArray[np.intp]) -> Marks:
    """The texts at or below any of some nodes."""
    texts = len(page.texts) + 1
    opened = np.bincount(page.nodes.first_text[nodes], minlength=texts)
    closed = np.bincount(page.nodes.end_text[nodes], minlength=texts)
    marks: Marks = np.cumsum(opened - closed)[:-1] > 0
    return marks


def texts_outside_forms(page: Page) -> Marks:
    """The texts that are shown and in no form.

    A form around half of the page or more is a frame of its server (ASP.NET) and does not count.
    """
    shown: Marks = page.texts.flags & tags.HIDDEN == 0
    forms = np.flatnonzero(page.nodes.tag == tags.ID["form"])
    if len(forms):
        length = page.sums_below(page.texts.chars * shown).astype(float)
        shown = shown & ~texts_below(page, forms[2 * length[forms] < length[0]])
    return shown
