"""The stemmer of M. F. Porter (1980): English words without their endings.

A word is a row of consonants and vowels; its measure is how often a vowel is followed by a
consonant. Five steps take or replace an ending where what is left has enough measure.
"""

from __future__ import annotations

import re
from functools import lru_cache

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
    """A word in small letters without its endings."""
    if len(word) < 3:
        return word
    word = _plural(word)
    word = _past(word)
    if word.endswith("y") and _HAS_VOWEL.search(word[:-1]):
        word = f"{word[:-1]}i"
    word = _replaced(word, _STEP_2, 1)
    word = _replaced(word, _STEP_3, 1)
    word = _replaced(word, _STEP_4, 2)
    if word.endswith("e"):
        measure = _measure(word[:-1])
        if measure > 1 or (measure == 1 and not _SHORT.search(word[:-1])):
            word = word[:-1]
    return word[:-1] if word.endswith("ll") and _measure(word) > 1 else word


def _plural(word: str) -> str:
    if word.endswith(("sses", "ies")):
        return word[:-2]
    return word[:-1] if word.endswith("s") and not word.endswith("ss") else word


def _past(word: str) -> str:
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


def _replaced(word: str, endings: dict[str, str], measure: int) -> str:
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
