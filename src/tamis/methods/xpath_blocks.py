"""XPath blocks: a leaf is content unless the smallest group it stands in is mostly links.

Thanadechteemapat and Fung made this for Thai pages, where words are hard to count: it counts
leaves of the tree and characters only. Each leaf belongs to the lowest element with more than
one leaf, its block; the anchor ratio of the block joins the share of leaves that are links and
the share of characters that are. Footers are known by the phrase they begin with.

Our reading: a leaf is a text run; it is an anchor if it is anywhere inside a link; lengths are
without white space. The paper finds the lowest block of a leaf by comparing XPaths as strings, we
by the parent pointers of the tree: the same blocks, if the strings are compared step by step
(`units` lists the XPaths). Hidden means all that a browser does not show. The paper keeps leaves of
"less than 2" characters, a slip: we keep 2 or more. Forms go, but a form around half of the page or
more is a frame of its server (ASP.NET) and stays. A page with one leaf only has the root as its
block. The paper finds the smallest blocks because they can be grouped upwards later, and leaves
that to the reader and "noise filtering" to the future: we group the page's text blocks by the
element around them and drop a group whose plain text is under a fifth of the richest group's,
unless it is a list or table in a group that stays. `least_group=0` switches that off,
`variant="paper"` the other changes with it; docs/explanation/methods/xpath_blocks.md has the
figures.

When it fails: plain text that is neither content nor short (donation boxes, cookie texts); pages
whose content is spread over many small groups (forums, products); content that is links.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from tamis.methods._base import Scores, kept_share
from tamis.methods._shared.leaves import LeafRules
from tamis.page.table import Page


@dataclass(frozen=True)
class XpathBlocks(LeafRules):
    """Leaves whose lowest common block is not mostly links."""

    def score(self, page: Page) -> Scores:
        """The share of each block's characters that are in content leaves."""
        if not len(page.texts):
            return np.zeros(len(page.blocks))
        return kept_share(page, self.measure_leaves(page).kept)
