"""Duplicates: what counts as the same text, what as nearly the same, and what does not."""

from __future__ import annotations

import os
import random
import subprocess
import sys

import pytest

from tamis.corpus.steps import duplicates
from tamis.corpus.steps.duplicates import SIZE, Seen, make_signature, split_signatures
from tamis.model.features.word_hashes import hash_words
from tamis.page.arrays import Hashes, mix_hashes

HERON = (
    "The grey heron stands for hours at the edge of the pond and waits. When a fish comes close it"
    " strikes faster than the eye can follow. In winter, when the ponds freeze, it moves to the"
    " rivers of the lowland, and some birds fly as far as the coast of Portugal. The nests are"
    " high in old trees, often dozens of them together, and the young stay there for 50 days."
)
FERRY = (
    "The ferry to the islands leaves at seven in the morning from pier 4. Tickets are sold at the"
    " kiosk beside the harbour master's office, in summer also on board. Bicycles travel free of"
    " charge, dogs need a muzzle. In strong wind the afternoon crossing may be cancelled at short"
    " notice; passengers are then taken back by bus over the bridge in the north of the bay."
)
CHINESE = (
    "苍鹭常常在池塘边站上几个小时，一动不动地等待。鱼一靠近，它就以肉眼看不清的速度出击。"
    "冬天池塘结冰，它便迁往低地的河流，有些鸟甚至飞到葡萄牙的海岸。"
    "巢筑在高大的老树上，往往几十个聚在一起，雏鸟要在那里待上五十天。"
)
THAI = (
    "นกกระสานวลยืนรออยู่ริมบึงเป็นเวลาหลายชั่วโมง เมื่อปลาว่ายเข้ามาใกล้มันจะจิกเร็วกว่าที่ตามองทัน "
    "ในฤดูหนาวเมื่อบึงกลายเป็นน้ำแข็งมันจะย้ายไปยังแม่น้ำในที่ราบลุ่ม บางตัวบินไกลถึงชายฝั่งโปรตุเกส "
    "รังอยู่สูงบนต้นไม้เก่าแก่ มักรวมกันหลายสิบรัง และลูกนกจะอยู่ที่นั่นห้าสิบวัน"
)


def compared(first: str, second: str) -> str:
    seen = Seen()
    assert seen.add(make_signature(first)) == ""
    return seen.add(make_signature(second))


def page(number: int, words: int = 400) -> str:
    """A text that is all its own, of 300 words that no other page has."""
    chosen = random.Random(number)
    return " ".join(f"{number}x{chosen.randrange(300)}" for _ in range(words))


def edited(text: str, share: float, number: int = 0) -> str:
    chosen = random.Random(number)
    return " ".join("edited" if chosen.random() < share else word for word in text.split())


@pytest.mark.parametrize("text", [HERON, CHINESE, THAI, "Sold out.", "♥ ♥ ♥"])
def test_the_same_text_is_a_duplicate(text: str) -> None:
    assert compared(text, text) == "duplicate"


def test_case_punctuation_and_white_space_do_not_count() -> None:
    assert compared(HERON, HERON.upper().replace(", ", " –\n\n")) == "duplicate"


def test_numbers_count() -> None:
    assert compared("Price: 12.50 EUR", "Price: 13.50 EUR") == ""


@pytest.mark.parametrize("text", [HERON, CHINESE, THAI])
def test_a_text_with_a_sentence_more_is_a_near_duplicate(text: str) -> None:
    more = {
        HERON: " Herons are protected.",
        CHINESE: "苍鹭受到保护。",
        THAI: " นกกระสาได้รับการคุ้มครอง",
    }
    assert compared(text, text + more[text]) == "near duplicate"


@pytest.mark.parametrize(
    ("first", "second"),
    [
        (HERON, FERRY),
        (
            CHINESE,
            "渡轮早上七点从四号码头开往各岛。船票在港务局旁边的售票亭出售，夏天也可以在船上购买。",
        ),
        (THAI, "เรือข้ามฟากไปยังหมู่เกาะออกเวลาเจ็ดโมงเช้าจากท่าเรือหมายเลขสี่ ตั๋วมีจำหน่ายที่ซุ้มข้างสำนักงานท่าเรือ"),
    ],
)
def test_other_texts_are_no_duplicates(first: str, second: str) -> None:
    assert compared(first, second) == ""


