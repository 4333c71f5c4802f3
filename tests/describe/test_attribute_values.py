"""Words, names, hints and targets in the values of attributes."""

from __future__ import annotations

import numpy as np
import pytest

from tamis.describe import attribute_values as values
from tamis.page.reader import parse


@pytest.mark.parametrize(
    ("address", "expected"),
    [
        ("/user/7", {"profile"}),
        ("/memberList?memberId=7", {"profile", "post"}),
        ("/users-guide.html", {"profile"}),
        ("/abuser/", set()),
        ("#post-4711", {"post"}),
        ("/posts/12", {"post"}),
        ("/about", set()),
    ],
)
def test_what_an_address_may_lead_to_is_read_from_its_words_and_signs(
    address: str, expected: set[str]
) -> None:
    source = address.encode()
    people = values.hash_values(b"usermembersusers", *spans((0, 4), (4, 11), (11, 16)))
    member = values.hash_values(b"member", *spans((0, 6)))
    made = values.classify_addresses(
        source, *spans((0, len(source))), np.concatenate((people, member))
    )
    bits = {"profile": values.TO_PROFILE, "post": values.TO_POST}
    assert {name for name, bit in bits.items() if made[0] & bit} == expected


def spans(*pairs: tuple[int, int]) -> tuple[np.ndarray, np.ndarray]:
    begins, ends = np.array(pairs, np.intc).T.copy()
    return begins, ends


def test_hints_are_found_in_any_case_each_once_per_value() -> None:
    page = parse("<p class='Author author'><b id=x rel=author>A</b><i class='POSTED-by usernamE'>")
    _, starts, ends = page.attribute_rows
    hints = [b"author", b"posted-by", b"username"]
    is_read = np.ones(len(starts), np.uint8)
    found = [
        (hints[hint], page.source[starts[row] : ends[row]])
        for hint, row in values.find_hints(page.source, starts, ends, is_read, hints)
    ]
    assert found == [
        (b"author", b"Author author"),
        (b"author", b"author"),
        (b"posted-by", b"POSTED-by usernamE"),
        (b"username", b"POSTED-by usernamE"),
    ]


def test_hints_in_values_that_are_not_read_are_not_found() -> None:
    source = b"author autho"
    found = values.find_hints(source, *spans((0, 6)), np.zeros(1, np.uint8), [b"author"])
    assert found == []
    assert values.find_hints(source, *spans((7, 12)), np.ones(1, np.uint8), [b"author"]) == []


def test_words_are_split_at_capitals() -> None:
    source = b"postBody  HTMLPart x9-Y"
    rows, _, begins, ends = values.split_words(source, *spans((0, 8), (10, len(source))))
    found = [source[begin:end].decode() for begin, end in zip(begins, ends, strict=True)]
    assert found == ["post", "Body", "HTMLP", "art", "x", "Y"]
    assert rows.tolist() == [0, 0, 1, 1, 1, 1]


def test_names_that_only_differ_in_their_numbers_have_one_hash() -> None:
    source = b"post-1 entry post-22 post-x"
    _, hashes, _, _, numbered = values.split_names(source, *spans((0, len(source))), 12)
    assert hashes[0] == hashes[2] != hashes[3]
    assert numbered.tolist() == [True, False, True, False]
    assert len(values.split_names(source, *spans((0, len(source))), 2)[0]) == 2


def test_equal_keys_have_one_number_and_their_first_row() -> None:
    numbers, firsts = values.number_equal_keys(np.array([7, 9, 7, 8], np.uint64))
    assert numbers.tolist() == [0, 1, 0, 2]
    assert firsts.tolist() == [0, 1, 3]


@pytest.mark.parametrize(
    ("tag", "expected"),
    [
        (b"<p datetime=1>", True),
        (b"<p TITLE=1>", True),
        (b"<p data-x=1>", True),
        (b"<p di=1>", False),
    ],
)
def test_tags_that_may_have_a_date_are_marked(tag: bytes, expected: bool) -> None:
    assert values.mark_dated_tags(tag, *spans((0, len(tag)))).tolist() == [expected]


def test_values_that_contain_a_word_are_marked() -> None:
    source = b"commentBody comment Comme"
    marked = values.mark_containing(source, *spans((0, 11), (12, 19), (20, 25)), b"omment")
    assert marked.tolist() == [True, True, False]
