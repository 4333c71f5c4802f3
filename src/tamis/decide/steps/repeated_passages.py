"""Passages that are there twice: in two texts of a page's data, or in the data and on the screen.

Texts are compared by runs of five words, markup and punctuation aside. In scripts without spaces a
character is a word.
"""

from __future__ import annotations

import html
import re
from collections.abc import Sequence
from itertools import accumulate

import numpy as np
import numpy.typing as npt

from tamis.page.arrays import Longs

RUN = 5
"""Words in a row that two texts must share."""

# Share of the runs of a text from which on it says nothing new.
_MOST = 0.8

_INLINE = re.compile(
    r"</?(?:a|abbr|b|cite|code|em|font|i|mark|q|s|small|span|strong|sub|sup|u)\b[^<>]*>",
    re.IGNORECASE,
)
_TAG = re.compile(r"<[^<>]*>")
_WORD = re.compile("[\u0e01-\u0eff\u1000-\u109f\u1780-\u17ff\u3041-\u30ff\u3400-\u9fff]|[^\\W_]+")


class Passages:
    """Texts in order, as runs of words."""

    def __init__(self, texts: Sequence[str]) -> None:
        words = [_split_words(text) for text in texts]
        self._first = [*accumulate(map(len, words), initial=0)]
        self._runs = _hash_runs([word for own in words for word in own])
        self._before = _find_earlier(self._runs)
        self._rank = [(-len(own), -len(text)) for own, text in zip(words, texts, strict=True)]

    def measure_distinct(self, first: int, end: int) -> float:
        """Share of the words of the texts `first` to `end` that these texts do not have twice."""
        begin, stop = self._first[first], self._first[end]
        if begin == stop:
            return 1.0
        return float(np.count_nonzero(self._before[begin:stop] < begin) / (stop - begin))

    def find_doubles(self, first: int, end: int) -> list[bool]:
        """Which of these texts another one of them has, the longest of each passage left out."""
        doubles = [False] * (end - first)
        seen: set[int] = set()
        for text in sorted(range(first, end), key=self._rank.__getitem__):
            begin, stop = self._first[text], self._first[text + 1]
            if stop - begin >= RUN:
                runs = self._runs[begin : stop - RUN + 1].tolist()
                doubles[text - first] = sum(map(seen.__contains__, runs)) >= _MOST * len(runs)
                if not doubles[text - first]:
                    seen.update(runs)
            elif begin < stop:  # a piece of a sentence, with the words around it
                runs = self._runs[max(begin - RUN + 1, self._first[first]) : stop].tolist()
                doubles[text - first] = not seen.isdisjoint(runs)
        return doubles


def share_of_runs(text: str, other: str) -> float:
    """Share of the runs of words of a text that another one has."""
    words = _split_words(text)
    runs = _hash_runs(words)[: max(1, len(words) - RUN + 1)]
    return float(np.isin(runs, _hash_runs(_split_words(other))).mean()) if len(runs) else 0.0


def _split_words(text: str) -> list[str]:
    # An inline tag may be inside a word.
    plain = html.unescape(_TAG.sub(" ", _INLINE.sub("", text)))
    return _WORD.findall(plain.casefold())


def _hash_runs(words: Sequence[str]) -> Longs:
    """A number for the run of words from each word on; the last ones are shorter."""
    hashes = np.fromiter(map(hash, words), np.int64, len(words)).view(np.uint64)
    runs = np.zeros(len(words), np.uint64)
    for skip in range(min(RUN, len(words))):
        runs *= np.uint64(0x9E3779B97F4A7C15)
        runs[: len(words) - skip] += hashes[skip:] | np.uint64(1)
    return runs.view(np.int64)


def _find_earlier(runs: Longs) -> npt.NDArray[np.intp]:
    """For each run the place of the same one before it, -1 if there is none."""
    order = np.argsort(runs, kind="stable")
    before = np.full(len(runs), -1, np.intp)
    same = np.flatnonzero(runs[order][1:] == runs[order][:-1])
    before[order[same + 1]] = order[same]
    return before
