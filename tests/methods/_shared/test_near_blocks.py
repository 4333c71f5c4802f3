"""Sets, signatures and buckets against plain Python sets."""

from __future__ import annotations

import numpy as np
import pytest

import tamis
from tamis.methods._shared import near_blocks as neighbours
from tamis.methods._shared.near_blocks import Bags, Neighbours, buckets_of, count_common
from tamis.methods._shared.site_blocks import join_blocks, site_blocks, text_words
from tamis.methods._shared.site_method import spread
from tamis.model.features.word_hashes import hash_words


def bags(*rows: set[int]) -> Bags:
    pairs = [(number, item) for number, row in enumerate(rows) for item in sorted(row)]
    numbers, items = zip(*pairs, strict=True) if pairs else ((), ())
    hashes = np.array(items, np.uint64) * np.uint64(0x9E3779B97F4A7C15)
    return Bags.from_pairs(np.array(numbers, np.intp), hashes, len(rows))


def random_sets(seed: int, count: int) -> list[set[int]]:
    chance = np.random.default_rng(seed)
    return [set(chance.integers(1, 60, chance.integers(0, 40)).tolist()) for _ in range(count)]


# Sets


def test_common_counts_what_two_rows_share() -> None:
    mine, theirs = random_sets(1, 20), random_sets(2, 30)
    left, right = np.divmod(np.arange(600), 30)
    shared = count_common(bags(*mine), left, bags(*theirs), right)
    assert shared.tolist() == [len(mine[a] & theirs[b]) for a, b in zip(left, right, strict=True)]


def test_rows_can_be_taken_and_joined() -> None:
    sets = random_sets(3, 9)
    both = Bags.join_rows([bags(*sets[:4]), bags(*sets[4:])])
    assert both.sizes.tolist() == [len(row) for row in sets]
    taken = both.take(np.array([7, 0, 7]))
    assert taken.keys().tolist() == both.keys()[[7, 0, 7]].tolist()
    assert len(Bags.join_rows([])) == 0


def test_keys_distinguish_sets_and_not_their_order() -> None:
    keys = Bags.from_pairs(np.array([0, 0, 1, 1]), np.array([5, 9, 9, 5], np.uint64), 3).keys()
    assert keys[0] == keys[1] != keys[2]


# Signatures


def test_signatures_share_as_much_as_the_sets() -> None:
    for share in (0.2, 0.5, 0.8):
        size = 400
        both = round(2 * size * share / (1 + share))
        left, right = set(range(1, size + 1)), set(range(size - both + 1, 2 * size - both + 1))
        first, second = bags(left, right).signatures()
        assert (first == second).mean() == pytest.approx(share, abs=0.2)


def test_empty_rows_have_signatures_too() -> None:
    signatures = bags(set(), {1, 2}, set()).signatures()
    assert (signatures[0] == signatures[2]).all()
    assert (signatures[0] != signatures[1]).any()


# The search


def counts(pages: list[list[set[int]]], asked: list[set[int]], least: float) -> tuple:
    """Pages with a set whose Jaccard similarity is at least so much, by buckets and plainly."""
    tables = [bags(*page) for page in pages]
    index = Neighbours.from_keys(
        [table.keys() for table in tables],
        [table.keys() for table in tables],
        [buckets_of(table.signatures()) for table in tables],
        0.2,
    )
    rows = [row for page in pages for row in page]

    def near(left: set[int], right: set[int]) -> bool:
        return len(left & right) >= least * len(left | right)

    def similar(mine: np.ndarray, theirs: np.ndarray) -> np.ndarray:
        pairs = zip(mine, theirs, strict=True)
        return np.array([near(asked[a], rows[index.rows[b]]) for a, b in pairs], bool)

    table = bags(*asked)
    by_buckets, by_all_pairs = (
        index.similar_pages(
            table.keys(), buckets_of(table.signatures()), similar, exhaustive=exhaustive
        )[0]
        for exhaustive in (False, True)
    )
    plain = [sum(any(near(wanted, row) for row in page) for page in pages) for wanted in asked]
    return by_buckets.tolist(), by_all_pairs.tolist(), plain


def near_sets() -> list[list[set[int]]]:
    chance = np.random.default_rng(4)
    boxes = [set(chance.integers(1, 500, 20).tolist()) for _ in range(15)]
    return [
        [{item if chance.random() < 0.85 else int(chance.integers(500)) for item in box} | {page}
         for box in boxes]
        for page in range(1, 13)
    ]  # fmt: skip


def test_pages_with_a_similar_block_are_counted_once_each() -> None:
    pages = near_sets()
    buckets, every_pair, plain = counts([page + page for page in pages], pages[0], 0.5)
    assert every_pair == plain
    assert np.mean(np.array(buckets) == plain) >= 0.9


