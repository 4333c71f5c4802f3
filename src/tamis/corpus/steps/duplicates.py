"""Documents that say the same as an earlier one: word for word, or nearly.

A text becomes a signature of 248 bytes: a hash of its words in order, and the MinHash of its pairs
of neighbouring words (Broder 1997), of which the share that two signatures have in common estimates
the Jaccard similarity of the texts. Signatures that agree in one band of six numbers are compared,
no others. Nothing here depends on the process or the machine.

What a word is, `model.features.word_hashes` says: letters, digits in lower case, so neither case,
punctuation nor white space counts, and numbers do: two price lists with other prices differ. In
scripts without spaces a word is one character there, and runs of four stand for pairs of words.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from hashlib import blake2b
from typing import Literal

import numpy as np
import numpy.typing as npt

from tamis.corpus.formats import OUTPUTS, WAITING_FORMAT
from tamis.corpus.manifest import Basis, Run
from tamis.corpus.records import Reject
from tamis.corpus.steps._base import WAITING, Job, Step, every_shard, part_name, read_rows
from tamis.model.features.word_hashes import hash_pairs, hash_words
from tamis.page.arrays import Hashes, mix_hashes
from tamis.page.text.characters import CODE_POINT_KINDS, HAN, SEA

Minima = npt.NDArray[np.uint16]

SIMILAR = 0.7
"""Jaccard similarity from which on two texts are near duplicates.

