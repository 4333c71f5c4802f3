"""What the pages of a site have in common, as counts.

Pages are not stored. Of each page the patterns of its blocks and their places become 64-bit
hashes, and it is counted how many pages have each; of the places also how the method judged the
blocks there. Pages of different templates are counted separately: a page joins the cluster whose
places it shares, or begins one. Tables have a cap: what was seen on the fewest pages is forgotten
first, so that memory does not grow with the site.

SiteCounts are never changed, a new page makes new ones: readers need not wait.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from tamis.model.features import word_hashes
from tamis.model.features.batch import Batch
from tamis.page import arrays
from tamis.page.arrays import Flags, Floats, Hashes, Indexes, Matrix

TEMPLATE_SHARE = 0.2
"""Share of the pages from which on a repeated block is a template's (Fernandes 2021)."""

MOST_MANY = 0.5
MOST_ARTICLES = 1 / 3
"""Shares of the pages of a template up to which they may be records."""
CLUSTERS = 8
"""Most templates of a site that are distinguished; a page of one more joins the nearest."""

# Share of their places that two pages of a template have in common, at least.
SAME_TEMPLATE = 0.25

PLACE_COLUMNS = 6
"""Numbers of a place, see `SiteCounts.places`."""

MOST_PATTERNS = 40_000
"""Patterns that are counted: 12 bytes each."""
MOST_PLACES = 6_000
"""Places that are counted: 32 bytes each."""
MOST_LEARNED = 16_000
"""Pages that are known again: 8 bytes each. Of a larger site any page is one of very many."""

_MOST = 1e12  # of anything that is counted
_ODDS_OF_PLACE = 4  # the one column of a place that may be below 0

# What is kept when a table is full. A block of a template is seen again before the next time.
_KEPT = 3 / 4

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


def read_batch(batch: Batch, odds: Floats, many: float = 0.0) -> Reading:
    path = batch.paths.class_path[batch.blocks.node]
    places, place = np.unique(path, return_inverse=True)
    pattern = _hash_patterns(batch)
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
    numbers = numbers * _ODD[0]
    numbers = (numbers ^ numbers >> np.uint64(29)) * _ODD[1]
    return numbers ^ numbers >> np.uint64(32)


def _hash_patterns(batch: Batch) -> Hashes:
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
    _, of_equal_digits, _ = word_hashes.compare_words(
        *(source, ends - (end - start), ends, texts.block[chosen], texts.flags[chosen]),
        *(blocks.flags, batch.declared[0].sets),
    )
    patterns[numbered] = of_equal_digits[numbered]
    return patterns


# Added to the hashes of a cluster.
_SALTS = mix_hashes(np.arange(1, 1 + CLUSTERS, dtype=np.uint64))


@dataclass(frozen=True, eq=False)
class HashTable:
    """Numbers by hash."""

    keys: Hashes
    """In rising order."""
    values: Matrix
    """One row per key."""

    @classmethod
    def make_empty(cls, columns: int) -> HashTable:
        return cls(np.zeros(0, np.uint64), np.zeros((0, columns), np.float32))

    def check(self) -> None:
        arrays.check_rising(self.keys, "the hashes of a table")
        if self.values.ndim != 2 or len(self.values) != len(self.keys):
            raise ValueError("the numbers of a table are not those of its hashes")
        if not (np.abs(self.values) <= _MOST).all():
            raise ValueError("a number of a table is out of range")

    def find(self, keys: Hashes) -> Matrix:
        return arrays.look_up(self.keys, self.values, keys)

    def add_rows(self, keys: Hashes, values: Matrix, most: int) -> HashTable:
        """With these rows added, the keys different and rising; at most `most` rows."""
        place, known = arrays.find_hashes(self.keys, keys)
        summed = self.values.copy()
        summed[place[known]] += values[known]
        added = np.searchsorted(self.keys, keys[~known])
        table = HashTable(
            np.insert(self.keys, added, keys[~known]),
            np.insert(summed, added, values[~known], axis=0),
        )
        return table if len(table.keys) <= most else table._most_frequent(int(most * _KEPT))

    def _most_frequent(self, count: int) -> HashTable:
        """The rows with the highest first number; of equals a part, another one each time."""
        lot = mix_hashes(self.keys + np.uint64(self.values[:, 0].sum()))
        chosen = np.sort(np.lexsort((lot, -self.values[:, 0]))[:count])
        return HashTable(self.keys[chosen], self.values[chosen])


