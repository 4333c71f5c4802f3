"""X-CEX: what has a similar block on a fifth of the site's pages is template.

Fernandes compares the elements of a few tags over the pages of a site, by structure (tags, class
names) and by words. An element with a similar one on 20% of the pages or more is not content.

Our reading: elements nest; a text belongs to the innermost listed element around it, and only the
text that is directly in such an element counts (the paper: blocks outside the tags, such as
titles, are left out). So the words of an element are its own; `nesting="whole"` takes all below
it. The similarity of tag sequences is the share of tags in common, in any order; the library of the
paper computes the ratio of matching runs (`tag_similarity="sequence"`), which is as good. The page
itself counts among the pages, as the paper's formula has it, and one other page is the least: with
ten pages or fewer a single repetition is template. The paper prints no epsilon: at 0.65 both
variants are within 0.003 of the best of 0.5 to 0.9 on five of the nine sites of big9. The Hamming
distance of two texts is `content="positions"`; in the variant `hamming` the positions in which two
MinHash signatures differ stand for the words, which a word more or less does not shift. The
published comparison of all pairs is `search="all"`; by default only blocks that share a bucket are
compared.

When it fails: text that is on one page only is content, so that teasers, captions and comments
stay; text in lists, tables and headings is lost; few pages, or pages of several templates.
"""

from __future__ import annotations

from dataclasses import dataclass
from difflib import SequenceMatcher
from functools import lru_cache
from typing import ClassVar

import numpy as np

from tamis.methods._base import Choices, Scores
from tamis.methods._shared.near_blocks import Bags, count_common
from tamis.methods._shared.repeated_blocks import RepeatedBlocks
from tamis.methods._shared.site_blocks import (
    Buckets,
    SiteBlocks,
    SiteIndex,
    find_listed,
    site_blocks,
)
from tamis.methods._shared.site_method import parse_tags
from tamis.model.features.batch import list_ranges
from tamis.page.arrays import Flags, Floats, Indexes
from tamis.page.table import Page

CONTENTS = ("cosine", "hamming", "positions")
TAG_SIMILARITIES = ("common", "sequence")

# Characters that are compared at once.
_CHARACTERS = 1 << 22


@dataclass(frozen=True)
class XCex(RepeatedBlocks):
    """What is similar in structure and words on a fifth of the site's pages is not content."""

    block_tags: str = "body main article section div p"
    """The elements that are compared (sec. 3.1)."""
    epsilon: float = 0.65
    """Similarity above which two blocks are the same (sec. 3.2, no number printed)."""
    content: str = "cosine"
    """`cosine` of binary word vectors (sec. 3.2); the Hamming distance of sec. 4.3 of signatures
    (`hamming`) or, as published, of the characters (`positions`)."""
    tag_similarity: str = "common"
    """Of tags: the share in `count_common`, or the published ratio of the `sequence` (sec. 3.2)."""
    structure_weight: float = 0.3
    """Weight of tags and class names, the rest is that of the words (sec. 3.2)."""

    buckets: ClassVar[Buckets] = lambda blocks: blocks.word_buckets
    citation: ClassVar[str] = (
        "T. M. J. Fernandes: Information Extraction from Web Pages. Instituto Superior Tecnico,"
        " 2021."
    )
    _choices: ClassVar[Choices] = {
        **RepeatedBlocks._choices,
        "content": CONTENTS,
        "tag_similarity": TAG_SIMILARITIES,
    }

    def check_learned(self, learned: SiteIndex) -> None:
        """Refuse blocks without the sequence of their tags or characters, if these are compared."""
        blocks = learned.blocks
        needed = {
            "their tags in order": (self.tag_similarity == "sequence", blocks.tag_order),
            "their characters": (self.content == "positions", blocks.characters),
        }
        for what, (is_compared, bags) in needed.items():
            if is_compared and not (bags.sizes > 0).all():
                raise ValueError(f"the blocks lack {what}")

    def score(self, page: Page) -> Scores:
        """High for what is on few pages, 0 for text outside the listed elements."""
        return np.where(self._find_listed(page), super().score(page), 0.0)

    def _find_listed(self, page: Page) -> Flags:
        return find_listed(page, parse_tags(self.block_tags))[page.blocks.node]

    def _find_judged(self, page: Page) -> Flags:
        return self._find_listed(page)[page.texts.block]

    def read(self, page: Page, url: str | None = None) -> SiteBlocks:
        return site_blocks(
            page,
            parse_tags(self.block_tags),
            url or "",
            nesting=self.nesting,
            tag_order=self.tag_similarity == "sequence",
            characters=self.content == "positions",
        )

    def _are_similar(
        self, blocks: SiteBlocks, known: SiteBlocks, mine: Indexes, theirs: Indexes
    ) -> Flags:
        """Whether the pairs are similar; what takes longer is compared only where it decides."""
        weight = 1 - self.structure_weight
        result = np.zeros(len(mine), bool)
        if self.content == "hamming":
            content = weight * _by_signatures(blocks, known, mine, theirs)
            rest = np.flatnonzero(content + self.structure_weight > self.epsilon)
            result[rest] = (
                content[rest] + self._compare_structure(blocks, known, mine[rest], theirs[rest])
                > self.epsilon
            )
            return result
        most, content_of = (
            (_most_cosine, _compare_words)
            if self.content == "cosine"
            else (_most_positions, _compare_positions)
        )
        shape = self._compare_structure(blocks, known, mine, theirs)
        bound = shape + weight * most(blocks, known, mine, theirs)
        rest = np.flatnonzero(bound > self.epsilon)
        content = weight * content_of(blocks, known, mine[rest], theirs[rest])
        result[rest] = shape[rest] + content > self.epsilon
        return result

    def _compare_structure(
        self, blocks: SiteBlocks, known: SiteBlocks, mine: Indexes, theirs: Indexes
    ) -> Floats:
        """Half the similarity of the tags, half the Jaccard similarity of the class names."""
        if self.tag_similarity == "sequence":
            of_tags = _compare_sequences(blocks.tag_order, mine, known.tag_order, theirs)
        else:
            both = count_common(blocks.tags, mine, known.tags, theirs)
            of_tags = 2 * both / (blocks.tags.sizes[mine] + known.tags.sizes[theirs])
        both = count_common(blocks.classes, mine, known.classes, theirs)
        either = blocks.classes.sizes[mine] + known.classes.sizes[theirs] - both
        jaccard = np.where(either == 0, 1.0, both / np.maximum(either, 1))
        result: Floats = self.structure_weight * (of_tags + jaccard) / 2
        return result


