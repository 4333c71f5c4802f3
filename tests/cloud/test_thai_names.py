"""Thai names that a text has twice: one term, and other neighbours are not."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tamis.cloud import thai_names
from tamis.cloud.terms import terms
from tamis.cloud.thai_names import find_pieces


def term_counts(text: str) -> dict[str, int]:
    for library in ("nlpo3", "pythainlp", "icu4py"):
        pytest.importorskip(library)
    return {term.term: term.count for term in terms([text], language="th", most=1_000)}


@pytest.fixture(autouse=True)
def read_lists_again() -> Iterator[None]:
    yield
    thai_names._names.cache_clear()
    thai_names._words.cache_clear()


@pytest.fixture
def lists(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A dictionary of three words, and a list of one name."""
    texts = {
        "words_th.txt": "",
        "orst_words_th.txt": "แดง\nดำ\nขาว",
        "family_names_th.txt": "แดงดำ",
    }
    for name, text in texts.items():
        (tmp_path / name).write_text(text, "utf-8")
    forget(monkeypatch, lambda name: tmp_path / name if name in texts else None)


def forget(monkeypatch: pytest.MonkeyPatch, find_file: Callable[[str], Path | None]) -> None:
    """Read the lists anew, from other files."""
    thai_names._names.cache_clear()
    thai_names._words.cache_clear()
    monkeypatch.setattr(thai_names, "thai_corpus", find_file)


def test_given_name_and_family_name_that_occur_twice_stay_whole() -> None:
    counts = term_counts(
        "นายธีรเดช วงศ์ไพศาล เปิดร้านหนังสือริมแม่น้ำ คนรักหนังสือมากันแน่น\n"
        "เมื่อวานนายธีรเดช วงศ์ไพศาล เล่าว่า ร้านริมแม่น้ำขายดีเกินคาด"
    )
    assert (counts["ธีรเดช"], counts["วงศ์ไพศาล"]) == (2, 2)
    assert {"ธีร", "เดช", "วงศ์", "ไพศาล"}.isdisjoint(counts)


def test_a_name_of_many_pieces_is_one_term() -> None:
    counts = term_counts("นางปรานี ด่านวัฒนานุสรณ์ ไปแจ้งความ\nนักข่าวพบนางปรานี ด่านวัฒนานุสรณ์ ที่บ้าน")
    assert counts["ด่านวัฒนานุสรณ์"] == 2


def test_a_foreign_name_that_no_list_has_stays_whole() -> None:
    counts = term_counts("โวโลดิมีร์ ขออาวุธเพิ่ม เพราะไฟฟ้าดับทั้งเมือง\nโฆษกย้ำว่า โวโลดิมีร์ จะเดินทางไปยุโรป")
    assert counts["โวโลดิมีร์"] == 2


def test_words_that_stand_together_twice_are_no_name() -> None:
    counts = term_counts("ช่างผสมแกลบเผากับดิน แล้วเคลือบขี้เถ้า\nสูตรผสมแกลบเผาและเคลือบขี้เถ้า เป็นของคุณตา")
    assert {"แกลบ", "เคลือบ", "ขี้เถ้า"} <= counts.keys()


def test_a_name_that_occurs_once_is_left_as_it_was_cut() -> None:
    assert "ธีรเดช" not in term_counts("นายธีรเดช เปิดร้านหนังสือ")


@pytest.mark.usefixtures("lists")
@pytest.mark.parametrize(
    ("words", "before", "closed", "expected"),
    [
        (["แดง", "ดำ"], [], False, [True]),  # listed
        (["ดำ", "แดง"], [], False, [False]),
        (["ขาว", "ยงค์"], [], False, [True]),  # in no dictionary
        (["มหาวิทยาลัย", "ยงค์"], [], False, [False]),  # but beside a long word
        (["ดำ", "ขาว"], ["นาย"], False, [True]),
        (["นาย", "ดำ", "ขาว"], [], False, [False, True]),
        (["ดำ", "ขาว"], ["นาย", "แดง"], False, [False]),
        (["ดำ", "ขาว"], ["นาย", "แดง", ""], True, [True]),  # the family name
        (["ดำ", "ขาว"], ["นาย", "แดง", ""], False, [False]),  # a clause after a name
        (["ดำ", "ขาว"], ["แดง", ""], True, [False]),
        (["แดง", "ดำ", "ขาว"], [], True, [True, True]),  # up to the space
        (["แดง", "ดำ", "ขาว"], [], False, [True, False]),
    ],
)
def test_pieces_of_a_name_are_known_by_lists_dictionaries_and_their_place(
    words: list[str], before: list[str], closed: bool, expected: list[bool]
) -> None:
    assert find_pieces(words, before, closed=closed) == expected


def test_without_dictionaries_only_the_place_tells(monkeypatch: pytest.MonkeyPatch) -> None:
    forget(monkeypatch, lambda name: None)
    assert find_pieces(["ธีร", "เดช"], [], closed=False) == [False]
    assert find_pieces(["ธีร", "เดช"], ["นาย"], closed=False) == [True]
