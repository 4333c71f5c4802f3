"""Plain text: one line per block, line breaks inside a block kept."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from tamis import limits
from tamis.page.strings import kept_text
from tamis.page.table import Page
from tamis.render.selection import is_plain


def render(page: Page, kept: npt.NDArray[np.bool_]) -> str:
    """The text of the kept blocks, in document order."""
    if is_plain(page, kept):
        text = kept_text(page, kept)
    else:
        from tamis.render import json

        text = "\n".join(json.texts(page, kept))
    limits.check_output(len(text))
    return text
