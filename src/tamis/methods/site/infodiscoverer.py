"""InfoDiscoverer: a block of words that are all over the site is redundant.

Lin and Ho take the entropy of each term over the pages of a site, 0 for a term of one page and 1
for one that is as frequent on all. Terms are words without stop words, stemmed (Porter 1980). The
entropy of a block is the mean of its terms'; blocks of high entropy are redundant, those of low
entropy informative.

Our reading: the blocks are the innermost elements of `block_tags` around a text, since the tables
of 2002 are gone. The stop words are those of the language that most of the page's stop words are
of. Porter's stemmer is for English and is asked for English pages only. The page that is scored is
one of the pages, whether it was fitted or not. A block without terms is redundant. The paper
searches the threshold for each site; ours are the best of 0.3 to 0.8 on five of the nine sites of
big9, where the stemmer costs 0.02 of F (`python benchmarks/site_ablation.py`). Stop words have a
high entropy, so where they stay in the threshold is another.

When it fails: short blocks of rare words, such as teasers and names, which are informative by
this measure; few pages.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Any, ClassVar, TypeAlias

import numpy as np
import numpy.typing as npt

from tamis._runtime.stop_words import STOP_WORDS
from tamis.methods._base import Choices, Scores, Unit, kept_share, visible_texts
from tamis.methods._shared.site_blocks import find_listed, text_words
from tamis.methods._shared.site_method import (
    PageNames,
    Repetition,
    SiteMethod,
    check_bits,
    longest_texts,
    no_bits,
    parse_tags,
    unpack_bits,
)
from tamis.methods._shared.verdicts import list_units
from tamis.model.features.word_hashes import hash_words
from tamis.page import arrays
from tamis.page.arrays import Flags, Floats, Hashes, Indexes
from tamis.page.structure.subtrees import find_nearest
from tamis.page.table import Page

MEANS = ("distinct", "all")
STEMMERS = ("none", "porter")

# Rows that are counted at once: all of a large site in one sort would take more than linear time.
_ROWS = 1 << 18
_MOST = 1e15  # what a frequency times its logarithm adds up to on any site


@dataclass(frozen=True, eq=False)
class PageWords:
    """The terms of a page, in order."""

    words: Hashes
    name: str = ""
    """Of the page."""


@dataclass(frozen=True, eq=False)
class Terms:
    """The terms of some pages. The entropy of a term follows from two sums over the pages."""

    terms: Hashes
    """Sorted."""
    sums: Floats
    """Two columns: its frequency f on each page, and f log f."""
    on_pages: Hashes
    """One bit per page with a name."""
    names: tuple[str, ...]
    """Of some of the pages."""
    pages: frozenset[int]
    """Keys of the pages."""

    @classmethod
    def from_readings(cls, pages: Iterable[PageWords], count: int) -> Terms:
        """Count the terms of so many pages; the same page twice counts once."""
        keys: set[int] = set()
        named = PageNames(count)
        parts = [(np.zeros(0, np.uint64), np.zeros((0, 2)), no_bits(0))]
        rows, room = 0, _ROWS
        for number, page in enumerate(pages):
            words = page.words
            if (key := arrays.make_key(words)) in keys:
                continue
            keys.add(key)
            terms, counts = np.unique(words, return_counts=True)
            bits = np.tile(named.add(number, page.name), (len(terms), 1))
            parts.append((terms, _sum_counts(counts), bits))
            rows += len(terms)
            if rows > room:
                parts = [_merge_parts(parts)]
                rows = len(parts[0][0])
                room = max(_ROWS, 2 * rows)
        return cls(*_merge_parts(parts), tuple(named.names), frozenset(keys))

    @property
    def page_count(self) -> int:
        return len(self.pages)

    def check(self) -> None:
        arrays.check_rising(self.terms, "the terms")
        check_bits(self.on_pages, len(self.terms), self.names)
        in_range = (self.sums >= 0) & (self.sums <= _MOST)
        if self.sums.shape != (len(self.terms), 2) or not in_range.all():
            raise ValueError("the sums over the terms are no sums")
        if not (self.sums[:, 0] >= 1).all():
            raise ValueError("a term is on no page")

    def measure_entropies(self, words: Hashes) -> Floats:
        """The entropy of each word of a page over all pages, from 0 to 1."""
        terms, place, counts = np.unique(words, return_inverse=True, return_counts=True)
        new = arrays.make_key(words) not in self.pages
        sums = _sum_counts(counts) * new
        sums += arrays.look_up(self.terms, self.sums, terms)
        total, logarithms = sums.T
        entropy = np.log(total) - logarithms / total
        most = math.log(max(2, len(self.pages) + new))
        result: Floats = np.clip(entropy / most, 0.0, 1.0)[place]
        return result

    def find_pages(self, element: Indexes, words: Hashes, count: int) -> Flags:
        """For each of so many elements, which named pages have all of its words."""
        bits = ~no_bits(count)
        np.bitwise_and.at(bits, element, arrays.look_up(self.terms, self.on_pages, words))
        return unpack_bits(bits, len(self.names))


@dataclass(frozen=True)
class Infodiscoverer(SiteMethod):
    """What is made of words that are all over the site is redundant."""

    block_tags: str = "table tr td p ul ol div section article aside nav header footer"
    """The elements whose terms are taken together (sec. 3: tables)."""
    threshold: float = 0.4
    """Entropy from which on a block is redundant, where stop words are left out."""
    threshold_with_stop_words: float = 0.65
    """The same where they are not: by `stop_words`, or because their language has no list."""
    stop_words: bool = True
    """Whether stop words are left out, as published."""
    stemmer: str = "none"
    """`porter`, as published, or `none`."""
    mean: str = "distinct"
    """Over the `distinct` terms of a block, as published, or `all`, one that repeats each time."""

    citation: ClassVar[str] = (
        "S.-H. Lin, J.-M. Ho: Discovering Informative Content Blocks from Web Documents. KDD 2002."
    )
    measure: ClassVar[str] = "entropy"
    reading: ClassVar[type[Any]] = PageWords
    knowledge: ClassVar[type[Any]] = Terms
    decides_on: ClassVar[str] = "elements"
    _choices: ClassVar[Choices] = {"stemmer": STEMMERS, "mean": MEANS}

    def __post_init__(self) -> None:
        parse_tags(self.block_tags)
        super().__post_init__()
        for threshold in (self.threshold, self.threshold_with_stop_words):
            if not 0 < threshold < 1:
                raise ValueError(f"threshold is between 0 and 1, not {threshold}")

    def score(self, page: Page) -> Scores:
        """1 for terms that only this page has, one half at the threshold, 0 if on all equally."""
        of_text = self._find_elements(page)
        text, words, threshold = self._find_terms(page)
        entropy, _ = self._mean_entropy(of_text[text], words, len(page.nodes))
        return kept_share(page, _grade_entropies(entropy, threshold)[of_text])

    def units(self, page: Page) -> tuple[Unit, ...]:
        shown = visible_texts(page)
        of_text = self._find_elements(page)
        rows = np.unique(of_text[shown])
        text, words, threshold = self._find_terms(page)
        entropy, terms = self._mean_entropy(of_text[text], words, len(page.nodes))
        return list_units(
            page,
            np.where(shown, np.searchsorted(rows, of_text), -1),
            rows,
            _grade_entropies(entropy, threshold)[rows],
            {
                "terms": terms[rows].astype(float).tolist(),
                "entropy": entropy[rows].tolist(),
                "threshold": [threshold] * len(rows),
            },
        )

    def repetition(self, page: Page) -> Repetition:
        """The entropy of each block, and the pages that have all of its terms."""
        known: Terms = self.known
        of_text, of_block = self._find_elements(page), longest_texts(page)
        text, words, threshold = self._find_terms(page)
        entropy, terms = self._mean_entropy(of_text[text], words, len(page.nodes))
        element = np.append(of_text, 0)[of_block]
        looked_at = (of_block >= 0) & (terms[element] > 0)
        on = known.find_pages(of_text[text], words, len(page.nodes))[element] & looked_at[:, None]
        new = arrays.make_key(words) not in known.pages
        pages = on.sum(axis=1) * known.page_count / max(len(known.names), 1) + new
        return Repetition(
            measure=self.measure,
            values=np.where(looked_at, entropy[element], np.nan),
            border=threshold,
            pages=np.maximum(pages, 1.0),
            all_pages=known.page_count + new,
            on=on,
            names=known.names,
        )

    def _find_elements(self, page: Page) -> Indexes:
        return find_nearest(page, find_listed(page, parse_tags(self.block_tags)))[page.texts.node]

    def _mean_entropy(self, element: Indexes, words: Hashes, count: int) -> tuple[Floats, Indexes]:
        """The mean entropy of the terms of each of so many elements, and the number of terms.

        What has no terms says nothing: its entropy is 1.
        """
        entropies = self.known.measure_entropies(words)
        if self.mean == "distinct":
            _, first = np.unique(arrays.mix_hashes(words, element), return_index=True)
            element, entropies = element[first], entropies[first]
        terms = np.bincount(element, minlength=count)
        mean = np.bincount(element, entropies, count) / np.maximum(terms, 1)
        return np.where(terms > 0, mean, 1.0), terms

    def read(self, page: Page, url: str | None = None) -> PageWords:
        return PageWords(self._find_terms(page)[1], url or "")

    def _find_terms(self, page: Page) -> tuple[Indexes, Hashes, float]:
        text, words, without = list_terms(
            page, stop_words=self.stop_words, stemmed=self.stemmer == "porter"
        )
        return text, words, self.threshold if without else self.threshold_with_stop_words


def _grade_entropies(entropy: Floats, threshold: float) -> Scores:
    """One half at the threshold, 1 without entropy."""
    below = 1 - entropy / (2 * threshold)
    above = (1 - entropy) / (2 * (1 - threshold))
    return np.where(entropy < threshold, below, above)


Part: TypeAlias = tuple[Hashes, Floats, Hashes]
"""Terms, their sums, their pages."""


def _merge_parts(parts: Sequence[Part]) -> Part:
    every, sums, bits = map(np.concatenate, zip(*parts, strict=True))
    terms, place = np.unique(every, return_inverse=True)
    on_pages = no_bits(len(terms))
    np.bitwise_or.at(on_pages, place, bits)
    columns = [np.bincount(place, column, len(terms)) for column in sums.T]
    return terms, np.column_stack(columns), on_pages


def _sum_counts(counts: npt.NDArray[np.integer]) -> Floats:
    return np.column_stack((counts, counts * np.log(counts)))


# Least share of the words of a page that are stop words of its language; running text has a third.
_SURE = 0.08
_ENGLISH = re.compile(rb"[a-z]{3,}")


def list_terms(page: Page, *, stop_words: bool, stemmed: bool) -> tuple[Indexes, Hashes, bool]:
    """Pairs of a text that is shown and a term of it, in page order.

    And whether stop words were left out: the language is that of most stop words, and not every
    language has a list. The stemmer is for English and changes no other page.
    """
    text, words = text_words(page)
    language = _guess_language(words) if stop_words or stemmed else ""
    if stop_words and language:
        rest = ~arrays.find_hashes(_stop_words(language), words)[1]
        text, words = text[rest], words[rest]
    if stemmed and language == "en":
        words = _stem_words(page, words)
    return text, words, stop_words and language != ""


@cache
def _stop_words(language: str) -> Hashes:
    hashes = [hash_words(word.encode()) for word in STOP_WORDS[language]]
    return np.unique(np.concatenate([each for each in hashes if len(each) == 1]))


def _guess_language(words: Hashes) -> str:
    """The language whose stop words are most of the words; empty if these are few."""
    distinct, counts = np.unique(words, return_counts=True)
    hits = {}
    for language in STOP_WORDS:
        at, known = arrays.find_hashes(distinct, _stop_words(language))
        hits[language] = int(counts[at[known]].sum())
    best = max(hits, key=hits.__getitem__)
    return best if hits[best] > _SURE * len(words) else ""


def _stem_words(page: Page, words: Hashes) -> Hashes:
    forms = sorted(set(_ENGLISH.findall(page.source.lower())))
    stems = [stem(form.decode()).encode() for form in forms]
    changed = [pair for pair in zip(forms, stems, strict=True) if pair[0] != pair[1]]
    if not changed:
        return words
    before, after = (hash_words(b" ".join(column)) for column in zip(*changed, strict=True))
    order = np.argsort(before)
    at, known = arrays.find_hashes(before[order], words)
    return np.where(known, after[order][at], words)


_CONSONANT = "(?:[^aeiouy]|(?<=[aeiou])y|^y)"
_VOWEL = "(?:[aeiou]|(?<![aeiou])(?<!^)y)"
_TURN = re.compile(f"{_VOWEL}(?={_CONSONANT})")
_HAS_VOWEL = re.compile(_VOWEL)
_SHORT = re.compile(f"{_CONSONANT}{_VOWEL}(?![wxy]){_CONSONANT}$")
_DOUBLED = re.compile(r"([^aeiouylsz])\1$")

_STEP_2 = dict(
    pair.split(":")
    for pair in (
        "ational:ate tional:tion enci:ence anci:ance izer:ize abli:able alli:al entli:ent eli:e"
        " ousli:ous ization:ize ation:ate ator:ate alism:al iveness:ive fulness:ful ousness:ous"
        " aliti:al iviti:ive biliti:ble"
    ).split()
)
_STEP_3 = dict(
    pair.split(":") for pair in "icate:ic ative: alize:al iciti:ic ical:ic ful: ness:".split()
)
_STEP_4 = dict.fromkeys(
    "al ance ence er ic able ible ant ement ment ent ion ou ism ate iti ous ive ize".split(), ""
)


@lru_cache(1 << 16)
def stem(word: str) -> str:
    if len(word) < 3:
        return word
    word = _strip_plural(word)
    word = _strip_past(word)
    if word.endswith("y") and _HAS_VOWEL.search(word[:-1]):
        word = f"{word[:-1]}i"
    word = _replace_ending(word, _STEP_2, 1)
    word = _replace_ending(word, _STEP_3, 1)
    word = _replace_ending(word, _STEP_4, 2)
    if word.endswith("e"):
        measure = _measure(word[:-1])
        if measure > 1 or (measure == 1 and not _SHORT.search(word[:-1])):
            word = word[:-1]
    return word[:-1] if word.endswith("ll") and _measure(word) > 1 else word


def _strip_plural(word: str) -> str:
    if word.endswith(("sses", "ies")):
        return word[:-2]
    return word[:-1] if word.endswith("s") and not word.endswith("ss") else word


def _strip_past(word: str) -> str:
    if word.endswith("eed"):
        return word[:-1] if _measure(word[:-3]) else word
    for ending in ("ed", "ing"):
        rest = word.removesuffix(ending)
        if rest != word and _HAS_VOWEL.search(rest):
            break
    else:
        return word
    if rest.endswith(("at", "bl", "iz")):
        return f"{rest}e"
    if _DOUBLED.search(rest):
        return rest[:-1]
    return f"{rest}e" if _measure(rest) == 1 and _SHORT.search(rest) else rest


def _replace_ending(word: str, endings: dict[str, str], measure: int) -> str:
    """With the longest of the endings replaced, if the rest has the measure."""
    for length in range(7, 1, -1):
        ending = word[-length:]
        if len(word) >= length and ending in endings:
            rest = word[:-length]
            taken = _measure(rest) >= measure and (ending != "ion" or rest[-1] in "st")
            return rest + endings[ending] if taken else word
    return word


def _measure(word: str) -> int:
    return len(_TURN.findall(word))
