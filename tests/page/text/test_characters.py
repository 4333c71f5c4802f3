"""Each character is of the kind that the counts of a page need."""

from __future__ import annotations

import pytest

from tamis.page.text.characters import (
    BYTE_KINDS,
    CODE_POINT_KINDS,
    DIGIT,
    HAN,
    IGNORED,
    LOWER,
    MARKUP,
    MULTIBYTE,
    PUNCTUATION,
    REFERENCE,
    SEA,
    SPACE,
    SYMBOL,
    UPPER,
)


@pytest.mark.parametrize(
    ("characters", "kind"),
    [
        ("aßя\u0301가", LOWER),
        ("AÉЯǅ", UPPER),
        ("0٣½", DIGIT),
        (".,«。", PUNCTUATION),
        ("+€→\ue000", SYMBOL),
        (" \t\n\r\x1c\x85\xa0\u3000", SPACE),
        ("\xad\u200d\x01", IGNORED),
        ("天の々", HAN),
        ("กြ", SEA),
    ],
)
def test_a_character_is_of_the_kind_that_unicode_says(characters: str, kind: int) -> None:
    assert [CODE_POINT_KINDS[ord(one)] for one in characters] == [kind] * len(characters)


def test_digits_of_thai_are_digits_and_signs_are_not_letters() -> None:
    assert CODE_POINT_KINDS[ord("๓")] == DIGIT
    assert CODE_POINT_KINDS[ord("฿")] == SYMBOL


def test_bytes_are_those_of_ascii_but_for_what_may_begin_something() -> None:
    assert BYTE_KINDS[ord("<")] == MARKUP
    assert BYTE_KINDS[ord("&")] == REFERENCE
    assert set(BYTE_KINDS[0x80:]) == {MULTIBYTE}
    others = [byte for byte in range(0x80) if byte not in b"<&"]
    assert [BYTE_KINDS[byte] for byte in others] == [CODE_POINT_KINDS[byte] for byte in others]
