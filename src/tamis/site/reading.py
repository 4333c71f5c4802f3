"""A page as hashes: what a site model counts of it and looks up for it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from tamis.model.features import words
from tamis.model.features.batch import Batch
from tamis.page.arrays import Floats, Hashes, Indexes

# Years, hours and counters change from page to page: "© 2005" and "© 2006" are one pattern.
_DIGITS_EQUAL = bytes.maketrans(b"123456789", b"000000000")

_ODD: Hashes = np.array([0x9E3779B97F4A7C15, 0xD6E8FEB86659FD93, 0x165667B19E3779F9], np.uint64)


@dataclass(frozen=True, eq=False)
class Reading:
    """One page, one row per block unless another number is named."""

    digest: Hashes
    """One number, the same for pages with the same patterns in the same places."""
    places: Hashes
    """The different places of the page: class paths of its elements."""
    place: Indexes
    """The number of its place."""
    pattern: Hashes
    """Its words in order, all digits made equal."""
    text: Hashes
    """Its words in order, as they are."""
    words: Floats
    odds: Floats
    """What the method says about the page alone, as log odds."""
    many: Floats
    """One number: how probable it is that the page has many things of one kind, 0 if nobody asked:
    the posts of a forum, the products of a shop."""
    article: Floats
    """One number: 1 if most of its content is in several long blocks, else 0."""


# Words of a long block, and how many of them an article has that hold so much of its content.
_LONG = 20
_LONG_BLOCKS = 4
_LONG_SHARE = 0.55


def read(batch: Batch, odds: Floats, many: float = 0.0) -> Reading:
    """The page of a batch of one."""
    path = batch.paths.class_path[batch.blocks.node]
    places, place = np.unique(path, return_inverse=True)
    pattern = _patterns(batch)
    numbers = np.arange(1, 1 + len(batch), dtype=np.uint64)
    hashes = mix_hashes(pattern ^ path * _ODD[2]) * numbers
    digest = np.add.reduce(hashes, dtype=np.uint64, keepdims=True)
    own_words = batch.blocks.words.astype(float)
    return Reading(
        *(digest, places, place, pattern, batch.wording.text),
        *(own_words, odds, np.array([many]), np.array([float(_is_article(own_words, odds))])),
    )


def _is_article(words: Floats, odds: Floats) -> bool:
    chance = 1 / (1 + np.exp(-odds))
    content, long = words * chance, words >= _LONG
    enough = chance[long].sum() >= _LONG_BLOCKS
    return bool(enough and content[long].sum() >= _LONG_SHARE * content.sum())


def mix_hashes(numbers: Hashes) -> Hashes:
    """Hashes of hashes."""
    numbers = numbers * _ODD[0]
    numbers = (numbers ^ numbers >> np.uint64(29)) * _ODD[1]
    return numbers ^ numbers >> np.uint64(32)


def _patterns(batch: Batch) -> Hashes:
    """The hash of each block's words that the features made, of those with digits another."""
    page = batch.pages[0]
    texts, blocks = page.texts, page.blocks
    patterns = batch.wording.text.copy()
    numbered = blocks.digits > 0
    chosen = np.flatnonzero(numbered[texts.block])
    start, end = texts.start[chosen], texts.end[chosen]
    spans = zip(start.tolist(), end.tolist(), strict=True)
    source = b"".join([page.source[a:b] for a, b in spans]).translate(_DIGITS_EQUAL)
    ends = np.cumsum(end - start, dtype=start.dtype)
    _, of_equal_digits, _ = words.wording(
        *(source, ends - (end - start), ends, texts.block[chosen], texts.flags[chosen]),
        *(blocks.flags, batch.declared[0].sets),
    )
    patterns[numbered] = of_equal_digits[numbered]
    return patterns
