"""Which forms of a word count as one: cheap rules that leave alone what they are not sure of.

A form joins its base when it is the base and an ending of its language (`years` and `year`), the
base is long enough and in the text, too, and both are names or neither is (`Windows` is no
`window`); a name is what has a capital within a sentence. In Russian, Ukrainian and Korean, where
most forms of a word have an ending, the stem need not stand alone. Arabic and Hebrew put the
article in front.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection

_WRITTEN_ENDINGS = {
    "en": "s",
    "de": "en em es e n s",
    "fr": "s x",
    "es": "es s",
    "pt": "es s",
    "nl": "en s",
    "sv": "arna erna orna en et ar er or na n s",
    "da": "erne ene er en et ne e s",
    "nb": "ene er en et e s",
    "fi": "issa issä ista istä ssa ssä sta stä lla llä lle lta ltä iin ien n t",
    "pl": "ami ach owi ów om em a u y i ę ą",
    "cs": "ami ách ech ům ovi em ů a u y e i",
    "hu": "okat eket nak nek ban ben ból ből hoz hez ok ek ak at et ot t k",
    "tr": "ların lerin ları leri lar ler nın nin ın in un ün da de dan den",
    "ro": "ului ilor ele ul ii lui le",
    "ru": "иями ями ами ого ему ому ыми ими иях ях ах ам ям ов ев ей ой ом ем ый ий ая яя ое ее"
    " ые ие ых их ую юю а я о е и ы у ю ь",
    "uk": "ями ами ого ому ими ях ах ам ям ів їв ей ою ею ом ем ий ій а я о е и і ї у ю ь",
    "ko": "들에게 들은 들이 들을 들의 들도 에서는 으로 에서 에게 까지 부터"
    " 들 은 는 이 가 을 를 에 의 로 과 와 도",
    "fa": "هایی های ها",
    "hi": "ों ें ओं एँ एं",
}
_ENDINGS = {
    language: sorted(endings.split(), key=len, reverse=True)
    for language, endings in _WRITTEN_ENDINGS.items()
}
_FRONTS = {"ar": ("وال", "بال", "كال", "فال", "ال", "لل"), "he": ("ה",)}
_STEMS = frozenset(("ru", "uk", "ko"))
_LEAST = {"en": 3, "ko": 2, "ar": 3, "he": 3, "ru": 4, "uk": 4}
_LEAST_ELSEWHERE = 4
# Another word than the one without its ending.
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


def shown(word: str, language: str) -> str:
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
    found: dict[str, str] = {}
    if language not in _ENDINGS and language not in _FRONTS:
        return found
    least = _LEAST.get(language, _LEAST_ELSEWHERE)
    alone = language not in _STEMS
    for word in keys:
        if len(word) <= least or word in _APART:
            continue
        for base in stems(word, language):
            if len(base) < least:
                continue
            # German nouns have capitals in any case.
            alike = language == "de" or (word in names) == (base in names)
            if not alone or (base in keys and alike):
                found[word] = base
                break
    return found


def stems(word: str, language: str) -> list[str]:
    """What is left of a word without one of the endings of its language, or without its article."""
    endings, fronts = _ENDINGS.get(language, []), _FRONTS.get(language, ())
    found = [word.removesuffix(ending) for ending in endings if word.endswith(ending)]
    found += [word.removeprefix(front) for front in fronts if word.startswith(front)]
    if language == "en" and word.endswith("ies"):
        found.append(f"{word[:-3]}y")
    if language == "en" and word.endswith(("ses", "xes", "zes", "ches", "shes")):
        found.append(word[:-2])
    return found
