"""Words as hashes."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tamis.model.features.words import pairs_of, words_of


def _words(text: str) -> list[int]:
    return words_of(text.encode()).tolist()


@pytest.mark.parametrize(
    ("text", "same"),
    [
        ("Hello, World!", "hello world"),
        ("ÜBER straße", "über Straße"),
        ("ДЕНЬ", "день"),
        ("a&nbsp;b", "a b"),
        ("a&#39;b", "a b"),
        ("soft\u00adhyphen", "softhyphen"),
        ("今天。", "今 天"),
        ("สวัสดี", "ส ว ั ส ด ี"),
    ],
)
def test_texts_with_the_same_words_have_the_same_hashes(text: str, same: str) -> None:
    assert _words(text) == _words(same)


@pytest.mark.parametrize(
    ("text", "count"), [("", 0), ("…", 0), ("a", 1), ("a&b", 2), ("R&D", 2), ("a&amp;b", 2)]
)
def test_words_are_runs_of_letters_and_digits(text: str, count: int) -> None:
    assert len(_words(text)) == count


def test_escapes_are_resolved_in_json_only() -> None:
    raw = rb"caf\u00e9\nau \"lait\""
    assert words_of(raw, escaped=1).tolist() == _words('café au "lait"')
    assert words_of(raw).tolist() != _words('café au "lait"')


@given(st.binary(max_size=200))
def test_any_bytes_have_words(text: bytes) -> None:
    assert len(words_of(text)) <= len(text)
    assert len(words_of(text, escaped=1)) <= len(text)
    assert words_of(text).all()


def test_pairs_keep_the_order() -> None:
    forward = pairs_of(np.array(_words("a b c"), np.uint64))
    backward = pairs_of(np.array(_words("c b a"), np.uint64))
    assert len(forward) == 2
    assert not set(forward) & set(backward)
    assert len(pairs_of(np.zeros(0, np.uint64))) == 0