@dataclass(frozen=True, eq=False)
class SiteCounts:
    """What was counted, of all clusters; the same hash is another one in each cluster."""

    pages: npt.NDArray[np.int64]
    """Pages of each cluster."""
    places_each: Floats
    """Different places of each cluster's pages, summed over the pages."""
    patterns: HashTable
    """On how many pages each pattern is, and each text; they are the same without digits."""
    places: HashTable
    """Of each place: pages, blocks, blocks with a pattern that was new, with a text that was, log
    odds (the mean of each page), logarithms of the words."""
    learned: HashTable
    """Cluster of each page, by digest."""
    many: Floats
    """Of each cluster, the probabilities that its pages have many things of one kind, summed."""
    articles: Floats
    """Of each cluster, the pages that are articles."""

    @classmethod
    def make_empty(cls) -> SiteCounts:
        sums, table = np.zeros(0), HashTable.make_empty(1)
        places = HashTable.make_empty(PLACE_COLUMNS)
        return cls(np.zeros(0, np.int64), sums, table, places, table, sums, sums)

    @property
    def page_count(self) -> int:
        return int(self.pages.sum())

    def check(self) -> None:
        pages, clusters = self.pages, self.learned.values
        if pages.ndim != 1 or len(pages) > CLUSTERS:
            raise ValueError("the counts of pages are no counts")
        if not ((pages > 0) & (pages <= _MOST)).all():
            raise ValueError("the counts of pages are no counts")
        for sums in (self.places_each, self.many, self.articles):
            if sums.shape != pages.shape or not ((sums >= 0) & (sums <= _MOST)).all():
                raise ValueError("the sums over the pages are no sums")
        columns = (self.patterns, 1), (self.places, PLACE_COLUMNS), (self.learned, 1)
        if any(table.values.shape[1] != count for table, count in columns):
            raise ValueError("a table has another number of columns")
        counts = np.delete(self.places.values, _ODDS_OF_PLACE, axis=1)
        if (counts < 0).any() or (self.patterns.values < 0).any():
            raise ValueError("a count is below 0")
        if len(clusters) and not (clusters.min() >= 1 and clusters.max() <= len(pages)):
            raise ValueError("a page is in a cluster that is not there")

    def cluster_of(self, reading: Reading) -> int | None:
        """The cluster of a page, None if it has a template of its own."""
        learned = int(self.learned.find(reading.digest)[0, 0])
        if learned:
            return learned - 1
        if not len(self.pages):
            return None
        places = (reading.places ^ _SALTS[: len(self.pages), None]).ravel()
        pages = self.places.find(places)[:, 0].reshape(len(self.pages), -1)
        common = pages.sum(axis=1) / self.pages
        either = len(reading.places) + self.places_each / self.pages - common
        similarity = common / np.maximum(either, 1)
        best = int(np.argmax(similarity))
        return best if len(self.pages) >= CLUSTERS or similarity[best] >= SAME_TEMPLATE else None

    def has_page(self, reading: Reading) -> bool:
        return bool(self.learned.find(reading.digest)[0, 0])

    def find_places(self, reading: Reading, cluster: int) -> Matrix:
        return self.places.find(reading.places ^ _SALTS[cluster])

    def pattern_pages(self, patterns: Hashes, cluster: int) -> Floats:
        """On how many pages of a cluster each pattern is."""
        return self.patterns.find(patterns ^ _SALTS[cluster])[:, 0].astype(float)

    def pages_with(self, pattern: int, cluster: int) -> tuple[int, float]:
        """On how many pages of a cluster a pattern is, and that as a share of its pages."""
        pages = int(self.pattern_pages(np.array([pattern], np.uint64), cluster)[0])
        return pages, pages / int(self.pages[cluster])

    def may_be_records(self, reading: Reading) -> bool:
        """Whether neither the page nor those of its cluster are articles or of many things."""
        cluster = self.cluster_of(reading)
        if cluster is None or reading.article[0]:
            return False
        pages = int(self.pages[cluster])
        many, articles = self.many[cluster] / pages, self.articles[cluster] / pages
        return bool(many < MOST_MANY and articles < MOST_ARTICLES)

    def add_page(self, reading: Reading) -> SiteCounts:
        """With one page more; the same if it is known."""
        if self.has_page(reading):
            return self
        cluster = self.cluster_of(reading)
        sums: list[npt.NDArray[Any]] = [self.pages, self.places_each, self.many, self.articles]
        if cluster is None:
            cluster, sums = len(self.pages), [np.append(each, 0) for each in sums]
        pages, places_each, many, articles = (each.copy() for each in sums)
        patterns = np.union1d(reading.pattern, reading.text) ^ _SALTS[cluster]
        patterns.sort()
        new, new_text = (
            self.pattern_pages(hashes, cluster) == 0 for hashes in (reading.pattern, reading.text)
        )
        values = count_places(reading, new, new_text).astype(np.float32)
        places = reading.places ^ _SALTS[cluster]
        order = np.argsort(places)
        pages[cluster] += 1
        places_each[cluster] += len(places)
        many[cluster] += reading.many[0]
        articles[cluster] += reading.article[0]
        learned = self.learned
        if len(learned.keys) < MOST_LEARNED:
            number = np.full((1, 1), cluster + 1, np.float32)
            learned = learned.add_rows(reading.digest, number, MOST_LEARNED)
        return replace(
            self,
            pages=pages,
            places_each=places_each,
            patterns=self.patterns.add_rows(
                patterns, np.ones((len(patterns), 1), np.float32), MOST_PATTERNS
            ),
            places=self.places.add_rows(places[order], values[order], MOST_PLACES),
            learned=learned,
            many=many,
            articles=articles,
        )


def count_places(reading: Reading, new: Flags, new_text: Flags) -> Floats:
    number, places = reading.place, len(reading.places)
    blocks = np.bincount(number, minlength=places)
    odds = np.bincount(number, reading.odds, places) / np.maximum(blocks, 1)
    others = (new, new_text, np.log1p(reading.words))
    fresh, fresh_text, logs = (np.bincount(number, each, places) for each in others)
    return np.stack([np.ones(places), blocks, fresh, fresh_text, odds, logs], axis=1)
