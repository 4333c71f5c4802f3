"""The title apart from the text below it."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from tamis.page.headline import headline, says_title
from tamis.page.table import Page


def with_title_apart(
    page: Page, kept: npt.NDArray[np.bool_], url: str | None
) -> tuple[str, npt.NDArray[np.bool_]]:
    """The title, and the kept blocks without those that say it; no title where nothing is kept."""
    if not kept.any():
        return "", kept
    return " ".join(headline(page, url).title.split()), kept & ~says_title(page, url)
