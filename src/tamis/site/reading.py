"""A page as hashes: what a site model counts of it and looks up for it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from tamis.features import words
from tamis.features.batch import Batch, Floats, Hashes, Indexes
from tamis.page import tags
from tamis.page.table import Page

# Years, hours and counters change from page to page: "© 2005" and "© 2006" are one pattern.
_DIGITS_ALIKE = bytes.maketrans(b"123456789", b"000000000")
# A code point that is no character, but that the reader of words takes for one of Chinese: a word
# by itself. It marks where the next block begins.
_BORDER = chr(0x3FFFD).encode()
_BORDER_WORD = words.words_of(_BORDER)[0]

_ODD: Hashes = np.array(
    [0x9E3779B97F4A7C15, 0xD6E8FEB86659FD93, 0xC2B2AE3D27D4EB4F, 0x165667B19E3779F9], np.uint64
)


@dataclass(frozen=True, eq=False)
class Reading:
    """One page, a row a block unless said."""

    digest: Hashes
    """One number, the same for pages with the same patterns in the same places."""
    places: Hashes
    """The different places of the page: ways to an element by tags, classes and ids."""
    place: Indexes
    """The number of its place."""
    pattern: Hashes
    """Its words in order, all digits alike."""
    words: Floats
    odds: Floats
    """What the method says about the page alone, as log odds."""
    forum: Floats
    """One number: how probable it is that the page is a forum's, 0 if nobody asked."""


def read(batch: Batch, odds: Floats, forum: float = 0.0) -> Reading:
    """The page of a batch of one."""
    way = batch.tree.named_way[batch.blocks.node]
    places, place = np.unique(way, return_inverse=True)
    pattern = np.zeros(len(batch), np.uint64)
    word, block = _words(batch.pages[0])
    if len(word):
        first = np.flatnonzero(np.append(True, block[1:] != block[:-1]))
        counts = np.append(first[1:], len(word)) - first
        order = (np.arange(len(word)) - np.repeat(first, counts)).astype(np.uint64)
        pattern[block[first]] = np.add.reduceat(mixed(word + order * _ODD[2]), first)
    numbers = np.arange(1, 1 + len(batch), dtype=np.uint64)
    digest = (mixed(pattern ^ way * _ODD[3]) * numbers).sum(keepdims=True)
    own_words = batch.blocks.words.astype(float)
    return Reading(digest, places, place, pattern, own_words, odds, np.array([forum]))


def mixed(numbers: Hashes) -> Hashes:
    """Hashes of hashes."""
    numbers = numbers * _ODD[0]
    numbers = (numbers ^ numbers >> np.uint64(29)) * _ODD[1]
    return numbers ^ numbers >> np.uint64(32)


def _words(page: Page) -> tuple[Hashes, Indexes]:
    """The words of the page and their blocks; hidden ones only where all of a block is hidden.

    None for a page that uses the code point that no page uses.
    """
    texts, source = page.texts, page.source
    spans = zip(texts.start.tolist(), texts.end.tolist(), strict=True)
    pieces = [b" "] * (2 * len(texts))
    pieces[1::2] = [source[start:end] for start, end in spans]
    for text in np.flatnonzero(np.diff(texts.block, prepend=-1)).tolist():
        pieces[2 * text] = _BORDER
    hidden = texts.flags & ~page.blocks.flags[texts.block] & tags.HIDDEN
    for text in np.flatnonzero(hidden).tolist():
        pieces[2 * text + 1] = b""
    found = words.words_of(b"".join(pieces).translate(_DIGITS_ALIKE))
    border = found == _BORDER_WORD
    block = np.cumsum(border) - 1
    if len(block) and block[-1] >= len(page.blocks):
        return found[:0], block[:0]
    return found[~border], block[~border]
