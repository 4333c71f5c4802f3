"""What several tests ask of a page."""

from __future__ import annotations

import tamis


def blocks(html: str) -> list[str]:
    """The texts of the blocks of a page."""
    page = tamis.parse(html)
    return [page.block_text(block) for block in range(len(page.blocks))]


def node_of(page: tamis.Page, name: str) -> int:
    """The first element of that name."""
    return next(node for node in range(len(page.nodes)) if page.tag_name(node) == name)
