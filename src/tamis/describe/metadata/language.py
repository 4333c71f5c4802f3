"""The language of a page: what it declares, unless its text says otherwise.

The detector is turbohtml's and is loaded when it is first needed. It takes longer than all other
metadata, so it only runs if nothing is declared or if the declaration is doubtful.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable
from functools import cache

import numpy as np

from tamis.describe import read_word_lists
from tamis.errors import OptionsError
from tamis.page.table import Page

_TAG = re.compile(r"([A-Za-z]{2,3})(?:[-_]([A-Za-z]{4}))?(?:[-_]([A-Za-z]{2}|\d{3}))?(?![A-Za-z])")
_SENTENCE = 20  # words that one punctuation mark vouches for
_SAMPLE = 500  # characters given to the detector
_LEAST_SAMPLE = 60  # characters below which a text says nothing about its language
_LEAST_PROSE = 25  # words below which a text need not have any of the most common words
_SURE = 0.9

# English is what templates declare when nobody thought about it: 6 of 1,243 pages of wcxb-dev and
# trafilatura-eval say so and are not. Any longer English text has one of these words.
_ENGLISH = frozenset("the of and to for you with that are it by from this your our".split())
_NOT_LATIN = frozenset(
    "am ar bg bn el fa gu he hi hy ja ka km kn ko ky lo mk ml mn mr my ne or pa ps ru si ta te th"
    " tg ug uk ur yi zh be".split()
)
_SHORT = {
    code: short
    for short, codes in read_word_lists("metadata/language_codes.tsv").items()
    for code in codes
}
"""ISO 639-1 code by ISO 639-3 code."""


def find_language(page: Page, declared: Iterable[tuple[str, str]]) -> tuple[str, str]:
    """Find the BCP 47 tag of a page's language, and where it comes from."""
    candidates = [(tag, source) for value, source in declared if (tag := normalize_tag(value))]
    sample = ""
    if len(texts := page.texts):
        # The beginning of the longest sentences; text without punctuation is a list, or code.
        vouched = np.minimum(texts.words, _SENTENCE * texts.punctuation)
        sample = page.text(int(vouched.argmax()))[:_SAMPLE]
    if candidates and not _are_doubtful(candidates, sample):
        # "en" and "en-GB" do not contradict each other; the longer tag says more.
        return max(candidates, key=lambda candidate: len(candidate[0]))
    detected = _detect(sample)
    if detected:
        agreeing = (candidate for candidate in candidates if candidate[0].startswith(detected))
        return next(agreeing, (detected, "text"))
    return candidates[0] if candidates else ("", "")


def normalize_tag(value: str) -> str:
    """Write a language tag as BCP 47 does: `pt_br` becomes `pt-BR`; empty if it is not a tag."""
    match = _TAG.match(value.strip())
    if not match or match[1].lower() in ("und", "mul", "xx", "zxx"):
        return ""
    primary, script, region = match.groups()
    parts = (_SHORT.get(primary.lower(), primary.lower()), script and script.title())
    return "-".join(part for part in (*parts, region and region.upper()) if part)


def _are_doubtful(candidates: list[tuple[str, str]], sample: str) -> bool:
    primaries = {tag.partition("-")[0] for tag, _ in candidates}
    if len(primaries) > 1:
        return True
    if len(sample) < _LEAST_SAMPLE:
        return False
    (primary,) = primaries
    letters = "".join(filter(str.isalpha, sample[:_LEAST_SAMPLE]))
    if letters.isascii():
        latin = letters != ""
    else:
        latin = sum(character < "ɐ" for character in letters) * 2 > len(letters)
    if latin == (primary in _NOT_LATIN) and primary != "sr":
        return True
    if primary != "en" or " the " in sample:
        return False
    words = sample.lower().split()
    return len(words) > _LEAST_PROSE and _ENGLISH.isdisjoint(words)


def _detect(sample: str) -> str:
    if len(sample) < _LEAST_SAMPLE:
        return ""
    from turbohtml.detect import detect_language

    match = detect_language(sample)
    if not match.language or match.confidence < _SURE:
        return ""
    return _SHORT.get(match.language, match.language)


def find_language_tags(name: str) -> tuple[str, ...]:
    """Find the BCP 47 tags of a language by its name or code; some languages have several.

    >>> find_language_tags("German"), find_language_tags("pt_br"), find_language_tags("norwegian")
    (('de',), ('pt-BR',), ('nb', 'nn', 'no'))
    """
    codes = _read_codes()
    written = "-".join(name.casefold().replace("_", " ").replace("-", " ").split())
    if written in codes:
        return codes[written]
    primary, _, rest = written.partition("-")
    if len(primary) <= 3 and primary in codes and rest and (tag := normalize_tag(written)):
        return ("-".join((*codes[primary], *tag.split("-")[1:])),)
    near = difflib.get_close_matches(written, codes, n=1, cutoff=0.75)
    hint = f"did you mean {near[0]!r}?" if near else "give a name or a code: english, en, pt-BR"
    raise OptionsError(f"no language is called {name!r}; {hint}")


@cache
def _read_codes() -> dict[str, tuple[str, ...]]:
    """Read the codes of languages by name, by code, and by ISO 639-3 code."""
    codes: dict[str, tuple[str, ...]] = {}
    for code, names in read_word_lists("metadata/language_names.tsv").items():
        for name in (code, *names):
            codes[name.casefold()] = (*codes.get(name.casefold(), ()), code)
    for code, longer in read_word_lists("metadata/language_codes.tsv").items():
        codes |= dict.fromkeys(longer, (code,))
    return codes
