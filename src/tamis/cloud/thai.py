"""Thai words: of all ways to cut a run into known words, the likeliest.

Newmm takes the fewest words of its dictionary, and so บอ and กว่า for บอก and ว่า; ICU cuts
ทางการเมือง (of politics) into the authorities and the city. All of them are words, so no single
word shows the error. Here the words of a run are those with the highest product of frequencies in
the Thai National Corpus. Candidates are the words of the corpus and of the dictionary, and whatever
newmm or ICU cuts, which is how names stay whole. `python benchmarks/thai.py` measures it.

The dictionary and the frequencies are files of PyThaiNLP. It is not imported: it would make a
folder in the user's home unless the environment forbids it.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache, lru_cache
from importlib import import_module
from importlib.util import find_spec
from itertools import accumulate, islice, pairwise

from tamis.cloud.vocabulary import CLUSTER, thai_corpus

Split = Callable[[str], Iterable[str]]
"""From a run to its words."""

Spans = set[tuple[int, int]]

# The corpus cuts most nouns that การ and ความ make: it has both forms of 19 words only, and of the
# median of them the noun is as often as an eighth of the word in it.
_NOUN_OF_VERB = ("การ", "ความ")
_NOUNS = 1 / 8
# It has บุตรสาว (daughter) and cuts บุตรชาย (son): a relative is as often of one sex as of the other.
_OTHER_SEX = {"ชาย": "สาว", "สาว": "ชาย"}
# Its words that no dictionary has are often pieces of names (เมียน of เมียนมา) or phrases: เมืองไทย
# made วิกฤตการเมืองไทย (the crisis of Thai politics) วิกฤต|การ|เมืองไทย.
_UNLISTED = 1 / 20
# A word that newmm and ICU agree on counts as often, at least: the corpus cuts names to pieces.
_AGREED = 100
_LONGEST = 16  # letters of a word that no segmenter has to find
_REMEMBERED = 1024  # runs: menus and phrases come back


def load_newmm() -> Split | None:
    """Newmm in Rust, with the dictionary of PyThaiNLP."""
    dictionary = thai_corpus("words_th.txt")
    if dictionary is None or not find_spec("nlpo3"):
        return None
    module = import_module("nlpo3")
    module.load_dict(str(dictionary), "tamis")
    return lambda run: module.segment(run, "tamis")


def combine_segmenters(*segmenters: Split | None) -> Split | None:
    """The likeliest words, where names are what the segmenters cut; none if one of them is none."""
    corpus, dictionary = thai_corpus("tnc_freq.txt"), thai_corpus("words_th.txt")
    installed = [segmenter for segmenter in segmenters if segmenter]
    if corpus is None or dictionary is None or len(installed) < len(segmenters):
        return None
    rows = (line.split("\t") for line in corpus.read_text("utf-8").splitlines())
    counts = {row[0]: int(row[1]) for row in rows if len(row) == 2}
    lattice = _Lattice(counts, dictionary.read_text("utf-8").split())

    @lru_cache(_REMEMBERED)
    def split(run: str) -> list[str]:
        cuts = [
            set(pairwise(accumulate(map(len, segmenter(run)), initial=0)))
            for segmenter in installed
        ]
        return _join_wanted(lattice.cut(run, cuts))

    return split


class _Lattice:
    """All ways to cut a run into known words."""

    def __init__(self, counts: Mapping[str, float], dictionary: Iterable[str]) -> None:
        listed = dict.fromkeys(dictionary, 0.0)
        estimates = {word: _estimate(word, counts) for word in listed if _is_derived(word)}
        found = {word: n if word in listed else n * _UNLISTED for word, n in counts.items()}
        self.counts = {**listed, **estimates, **found}
        self.total = math.log(sum(counts.values()))

    def cut(self, run: str, cuts: Sequence[Spans]) -> list[str]:
        """The words of highest weight, each known or a word of one of the cuts."""
        count_of, total, log = self.counts.get, self.total, math.log
        agreed = set.intersection(*cuts) if len(cuts) > 1 else set()
        offered: dict[int, list[tuple[int, float]]] = {}
        ends = set(accumulate(map(len, CLUSTER.findall(run))))
        for span in set().union(*cuts):
            start, end = span
            ends.add(end)
            count = count_of(run[start:end], 0)
            if span in agreed:
                count = max(count, _AGREED)
            offered.setdefault(start, []).append((end, log(count + 1) - total))
        places = sorted(ends)
        best = [-math.inf] * (len(run) + 1)
        best[0] = 0.0
        before = [0] * (len(run) + 1)
        start = 0
        for number, place in enumerate(places):
            here = best[start]
            if here > -math.inf:
                reached = offered.get(start, [])
                last = start + _LONGEST
                for end in islice(places, number, None):
                    if end > last:
                        break
                    known = count_of(run[start:end])
                    if known is not None:
                        reached.append((end, log(known + 1) - total))
                for end, weight in reached:
                    if here + weight > best[end]:
                        best[end], before[end] = here + weight, start
            start = place
        words: list[str] = []
        end = len(run)
        while end:
            words.append(run[before[end] : end])
            end = before[end]
        return words[::-1]


def _is_derived(word: str) -> bool:
    """Whether the count of another word says how often the corpus may have this one."""
    return word.startswith(_NOUN_OF_VERB) or word.endswith(tuple(_OTHER_SEX))


def _estimate(word: str, counts: Mapping[str, float]) -> float:
    """How often a derived word may be in the corpus, which cuts it."""
    for prefix in _NOUN_OF_VERB:
        if word.startswith(prefix):
            return counts.get(word.removeprefix(prefix), 0) * _NOUNS
    for sex, other in _OTHER_SEX.items():
        if word.endswith(sex):
            return counts.get(word.removesuffix(sex) + other, 0)
    return 0


def _join_wanted(words: list[str]) -> list[str]:
    """ต้อง|การเงิน is ต้องการ|เงิน (want money): after ต้อง (must) there is a verb, never a noun."""
    for place, (word, after) in enumerate(pairwise(words)):
        if word == "ต้อง" and len(after) > 3 and after.startswith("การ"):
            words[place : place + 2] = [word + "การ", after.removeprefix("การ")]
    return words


_TITLES = frozenset(
    "นาย นาง นางสาว คุณ เด็กชาย เด็กหญิง ดร ครู อาจารย์ ศาสตราจารย์ หมอ ลุง ป้า น้า กำนัน"
    " พลเอก พลโท พลตรี พลเรือเอก พลตำรวจเอก พลตำรวจโท พลตำรวจตรี พันเอก พันโท พันตรี พันตำรวจเอก"
    " พันตำรวจโท พันตำรวจตรี ร้อยเอก ร้อยโท ร้อยตรี ร้อยตำรวจเอก ร้อยตำรวจโท ร้อยตำรวจตรี".split()
)
"""A name follows at once."""
_PLACES = frozenset("จังหวัด อำเภอ ตำบล แม่น้ำ เกาะ ดอย".split())
"""The same, of places, which have no family name."""
_OFFICES = frozenset("ประธานาธิบดี นายกรัฐมนตรี รัฐมนตรี โฆษก กรรมการ บริษัท".split())
"""A name may follow, or a verb."""
_NEVER = _TITLES | _PLACES | _OFFICES
_LONGEST_NO_WORD = 3  # letters of the pieces of names (ธีร, ปิย) that newmm has among its words
_LONGEST_PIECE = (
    6  # letters of the neighbour of a piece that is not a word; anything longer is a word
)
_MOST_PIECES = 5
REACH = 6
"""Words before a name that tell about it."""


def find_pieces(words: Sequence[str], before: Sequence[str], *, closed: bool) -> list[bool]:
    """Whether each pair of neighbours among words that always stand together is of one name.

    `before` are the words before them, the next one last, where an empty one is a space; `closed`
    says that a space follows.
    """
    previous = (before[-1] if before else "", *words)
    found = [
        not {left, right} & _NEVER and (last in _TITLES | _PLACES or _is_listed(left, right))
        for last, left, right in zip(previous, words, words[1:], strict=False)
    ]
    if closed and len(words) <= _MOST_PIECES:
        alone = not (before and before[-1])
        if alone and (_TITLES | _OFFICES).intersection(before):
            found[0] = True
        if True in found:  # a name goes on to the space
            found[found.index(True) :] = [True] * (len(found) - found.index(True))
    return found


def _is_listed(left: str, right: str) -> bool:
    """Whether the dictionaries and lists say that two words are pieces of a name."""
    if left + right in _read_names():
        return True
    if max(len(left), len(right)) > _LONGEST_PIECE:
        return False
    return bool(_read_words()) and not {left, right} <= _read_words()


@cache
def _read_names() -> frozenset[str]:
    lists = ("person_names_female_th.txt", "person_names_male_th.txt", "family_names_th.txt")
    return frozenset().union(*map(_read_lines, lists))


@cache
def _read_words() -> frozenset[str]:
    """The Dictionary of the Royal Society, and what is longer than a piece in that of newmm."""
    newer = (word for word in _read_lines("words_th.txt") if len(word) > _LONGEST_NO_WORD)
    return _read_lines("orst_words_th.txt").union(newer)


def _read_lines(name: str) -> frozenset[str]:
    path = thai_corpus(name)
    return frozenset(path.read_text("utf-8-sig").split("\n")) if path else frozenset()
