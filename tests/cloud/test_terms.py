"""From words to weights: which forms are one term, what is none, and what weighs most."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import tamis
from tamis.cloud.segment import split_words
from tamis.cloud.terms import Term, Text, weigh_terms
from tamis.cloud.vocabulary import is_stopword

PAGES = Path(__file__).parent.parent / "pages"


def counted(text: str, language: str = "en") -> dict[str, int]:
    return {term.term: term.count for term in weigh_terms([text], language=language)}


# --- what is a term


def test_stop_words_numbers_and_single_letters_are_out() -> None:
    assert counted("The 3 cats, the 4,000 dogs & 2-3 birds of 1990s: x, y; we're in the 12th") == {
        "cats": 1, "dogs": 1, "birds": 1,
    }  # fmt: skip


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("en", "thirty-one hundreds, three million"),
        ("de", "dreißig, Achthundert und zweitausendvierundzwanzig"),
        ("fr", "quatre-vingt-dix, deux cents"),
        ("es", "veintidós, quinientos mil"),
        ("it", "venticinque e tremila"),
        ("ru", "сорок, девяносто тысяч"),
    ],
)
def test_numbers_in_letters_are_out(language: str, text: str) -> None:
    assert counted(text, language) == {}


@pytest.mark.parametrize(
    ("language", "text", "left"),
    [
        ("de", "Die Katze ist auf dem Dach und schläft", {"Katze", "Dach", "schläft"}),
        ("fr", "Le chat n’est pas sur l’arbre d’hier", {"chat", "arbre", "hier"}),
        ("it", "Il gatto dell'amico è sull'albero", {"gatto", "amico", "albero"}),
        ("ru", "Кошка и собака не были на крыше", {"Кошка", "собака", "крыше"}),
        ("ar", "القطة على السطح وفي البيت", {"القطة", "السطح", "البيت"}),
        ("hi", "बिल्ली छत पर है और कुत्ता घर में है", {"बिल्ली", "छत", "कुत्ता", "घर"}),
        ("bn", "বিড়াল এবং কুকুর তাদের বাড়ি থেকে", {"বিড়াল", "কুকুর", "বাড়ি"}),
        ("ur", "بلی اور کتا گھر میں ہیں", {"بلی", "کتا", "گھر"}),
        ("ko", "우리의 고양이 그리고 그녀는 지붕", {"고양이", "지붕"}),
        ("el", "Η γάτα είναι στη στέγη και κοιμάται", {"γάτα", "στέγη", "κοιμάται"}),
    ],
)
def test_each_language_has_its_stop_words(language: str, text: str, left: set[str]) -> None:
    assert set(counted(text, language)) == left
    assert set(counted(text, "")) == left, "the language is guessed"


@pytest.mark.parametrize(
    ("language", "text", "left"),
    [
        ("en", "He left the far end of the round lake for New York", {"lake", "New", "York"}),
        ("de", "Am Ende der ganzen Woche heute wirklich genug Brot", {"Woche", "Brot"}),
        ("hr", "protiv suše tijekom ljeta", {"suše", "ljeta"}),
    ],
)
def test_words_that_say_little_are_left_out(language: str, text: str, left: set[str]) -> None:
    assert set(counted(text, language)) == left


@pytest.mark.parametrize("language", ["pt", "sv", "nb"])
def test_a_long_word_of_ambiguous_numbers_is_read_once(language: str) -> None:
    # "dezoito" is "dez" and "oito", too: a pattern tried all 2 ** 300 ways to cut this.
    number = {"pt": "dezoito", "sv": "femtio", "nb": "femti"}[language] * 300
    assert is_stopword(number, number, language)
    assert not is_stopword(f"{number}x", f"{number}x", language)


def test_pages_in_other_scripts_leave_out_english_stop_words_too() -> None:
    pytest.importorskip("nlpo3")
    assert set(counted("แมวและ the cat with สุนัข", "th")) == {"แมว", "cat", "สุนัข"}


def test_without_a_known_language_short_words_are_taken_for_stop_words() -> None:
    assert set(counted("zorb xu blift kq zorb NASA", "tlh")) == {"zorb", "blift", "NASA"}


def test_spellings_are_one_term_under_the_commonest() -> None:
    assert counted("Bread BREAD bread bread") == {"bread": 4}
    assert counted("كتاب كِتَاب كتـــاب", "ar") == {"كتاب": 3}
    assert counted("ＮＡＳＡ NASA NASA") == {"NASA": 3}
    assert counted("İstanbul istanbul ISI ısı", "tr") == {"istanbul": 2, "ısı": 2}


@pytest.mark.parametrize(
    ("language", "text", "expected"),
    [
        ("en", "a company, companies, the company's boxes, a box", {"company": 3, "boxes": 2}),
        ("de", "ein Berg, zwei Berge, des Berges, neue Häuser, neuen", {"Berg": 3}),
        ("fr", "un gâteau, des gâteaux", {"gâteau": 2}),
        ("es", "la ciudad, las ciudades", {"ciudad": 2}),
        ("ru", "столица, столицы, столицу; книга о книгах", {"столица": 3, "книга": 2}),
        ("ko", "도서관은 도서관을 도서관에서", {"도서관": 3}),
        ("hi", "किताब, किताबें, किताबों में", {"किताब": 3}),
        ("ar", "كتاب الكتاب والكتاب", {"كتاب": 3}),
        ("ar", "الحكومة وحكومة للحكومة بالحكومة حكومتها", {"الحكومة": 5}),
        ("ar", "كالمدينة المدينة فالمدينة", {"كالمدينة": 3}),
        ("ar", "وزير زيت", {"وزير": 1, "زيت": 1}),
    ],
)
def test_inflected_forms_are_one_term(language: str, text: str, expected: dict[str, int]) -> None:
    assert expected.items() <= counted(text, language).items()


@pytest.mark.parametrize(
    ("language", "pairs"),
    [
        ("en", "new/news window/Windows arm/arms build/building"),
        ("de", "Arbeit/Arbeiter"),
        ("fr", "cour/cours port/porte"),
        ("it", "casa/caso"),
    ],
)
def test_different_words_stay_apart(language: str, pairs: str) -> None:
    for first, second in (pair.split("/") for pair in pairs.split()):
        text = f"{first} {second} {first} {second}"
        assert counted(text, language) == {first: 2, second: 2}


def test_two_words_that_stick_together_are_one_term_and_not_counted_apart() -> None:
    text = (
        "Climate change worries. The climate change report. A climate change plan. Changes help. "
    )
    result = counted(text + "Rivers rise and towns plan dams while farms wait for rain.")
    assert result["climate change"] == 3
    assert result["change"] == 1
    assert "climate" not in result


def test_pieces_of_a_name_that_the_dictionary_does_not_know_are_put_together() -> None:
    pytest.importorskip("nlpo3")
    text = "ธีรเดช เปิดร้าน วันนี้ธีรเดชขายปลา ปลาของธีรเดชสด ร้านปลาเปิดเช้า"
    assert split_words("ธีรเดช", "th") == ["ธีร", "เดช"]
    result = counted(text, "th")
    assert result["ธีรเดช"] == 3
    assert not {"ธีร", "เดช"} & result.keys()


def test_neighbours_across_punctuation_or_by_chance_are_no_pair() -> None:
    assert counted("red, blue. red, blue. red, blue.") == {"red": 3, "blue": 3}
    by_chance = "good day good night good day night day good night day good"
    assert all(" " not in term for term in counted(by_chance))


def test_an_article_between_two_words_of_a_pair_is_shown() -> None:
    text = "poudre d’amandes. sucre, poudre d’amandes. beurre, farine, poudre d’amandes."
    assert counted(text, "fr")["poudre d’amandes"] == 3


# --- weights


def test_for_one_text_the_weight_is_the_frequency_and_the_first_of_equals_comes_first() -> None:
    assert weigh_terms(["zebra apple apple mango"], language="en") == [
        Term("apple", 1.0, 2), Term("zebra", 0.5, 1), Term("mango", 0.5, 1),
    ]  # fmt: skip


def test_words_count_by_the_score_of_their_block() -> None:
    blocks = [("Sieves sift flour.", 0.9), ("Subscribe to offers!", 0.4)]
    weights = {term.term: term.weight for term in weigh_terms([Text(blocks, "en")])}
    assert weights["flour"] == 1
    assert weights["offers"] == pytest.approx((0.4 / 0.9) ** 2)


def test_a_block_that_repeats_counts_once_whatever_its_numbers() -> None:
    blocks = [(f"Likes: {number}", 0.9) for number in range(9)] + [("Bread and more bread", 0.9)]
    result = weigh_terms([Text(blocks, "en")])
    assert [(term.term, term.count) for term in result] == [("bread", 2), ("Likes", 9)]


def test_for_several_texts_what_all_say_weighs_more_than_what_one_repeats_as_often() -> None:
    texts = ["harbour, " * 4] * 6
    texts[0] += "gull, " * 24
    result = weigh_terms(texts, language="en")
    assert [(term.term, term.count) for term in result] == [("harbour", 24), ("gull", 24)]
    assert weigh_terms(texts[:1], language="en")[0].term == "gull"


def test_against_other_texts_only_what_is_special_is_left() -> None:
    here, there = "tide tide tide boat harbour", "harvest harvest harvest boat harbour"
    assert [term.term for term in weigh_terms([here], against=[there], language="en")] == ["tide"]
    assert [term.term for term in weigh_terms([there], against=[here], language="en")] == [
        "harvest"
    ]


def test_against_texts_without_words_the_frequency_decides() -> None:
    assert weigh_terms(["tide tide boat"], against=[""]) == weigh_terms(["tide tide boat"])


def test_the_same_texts_give_the_same_terms_in_any_order_of_hashing() -> None:
    text = json.loads((PAGES / "news-en" / "expected.json").read_text("utf-8"))["text"]
    assert weigh_terms([text]) == weigh_terms([text])
    assert weigh_terms([text], most=5) == weigh_terms([text], most=80)[:5]


def test_each_text_loses_the_stop_words_of_its_own_language() -> None:
    texts = [
        Text([("The ferry and the boats of the coast die", 1.0)], "en"),
        Text([("Die Fähre und die Boote an der Küste", 1.0)], "de-AT"),
        Text([("Le ferry et les bateaux de la côte", 1.0)]),
    ]
    assert {term.term for term in weigh_terms(texts)} == {
        "ferry", "boats", "coast", "die", "Fähre", "Boote", "Küste", "bateaux", "côte",
    }  # fmt: skip


def test_a_block_in_another_language_than_its_page_loses_the_stop_words_of_that() -> None:
    german = "Die Fähre fährt jeden Tag von der Insel zur Stadt und wieder zurück"
    english = "The boats of the coast are older than the ferry and slower than that"
    result = {term.term for term in weigh_terms([Text([(german, 1.0), (english, 1.0)], "de")])}
    assert {"Fähre", "Insel", "boats", "coast"} <= result
    assert not {"the", "of", "than", "der", "und"} & result


def test_a_text_that_does_not_tell_its_language_has_that_of_most_others() -> None:
    texts = ["Price with tax", "The cat is on the roof", "The dog is in the house"]
    assert "with" not in {term.term for term in weigh_terms(texts)}


# --- pages


@pytest.mark.parametrize("name", ["news-th", "forum-th", "shop-th"])
def test_no_heavy_term_of_a_thai_page_comes_from_outside_its_content(name: str) -> None:
    pytest.importorskip("nlpo3")
    gold = json.loads((PAGES / name / "expected.json").read_text("utf-8"))["text"]
    result = tamis.extract((PAGES / name / "source.html").read_bytes())
    heaviest = {term.term for term in weigh_terms([Text(result.weighed_blocks(), "th")], most=30)}
    assert len(heaviest) == 30
    assert {word for term in heaviest for word in split_words(term, "th")} <= set(
        split_words(gold, "th")
    )


# --- bad input


@pytest.mark.parametrize("texts", [[], [""], ["", " \n"], ["1 2 3,000"], ["😀 👍🏽 ❤️"], [Text([])]])
def test_texts_without_words_give_no_terms(texts: list[Text | str]) -> None:
    assert weigh_terms(texts) == []


def test_one_word_is_a_cloud_of_one_term() -> None:
    assert weigh_terms(["Hello"], language="en") == [Term("Hello", 1.0, 1)]


def test_data_is_no_word() -> None:
    assert counted("bread " + "x" * 5_000 + " bread") == {"bread": 2}


def test_of_a_million_distinct_words_so_many_are_read() -> None:
    text = " ".join(f"word{number}x" for number in range(1_000_000))
    assert len(weigh_terms([text], language="en")) == 80
    assert "end" not in counted(text + " end" * 1000)