def test_a_block_that_no_page_has_is_on_none() -> None:
    buckets, every_pair, plain = counts(near_sets(), [{1001, 1002, 1003}], 0.5)
    assert buckets == every_pair == plain == [0]


def test_no_pages_and_no_blocks_are_fine() -> None:
    assert counts([], [{1, 2}], 0.5)[0] == [0]
    assert counts([[], []], [{1, 2}], 0.5)[0] == [0]
    assert counts([[{1}]], [], 0.5)[0] == []


def test_full_buckets_keep_a_row_of_each_page_first(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(neighbours, "_LEAST_ROOM", 12)
    monkeypatch.setattr(neighbours, "_ROOM", 0.1)
    # Each page has ten similar sets: without turns, two pages would fill the bucket.
    pages = [[set(range(1, 41)) | {100 * page + row} for row in range(10)] for page in range(1, 11)]
    assert counts(pages, [set(range(1, 41)) | {5000}], 0.8)[0] == [10]


def test_the_verdict_does_not_depend_on_how_many_pairs_are_verified_at_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    pages = near_sets()
    at_once = counts(pages, pages[3], 0.5)[0]
    monkeypatch.setattr(neighbours, "_PAIRS", 1)
    assert counts(pages, pages[3], 0.5)[0] == at_once


def test_of_many_pages_a_part_is_spread_evenly() -> None:
    assert spread(5, 10) == [0, 1, 2, 3, 4]
    assert spread(101, 3) == [0, 50, 100]


# Blocks of a page


def test_a_word_belongs_to_the_innermost_listed_element() -> None:
    page = tamis.parse("<body>out<div>one <b>two</b><p>three</p>four</div><div hidden>five</div>")
    blocks = site_blocks(page, ["body", "div", "p"])
    assert blocks.words.sizes.tolist() == [1, 3, 1]
    assert blocks.of_text.tolist() == [0, 1, 1, 2, 1, -1]
    assert blocks.tags.sizes.tolist() == [1, 2, 1]


def test_blocks_that_are_exactly_equal_share_a_key() -> None:
    page = tamis.parse(
        "<body><p class='a b'>one two<p class='b a'>two one<p class=a>one two<p>one <b>two</b>"
    )
    keys = site_blocks(page, ["p"]).keys
    assert keys[0] == keys[1]
    assert len(set(keys.tolist())) == 3


def test_blocks_of_several_pages_are_put_together() -> None:
    pages = [site_blocks(tamis.parse(f"<p>one {n}<p class=c>two"), ["p"]) for n in range(3)]
    taken = join_blocks(pages, np.array([0, 3, 5]))
    assert taken.keys.tolist() == [pages[0].keys[0], pages[1].keys[1], pages[2].keys[1]]


def test_words_of_texts_are_those_of_each_text_alone() -> None:
    text, words = text_words(tamis.parse("<p>One two<p>***<p hidden>no<p>three<b>four</b>"))
    assert text.tolist() == [0, 0, 3, 4]
    alone = [hash_words(word)[0] for word in (b"one", b"two", b"three", b"four")]
    assert words.tolist() == alone


def test_the_sign_between_texts_may_be_in_a_text() -> None:
    text, _ = text_words(tamis.parse("<p>One \U0002fffe two<p>\U0002fffe<p>three"))
    assert text.tolist() == [0, 0, 2]


def test_characters_of_scripts_without_spaces_are_taken_in_pairs() -> None:
    words = text_words(tamis.parse("<p>大雨中断<p>中断大雨"))[1]
    # 大雨 and 中断 are in both, the pair in the middle and the last character are not.
    assert len(set(words[:4].tolist()) & set(words[4:].tolist())) == 2


NESTED = "<body>a<div>b<div>c<p>d</p>e</div><section>f<div>g</div></section></div><p>h</p>"


def owners(nesting: str) -> list[list[str]]:
    """The words of each block, by their letters."""
    page = tamis.parse(NESTED)
    blocks = site_blocks(page, ["body", "section", "div", "p"], nesting=nesting)
    letters = {int(hash_words(letter.encode())[0]): letter for letter in "abcdefgh"}
    bags = np.split(blocks.words.items, blocks.words.first[1:-1])
    return [sorted(letters[int(item)] for item in bag) for bag in bags]


def test_a_whole_block_has_all_words_below_it() -> None:
    assert owners("innermost") == [["a"], ["b"], ["c", "e"], ["d"], ["f"], ["g"], ["h"]]
    whole = [list("abcdefgh"), list("bcdefg"), list("cde"), ["d"], ["f", "g"], ["g"], ["h"]]
    assert owners("whole") == whole


def test_in_order_each_tag_cuts_a_piece_once_at_its_outermost_elements() -> None:
    # The section is cut out before the divs; the div inside the outer div is no block of its own.
    assert owners("ordered") == [["a"], list("bce"), ["d"], ["f"], ["g"], ["h"]]
