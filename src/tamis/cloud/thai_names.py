"""Thai names, which segmenters cut to pieces: ธีรเดช to ธีร and เดช.

Words that a text repeats side by side are pieces of a name if two of them together are in a list of
names, if one of them is in no dictionary, or by their place: right after a title, or alone between
spaces where a family name stands. The lists are files of PyThaiNLP; without it only the place
tells.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from tamis.cloud.thai import thai_corpus

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
_LONGEST_PIECE = 6  # letters of the neighbour of what is no word; what is longer is a word
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
    if left + right in _names():
        return True
    if max(len(left), len(right)) > _LONGEST_PIECE:
        return False
    return bool(_words()) and not {left, right} <= _words()


@cache
def _names() -> frozenset[str]:
    """Given names and family names."""
    lists = ("person_names_female_th.txt", "person_names_male_th.txt", "family_names_th.txt")
    return frozenset().union(*map(_read_lines, lists))


@cache
def _words() -> frozenset[str]:
    """The Dictionary of the Royal Society, and what is longer than a piece in that of newmm."""
    newer = (word for word in _read_lines("words_th.txt") if len(word) > _LONGEST_NO_WORD)
    return _read_lines("orst_words_th.txt").union(newer)


def _read_lines(name: str) -> frozenset[str]:
    path = thai_corpus(name)
    return frozenset(path.read_text("utf-8-sig").split("\n")) if path else frozenset()
