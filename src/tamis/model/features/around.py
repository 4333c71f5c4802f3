"""The elements around a block: what they hold, and which of them holds the main text."""

from __future__ import annotations

import numpy as np

from tamis.model.features import sequence
from tamis.model.features.batch import FAR_LEVELS, KINDS, NEAR_LEVELS, Batch, Matrix

MEASURES = (
    "words",
    "share",
    "link_density",
    "blocks",
    "words_per_block",
    "long_share",
    "heading_blocks",
    "good_share",
    "hidden",
    "words_per_node",
    *(f"{kind}_per_block" for kind in KINDS),
)
# Those that told something of any near, of any far ancestor, in an experiment that had all of all.
_NEAR = tuple(
    "words share link_density words_per_block long_share good_share words_per_node links_per_block"
    " paragraphs_per_block images_per_block items_per_block headings_per_block"
    " controls_per_block sections_per_block".split()
)
_FAR = tuple(
    "words share link_density blocks heading_blocks good_share hidden links_per_block"
    " paragraphs_per_block images_per_block items_per_block headings_per_block"
    " controls_per_block cells_per_block sections_per_block".split()
)
_NEAR_COLUMNS = np.array([MEASURES.index(name) for name in _NEAR], np.intc)
_FAR_COLUMNS = np.array([MEASURES.index(name) for name in _FAR], np.intc)

ANCESTORS = (
    *(
        f"ancestor{level}.{name}"
        for level in range(1, NEAR_LEVELS + 1)
        for name in (*_NEAR, "place")
    ),
    *(f"top{level}.{name}" for level in range(1, FAR_LEVELS + 1) for name in _FAR),
)


def ancestors(batch: Batch, out: Matrix) -> None:
    """What the elements around the block hold.

    `ancestor1` is the nearest that holds more blocks than the block's own element, `ancestor2` the
    nearest that holds more than that one; `top1` to `top3` are counted from the root. Shares are
    of the page: of words, of words outside of links in long blocks, of good words (in blocks with
    few links and some punctuation). `place` is where in the ancestor the block is, from 0 to 1.
    """
    tree, nodes = batch.tree, len(batch.nodes)
    sequence.ancestors(
        batch.first_block,
        tree.around,
        NEAR_LEVELS,
        tree.first,
        tree.end,
        batch.nodes.last,
        batch.sums,
        batch.kinds,
        _NEAR_COLUMNS,
        _FAR_COLUMNS,
        np.zeros(nodes, np.intc),
        np.empty((min(nodes, tree.around.size), len(MEASURES))),
        out,
    )


CONTAINERS = (
    "container.ancestor1",
    "container.ancestor2",
    "container.highest",
    "container.inside",
    "container.side",
    "container.levels_away",
)


def containers(batch: Batch, out: Matrix) -> None:
    """How much text the elements around the block collect, as Readability scores its candidates.

    A block gives its words outside of links, if it has punctuation and is not mostly links, and
    its punctuation marks to three ancestors: all, a half, a third. Scores are shares of the best
    of the page. Then whether the block is inside the best element, before it (-1) or after it (1),
    and how many levels below the element that holds both of them the best one is.
    """
    out[:] = batch.containers.columns
