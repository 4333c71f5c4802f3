"""What looks alike on a page: blocks in the same place of the tree, and repeated siblings."""

from __future__ import annotations

from tamis.model.features import walk
from tamis.model.features.batch import Batch, Matrix

WAYS = tuple(
    f"{way}.{name}"
    for way in ("same_way", "same_named_way")
    for name in ("blocks", "words", "share", "link_density", "punctuation_per_word")
)


def ways(batch: Batch, out: Matrix) -> None:
    """All blocks with the same way from the root: by tags; by tags, classes and ids."""
    for place, way in enumerate((batch.tree.plain_way, batch.tree.named_way)):
        part = out[:, 5 * place : 5 * place + 5]
        walk.same_way(way, batch.blocks.node, batch.sums, batch.first_block, part)


SIBLINGS = (
    "siblings",
    "siblings.own_link_density",
    "siblings.words",
    "siblings.share",
    "siblings.link_density",
    "siblings.words_each",
)


def siblings(batch: Batch, out: Matrix) -> None:
    """The ancestor with the most siblings of the same tag, classes and ids, and those siblings.

    Teasers, comments, rows and menu items are repeated elements; the count includes the element.
    """
    out[:] = batch.siblings
