"""Whether a word carries no subject: stop words and numbers, by language.

The list of Thai is PyThaiNLP's where that is installed.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from functools import cache
from pathlib import Path

from tamis.cloud.inflection import key, stems
from tamis.cloud.segment import thai_corpus


def _lists(name: str) -> dict[str, str]:
    """The words of each language in a file of this folder."""
    text = Path(__file__).with_name(name).read_text("utf-8")
    return dict(line.split("\t") for line in text.splitlines())


STOP_WORDS = _lists("stop_words.tsv")
"""Never in a cloud. The lists are short on purpose."""
# What the numbers that are written in letters are made of: `vierundzwanzig`.
_NUMBERS = _lists("number_words.tsv")

LANGUAGES = frozenset(STOP_WORDS)
"""Languages with a list."""

_LATIN = frozenset(
    "ca cs da de en es et fi fr hr hu id it lt lv nb nl pl pt ro sk sl sv sw tl tr vi".split()
)
_CONTRACTED = re.compile(r"n't$|'(?:re|ll|ve|m|d)$")
# Letters up to which a word in lower case is taken for a stop word where there is no list.
_SHORT = 3
# Share of a text's words: running text has a third and more on the list of its language.
_SURE = 0.08
# To hold against what a page says, the share of another language's, and of how many words at least.
_SURER, _ENOUGH = 0.2, 10


def is_stopword(name: str, written: str, language: str) -> bool:
    """Whether the word with this key is none for a cloud: `the`, `we're`, `وفي`, `forty-two`."""
    if not language:
        return len(name) <= _SHORT and written.islower()
    stop = _keys(language)
    return (
        name in stop
        or _number(language).fullmatch(name) is not None
        or ("'" in name and _CONTRACTED.search(name) is not None)
        or (language == "ar" and name[0] in "وف" and name[1:] in stop)
        or (language == "ko" and any(len(stem) > 1 and stem in stop for stem in stems(name, "ko")))
    )


@cache
def _keys(language: str) -> frozenset[str]:
    """The stop words of pages in a language.

    Pages in other scripts have English phrases between; in Latin script `but` may be a goal.
    """
    words = _list(language) if language in _LATIN else _list(language) | _list("en")
    return frozenset(key(word, language) for word in words)


@cache
def _number(language: str) -> re.Pattern[str]:
    parts = _NUMBERS.get(language, "").split()
    return re.compile(rf"(?:{'|'.join(parts)}|-)+" if parts else "(?!)")


@cache
def _list(language: str) -> frozenset[str]:
    found = STOP_WORDS.get(language, "").split()
    shipped = thai_corpus("stopwords_th.txt") if language == "th" else None
    if shipped:
        found += shipped.read_text("utf-8-sig").replace("\ufeff", "").split()
    return frozenset(found)


def likely_language(words: Sequence[str], said: str = "") -> str:
    """The language of words by their stop words: the one that was said unless it surely is not.

    Empty if none was said and none fits.
    """
    if said and len(words) < _ENOUGH:
        return said
    if said and sum(map(_list(said).__contains__, words)) > _SURE * len(words):
        return said
    hits = dict.fromkeys(STOP_WORDS, 0)
    for word, count in Counter(map(str.lower, words)).items():
        for language in _languages_of().get(word, ()):
            hits[language] += count
    best = max(hits, key=hits.__getitem__)
    return best if hits[best] > (_SURER if said else _SURE) * len(words) else said


@cache
def _languages_of() -> dict[str, list[str]]:
    """Each stop word to the languages that have it."""
    languages: dict[str, list[str]] = {}
    for language in STOP_WORDS:
        for word in _list(language):
            languages.setdefault(word, []).append(language)
    return languages
