"""What the pages of a site have in common, as counts; and what they say about a block.

Pages are not stored. Of each page the patterns of its blocks and their places become 64-bit
hashes, and it is counted how many pages have each; of the places also how the method judged the
blocks there. Pages of different templates are counted separately: a page joins the cluster whose
places it shares, or begins one. Tables have a cap: what was seen on the fewest pages is forgotten
first, so that memory does not grow with the site.

SiteCounts are never changed, a new page makes new ones: readers need not wait.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from tamis.methods._shared.arrays import check_rising
from tamis.page.arrays import Floats, Hashes, Matrix
from tamis.page.hashes import find
from tamis.site.reading import Reading, mix_hashes

COLUMNS = (
    *("pattern", "pattern.pages", "text", "place", "place.odds", "place.difference"),
    *("place.variety", "place.texts", "place.blocks", "place.words", "label", "odds"),
)
"""What is known about a block, see `evidence`."""

TEMPLATE_SHARE = 0.2
"""Share of the pages from which on a repeated block is a template's (Fernandes 2021)."""

MOST_MANY = 0.5
MOST_ARTICLES = 1 / 3
"""Shares of the pages of a template up to which they may be records."""

LABEL = 4
"""Most words of a label."""

CLUSTERS = 8
"""Most templates of a site that are distinguished; a page of one more joins the nearest."""

# Share of their places that two pages of a template have in common, at least.
SAME_TEMPLATE = 0.25

FEWEST_PAGES = 3
"""Other pages of the template from which on they say something: what two pages of a shop or of a
manual have in common is content as often as not."""

MANY_PAGES = 6
"""Pages with the same pattern beyond which more say nothing more."""

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
    def empty(cls, columns: int) -> HashTable:
        """A table of nothing."""
        return cls(np.zeros(0, np.uint64), np.zeros((0, columns), np.float32))

    def check(self) -> None:
        """Refuse a table in which nothing can be looked up."""
        check_rising(self.keys, "the hashes of a table")
        if self.values.ndim != 2 or len(self.values) != len(self.keys):
            raise ValueError("the numbers of a table are not those of its hashes")
        if not (np.abs(self.values) <= _MOST).all():
            raise ValueError("a number of a table is out of range")

    def find(self, keys: Hashes) -> Matrix:
        """The rows of some keys, 0 where there is none."""
        rows = np.zeros((len(keys), self.values.shape[1]), np.float32)
        place, known = find(self.keys, keys)
        rows[known] = self.values[place[known]]
        return rows

    def plus(self, keys: Hashes, values: Matrix, most: int) -> HashTable:
        """With these rows added, the keys different and rising; at most `most` rows."""
        place, known = find(self.keys, keys)
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
    def none(cls) -> SiteCounts:
        """Of no page."""
        sums, table = np.zeros(0), HashTable.empty(1)
        places = HashTable.empty(PLACE_COLUMNS)
        return cls(np.zeros(0, np.int64), sums, table, places, table, sums, sums)

    @property
    def page_count(self) -> int:
        """Different pages."""
        return int(self.pages.sum())

    def check(self) -> None:
        """Refuse counts with which a page could not be scored."""
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

    def knows(self, reading: Reading) -> bool:
        """Whether the page is one of those that were counted."""
        return bool(self.learned.find(reading.digest)[0, 0])

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

    def plus(self, reading: Reading) -> SiteCounts:
        """With one page more; the same if it is known."""
        if self.knows(reading):
            return self
        cluster = self.cluster_of(reading)
        pages, places_each = self.pages.copy(), self.places_each.copy()
        many, articles = self.many.copy(), self.articles.copy()
        if cluster is None:
            cluster = len(pages)
            pages = np.append(pages, 0)
            places_each, many, articles = (
                np.append(sums, 0.0) for sums in (places_each, many, articles)
            )
        patterns = np.union1d(reading.pattern, reading.text) ^ _SALTS[cluster]
        patterns.sort()
        values = _place_values(
            reading,
            self.pattern_pages(reading.pattern, cluster) == 0,
            self.pattern_pages(reading.text, cluster) == 0,
        )
        places = reading.places ^ _SALTS[cluster]
        order = np.argsort(places)
        pages[cluster] += 1
        places_each[cluster] += len(places)
        many[cluster] += reading.many[0]
        articles[cluster] += reading.article[0]
        learned = self.learned
        if len(learned.keys) < MOST_LEARNED:
            number = np.full((1, 1), cluster + 1, np.float32)
            learned = learned.plus(reading.digest, number, MOST_LEARNED)
        return replace(
            self,
            pages=pages,
            places_each=places_each,
            patterns=self.patterns.plus(
                patterns, np.ones((len(patterns), 1), np.float32), MOST_PATTERNS
            ),
            places=self.places.plus(places[order], values[order].astype(np.float32), MOST_PLACES),
            learned=learned,
            many=many,
            articles=articles,
        )


