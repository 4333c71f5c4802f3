"""Where a block is: in the page, among its neighbours, under which heading."""

from __future__ import annotations

from tamis.model.features import sequence
from tamis.model.features.batch import Batch, Matrix

POSITION = (
    "position",
    "word_position",
    "words_before",
    "unlinked_position",
    "words_of_longest",
    "index",
    "index_from_end",
    "depth",
)


def position(batch: Batch, out: Matrix) -> None:
    """How far down the page the block is, by blocks, by words, by words outside of links.

    Also its words as a share of those of the longest block of the page, and the depth of its
    element.
    """
    depth = batch.nodes.depth[batch.blocks.node]
    sequence.positions(batch.first_block, batch.sums, depth, out)


NEIGHBOURS = (
    "before.words",
    "before.link_density",
    "before.text_density",
    "after.words",
    "after.link_density",
    "after.text_density",
    "before.sibling",
    "after.sibling",
    *(
        f"window{reach}.{name}"
        for reach in (3, 10)
        for name in ("words", "link_density", "punctuation_per_word")
    ),
)


def neighbours(batch: Batch, out: Matrix) -> None:
    """The block before and the block after, -1 where there is none, and means around.

    A sibling has the same element or the same parent. A window is so many blocks on either side,
    with the block.
    """
    sequence.neighbours(
        batch.first_block,
        batch.sums,
        batch.link_density,
        batch.text_density,
        batch.blocks.node,
        batch.nodes.parent,
        out,
    )


HEADINGS = (
    "heading.blocks_since",
    "heading.words_since",
    "heading.level",
    "h1.blocks_since",
    "h1.words_since",
    "section.blocks",
    "section.words",
    "section.link_density",
)


def headings(batch: Batch, out: Matrix) -> None:
    """The last heading before the block or the block itself, the first h1, and the section.

    -1 where no heading came yet. Distances to the h1 are negative above it, -999 blocks and -9999
    words where there is none. A section goes from a heading to the next; what comes before the
    first is one too.
    """
    sequence.headings(batch.first_block, batch.sums, batch.heading_level, out)