def test_pages_that_share_a_legal_notice_are_no_duplicates() -> None:
    notice = " All rights reserved. Reproduction only with the permission of the publisher." * 3
    assert compared(HERON + notice, FERRY + notice) == ""


def test_short_texts_are_duplicates_only_if_they_are_the_same() -> None:
    assert compared("Log in to read this article", "Log in to read this article now") == ""


def test_the_same_words_in_another_order_are_no_duplicates() -> None:
    words = page(1).split()
    assert compared(" ".join(words), " ".join(sorted(words))) == ""


def test_most_copies_with_one_word_of_twenty_changed_are_found() -> None:
    texts = [page(number) for number in range(200)]
    seen = Seen()
    assert not any(seen.add(make_signature(text)) for text in texts)
    answers = [
        seen.add(make_signature(edited(text, 0.05, place))) for place, text in enumerate(texts)
    ]
    assert answers.count("near duplicate") >= 190
    answers = [
        seen.add(make_signature(edited(text, 0.3, place))) for place, text in enumerate(texts)
    ]
    assert answers.count("near duplicate") <= 2


def test_a_near_duplicate_of_a_near_duplicate_is_compared_with_the_first() -> None:
    seen = Seen()
    text = page(3)
    kept = []
    for step in range(8):
        kept.append(seen.add(make_signature(text)) == "")
        text = edited(text, 0.03, step)
    assert kept[:3] == [True, False, False]
    assert any(kept[3:])


def test_only_exact_duplicates_may_be_asked_for() -> None:
    seen = Seen(exact=True)
    answers = [
        seen.add(make_signature(text)) for text in (HERON, HERON + " Herons are shy.", HERON)
    ]
    assert answers == ["", "", "duplicate"]


def test_nothing_is_forgotten_as_the_documents_become_many() -> None:
    seen = Seen()
    texts = [page(number, 60) for number in range(3_000)]
    assert not any(seen.add(make_signature(text)) for text in texts)
    answers = [seen.add(make_signature(f"{text} and then some")) for text in texts]
    assert answers.count("near duplicate") >= 2_950
    assert [seen.add(make_signature(text)) for text in texts] == ["duplicate"] * 3_000


def test_signatures_are_short_and_can_be_joined() -> None:
    made = [make_signature(text) for text in (HERON, "", "short", CHINESE)]
    assert {len(packed) for packed in made} == {SIZE}
    assert SIZE < 256
    assert list(split_signatures(b"".join(made))) == made


def test_signatures_are_the_same_in_every_process() -> None:
    script = (
        "import sys; from tamis.corpus.steps.duplicates import make_signature\n"
        "print(make_signature(sys.stdin.buffer.read().decode()).hex())"
    )
    ran = subprocess.run(
        [sys.executable, "-c", script],
        input=(HERON + CHINESE).encode(),
        capture_output=True,
        check=True,
        env={**os.environ, "PYTHONHASHSEED": "7"},
    )
    assert ran.stdout.decode().strip() == make_signature(HERON + CHINESE).hex()
    assert make_signature(HERON).hex().startswith("2eb8b66677093e3bfc7b22f31a9061e9")


def test_any_text_has_a_signature() -> None:
    for text in ("", "\x00", "a\ud800b " * 20, "\U0001f426" * 100, "same " * 1_000, "字" * 1_000):
        assert compared(text, text) == "duplicate"


@pytest.mark.parametrize("text", ["word " * 1_000_000, "字" * 1_000_000, page(1, 200_000)])
def test_the_words_of_a_long_text_are_hashed_once(
    text: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    hashed = []

    def counted(numbers: Hashes, seed: int) -> Hashes:
        hashed.append(len(numbers))
        return mix_hashes(numbers, seed)

    monkeypatch.setattr(duplicates, "mix_hashes", counted)
    assert len(make_signature(text)) == SIZE
    assert sum(hashed) < len(hash_words(text.encode()))
