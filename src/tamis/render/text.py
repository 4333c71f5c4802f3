"""Plain text: one line per block, line breaks inside a block kept."""

from __future__ import annotations

from tamis._runtime import limits
from tamis.page.arrays import Flags
from tamis.page.table import Page
from tamis.page.tags import ARIA_HIDDEN, IN_PRE
from tamis.page.text.strings import join_kept
from tamis.render.outline.roles import may_have_formulas


def render(page: Page, kept: Flags) -> str:
    """Write the text of the kept blocks, in document order."""
    text, flags = join_kept(page, kept)
    if flags & (IN_PRE | ARIA_HIDDEN) or may_have_formulas(page):
        from tamis.render.outline.selection import is_plain

        if not is_plain(page, kept):
            from tamis.render.document import render_texts

            text = "\n".join(render_texts(page, kept))
    limits.check_output(len(text))
    return text
