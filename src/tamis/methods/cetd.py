"""Content extraction via text density: the elements whose parts have many characters per tag.

Sun, Song and Liao give each element the characters below it over the tags below it. The composite
density corrects that by links: their characters and tags lower it, the more the fewer other
characters there are. A single paragraph may be short, so elements are compared by the sum of the
densities of their children (DensitySum). The element with the largest sum is content; the least
density on its path from the body is the threshold: every element that reaches it, as all above it
do, adds the element with the largest sum inside it.

Our reading: characters are counted without white space; hidden text and elements do not count, as
if they were not there. Links are `a`, `button` and `select`, and the tags inside them are link
tags. Text directly in an element counts in its sum like a child without tags, run by run, as in
the authors' program. 0 tags, 0 link characters and so on count as 1, so that every density is
finite.

When it fails: content whose elements have few characters per tag, such as lists, tables, forums of
short posts and product data; a notice in one long run wins over an article with many tags; where
the body itself is the poorest on the path, dense boilerplate elsewhere passes the threshold.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from tamis._runtime import limits
from tamis.methods._base import Choices, Method, Scores, Unit, kept_share, visible_texts
from tamis.methods._shared.features import (
    DENSITIES,
    THRESHOLDS,
    content_elements,
    measure_densities,
)
from tamis.methods._shared.verdicts import element_name, list_units, longest_runs
from tamis.page.arrays import Flags, Indexes
from tamis.page.structure.subtrees import mark_nodes, mark_texts
from tamis.page.table import Page


@dataclass(frozen=True)
class Cetd(Method):
    """Text density of the tree: elements by the sum of the densities of their children."""

    density: str = "composite"
    """Characters per tag, corrected by links (`composite`, CTD) or not (`text`, TD)."""
    threshold: str = "path"
    """The least density on the `path` from the body to the best element, or that of the `body`."""

    citation: ClassVar[str] = (
        "F. Sun, D. Song, L. Liao: DOM Based Content Extraction via Text Density. SIGIR 2011."
    )
    decides_on: ClassVar[str] = "elements"
    _choices: ClassVar[Choices] = {"density": DENSITIES, "threshold": THRESHOLDS}

    def score(self, page: Page) -> Scores:
        """The share of each block's characters that are in an element that was taken."""
        if not visible_texts(page).any():
            return np.zeros(len(page.blocks))
        tree = measure_densities(page, self.density)
        return kept_share(page, mark_texts(page, content_elements(page, tree, self.threshold)[0]))

    def units(self, page: Page) -> tuple[Unit, ...]:
        """The elements with text: content is in one that has the largest sum where it stands."""
        shown = visible_texts(page)
        filled: Flags = page.sums_below(shown.astype(np.int64)).astype(np.int64) > 0
        rows = np.flatnonzero(filled)
        if not len(rows):
            return ()
        tree = measure_densities(page, self.density)
        taken, threshold = content_elements(page, tree, self.threshold)
        return list_units(
            page,
            np.where(shown, (np.cumsum(filled) - 1)[page.texts.node], -1),
            rows,
            mark_nodes(page, taken)[rows].astype(float),
            {
                "density": tree.density[rows].tolist(),
                "DensitySum": tree.sums[rows].tolist(),
                "threshold": [threshold] * len(rows),
            },
        )

    def because(self, page: Page, blocks: Indexes) -> list[str]:
        tree = measure_densities(page, self.density)
        taken, threshold = content_elements(page, tree, self.threshold)
        inside = mark_texts(page, taken)
        owners = zip(page.blocks.node[blocks], longest_runs(page, blocks), strict=True)
        sentences = []
        for node, text in limits.check_each(owners, every=10):
            own = f"Its {element_name(page, node)} has a density of {tree.density[node]:.1f}; it is"
            if inside[text]:
                below = page.texts.node[text]
                best = int(taken[(taken <= below) & (page.nodes.last[taken] >= below)][0])
                sentences.append(
                    f"{own} in the {element_name(page, best)} whose parts have the largest sum of"
                    f" densities, {tree.sums[best]:.1f}."
                )
            else:
                sentences.append(
                    f"{own} in no element with the largest sum of densities where the threshold of"
                    f" {threshold:.1f} is reached."
                )
        return sentences