Of wcxb-dev, copies with one word of twenty changed have 0.77 to 0.84 and 99% of them are found;
with one of ten 0.61 to 0.69, 39%; with 60 words of another page added, 95%. Extracted texts of one
site that are not duplicates have below 0.4 (7,855 pairs of five data sets): see
`benchmarks/duplicates.py`.
"""
FEWEST_WORDS = 8
"""Texts with fewer are duplicates only if they are the same."""

# One band agrees in 92% of the pairs that have just 0.7 in common and in 99.9% of those with 0.82,
# in 1.5% of those with 0.3.
_BANDS = 20
_ROWS = 6
_POSITIONS = _BANDS * _ROWS
_EXACT = 8
SIZE = _EXACT + 2 * _POSITIONS
"""Bytes of a signature."""

_PAIR = 2
_CHARACTERS = 4

_KINDS = np.frombuffer(CODE_POINT_KINDS, np.uint8)
_HALF = np.uint64(32)
_NUMBER = np.uint64(2**32 - 1)
_HIGHEST = np.uint64(2**31)
_EVERY_BAND = np.arange(_BANDS)
# Of a bucket. When half are taken there is one bucket in 50 that has had to forget a document.
_PLACES = 8
_MULTIPLIERS = (mix_hashes(np.arange(_POSITIONS), 1) >> _HALF).astype(np.uint32) | np.uint32(1)
_ADDENDS = (mix_hashes(np.arange(_POSITIONS), 2) >> _HALF).astype(np.uint32)
_EDGES = (np.arange(_POSITIONS + 1) * 2**32 // _POSITIONS).clip(max=2**32 - 1).astype(np.uint32)
_BAND_MULTIPLIERS = mix_hashes(np.arange(_ROWS), 3) | np.uint64(1)


def make_signature(text: str) -> bytes:
    """What is needed to recognise the same or nearly the same text."""
    encoded = text.encode("utf-8", "replace")
    words = hash_words(encoded)
    # A text of signs alone has no words.
    exact = blake2b(words.tobytes() or b" ".join(encoded.split()), digest_size=_EXACT)
    minima = np.zeros(_POSITIONS, np.uint16)
    if len(words) >= FEWEST_WORDS:
        spaceless = not text.isascii() and 2 * _count_spaceless(text) > len(words)
        minima = _make_minima(words, _CHARACTERS if spaceless else _PAIR)
    return exact.digest() + minima.astype("<u2").tobytes()


def split_signatures(packed: bytes) -> Iterator[bytes]:
    return (packed[first : first + SIZE] for first in range(0, len(packed), SIZE))


def _count_spaceless(text: str) -> int:
    """Count characters of scripts without spaces, except those beyond the first 65,536."""
    kinds = _KINDS[np.frombuffer(text.encode("utf-16-le", "replace"), "<u2")]
    return int(np.count_nonzero((kinds == HAN) | (kinds == SEA)))


def _make_minima(words: Hashes, length: int) -> Minima:
    """The MinHash of runs of `length` words, 16 bits per position.

    One hash serves all positions: each has a share of its range and takes the least number there. A
    position without a number, as in short texts, takes the least of a hash of its own.
    """
    runs = words
    for _ in range(length - 1):
        runs = hash_pairs(runs)
    items = np.sort((mix_hashes(runs, 0) >> _HALF).astype(np.uint32))
    first = np.searchsorted(items, _EDGES)
    least = items[np.minimum(first[:-1], len(items) - 1)]
    empty = first[:-1] == first[1:]
    if empty.any():
        different = np.unique(items)[:, None]
        least[empty] = (different * _MULTIPLIERS[empty] + _ADDENDS[empty]).min(axis=0)
    # The upper bits say little: they are those of the share.
    return least.astype(np.uint16)


class Seen:
    """The documents so far, in 560 to 1,100 bytes each; 90 if only exact duplicates count."""

    def __init__(self, exact: bool = False) -> None:
        self._only_exact = exact
        self._exact: set[bytes] = set()
        self._minima = np.zeros((64, _POSITIONS), np.uint16)
        self._count = 0
        # For each band, in the bucket that the lower bits of its hash give: the hash, and below it
        # the number of a document, from 1 on.
        self._buckets = np.zeros((_BANDS, 16, _PLACES), np.uint64)

    def add(self, signature: bytes) -> Literal["", "duplicate", "near duplicate"]:
        """Compare a document with the earlier ones, and remember it if it is new."""
        exact = signature[:_EXACT]
        if exact in self._exact:
            return "duplicate"
        self._exact.add(exact)
        minima = np.frombuffer(signature, "<u2", offset=_EXACT)
        if self._only_exact or not minima.any():
            return ""
        hashes = _band_hashes(minima)
        bucket = hashes & np.uint64(self._buckets.shape[1] - 1)
        entries = self._buckets[_EVERY_BAND, bucket]
        candidates = (entries & _NUMBER)[entries >> _HALF == hashes[:, None]]
        if len(candidates):
            equal = self._minima[candidates - np.uint64(1)] == minima
            if np.count_nonzero(equal, axis=1).max() >= SIMILAR * _POSITIONS:
                return "near duplicate"
        self._count += 1
        # Empty places first, then that of the oldest document.
        place = (entries & _NUMBER).argmin(axis=1)
        self._buckets[_EVERY_BAND, bucket, place] = hashes << _HALF | np.uint64(self._count)
        self._minima[self._count - 1] = minima
        self._make_room()
        return ""

    def _make_room(self) -> None:
        if self._count == len(self._minima):
            earlier, self._minima = self._minima, np.zeros((2 * self._count, _POSITIONS), np.uint16)
            self._minima[: self._count] = earlier
        buckets = self._buckets.shape[1]
        if 2 * self._count > _PLACES * buckets:
            upper = (self._buckets >> _HALF & np.uint64(buckets)) > 0
            self._buckets = np.concatenate(
                (np.where(upper, 0, self._buckets), np.where(upper, self._buckets, 0)), axis=1
            )


def _band_hashes(minima: Minima) -> Hashes:
    """A hash of each band: 32 bits, with the highest bit set so that none is 0."""
    rows = minima.reshape(_BANDS, _ROWS).astype(np.uint64)
    return mix_hashes((rows * _BAND_MULTIPLIERS).sum(axis=1), 0) >> _HALF | _HIGHEST


def _are_dropped(run: Run) -> bool:
    return run.settings.duplicates != "keep"


def _compare(job: Job) -> Iterator[None]:
    seen = Seen(exact=job.run.settings.duplicates == "exact")
    for shard in job.run.shards:
        repeated = {}
        packed = job.read_needed(f"{WAITING}/{part_name(shard.number)}.signatures")
        for row, signature in enumerate(split_signatures(packed)):
            job.counts.records += 1
            if reason := seen.add(signature):
                repeated[row] = reason
            yield
        job.write(_path_of_repeated(shard.number), json.dumps(repeated).encode())


def _select(job: Job) -> Iterator[None]:
    part = part_name(job.number)
    repeated: dict[str, str] = json.loads(job.read_needed(_path_of_repeated(job.number)))
    waiting = f"{WAITING}/{part}{OUTPUTS[WAITING_FORMAT].suffix}"
    with job.open_outputs(job.run.settings.format, part, f"{part}-duplicates") as outputs:
        for place, row in enumerate(read_rows(job.run.folder, waiting)):
            if reason := repeated.get(str(place)):
                outputs.reject(Reject(row.id, row.url, reason))
            else:
                outputs.keep(row)
            yield


def _path_of_repeated(number: int) -> str:
    return f"{WAITING}/{part_name(number)}.json"


def _comparison_basis(run: Run, number: int) -> Basis:
    """A hash of the repeated rows of a shard, which new shards rarely change."""
    repeated = run.folder.read(_path_of_repeated(number))
    if repeated is None:
        return None
    rows = b"%d " % run.shards[number].round
    return blake2b(rows + repeated, digest_size=16).hexdigest()


COMPARE = Step("compare", lambda run: int(_are_dropped(run)), _compare)
SELECT = Step(
    "select", lambda run: every_shard(run) if _are_dropped(run) else 0, _select, _comparison_basis
)
