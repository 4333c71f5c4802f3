"""The terms of a page: its words without stop words, stemmed."""

from __future__ import annotations

import re
from functools import cache

import numpy as np

from tamis._runtime.stop_words import STOP_WORDS
from tamis.methods._base import Indexes
from tamis.methods._shared.porter import stem
from tamis.methods._shared.site_blocks import text_words
from tamis.model.features.words import words_of
from tamis.page.hashes import Hashes, find
from tamis.page.table import Page

# Least share of the words of a page that are stop words of its language; running text has a third.
_SURE = 0.08
_ENGLISH = re.compile(rb"[a-z]{3,}")


def page_terms(page: Page, *, stop_words: bool, stemmed: bool) -> tuple[Indexes, Hashes, bool]:
    """Pairs of a text that is shown and a term of it, in page order.

    And whether stop words were left out: the language is that of most stop words, and not every
    language has a list. The stemmer is for English and changes no other page.
    """
    text, words = text_words(page)
    language = _language(words) if stop_words or stemmed else ""
    if stop_words and language:
        rest = ~find(_stop_words(language), words)[1]
        text, words = text[rest], words[rest]
    if stemmed and language == "en":
        words = _stemmed(page, words)
    return text, words, stop_words and language != ""


@cache
def _stop_words(language: str) -> Hashes:
    """The stop words that are one word here, sorted."""
    hashes = [words_of(word.encode()) for word in STOP_WORDS[language]]
    return np.unique(np.concatenate([each for each in hashes if len(each) == 1]))


def _language(words: Hashes) -> str:
    """The language whose stop words are most of the words; empty if these are few."""
    distinct, counts = np.unique(words, return_counts=True)
    hits = {}
    for language in STOP_WORDS:
        at, known = find(distinct, _stop_words(language))
        hits[language] = int(counts[at[known]].sum())
    best = max(hits, key=hits.__getitem__)
    return best if hits[best] > _SURE * len(words) else ""


def _stemmed(page: Page, words: Hashes) -> Hashes:
    forms = sorted(set(_ENGLISH.findall(page.source.lower())))
    stems = [stem(form.decode()).encode() for form in forms]
    changed = [pair for pair in zip(forms, stems, strict=True) if pair[0] != pair[1]]
    if not changed:
        return words
    before, after = (words_of(b" ".join(column)) for column in zip(*changed, strict=True))
    order = np.argsort(before)
    at, known = find(before[order], words)
    return np.where(known, after[order][at], words)
