"""Languages as people write them."""

from __future__ import annotations

import pytest
from tests.describe.metadata.pages import page, read

from tamis import OptionsError
from tamis.describe.metadata.language import find_language_tags, normalize_tag


@pytest.mark.parametrize(
    ("name", "tags"),
    [
        ("english", ("en",)),
        ("ENGLISH", ("en",)),
        ("en", ("en",)),
        ("EN-gb", ("en-GB",)),
        ("eng", ("en",)),
        ("ger", ("de",)),
        ("Deutsch", ("de",)),
        ("हिन्दी", ("hi",)),
        ("scottish gaelic", ("gd",)),
        ("zh_Hant_TW", ("zh-Hant-TW",)),
        ("norsk", ("nb", "nn", "no")),
        ("iw", ("he",)),
    ],
)
def test_a_language_is_known_by_its_codes_and_its_names(name: str, tags: tuple[str, ...]) -> None:
    assert find_language_tags(name) == tags


@pytest.mark.parametrize(
    ("name", "hint"),
    [("englsh", "did you mean 'english'"), ("klingon", "give a name or a code"), ("", "name or a")],
)
def test_what_names_no_language_is_refused_with_advice(name: str, hint: str) -> None:
    with pytest.raises(OptionsError, match=hint):
        find_language_tags(name)


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("en", "en"),
        ("EN_us", "en-US"),
        ("pt_BR", "pt-BR"),
        ("zh-hans-cn", "zh-Hans-CN"),
        ("deu", "de"),
        ("en-US,en;q=0.9", "en-US"),
        ("english", ""),
        ("und", ""),
        ("", ""),
    ],
)
def test_a_language_tag_is_normalised(value: str, expected: str) -> None:
    assert normalize_tag(value) == expected


def test_the_text_corrects_a_template_in_english() -> None:
    text = (
        "<p>Der Fluss stieg in der Nacht, und am Morgen stand die Unterstadt unter Wasser. Das"
        " hatten die Leute im Tal schon oft gesehen, aber nie im Mai und nie so schnell.</p>"
    )
    assert read(f"<html lang=en><title>Fluss</title>{text}").language == "de"


def test_a_script_that_is_not_the_languages_own_is_looked_at() -> None:
    text = "<p>" + "น้ำในแม่น้ำขึ้นในตอนกลางคืน และตอนเช้าเมืองตอนล่างก็อยู่ใต้น้ำ " * 5
    assert read(f"<html lang=en><title>น้ำ</title>{text}").language == "th"


def test_the_more_precise_of_two_tags_that_agree_is_taken() -> None:
    assert read(page('<meta property="og:locale" content="en_IE">')).language == "en-IE"
