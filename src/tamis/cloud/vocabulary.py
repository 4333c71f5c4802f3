"""What a word is in each script, and which forms of it count as one word.

The rules for forms are cheap and join only what they are sure of.

A form joins its base when it is the base and an ending of its language (`years` and `year`), the
base is long enough and in the text, too, and both are names or neither is (`Windows` is not
`window`); a name has a capital letter within a sentence. In Russian, Ukrainian and Korean, where
most forms of a word have an ending, the stem need not stand alone. Hebrew puts the article in
front; Arabic does so with conjunctions and prepositions, too, and adds pronouns at the end.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Collection, Sequence
from functools import cache
from importlib.util import find_spec
from pathlib import Path

from tamis._runtime.stop_words import STOP_WORDS
from tamis.cloud import read_rows

# --- runs of one script, and words in the scripts that put spaces between them ------------------

SPACELESS = {
    "Thai": "\u0e01-\u0e3a\u0e40-\u0e4e",
    "Lao": "\u0e81-\u0ebd\u0ec0-\u0ece\u0edc-\u0edf",
    "Burmese": "\u1000-\u103f\u1050-\u108f\uaa60-\uaa7f",
    "Khmer": "\u1780-\u17d3\u17d7\u17dc\u17dd",
    "Chinese": "\u3005-\u3007\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff",
    "Japanese": "\u3041-\u3096\u3099\u309a\u309d-\u309f\u30a1-\u30fa\u30fc-\u30ff\u31f0-\u31ff"
    "\uff66-\uff9f",
}
"""Letters and combining marks of the scripts without spaces, not digits and punctuation.
Japanese has only the kana: its other characters are those of Chinese."""

KANA = re.compile(f"[{SPACELESS['Japanese']}]")
HAN = re.compile(f"[{SPACELESS['Chinese']}]")
HANGUL = re.compile("[\uac00-\ud7a3]")

# An endless run is not text; the limit keeps small what a segmenter holds at once.
_LONGEST_RUN = 2_000
_ALONE = [SPACELESS[name] for name in ("Thai", "Lao", "Burmese", "Khmer")]
_TOGETHER = SPACELESS["Chinese"] + SPACELESS["Japanese"]
_RUNS = [f"[{letters}]{{1,{_LONGEST_RUN}}}" for letters in (*_ALONE, _TOGETHER)]
RUN = re.compile(f"({'|'.join(_RUNS)})")
"""A run of a script without spaces; the runs are the odd parts of `RUN.split`."""
UNSPACED = re.compile(f"[{''.join(SPACELESS.values())}]")
"""One letter of those scripts: the search for it is five times faster than for a run."""

# Beyond the Basic Multilingual Plane marks are rare, and would make the patterns four times slower.
_WITH_MARKS = ((0x300, 0x3400), (0xA480, 0xAC00), (0xFB00, 0xFE30))
MARKS = "".join(
    chr(number)
    for first, end in _WITH_MARKS
    for number in range(first, end)
    if unicodedata.category(chr(number))[0] == "M"
)
"""Combining marks, which `\\w` of `re` leaves out: a Hindi word would fall to pieces."""

_INSIDE = rf"\w{MARKS}\u200c\u200d"  # with the joiners of Persian and of the Indian scripts
_LINKS = "'’ʼ\\-‐‑·־׳״"
# Underscores may be inside a word, not at its ends.
_PART = rf"[^\W_][{_INSIDE}]*(?<!_)"
# The dots of abbreviations such as U.S., of Booking.com and of Node.js; others end a sentence.
_DOTTED = r"(?<!\w\w)\.[^\W\d_](?!\w)(?:\.(?!\w))?|\.(?:com|org|net|js)\b"
WORD = re.compile(rf"{_PART}(?:[{_LINKS}]{_PART}|{_DOTTED})*")
"""A word with the apostrophes, hyphens and dots inside it."""

BREAK = re.compile(rf"(?:[^{_INSIDE}{_LINKS}. \t\xa0]|(?<!\.\w)\.(?!\w)|\s[-'’]\s)+")
"""What separates phrases: two words on its two sides are not neighbours."""

CLUSTER = re.compile(
    rf"[เ-ไເ-ໄ]?(?:[\u1780-\u17b3]\u17d2)?.(?:[{MARKS}ะาำๅๆະາຳ]|[\u17d2\u1039].)*", re.DOTALL
)
"""A letter of a script without spaces with the vowels and marks that cannot stand apart from it."""

# --- forms of a word ----------------------------------------------------------------------------


def read_word_lists(name: str) -> dict[str, list[str]]:
    """The words of each language in the file `name.tsv`."""
    return {language: words.split() for language, words in read_rows(name)}


_ENDINGS = {
    language: sorted(endings, key=len, reverse=True)
    for language, endings in read_word_lists("endings").items()
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

# Of Arabic in the letters of `normalize_word`: and, so; by, for, like; the article; my, her, their.
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


def normalize_word(word: str, language: str = "") -> str:
    """What the spellings of a word have in common: case, width, vowel points, tatweel are gone."""
    if word.isascii():
        return word.replace("I", "ı").lower() if language == "tr" else word.lower()
    if language == "tr":
        word = word.replace("I", "ı").replace("İ", "i")
    word = unicodedata.normalize("NFKC", word).casefold()
    return _UNWRITTEN.sub("", word).translate(_LETTERS)


def find_bases(keys: Collection[str], names: Collection[str], language: str) -> dict[str, str]:
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
        for base in list_stems(word, language):
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


def list_stems(word: str, language: str) -> list[str]:
    """A word without each of the endings of its language that it has, or without its article."""
    endings, fronts = _ENDINGS.get(language, []), _FRONTS.get(language, ())
    results = [word.removesuffix(ending) for ending in endings if word.endswith(ending)]
    results += [word.removeprefix(front) for front in fronts if word.startswith(front)]
    if language == "en" and word.endswith("ies"):
        results.append(f"{word[:-3]}y")
    if language == "en" and word.endswith(("ses", "xes", "zes", "ches", "shes")):
        results.append(word[:-2])
    return results


# Words that say little, for clouds alone: in other places they may distinguish pages. Chosen by how
# evenly they are spread over pages, which benchmarks/stop_words.py measures.
_FILLERS = read_word_lists("fillers")
# What the numbers that are written in letters are made of: `vierundzwanzig`.
_NUMBERS = read_word_lists("number_words")

LANGUAGES = frozenset(STOP_WORDS)
"""Languages with a list."""

_LATIN = frozenset(
    "ca cs da de en es et fi fr hr hu id it lt lv nb nl pl pt ro sk sl sv sw tl tr vi".split()
)
_CONTRACTED = re.compile(r"n't$|'(?:re|ll|ve|m|d)$")
# Letters up to which a lower-case word counts as a stop word in a language without a list.
_SHORT = 3
# Share of a text's words: running text has a third and more on the list of its language.
_SURE = 0.08
# To overrule what a page declares: the share of another language, and of how many words at least.
_SURER, _ENOUGH = 0.2, 10


def is_stopword(name: str, written: str, language: str) -> bool:
    """Whether a cloud leaves out the word with this key: `the`, `we're`, `وفي`, `forty-two`."""
    if not language:
        return len(name) <= _SHORT and written.islower()
    stop = _read_stop_words(language)
    return (
        name in stop
        or _is_number(name, _number_parts(language))
        or ("'" in name and _CONTRACTED.search(name) is not None)
        or (language == "ar" and name[0] in "وف" and name[1:] in stop)
        or (
            language == "ko"
            and any(len(stem) > 1 and stem in stop for stem in list_stems(name, "ko"))
        )
    )


@cache
def _read_stop_words(language: str) -> frozenset[str]:
    """The stop words of pages in a language.

    Pages in other scripts have English phrases in between; in Latin script the same letters may
    be another word: `but` is a goal in French.
    """
    languages = (language,) if language in _LATIN else (language, "en")
    words = (word for tag in languages for word in (*_list(tag), *_FILLERS.get(tag, ())))
    return frozenset(normalize_word(word, language) for word in words)


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


def thai_corpus(name: str) -> Path | None:
    """A file that PyThaiNLP ships; PyThaiNLP is not imported for it, which takes long."""
    spec = find_spec("pythainlp")
    path = Path(spec.origin).parent / "corpus" / name if spec and spec.origin else None
    return path if path and path.is_file() else None


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
