"""The words of a text, by its script, run by run.

Thai is cut into the likeliest words by newmm and ICU (`tamis.cloud.thai`), Chinese by rjieba,
Japanese, Khmer, Lao and Burmese by ICU, and everything else at its spaces and punctuation. Each
segmenter is an extra to install; without it the next best is used and a `SegmenterWarning` says so
once. Nothing is downloaded.
"""

from __future__ import annotations

import itertools
import re
import warnings
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from itertools import islice
from math import log

from tamis._runtime import limits
from tamis.cloud.thai import Split, combine_segmenters, load_newmm
from tamis.cloud.vocabulary import BREAK, CLUSTER, HAN, KANA, RUN, SPACELESS, UNSPACED, WORD

Cut = Callable[[Iterable[str]], dict[str, list[str]]]
"""From the runs of a text to the words of each."""

_EXTRAS = {"Thai": "thai", "Chinese": "chinese"}
_ADDRESS = re.compile(r"https?://\S+|www\.\S+|[\w.+-]{1,64}@[\w.-]+")
_INVISIBLE = re.compile("[\xad\u200e\u200f\u2060-\u2064\u202a-\u202e\u2066-\u2069\ufeff]")
# A Japanese text is half kana; Chinese has some in names and slogans.
_JAPANESE = 0.1


class SegmenterWarning(UserWarning):
    """The segmenter for a script is not installed; the message names the extra that has it."""


def split_words(text: str, language: str = "") -> list[str]:
    """The words of a text in their order, without punctuation.

    `language` is a BCP 47 tag. It matters only for Chinese characters: with `ja` they are cut as
    Japanese even if no kana are near.

    >>> split_words("Don't panic: it's a well-known café.")
    ["Don't", 'panic', "it's", 'a', 'well-known', 'café']
    """
    return [word for phrase in split_phrases([text], language)[0] for word in phrase]


def split_phrases(passages: Sequence[str], language: str = "") -> list[list[list[str]]]:
    """The words of each passage of a text, by runs that no punctuation and no line interrupts.

    In scripts without spaces a space interrupts them, too.
    """
    phrases = [BREAK.split(_strip_invisible(passage)) for passage in limits.check_each(passages)]
    cut = _cut("\n".join(itertools.chain.from_iterable(phrases)), language)
    return [
        [
            words
            for phrase in limits.check_each(passage)
            for words in _split_phrase(phrase, cut)
            if words
        ]
        for passage in limits.check_each(phrases)
    ]


def _strip_invisible(text: str) -> str:
    if "@" in text or "www." in text or "://" in text:
        text = _ADDRESS.sub("\n", text)
    return _INVISIBLE.sub("", text)


def _split_phrase(phrase: str, cut: dict[str, list[str]]) -> list[list[str]]:
    if not cut:
        return [WORD.findall(phrase)]
    phrases: list[list[str]] = [[]]
    for number, part in enumerate(RUN.split(phrase)):
        if number % 2:
            phrases[-1] += cut[part]
        elif part.isspace():
            phrases.append([])
        else:
            phrases[-1] += WORD.findall(part)
    return phrases


def _cut(text: str, language: str) -> dict[str, list[str]]:
    if not UNSPACED.search(text):
        return {}
    runs: dict[str, list[str]] = {}
    japanese = None
    for run in limits.check_each(RUN.findall(text)):
        script = _name_script(run[0])
        if script == "Chinese":
            if japanese is None:
                japanese = _is_japanese(text, language)
            if japanese or KANA.search(run):
                script = "Japanese"
        runs.setdefault(script, []).append(run)
    cut: dict[str, list[str]] = {}
    for script, script_runs in runs.items():
        cut |= choose_segmenter(script)(script_runs)
    return cut


@cache
def _name_script(letter: str) -> str:
    return next(name for name, letters in SPACELESS.items() if re.match(f"[{letters}]", letter))


def _is_japanese(text: str, language: str) -> bool:
    """Whether Chinese characters without kana beside them are Japanese."""
    if language[:2] in ("ja", "zh"):
        return language[:2] == "ja"
    kana = len(KANA.findall(text))
    return kana > _JAPANESE * (kana + len(HAN.findall(text)))


# --- the segmenters -----------------------------------------------------------------------------


@cache
def choose_segmenter(script: str) -> Cut:
    """The best segmenter for a script that is installed."""
    best, *others = _SEGMENTERS.get(script, {"ICU": _icu}).items()
    if split := best[1]():
        return _each(split)
    made = ((name, make()) for name, make in others)
    instead, split = next(
        (pair for pair in made if pair[1]), ("guessing from what the text repeats", None)
    )
    warnings.warn(
        f"{script} text is cut by {instead};"
        f" for better words: pip install 'tamis[{_EXTRAS.get(script, 'icu')}]'",
        SegmenterWarning,
        stacklevel=2,
    )
    return _each(split) if split else guess_words


def _each(split: Split) -> Cut:
    return lambda runs: {run: list(split(run)) for run in dict.fromkeys(runs)}


def _rjieba() -> Split | None:
    if not find_spec("rjieba"):
        return None
    cut: Split = import_module("rjieba").cut
    return cut


def _icu() -> Split | None:
    if not find_spec("icu4py"):
        return None
    breaker = import_module("icu4py.breakers").WordBreaker
    return lambda run: breaker(run, "en")  # the dictionary goes by the script


# The best first. In the other scripts ICU is the best.
_SEGMENTERS: dict[str, dict[str, Callable[[], Split | None]]] = {
    "Thai": {
        "newmm and ICU": lambda: combine_segmenters(load_newmm(), _icu()),
        "newmm alone, which splits more names": lambda: combine_segmenters(load_newmm()),
        "ICU alone, which splits names and compounds": lambda: combine_segmenters(_icu()) or _icu(),
    },
    "Chinese": {"rjieba": _rjieba, "ICU, which splits compounds": _icu},
}


_LONGEST_PIECE = 8  # letters with their marks
_LEARNED = 100_000  # letters of a text that are learned from; more say nothing new


def guess_words(runs: Iterable[str]) -> dict[str, list[str]]:
    clusters = [CLUSTER.findall(run) for run in runs]
    counts = Counter(islice(_list_pieces(clusters), _LEARNED * _LONGEST_PIECE))
    gain = {piece: log(count) for piece, count in counts.items() if count > 1}
    return {"".join(letters): _best_cut(letters, gain) for letters in clusters}


def _list_pieces(clusters: Iterable[list[str]]) -> Iterator[str]:
    for letters in clusters:
        for first in range(len(letters)):
            for end in range(first + 1, min(first + _LONGEST_PIECE, len(letters)) + 1):
                yield "".join(letters[first:end])


def _best_cut(letters: list[str], gain: dict[str, float]) -> list[str]:
    """The cut whose pieces gain most; a piece that does not repeat is one letter."""
    best, before = [0.0], [0]
    for end in range(1, len(letters) + 1):
        best.append(best[-1])
        before.append(end - 1)
        for first in range(end - 2, max(end - _LONGEST_PIECE, 0) - 1, -1):
            gained = gain.get("".join(letters[first:end]))
            if not gained:
                break  # no longer piece repeats, either
            total = best[first] + (end - first - 1) * gained
            if total > best[end]:
                best[end], before[end] = total, first
    words, end = [], len(letters)
    while end:
        words.append("".join(letters[before[end] : end]))
        end = before[end]
    return words[::-1]