def _by_signatures(blocks: SiteBlocks, known: SiteBlocks, mine: Indexes, theirs: Indexes) -> Floats:
    """The cosine of two sets of one size, by the positions in which their signatures agree."""
    jaccard = (blocks.signatures[mine] == known.signatures[theirs]).mean(axis=1)
    cosine: Floats = 2 * jaccard / (1 + jaccard)
    return cosine


def _most_cosine(blocks: SiteBlocks, known: SiteBlocks, mine: Indexes, theirs: Indexes) -> Floats:
    sizes, known_sizes = blocks.words.sizes[mine], known.words.sizes[theirs]
    most: Floats = np.minimum(sizes, known_sizes) / np.sqrt(sizes * known_sizes)
    return most


def _compare_words(blocks: SiteBlocks, known: SiteBlocks, mine: Indexes, theirs: Indexes) -> Floats:
    mean = np.sqrt(blocks.words.sizes[mine] * known.words.sizes[theirs])
    cosine: Floats = count_common(blocks.words, mine, known.words, theirs) / mean
    return cosine


def _most_positions(
    blocks: SiteBlocks, known: SiteBlocks, mine: Indexes, theirs: Indexes
) -> Floats:
    lengths, known_lengths = blocks.characters.sizes[mine], known.characters.sizes[theirs]
    most: Floats = np.minimum(lengths, known_lengths) / np.maximum(lengths, known_lengths)
    return most


def _compare_positions(
    blocks: SiteBlocks, known: SiteBlocks, mine: Indexes, theirs: Indexes
) -> Floats:
    """The share of the positions of the longer text at which both have the same character."""
    left, right = blocks.characters, known.characters
    lengths, known_lengths = left.sizes[mine], right.sizes[theirs]
    shorter = np.minimum(lengths, known_lengths)
    equal = np.zeros(len(mine))
    parts = np.flatnonzero(np.diff(np.cumsum(shorter) // _CHARACTERS)) + 1
    for pairs in np.split(np.arange(len(mine)), parts):
        sizes = shorter[pairs]
        same = (
            left.items[list_ranges(left.first[mine[pairs]], sizes)]
            == right.items[list_ranges(right.first[theirs[pairs]], sizes)]
        )
        equal[pairs] = np.bincount(np.repeat(np.arange(len(pairs)), sizes), same, len(pairs))
    share: Floats = equal / np.maximum(lengths, known_lengths)
    return share


def _compare_sequences(bags: Bags, mine: Indexes, reference: Bags, theirs: Indexes) -> Floats:
    """The ratio of matching blocks (Ratcliff and Obershelp) of two sequences of tags."""
    left = [part.tobytes() for part in np.split(bags.items, bags.first[1:-1])]
    right = [part.tobytes() for part in np.split(reference.items, reference.first[1:-1])]
    pairs = zip(mine.tolist(), theirs.tolist(), strict=True)
    return np.array([_match_tags(left[first], right[second]) for first, second in pairs], float)


@lru_cache(1 << 16)
def _match_tags(left: bytes, right: bytes) -> float:
    # The library reads a block as a document: html and body are around each.
    around = ("html", "body")
    tags, others = (np.frombuffer(side, np.uint64).tolist() for side in (left, right))
    return SequenceMatcher(None, (*around, *tags), (*around, *others)).ratio()
