"""Plain text: one line per block, line breaks inside a block kept."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from tamis._runtime import limits
from tamis.page.strings import kept_text
from tamis.page.table import Page
from tamis.page.tags import ARIA_HIDDEN, IN_PRE
from tamis.render.walk import may_have_formulas


def render(page: Page, kept: npt.NDArray[np.bool_]) -> str:
    """The text of the kept blocks, in document order."""
    text, flags = kept_text(page, kept)
    if flags & (IN_PRE | ARIA_HIDDEN) or may_have_formulas(page):
        from tamis.render import json, selection

        if not selection.is_plain(page, kept):
            text = "\n".join(json.texts(page, kept))
    limits.check_output(len(text))
    return text
