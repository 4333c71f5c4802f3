"""X-CEX: what has a similar block on a fifth of the site's pages is template.

Fernandes compares the elements of a few tags over the pages of a site, by structure (tags, class
names) and by words. An element with a similar one on 20% of the pages or more is not content.

Our reading: elements nest; a text belongs to the innermost listed element around it, and only the
text that is directly in such an element counts (the paper: blocks outside the tags, such as
titles, are left out). So the words of an element are its own, not those of elements inside; with
all words below it, F over big9 falls by 0.03. The similarity of tag sequences is the share of tags
in common, the bound that the library of the paper computes first. The page itself counts among
the pages, as the paper's formula has it, and one other page is the least: with ten pages or fewer
a single repetition is template. The paper prints no epsilon: at 0.65 both variants are within
0.003 of the best of 0.5 to 0.9 on five of the nine sites of big9. In the variant `hamming` the
positions in which two MinHash signatures differ stand for the words, as the paper's strings do. The
published comparison of all pairs is `search="all"`; by default only blocks that share a bucket are
compared.

When it fails: text that is on one page only is content, so that teasers, captions and comments
stay; text in lists, tables and headings is lost; few pages, or pages of several templates.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from tamis.methods._base import Flags, Floats, Indexes, Scores, check_choice
from tamis.methods._shared.neighbours import common
from tamis.methods._shared.repeated import RepeatedBlocks
from tamis.methods._shared.site import listed_tags
from tamis.methods._shared.site_blocks import Buckets, SiteBlocks, listed
from tamis.page.table import Page

CONTENTS = ("cosine", "hamming")


@dataclass(frozen=True)
class XCex(RepeatedBlocks):
    """What is similar in structure and words on a fifth of the site's pages is not content."""

    block_tags: str = "body main article section div p"
    """The elements that are compared (sec. 3.1)."""
    epsilon: float = 0.65
    """Similarity above which two blocks are the same (sec. 3.2, no number printed)."""
    content: str = "cosine"
    """Similarity of words: `cosine` of binary vectors (sec. 3.2), or `hamming` (sec. 4.3)."""
    structure_weight: float = 0.3
    """Weight of tags and class names, the rest is that of the words (sec. 3.2)."""

    buckets: ClassVar[Buckets] = lambda blocks: blocks.word_buckets
    citation: ClassVar[str] = (
        "T. M. J. Fernandes: Information Extraction from Web Pages. Instituto Superior Tecnico,"
        " 2021."
    )

    def __post_init__(self) -> None:
        """Refuse unknown names."""
        super().__post_init__()
        check_choice("content", self.content, CONTENTS)

    def score(self, page: Page) -> Scores:
        """High for what is on few pages, 0 for text outside the listed elements."""
        direct = listed(page, listed_tags(self.block_tags))[page.blocks.node]
        return np.where(direct, super().score(page), 0.0)

    def _similar(
        self, blocks: SiteBlocks, known: SiteBlocks, mine: Indexes, theirs: Indexes
    ) -> Flags:
        """Whether the pairs are similar; what takes longer is compared only where it decides."""
        structure, words = self.structure_weight, 1 - self.structure_weight
        result = np.zeros(len(mine), bool)
        if self.content == "hamming":
            equal = blocks.signatures[mine] == known.signatures[theirs]
            jaccard = equal.mean(axis=1)
            # The cosine of two sets of one size.
            content = words * 2 * jaccard / (1 + jaccard)
            rest = np.flatnonzero(content + structure > self.epsilon)
            shape = structure * _structure(blocks, known, mine[rest], theirs[rest])
            result[rest] = content[rest] + shape > self.epsilon
            return result
        shape = structure * _structure(blocks, known, mine, theirs)
        sizes, known_sizes = blocks.words.sizes[mine], known.words.sizes[theirs]
        mean = np.sqrt(sizes * known_sizes)
        rest = np.flatnonzero(shape + words * np.minimum(sizes, known_sizes) / mean > self.epsilon)
        cosine = common(blocks.words, mine[rest], known.words, theirs[rest]) / mean[rest]
        result[rest] = shape[rest] + words * cosine > self.epsilon
        return result


def _structure(blocks: SiteBlocks, known: SiteBlocks, mine: Indexes, theirs: Indexes) -> Floats:
    """Half the share of tags in common, half the Jaccard similarity of the class names."""
    both = common(blocks.tags, mine, known.tags, theirs)
    tag_share = 2 * both / (blocks.tags.sizes[mine] + known.tags.sizes[theirs])
    both = common(blocks.classes, mine, known.classes, theirs)
    either = blocks.classes.sizes[mine] + known.classes.sizes[theirs] - both
    jaccard = np.where(either == 0, 1.0, both / np.maximum(either, 1))
    result: Floats = (tag_share + jaccard) / 2
    return result
