"""Thai words: of all ways to cut a run into known words, the likeliest."""

from __future__ import annotations

import importlib.util
from collections.abc import Callable, Iterator
from importlib.machinery import ModuleSpec
from itertools import pairwise
from pathlib import Path

import pytest

from tamis.cloud import segment, thai
from tamis.cloud.segment import SegmenterWarning, choose_segmenter, split_words
from tamis.cloud.terms import weigh_terms
from tamis.cloud.thai import Split, combine_segmenters, find_pieces
from tamis.cloud.vocabulary import thai_corpus


def cut(marked: str) -> Split:
    """A segmenter that gives the words between the marks, whatever it is asked."""
    return lambda run: marked.split("|")


@pytest.fixture
def counted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A corpus of a thousand words, and a dictionary."""
    (tmp_path / "tnc_freq.txt").write_text(
        "ab\t9\nc\t1\na\t4\nbc\t4\nxyz\t1\nเดิน\t480\nการ\t50\n"
        "ลูก\t100\nชาย\t100\nลูกสาว\t20\nที่\t71\nuv\t40\nu\t60\nv\t60\n",
        "utf-8",
    )
    listed = "การเดิน ลูกชาย ab c a bc xyz เดิน การ ลูก ชาย ลูกสาว u v"
    (tmp_path / "words_th.txt").write_text(listed.replace(" ", "\n"), "utf-8")
    monkeypatch.setattr(thai, "thai_corpus", tmp_path.joinpath)


def likeliest_words(*cuts: str) -> list[str]:
    split = combine_segmenters(*map(cut, cuts))
    assert split
    return list(split(cuts[0].replace("|", "")))


@pytest.mark.usefixtures("counted")
def test_the_words_with_the_highest_product_of_frequencies_are_taken() -> None:
    # (9 + 1) * (1 + 1) = 20 against (4 + 1) * (4 + 1) = 25, both over the square of the total.
    assert likeliest_words("ab|c", "a|bc") == ["a", "bc"]
    assert likeliest_words("a|bc", "ab|c") == ["a", "bc"]


@pytest.mark.usefixtures("counted")
def test_a_word_more_must_be_worth_the_size_of_the_corpus() -> None:
    # One word that the corpus does not have: 1 / 1000; two words of it: 5 * 5 / 1000 ** 2.
    assert likeliest_words("abc", "a|bc") == ["abc"]


@pytest.mark.usefixtures("counted")
def test_a_known_word_is_taken_where_no_segmenter_cuts_it() -> None:
    assert likeliest_words("qa|b|c", "q|abc") == ["qa", "bc"]
    assert likeliest_words("x|yz", "xy|z") == ["xyz"]
    assert likeliest_words("a|b|c") == ["a", "bc"]


@pytest.mark.usefixtures("counted")
def test_a_known_word_is_taken_across_a_place_where_all_segmenters_cut() -> None:
    assert likeliest_words("x|y|z", "x|y|z") == ["xyz"]


@pytest.mark.usefixtures("counted")
def test_a_word_on_which_all_segmenters_agree_stays_whole_though_the_corpus_cuts_it() -> None:
    assert likeliest_words("เดินการ", "เดินการ") == ["เดินการ"]
    assert likeliest_words("เดินการ", "เดิน|การ") == ["เดิน", "การ"]


@pytest.mark.usefixtures("counted")
def test_a_noun_made_of_a_verb_is_known_by_the_verb() -> None:
    # 480 / 8 + 1 of a thousand against 51 * 481 of a million.
    assert likeliest_words("การ|เดิน") == ["การเดิน"]


@pytest.mark.usefixtures("counted")
def test_a_word_that_only_the_corpus_has_counts_as_a_twentieth() -> None:
    # 40 / 20 + 1 of a thousand against 61 * 61 of a million.
    assert likeliest_words("uv") == ["u", "v"]


@pytest.mark.usefixtures("counted")
def test_a_relative_is_as_frequent_as_the_one_of_the_other_sex() -> None:
    # 20 + 1 of a thousand against 101 * 101 of a million.
    assert likeliest_words("ลูก|ชาย") == ["ลูกชาย"]


@pytest.mark.usefixtures("counted")
def test_without_one_of_the_segmenters_or_the_corpus_there_is_nothing_to_choose_by(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert combine_segmenters(cut("a"), None) is None
    monkeypatch.setattr(thai, "thai_corpus", lambda name: None)
    assert combine_segmenters(cut("a")) is None


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
        ("ปัญหาทางการเมืองของรัฐบาล", "ปัญหา|ทาง|การเมือง|ของ|รัฐบาล"),
        ("มาตรการทางการเงินและทางการค้า", "มาตรการ|ทาง|การเงิน|และ|ทาง|การค้า"),
        ("อุปกรณ์ทางการแพทย์", "อุปกรณ์|ทาง|การแพทย์"),
        ("ความร่วมมือทางการทหาร", "ความร่วมมือ|ทาง|การทหาร"),
        ("ทางการไทยแถลงอย่างเป็นทางการ", "ทางการ|ไทย|แถลง|อย่าง|เป็น|ทางการ"),
        ("สถานการณ์ทางการเมืองไทย", "สถานการณ์|ทาง|การเมือง|ไทย"),
        ("วิกฤตการเมืองไทย", "วิกฤต|การเมือง|ไทย"),
        ("ทางการเมียนมา", "ทางการ|เมียนมา"),
        ("บุตรชายของนายกเทศมนตรี", "บุตรชาย|ของ|นายกเทศมนตรี"),
        ("ชาวบ้านต้องการแพทย์และเงิน", "ชาวบ้าน|ต้องการ|แพทย์|และ|เงิน"),
    ],
)
def test_common_words_are_whole(text: str, expected: str) -> None:
    for library in ("nlpo3", "pythainlp", "icu4py"):
        pytest.importorskip(library)
    assert split_words(text) == expected.split("|")


@pytest.mark.parametrize("missing", ["nlpo3", "icu4py"])
def test_one_segmenter_is_enough_for_common_compounds(
    missing: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for library in ("nlpo3", "pythainlp", "icu4py"):
        pytest.importorskip(library)

    def find_spec(name: str) -> ModuleSpec | None:
        return None if name == missing else importlib.util.find_spec(name)

    for module in (segment, thai):
        monkeypatch.setattr(module, "find_spec", find_spec)
    choose_segmenter.cache_clear()
    with pytest.warns(SegmenterWarning, match=r"alone.*pip install 'tamis\[thai\]'"):
        assert split_words("วิกฤตทางการเมืองบอกว่าบุตรชาย") == [
            "วิกฤต",
            "ทาง",
            "การเมือง",
            "บอก",
            "ว่า",
            "บุตรชาย",
        ]
    choose_segmenter.cache_clear()


STORY = """\
วิกฤตทางการเมืองยืดเยื้อ นายกรัฐมนตรีประกาศยุบสภา
หลังความขัดแย้งทางการเมืองยืดเยื้อมานานหลายเดือน นายกรัฐมนตรีแถลงยุบสภาเมื่อคืนวานนี้ \
และให้จัดการเลือกตั้งภายในสี่สิบห้าวัน
ผู้นำฝ่ายค้านกล่าวว่า การยุบสภาเป็นทางออกทางการเมืองที่ดีที่สุด แต่ขอให้ปล่อยนักโทษทางการเมืองก่อนวันเลือกตั้ง
นักวิชาการมองว่า เสถียรภาพทางการเมืองจะกลับมาได้ ถ้าทุกพรรคยอมรับผลการเลือกตั้ง \
ส่วนภาคธุรกิจห่วงผลกระทบทางการเงินและทางการค้า
"""


def test_the_cloud_of_a_political_story_shows_politics_not_authorities_and_a_city() -> None:
    for library in ("nlpo3", "pythainlp", "icu4py"):
        pytest.importorskip(library)
    heaviest = [(term.term, term.count) for term in weigh_terms([STORY], language="th", most=8)]
    assert heaviest[0] == ("การเมือง", 5)
    assert {"ทางการ", "เมือง", "ทางการเมือง"}.isdisjoint(
        term.term for term in weigh_terms([STORY], language="th")
    )


BENCHMARKS = Path(__file__).parents[2] / "benchmarks"


def test_the_marked_compounds_are_words_of_the_royal_dictionary() -> None:
    dictionary = thai_corpus("orst_words_th.txt")
    if dictionary is None:
        pytest.skip("needs pythainlp")
    listed = {"".join(line.split()) for line in dictionary.read_text("utf-8-sig").splitlines()}
    marked = (BENCHMARKS / "thai_compounds.txt").read_text("utf-8").splitlines()
    sentences = [line.split("|") for line in marked if line and not line.startswith("#")]
    assert len(sentences) == 120
    # Pairs whose words mean what they mean alone: those in, know each other, rain hard.
    loose = {"คนใน", "รู้กัน", "ตกหนัก"}
    for sentence in sentences:
        for pair in pairwise(sentence):
            assert "".join(pair) not in listed - loose, sentence
        # Those that begin with ทาง and are not listed are things that one walks, drives or chooses.
        begin = {word for word in sentence if word.startswith("ทาง")}
        assert begin <= listed | {"ทางหลวง", "ทางเลือก"}, sentence


def test_nothing_is_lost_or_doubled() -> None:
    for library in ("nlpo3", "pythainlp", "icu4py"):
        pytest.importorskip(library)
    runs = [
        line.replace("|", "")
        for name in ("thai_words.txt", "thai_compounds.txt")
        for line in (BENCHMARKS / name).read_text("utf-8").splitlines()
    ]
    for run, run_words in choose_segmenter("Thai")(runs).items():
        assert "".join(run_words) == run


# Names that a text has twice


def term_counts(text: str) -> dict[str, int]:
    for library in ("nlpo3", "pythainlp", "icu4py"):
        pytest.importorskip(library)
    return {term.term: term.count for term in weigh_terms([text], language="th", most=1_000)}


@pytest.fixture(autouse=True)
def read_lists_again() -> Iterator[None]:
    yield
    thai._read_names.cache_clear()
    thai._read_words.cache_clear()


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
    thai._read_names.cache_clear()
    thai._read_words.cache_clear()
    monkeypatch.setattr(thai, "thai_corpus", find_file)


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
