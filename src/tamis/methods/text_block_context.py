"""Text block context: densities, parent tags and distances of a block and four neighbours.

Kim et al. add to the word and link densities of Kohlschuetter et al. what the page looks like
around a block: the element it is in, and how many tags away its neighbours are. A decision tree
decides by the 25 attributes of the block, the two before and the two after.

Our reading: the paper's unit, text that no tag but `a` interrupts, is finer than our blocks; it is
kept for the attributes, and a block's score is the mean over its words. Hidden text and units
without a word are left out. A line of the refined page is a tag of the source. Word density counts
80 words a sentence, as the paper says. The learner is an entropy tree in the place of WEKA's J48,
its leaves no smaller than half of the content units of a mean page; a unit's score is the share
of content in its leaf.

When it fails: pages unlike those it was trained on, since the tree learns distances of their
templates; short content between menus; long boilerplate in `p`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from tamis.methods._base import Method, Scores
from tamis.methods._shared.context import BINARY_NAMES, attributes, binary, on_blocks, units
from tamis.model.weights.load import load, shipped
from tamis.model.weights.trees import Tree
from tamis.page.table import Page

SPEC = 1
"""Version of the attributes; weights for another one do not load."""


@dataclass(frozen=True)
class TextBlockContext(Method):
    """Densities, parent tag and distances of a block and four neighbours, by a decision tree."""

    weights: str = ""
    """Path of weights that `tamis train text-block-context` made; empty for those that come with
    tamis. The parameters of the paper are those of the training."""

    citation: ClassVar[str] = (
        "M. Kim, Y. Kim, W. Song, A. Khil: Main Content Extraction from Web Documents Using Text"
        " Block Context. DEXA 2013."
    )

    def score(self, page: Page) -> Scores:
        """Share of content in the leaves of the tree that the words of each block end at."""
        path = self.weights or shipped("text_block_context")
        arrays = load(path, method="text_block_context", spec=SPEC).arrays
        tree = Tree.of(arrays, len(BINARY_NAMES))
        page_units = units(page)
        return on_blocks(page, page_units, tree.predict(binary(attributes(page_units))))
