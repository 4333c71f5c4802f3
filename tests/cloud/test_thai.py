"""Thai words: where two segmenters disagree, the likeliest words of both."""

from __future__ import annotations

from pathlib import Path

import pytest

from tamis.cloud import thai
from tamis.cloud.segment import segmenter, words
from tamis.cloud.thai import Split, between_agreements, likeliest


def cut(marked: str) -> Split:
    """A segmenter that gives the words between the marks, whatever it is asked."""
    return lambda run: marked.split("|")


@pytest.fixture
def counted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A corpus of a thousand words."""
    corpus = tmp_path / "tnc_freq.txt"
    corpus.write_text("ab\t9\nc\t1\na\t4\nbc\t4\nเดิน\t500\nการ\t481\nxyz\t1\n", "utf-8")
    monkeypatch.setattr(thai, "thai_corpus", lambda name: corpus)


def likeliest_words(first: str, second: str) -> list[str]:
    split = likeliest(cut(first), cut(second))
    assert split
    return list(split(first.replace("|", "")))


@pytest.mark.usefixtures("counted")
def test_of_two_cuts_the_words_with_the_higher_product_of_frequencies_are_taken() -> None:
    # (9 + 1) * (1 + 1) = 20 against (4 + 1) * (4 + 1) = 25, both over the square of the total.
    assert likeliest_words("ab|c", "a|bc") == ["a", "bc"]
    assert likeliest_words("a|bc", "ab|c") == ["a", "bc"]


@pytest.mark.usefixtures("counted")
def test_a_word_more_must_be_worth_the_size_of_the_corpus() -> None:
    # One word that the corpus does not have: 1 / 1000; two words of it: 5 * 5 / 1000 ** 2.
    assert likeliest_words("abc", "a|bc") == ["abc"]


@pytest.mark.usefixtures("counted")
def test_words_of_both_cuts_may_be_mixed_and_joined_if_the_corpus_has_them() -> None:
    assert likeliest_words("qa|b|c", "q|abc") == ["qa", "bc"]
    assert likeliest_words("x|yz", "xy|z") == ["xyz"]
    assert likeliest_words("p|qr", "pq|r") == ["pq", "r"]


@pytest.mark.usefixtures("counted")
def test_a_noun_made_of_a_verb_counts_as_often_as_the_verb() -> None:
    assert likeliest_words("การเดิน", "การ|เดิน") == ["การเดิน"]


def test_both_cuts_are_compared_from_one_common_boundary_to_the_next() -> None:
    pairs = between_agreements(["ab", "c", "de", "f"], ["a", "bc", "de", "f"])
    assert list(pairs) == [(["ab", "c"], ["a", "bc"]), (["de"], ["de"]), (["f"], ["f"])]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("ชาวบ้านบอกว่าน้ำท่วม", "ชาวบ้าน|บอก|ว่า|น้ำท่วม"),
        ("หมอบอกว่าไม่มา", "หมอ|บอก|ว่า|ไม่|มา"),
        ("พนักงานบอกว่าเช็กอินได้", "พนักงาน|บอก|ว่า|เช็กอิน|ได้"),
        ("นางบอกกว่าสิบครั้ง", "นาง|บอก|กว่า|สิบ|ครั้ง"),
        ("เอกสารประกอบคำขอ", "เอกสาร|ประกอบ|คำขอ"),
        ("ห้องน้ำสะอาด", "ห้องน้ำ|สะอาด"),
        ("ความร้อนกับความเครียด", "ความร้อน|กับ|ความเครียด"),
    ],
)
def test_common_words_are_whole(text: str, expected: str) -> None:
    for library in ("nlpo3", "pythainlp", "icu4py"):
        pytest.importorskip(library)
    assert words(text) == expected.split("|")


def test_nothing_is_lost_or_doubled() -> None:
    for library in ("nlpo3", "pythainlp", "icu4py"):
        pytest.importorskip(library)
    sentences = Path(__file__).parents[2] / "benchmarks" / "thai_words.txt"
    runs = [line.replace("|", "") for line in sentences.read_text("utf-8").splitlines()]
    for run, run_words in segmenter("Thai")(runs).items():
        assert "".join(run_words) == run
