"""Which forms of a word count as one word: cheap rules that join only what they are sure of.

A form joins its base when it is the base and an ending of its language (`years` and `year`), the
base is long enough and in the text, too, and both are names or neither is (`Windows` is not
`window`); a name has a capital letter within a sentence. In Russian, Ukrainian and Korean, where
most forms of a word have an ending, the stem need not stand alone. Hebrew puts the article in
front; Arabic does so with conjunctions and prepositions, too, and adds pronouns at the end.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection

from tamis.cloud.tables import word_lists

_ENDINGS = {
    language: sorted(endings, key=len, reverse=True)
    for language, endings in word_lists("endings").items()
}
_FRONTS = {"he": ("ה",)}
_STEMS = frozenset(("ru", "uk", "ko"))
_LEAST = {"en": 3, "ko": 2, "he": 3, "ru": 4, "uk": 4}
_LEAST_ELSEWHERE = 4
# Without its ending each of these is another word.
_APART = frozenset(
    "news goods means customs arms species series glass times politics economics physics cours fils"
    " corps видео".split()
)

_ELIDED = re.compile(
    r"^(?:[cdjlmnst]|qu|jusqu|lorsqu|puisqu|all|dall|dell|nell|sull|un|quest|quell)['’](?=\w)",
    re.IGNORECASE,
)
_POSSESSIVE = re.compile(r"['’]s$", re.IGNORECASE)
_TURKISH = re.compile(r"['’]\w+$")
_UNWRITTEN = re.compile("[\u0640\u064b-\u065f\u0670\u0591-\u05c7\u200c\u200d]")
_LETTERS = str.maketrans("أإآٱىيكة’ʼ", "ااااییکه''")

# Of Arabic, as `key` writes its letters: and, so; by, for, like; the article; my, her, their ...
_ARTICLE = re.compile("[وف]?(?:[بک]?ال|لل)(?=...)")
_BEFORE = ("", "و", "ف", "ب", "ل", "ک", "وب", "ول", "وک", "فب", "فل")
_PRONOUNS = ("ها", "هم", "هن", "هما", "نا", "کم")
_LEAST_ARABIC = 3


def strip_affixes(word: str, language: str) -> str:
    """A word as a cloud shows it: without an elided article and without the possessive."""
    if "'" not in word and "’" not in word:
        return word
    if language in ("fr", "it", "ca"):
        word = _ELIDED.sub("", word)
    return (_TURKISH if language == "tr" else _POSSESSIVE).sub("", word)


def key(word: str, language: str = "") -> str:
    """What the spellings of a word have in common: case, width, vowel points, tatweel are gone."""
    if word.isascii():
        return word.replace("I", "ı").lower() if language == "tr" else word.lower()
    if language == "tr":
        word = word.replace("I", "ı").replace("İ", "i")
    word = unicodedata.normalize("NFKC", word).casefold()
    return _UNWRITTEN.sub("", word).translate(_LETTERS)


def bases(keys: Collection[str], names: Collection[str], language: str) -> dict[str, str]:
    """The base of each key that is an inflected form; `names` are the keys that are names."""
    base_of: dict[str, str] = {}
    if language == "ar":
        return _arabic_bases(keys)
    if language not in _ENDINGS and language not in _FRONTS:
        return base_of
    least = _LEAST.get(language, _LEAST_ELSEWHERE)
    alone = language not in _STEMS
    for word in keys:
        if len(word) <= least or word in _APART:
            continue
        for base in stems(word, language):
            if len(base) < least:
                continue
            # German nouns have capitals in any case.
            same_kind = language == "de" or (word in names) == (base in names)
            if not alone or (base in keys and same_kind):
                base_of[word] = base
                break
    return base_of


def _arabic_bases(keys: Collection[str]) -> dict[str, str]:
    """The article is taken off everywhere, other clitics where the word is there without them."""
    bare = {
        word: _ARTICLE.sub("", word, count=1) if _ARTICLE.match(word) else word for word in keys
    }
    known = {*keys, *bare.values()}
    base_of = {}
    for word, stem in bare.items():
        base = min(
            (part for part in _without_clitics(stem) if part in known), key=len, default=stem
        )
        if base != word:
            base_of[word] = base
    return base_of


def _without_clitics(stem: str) -> list[str]:
    parts = [stem.removeprefix(front) for front in _BEFORE if stem.startswith(front)]
    for part in tuple(parts):
        for pronoun in _PRONOUNS:
            if part.endswith(pronoun):
                short = part.removesuffix(pronoun)
                # Before a pronoun the ending of feminine words is another letter.
                parts += [short, f"{short[:-1]}ه"] if short.endswith("ت") else [short]
    return [part for part in parts if len(part) >= _LEAST_ARABIC]


def stems(word: str, language: str) -> list[str]:
    """A word without each of the endings of its language that it has, or without its article."""
    endings, fronts = _ENDINGS.get(language, []), _FRONTS.get(language, ())
    results = [word.removesuffix(ending) for ending in endings if word.endswith(ending)]
    results += [word.removeprefix(front) for front in fronts if word.startswith(front)]
    if language == "en" and word.endswith("ies"):
        results.append(f"{word[:-3]}y")
    if language == "en" and word.endswith(("ses", "xes", "zes", "ches", "shes")):
        results.append(word[:-2])
    return results
