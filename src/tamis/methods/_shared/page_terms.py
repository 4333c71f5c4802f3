"""The terms of a page: its words without stop words, stemmed."""

from __future__ import annotations

import re
from functools import cache, lru_cache

import numpy as np

from tamis._runtime.stop_words import STOP_WORDS
from tamis.methods._shared.site_blocks import text_words
from tamis.model.features.word_hashes import hash_words
from tamis.page.arrays import Indexes
from tamis.page.hashes import Hashes, find_hashes
from tamis.page.table import Page

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
        rest = ~find_hashes(_stop_words(language), words)[1]
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
        at, known = find_hashes(distinct, _stop_words(language))
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
    at, known = find_hashes(before[order], words)
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
