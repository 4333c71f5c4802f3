"""Thai words: newmm and ICU cut a text, and where they disagree the likeliest words of both stay.

Newmm takes the fewest words of the dictionary, and so บอ and กว่า for บอก and ว่า: all of them are
words. Between two places where both segmenters cut, the words here are those with the highest
product of frequencies in the Thai National Corpus, cut where newmm or ICU cuts. A word that the
corpus does not have counts once; a noun that การ or ความ makes of a verb counts as often as the
verb, since the corpus cuts it off. `python benchmarks/thai.py` measures it.

The dictionary and the frequencies are files of PyThaiNLP. It is not imported: it would make a
folder in the user's home unless the environment forbids it.
"""

from __future__ import annotations

import math
from collections import defaultdict, deque
from collections.abc import Callable, Container, Iterable, Iterator, Sequence
from functools import lru_cache
from importlib import import_module
from importlib.util import find_spec
from itertools import pairwise
from pathlib import Path

Split = Callable[[str], Iterable[str]]
"""From a run to its words."""

_NOUN_OF_VERB = ("การ", "ความ")
# Before a word that ICU does not know (เช็กอิน) it errs as newmm does.
_BOTH_WRONG = {("บอ", "กว่า"): ("บอก", "ว่า")}
_REMEMBERED = 4096  # places of disagreement: a text comes back to its words
_LONGEST = 40  # letters of a word that only the corpus has


def thai_corpus(name: str) -> Path | None:
    """A file that PyThaiNLP ships; PyThaiNLP is not imported for it, which takes long."""
    spec = find_spec("pythainlp")
    path = Path(spec.origin).parent / "corpus" / name if spec and spec.origin else None
    return path if path and path.is_file() else None


def newmm() -> Split | None:
    """Newmm in Rust, with the dictionary of PyThaiNLP."""
    dictionary = thai_corpus("words_th.txt")
    if dictionary is None or not find_spec("nlpo3"):
        return None
    module = import_module("nlpo3")
    module.load_dict(str(dictionary), "tamis")
    return lambda run: module.segment(run, "tamis")


def likeliest(first: Split, second: Split) -> Split | None:
    """The words of both segmenters that are likeliest together."""
    corpus = thai_corpus("tnc_freq.txt")
    if corpus is None:
        return None
    rows = (line.split("\t") for line in corpus.read_text("utf-8").splitlines())
    counts = {row[0]: int(row[1]) for row in rows if len(row) == 2}
    total = math.log(sum(counts.values()))

    def weight(word: str) -> float:
        count = counts.get(word, 0)
        if not count and word.startswith(_NOUN_OF_VERB):
            count = counts.get(word.removeprefix("การ").removeprefix("ความ"), 0)
        return math.log(count + 1) - total

    @lru_cache(_REMEMBERED)
    def heaviest(words: tuple[str, ...], others: tuple[str, ...]) -> list[str]:
        return _heaviest(words, others, weight, counts)

    def split(run: str) -> list[str]:
        cut: list[str] = []
        for words, others in between_agreements(first(run), second(run)):
            cut += words if words == others else heaviest(tuple(words), tuple(others))
        for place, pair in enumerate(pairwise(tuple(cut))):
            if pair in _BOTH_WRONG:
                cut[place : place + 2] = _BOTH_WRONG[pair]
        return cut

    return split


def between_agreements(
    first: Iterable[str], second: Iterable[str]
) -> Iterator[tuple[list[str], list[str]]]:
    """The words of both cuts of a run, from one place where both cut to the next."""
    rest = iter(second)
    words: list[str] = []
    others: list[str] = []
    ahead = 0
    for word in first:
        words.append(word)
        ahead += len(word)
        while ahead > 0:
            others.append(next(rest))
            ahead -= len(others[-1])
        if not ahead:
            yield words, others
            words, others = [], []


def _heaviest(
    words: Sequence[str],
    others: Sequence[str],
    weight: Callable[[str], float],
    known: Container[str],
) -> list[str]:
    """The words of highest weight, each a piece of one of the two cuts or known."""
    text = "".join(words)
    pieces = {*_spans(words), *_spans(others)}
    piece_starts = defaultdict(list)
    for start, end in pieces:
        piece_starts[end].append(start)
    best = {0: (0.0, 0)}
    near = deque([0])
    for end in sorted(piece_starts):
        while end - near[0] > _LONGEST:
            near.popleft()
        starts = {start for start in near if text[start:end] in known}.union(piece_starts[end])
        best[end] = max((best[start][0] + weight(text[start:end]), start) for start in starts)
        near.append(end)
    cut: list[str] = []
    while text:
        start = best[len(text)][1]
        cut.append(text[start:])
        text = text[:start]
    return cut[::-1]


def _spans(words: Iterable[str]) -> Iterator[tuple[int, int]]:
    end = 0
    for word in words:
        start, end = end, end + len(word)
        yield start, end
