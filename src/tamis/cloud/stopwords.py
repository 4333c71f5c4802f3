"""Whether a word carries no subject: stop words and numbers, by language.

The list of Thai is PyThaiNLP's where that is installed.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from functools import cache

from tamis._runtime.stop_words import STOP_WORDS
from tamis.cloud.inflection import key, stems
from tamis.cloud.tables import word_lists
from tamis.cloud.thai import thai_corpus

# Words that say little, for clouds alone: in other places they may distinguish pages. Chosen by how
# evenly they are spread over pages, which benchmarks/stop_words.py measures.
_FILLERS = word_lists("fillers")
# What the numbers that are written in letters are made of: `vierundzwanzig`.
_NUMBERS = word_lists("number_words")

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
# To overrule what a page declares: the share of another language, and of how many words at least.
_SURER, _ENOUGH = 0.2, 10


def is_stopword(name: str, written: str, language: str) -> bool:
    """Whether a cloud leaves out the word with this key: `the`, `we're`, `وفي`, `forty-two`."""
    if not language:
        return len(name) <= _SHORT and written.islower()
    stop = _keys(language)
    return (
        name in stop
        or _is_number(name, _number_parts(language))
        or ("'" in name and _CONTRACTED.search(name) is not None)
        or (language == "ar" and name[0] in "وف" and name[1:] in stop)
        or (language == "ko" and any(len(stem) > 1 and stem in stop for stem in stems(name, "ko")))
    )


@cache
def _keys(language: str) -> frozenset[str]:
    """The stop words of pages in a language.

    Pages in other scripts have English phrases in between; in Latin script the same letters may
    be another word: `but` is a goal in French.
    """
    languages = (language,) if language in _LATIN else (language, "en")
    words = (word for tag in languages for word in (*_list(tag), *_FILLERS.get(tag, ())))
    return frozenset(key(word, language) for word in words)


@cache
def _number_parts(language: str) -> tuple[str, ...]:
    parts = _NUMBERS.get(language)
    return (*parts, "-") if parts else ()


def _is_number(name: str, parts: tuple[str, ...]) -> bool:
    """Whether a word is made of these parts alone.

    A pattern with all ways to cut it would take time that doubles with each part.
    """
    if not name.startswith(parts):
        return False  # as with most
    ends = {0}
    for place in range(len(name)):
        if place in ends:
            ends.update(place + len(part) for part in parts if name.startswith(part, place))
    return len(name) in ends


@cache
def _list(language: str) -> frozenset[str]:
    words = STOP_WORDS.get(language, [])
    shipped = thai_corpus("stopwords_th.txt") if language == "th" else None
    if shipped:
        words = words + shipped.read_text("utf-8-sig").replace("\ufeff", "").split()
    return frozenset(words)


def likely_language(words: Sequence[str], declared: str = "") -> str:
    """The language of words by their stop words: the declared language unless it surely is not.

    Empty if none was declared and none fits.
    """
    if declared and len(words) < _ENOUGH:
        return declared
    if declared and sum(map(_list(declared).__contains__, words)) > _SURE * len(words):
        return declared
    hits = dict.fromkeys(STOP_WORDS, 0)
    for word, count in Counter(map(str.lower, words)).items():
        for language in _languages_of().get(word, ()):
            hits[language] += count
    best = max(hits, key=hits.__getitem__)
    return best if hits[best] > (_SURER if declared else _SURE) * len(words) else declared


@cache
def _languages_of() -> dict[str, list[str]]:
    """Each stop word to the languages that have it."""
    languages: dict[str, list[str]] = {}
    for language in STOP_WORDS:
        for word in _list(language):
            languages.setdefault(word, []).append(language)
    return languages