def evidence(counts: SiteCounts, reading: Reading) -> Matrix | None:
    """One row per block, `COLUMNS`; None if there are not enough other pages of the same template.

    Of the other pages of the cluster: how many have the pattern, how many the very text, and how
    many a block in the same place, as shares. Not as log odds, which with many pages go further:
    by them the forest saw how large a site was, and in the training sets the large ones are shops.
    Of the blocks in the same place: the log odds that the method gave them, and how much higher
    these are than the block's own, nearer to 0 the fewer pages; the shares of new patterns and of
    new texts; their number per page, and the mean logarithm of their words. The share of the pages
    that have the label before it. Last the block's own log odds.

    Texts beside patterns, because values are numbers: all prices are one pattern.
    """
    cluster = counts.cluster_of(reading)
    if cluster is None:
        return None
    own = int(counts.knows(reading))
    others = int(counts.pages[cluster]) - own
    if others < FEWEST_PAGES:
        return None
    pattern, text = (
        np.clip(counts.pattern_pages(hashes, cluster) - own, 0, others)
        for hashes in (reading.pattern, reading.text)
    )
    here = _place_values(reading, pattern <= 0, text <= 0)
    place, *of_place = _of_places(counts, reading, here, cluster, own)
    columns = [
        *(pattern / others, np.minimum(pattern, MANY_PAGES), text / others),
        *(np.minimum(place, others) / others, *of_place),
        *(_labels(reading, text / others), reading.odds),
    ]
    return np.stack(columns, axis=1).astype(np.float32)


def _labels(reading: Reading, share: Floats) -> Floats:
    """The share of the pages that have the block before, 0 if that is no label.

    A label has few words and is on its page once: "Number of pages:", but not "Add to cart".
    """
    _, number, times = np.unique(reading.pattern, return_inverse=True, return_counts=True)
    is_label = (times[number] == 1) & (reading.words > 0) & (reading.words <= LABEL)
    result = np.zeros(len(share))
    result[1:] = np.where(is_label, share, 0.0)[:-1]
    return result


def _of_places(
    counts: SiteCounts, reading: Reading, here: Floats, cluster: int, own: int
) -> list[Floats]:
    """The columns about the places, but the first is a number of pages; `here` is the page's."""
    number = reading.place
    elsewhere = counts.places.find(reading.places ^ _SALTS[cluster]) - own * here
    # What was forgotten once may be less than what this page has.
    elsewhere[elsewhere[:, 0] <= 0] = 0
    pages, blocks, *unseen, odds, logs = np.maximum(elsewhere, (0, 0, 0, 0, -np.inf, 0)).T
    known = pages > 0
    # With this page, whose blocks are new where no other page has their pattern.
    variety, texts = (
        np.where(known, (new + here[:, 2 + kind]) / (blocks + here[:, 1]), 1.0)[number]
        for kind, new in enumerate(unseen)
    )
    each = np.maximum(pages, 1)
    pages, known = pages[number], known[number]
    odds = np.where(known, (odds / each)[number], reading.odds)
    return [
        pages,
        odds,
        (odds - reading.odds) * pages / (pages + 1),
        variety,
        texts,
        (blocks / each)[number],
        np.where(known, (logs / np.maximum(blocks, 1))[number], np.log1p(reading.words)),
    ]


def _place_values(
    reading: Reading, new: npt.NDArray[np.bool_], new_text: npt.NDArray[np.bool_]
) -> Floats:
    """What is counted of each place of a page."""
    number, places = reading.place, len(reading.places)
    blocks = np.bincount(number, minlength=places)
    return np.stack(
        [
            np.ones(places),
            blocks,
            np.bincount(number, new, places),
            np.bincount(number, new_text, places),
            np.bincount(number, reading.odds, places) / np.maximum(blocks, 1),
            np.bincount(number, np.log1p(reading.words), places),
        ],
        axis=1,
    )
