"""The inside of a paragraph: marks where Markdown reads them as marks."""

from __future__ import annotations

from collections.abc import Callable

import pytest

Markdown = Callable[..., str]


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("<p>x<b>(a)</b>y", "x(a)y"),
        ("<p>under<b>stand</b>ing", "under**stand**ing"),
        ("<p>„<i>Nein</i>“, sagte sie", "„*Nein*“, sagte sie"),
        ("<p>これは<b>「強調」</b>です", "これは「強調」です"),
        ("<p>คำ<b>เน้น</b>ไทย", "คำ**เน้น**ไทย"),
    ],
)
def test_a_mark_that_would_not_be_read_as_one_is_left_out(
    as_markdown: Markdown, source: str, expected: str
) -> None:
    assert as_markdown(source) == expected


def test_delimiters_fall_in_a_row_and_leave_their_text(as_markdown: Callable[..., str]) -> None:
    assert as_markdown("<p><b>x)</b><i>x)</i><b>x)</b>y") == "x)x)x)y"


def test_code_that_an_address_would_take_in_is_text(as_markdown: Markdown) -> None:
    source = "<p>see https://sieves.example/<code>a b</code> or <code>a b</code>"
    assert as_markdown(source) == "see https://sieves.example/a b or `a b`"
