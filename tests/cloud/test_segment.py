"""Words by script: what is one word, which segmenter cuts it, and what happens without one."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import warnings
from collections.abc import Iterator
from pathlib import Path

import pytest

from tamis.cloud import segment, thai
from tamis.cloud.segment import SegmenterWarning, split_phrases, split_words

PAGES = Path(__file__).parent.parent / "pages"


def gold(page: str) -> str:
    return str(json.loads((PAGES / page / "expected.json").read_text("utf-8"))["text"])


@pytest.fixture
def nothing_installed(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    segment.choose_segmenter.cache_clear()
    for module in (segment, thai):
        monkeypatch.setattr(module, "find_spec", lambda name: None)
    yield
    segment.choose_segmenter.cache_clear()


def boundaries(words: list[str]) -> set[int]:
    ends = set()
    end = 0
    for word in words:
        end += len(word)
        ends.add(end)
    return ends


# --- scripts with spaces


def test_apostrophes_and_hyphens_stay_inside_a_word_and_not_at_its_ends() -> None:
    assert split_words("'Rock ’n’ roll' isn’t well-known - or -so- she said") == [
        "Rock", "n", "roll", "isn’t", "well-known", "or", "so", "she", "said",
    ]  # fmt: skip


def test_dots_stay_in_abbreviations_and_names_and_part_sentences_without_a_space() -> None:
    assert split_words("The U.S. and Node.js.Then Booking.com") == [
        "The", "U.S.", "and", "Node.js", "Then", "Booking.com",
    ]  # fmt: skip


def test_underscores_are_inside_names_and_no_emphasis() -> None:
    assert split_words("_really_ call max_bytes or __init__") == [
        "really", "call", "max_bytes", "or", "init",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("हिन्दी में क्षेत्र", ["हिन्दी", "में", "क्षेत्र"]),
        ("தமிழ் மொழி", ["தமிழ்", "மொழி"]),
        ("می‌خواهم کتاب بخوانم", ["می‌خواهم", "کتاب", "بخوانم"]),
        ("الكِتَابُ العَرَبِيُّ", ["الكِتَابُ", "العَرَبِيُّ"]),
        ("cafe\u0301 Zürich", ["cafe\u0301", "Zürich"]),
        ("צה״ל ומד״א", ["צה״ל", "ומד״א"]),
        ("서울은 아름답다", ["서울은", "아름답다"]),
        ("col·laborar", ["col·laborar"]),
    ],
)
def test_marks_and_joiners_do_not_break_a_word(text: str, expected: list[str]) -> None:
    assert split_words(text) == expected


def test_soft_hyphens_and_direction_marks_leave_no_trace() -> None:
    assert split_words("Donau\xaddampf\xadschiff \u200eParis\u200f") == [
        "Donaudampfschiff",
        "Paris",
    ]


def test_addresses_are_no_words() -> None:
    text = "See https://shop.example/a?b=c or www.shop.example, ask me@shop.example now"
    assert split_words(text) == ["See", "or", "ask", "now"]


def test_punctuation_and_line_ends_part_phrases_and_spaces_do_not() -> None:
    assert split_phrases(["Old town, new bridge\nRiver walk", "Fish."]) == [
        [["Old", "town"], ["new", "bridge"], ["River", "walk"]],
        [["Fish"]],
    ]


def test_in_scripts_without_spaces_a_space_parts_phrases() -> None:
    pytest.importorskip("nlpo3")
    assert split_phrases(["ตลาดน้ำ คลอง GPS รุ่นใหม่"]) == [[["ตลาดน้ำ"], ["คลอง", "GPS", "รุ่น", "ใหม่"]]]


@pytest.mark.parametrize("text", ["", " \n\t", "…—!?", "😀 👍🏽 ❤️", "\u0301\u0301", "___"])
def test_a_text_without_words_has_none(text: str) -> None:
    assert split_words(text) == []


@pytest.mark.parametrize(
    "piece", ["aé", "a.", "a'", "a@", "_", " - ", "กa", "www.", "ก", "の", "我"]
)
def test_a_piece_repeated_a_hundred_thousand_times_is_cut(piece: str) -> None:
    pytest.importorskip("icu4py")
    pytest.importorskip("nlpo3")
    assert set("".join(split_words(piece * 100_000))) <= set(piece)


# --- scripts without spaces


def test_scripts_are_cut_run_by_run_each_by_its_segmenter() -> None:
    for library in ("nlpo3", "pythainlp", "rjieba", "icu4py"):
        pytest.importorskip(library)
    text = "iPhoneรุ่นใหม่ราคา 20,000 บาท 我来到北京 and 東京に住む人々 ຂ້ອຍຢາກ ខ្ញុំទៅ"
    assert split_words(text) == [
        "iPhone", "รุ่น", "ใหม่", "ราคา", "20", "000", "บาท", "我", "来到", "北京", "and",
        "東京", "に", "住む", "人々", "ຂ້ອຍ", "ຢາກ", "ខ្ញុំ", "ទៅ",
    ]  # fmt: skip


def test_chinese_characters_are_japanese_if_kana_are_near_or_the_language_says_so(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    asked: list[str] = []

    def whole(script: str) -> segment.Cut:
        asked.append(script)
        return lambda runs: {run: [run] for run in runs}

    monkeypatch.setattr(segment, "choose_segmenter", whole)
    split_words("東京大学。ここにあります。")
    split_words("東京大学", "ja")
    split_words("东京大学")
    split_words("東京大学の", "zh-Hant")
    assert asked == ["Japanese", "Japanese", "Chinese", "Japanese"]


def test_cutting_writes_nothing_asks_nobody_and_leaves_the_environment_alone(
    tmp_path: Path,
) -> None:
    for library in ("nlpo3", "pythainlp", "rjieba", "icu4py"):
        pytest.importorskip(library)
    code = (
        "import os, sys; before = dict(os.environ)\n"
        "asked = []\n"
        "sys.addaudithook(lambda event, _: event[:7] == 'socket.' and asked.append(event))\n"
        "from tamis.cloud import segment\n"
        "segment.split_words('ตลาดน้ำ 我来到北京 東京に住む ខ្ញុំទៅ')\n"
        "assert dict(os.environ) == before and not asked, asked"
    )
    environment = {**os.environ, "HOME": str(tmp_path), "PYTHONPATH": os.pathsep.join(sys.path)}
    for name in ("PYTHAINLP_READ_ONLY", "PYTHAINLP_READ_MODE", "PYTHAINLP_DATA"):
        environment.pop(name, None)
    subprocess.run([sys.executable, "-c", code], env=environment, check=True)
    assert list(tmp_path.iterdir()) == []


# --- without a segmenter


@pytest.mark.usefixtures("nothing_installed")
@pytest.mark.parametrize(
    ("text", "extra"),
    [("ตลาดน้ำ", "thai"), ("我来到北京", "chinese"), ("すもももも", "icu"), ("ខ្ញុំទៅផ្សារ", "icu")],
)
def test_a_missing_segmenter_is_told_once_with_the_extra_that_has_it(text: str, extra: str) -> None:
    with pytest.warns(SegmenterWarning, match=rf"pip install 'tamis\[{extra}\]'"):
        assert "".join(split_words(text)) == text
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        split_words(text)


@pytest.mark.usefixtures("nothing_installed")
@pytest.mark.filterwarnings("ignore::tamis.cloud.segment.SegmenterWarning")
def test_without_a_dictionary_what_the_text_repeats_is_a_word() -> None:
    result = split_words(gold("news-th"))
    assert {"เรือ", "คลอง", "ตลาดน้ำ", "บัวลอย", "ชาวบ้าน"} <= set(result)


def test_without_icu_newmm_cuts_thai_alone_and_a_warning_names_the_extra(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    pytest.importorskip("nlpo3")
    monkeypatch.setattr(segment, "find_spec", lambda name: None)
    segment.choose_segmenter.cache_clear()
    with pytest.warns(SegmenterWarning, match=r"newmm alone.*pip install 'tamis\[thai\]'"):
        assert split_words("ตลาดน้ำคลองลัด") == ["ตลาดน้ำ", "คลอง", "ลัด"]
    segment.choose_segmenter.cache_clear()


def test_guessed_words_agree_with_the_dictionary_more_than_spaces_do() -> None:
    pytest.importorskip("nlpo3")
    runs = segment.RUN.findall(gold("forum-th"))
    cut, guessed = segment.choose_segmenter("Thai")(runs), segment.guess_words(runs)
    theirs = boundaries([word for run in runs for word in cut[run]])
    ours = boundaries([word for run in runs for word in guessed[run]])
    assert 2 * len(ours & theirs) / (len(ours) + len(theirs)) > 0.7


def test_a_code_point_that_no_letter_has_cuts_a_run_of_chinese() -> None:
    assert split_words("今天\ufada今天", "zh") == ["今天", "今天"]
