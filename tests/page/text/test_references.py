"""Character references stand for what the HTML standard says, in text and in attributes."""

from __future__ import annotations

import re
from html.entities import html5

import pytest
import turbohtml
from tests.page.reading import blocks
from tests.uncompiled import from_source

from tamis.page.text.references import resolve_references

REFERENCES = [
    ("&amp;", "&"),
    ("&amp", "&"),
    ("&ampx", "&x"),
    ("&AMP;", "&"),
    ("&Amp;", "&Amp;"),
    ("&copy;", "©"),
    ("&copy 2024", "© 2024"),
    ("&copy=1", "©=1"),
    ("&hellip;", "…"),
    ("&hellip", "&hellip"),
    ("&notin;", "∉"),
    ("&notit;", "¬it;"),
    ("&not", "¬"),
    ("&nbsp;", "\xa0"),
    ("&nbsp&nbsp", "\xa0\xa0"),
    ("&NotEqualTilde;", "≂̸"),
    ("&CounterClockwiseContourIntegral;", "∳"),
    ("&unknown;", "&unknown;"),
    ("&", "&"),
    ("&;", "&;"),
    ("& amp;", "& amp;"),
    ("&#65;", "A"),
    ("&#65", "A"),
    ("&#65x", "Ax"),
    ("&#x41;", "A"),
    ("&#X41", "A"),
    ("&#x1F600;", "😀"),
    ("&#;", "&#;"),
    ("&#x;", "&#x;"),
    ("&#xg;", "&#xg;"),
    ("&#128;", "€"),
    ("&#x99;", "™"),
    ("&#129;", "\x81"),
    ("&#0;", "\ufffd"),
    ("&#x110000;", "\ufffd"),
    ("&#99999999999999999999999;", "\ufffd"),
    ("&#xFFFFFFFFFFFFFFFFF;", "\ufffd"),
    ("&#0000000000000000000065;", "A"),
    ("&#xD800;", "\ufffd"),
    ("&#xDFFF;", "\ufffd"),
    ("&amp;lt;", "&lt;"),
]


@pytest.mark.parametrize(("source", "expected"), REFERENCES)
def test_character_references_are_resolved_as_the_standard_says(source: str, expected: str) -> None:
    paragraph = turbohtml.parse(f"<p>[{source}]").find("p")
    assert paragraph is not None
    assert paragraph.text == f"[{expected}]"
    assert resolve_references(f"[{source}]") == f"[{expected}]"
    assert blocks(f"<p>[{source}]") == [f"[{expected}]"]


def test_a_reference_may_be_the_last_thing_of_a_page() -> None:
    assert blocks("<p>a&lt") == ["a<"]
    assert blocks("<p>a&#6") == ["a\x06"]
    assert blocks("<p>a&") == ["a&"]


def test_a_reference_that_stands_for_white_space_separates_words() -> None:
    assert blocks("<p>one&#32;two&#10;&Tab;three&#9;<b>four</b>") == ["one two three four"]


def test_every_name_of_a_character_is_resolved() -> None:
    for name, text in html5.items():
        expected = re.sub(r"[ \t\n\f\r]+", " ", f"x{text}|{text}")
        assert blocks(f"<p>x&{name}|&{name}|"[:-1]) == [expected.strip()], name


def test_a_long_text_of_references_is_resolved_as_a_whole() -> None:
    assert blocks("<p>" + "&nLt;" * 20_000) == ["≪⃒" * 20_000]


@pytest.mark.parametrize(
    ("value", "resolved"),
    [
        ("?a=1&copy=2", "?a=1&copy=2"),
        ("?a=1&copyx", "?a=1&copyx"),
        ("?a=1&copy;=2", "?a=1©=2"),
        ("&copy", "©"),
        ("&copy 2", "© 2"),
        ("&notit;", "&notit;"),
        ("&#65=", "A="),
        ("&#65x&amp;lt", "Ax&lt"),
    ],
)
def test_a_name_without_a_semicolon_may_be_a_part_of_an_address(value: str, resolved: str) -> None:
    assert resolve_references(value, attribute=True) == resolved


def test_half_a_pair_of_surrogates_stays_what_it_is() -> None:
    assert resolve_references("\ud800&amp;\udfff") == "\ud800&\udfff"


def test_text_is_the_same_compiled_or_not() -> None:
    (uncompiled,) = from_source("page.text.references")
    for source, _ in REFERENCES:
        for attribute in (False, True):
            text = f"{source}a{source}={source}"
            expected = resolve_references(text, attribute)
            assert uncompiled.resolve_references(text, attribute) == expected
