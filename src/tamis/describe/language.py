"""The language of a page: what it declares, unless its text says otherwise.

The detector is turbohtml's, loaded when it is first needed: it takes longer than all the rest of
the metadata, so it is asked only when nothing is declared or when the declaration is doubtful.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from tamis.describe.candidates import longest_sentences
from tamis.describe.word_lists import word_lists
from tamis.page.table import Page

_TAG = re.compile(r"([A-Za-z]{2,3})(?:[-_]([A-Za-z]{4}))?(?:[-_]([A-Za-z]{2}|\d{3}))?(?![A-Za-z])")
_SAMPLE = 500  # characters given to the detector
_LEAST_SAMPLE = 60  # characters below which a text says nothing about its language
_LEAST_PROSE = 25  # words below which a text need not have any of the commonest
_SURE = 0.9

# English is what templates declare when nobody thought about it: 6 of 1,243 pages of wcxb-dev and
# trafilatura-eval say so and are not. Any longer English text has one of these words.
_ENGLISH = frozenset("the of and to for you with that are it by from this your our".split())
_NOT_LATIN = frozenset(
    "am ar bg bn el fa gu he hi hy ja ka km kn ko ky lo mk ml mn mr my ne or pa ps ru si ta te th"
    " tg ug uk ur yi zh be".split()
)
_SHORT = {
    code: short for short, codes in word_lists("language_codes.tsv").items() for code in codes
}
"""ISO 639-1 code by ISO 639-3 code."""


def language(page: Page, declared: Iterable[tuple[str, str]]) -> tuple[str, str]:
    """The BCP 47 tag of a page's language and where it comes from."""
    candidates = [(tag, source) for value, source in declared if (tag := normalise_tag(value))]
    sample = _sample(page)
    if candidates and not _doubtful(candidates, sample):
        # "en" and "en-GB" do not contradict each other; the longer tag says more.
        return max(candidates, key=lambda candidate: len(candidate[0]))
    detected = _detect(sample)
    if detected:
        agreeing = (candidate for candidate in candidates if candidate[0].startswith(detected))
        return next(agreeing, (detected, "text"))
    return candidates[0] if candidates else ("", "")


def normalise_tag(value: str) -> str:
    """A language tag as BCP 47 writes it, empty if it is none: `pt_br` is `pt-BR`."""
    match = _TAG.match(value.strip())
    if not match or match[1].lower() in ("und", "mul", "xx", "zxx"):
        return ""
    primary, script, region = match.groups()
    parts = (_SHORT.get(primary.lower(), primary.lower()), script and script.title())
    return "-".join(part for part in (*parts, region and region.upper()) if part)


def _sample(page: Page) -> str:
    """The beginning of the longest run of text; without punctuation it is a list, or code."""
    texts = page.texts
    if not len(texts):
        return ""
    return page.text(longest_sentences(texts.words, texts.punctuation))[:_SAMPLE]


def _doubtful(candidates: list[tuple[str, str]], sample: str) -> bool:
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
