"""Words as hashes."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tamis.model.features.words import names, pairs_of, words_of
from tamis.page.read import parse


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


def _names(attributes: str) -> tuple[set[int], int]:
    page = parse(f"<p {attributes}>a")
    node, token, hashes = names(page.source, page.nodes.attributes, page.attribute_rows)
    assert set(node.tolist()) <= {len(page.nodes) - 1}
    return set(token.tolist()), int(hashes[-1])


def test_tokens_are_the_words_of_a_name_and_the_name() -> None:
    side, bar = _names("class=side")[0], _names("class=bar")[0]
    assert len(side) == len(bar) == 2  # the word and the name
    both = _names("class='side bar'")[0]
    assert both == side | bar
    split = _names("class=sideBar")[0]
    assert len(split & both) == 2 and len(split) == 3
    assert len(_names("class=side-bar_2")[0] & both) == 2


def test_short_names_and_numbers_are_no_tokens() -> None:
    assert _names("class='a 1 2b'")[0] == set()
    assert _names("class=post-12")[0] == _names("class=post-7")[0]


def test_other_attributes_have_no_tokens() -> None:
    assert _names("style=wide title=wide")[0] == set()


def test_the_names_of_an_element_have_one_hash() -> None:
    assert _names("class='one two'")[1] == _names("class=' one  two '")[1]
    assert _names("class='one two'")[1] != _names("class='onetwo'")[1]
    assert _names("class=one")[1] != _names("id=one")[1]
    assert _names("title=one")[1] == 0
