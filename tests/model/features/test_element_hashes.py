"""Names of elements as hashes."""

from __future__ import annotations

import random

import numpy as np

from tamis.model.features import element_hashes
from tamis.model.features.batch import Batch
from tamis.model.features.element_hashes import read_tokens, read_values
from tamis.page.arrays import Hashes, Indexes
from tamis.page.reader import parse
from tests.model.features.paths import path_to
from tests.uncompiled import from_source


def _names(attributes: str) -> tuple[set[int], int]:
    page = parse(f"<p {attributes}>a")
    node, _, _, token, hashes = read_values(page.source, page.nodes.attributes, page.attribute_rows)
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


def _page_of_names(count: int) -> bytes:
    """Elements with names of all lengths, many of them twice, some alike but for a letter."""
    source = random.Random(1)
    letters = ["".join(source.choices("ab-A1 é", k=source.randrange(40))) for _ in range(count)]
    chosen = source.choices(letters, k=3 * count)
    return "".join(f"<p class='{name}' id='{name}'>a" for name in chosen).encode()


def test_each_value_is_read_once_and_has_the_tokens_that_it_has_alone() -> None:
    page = parse(_page_of_names(300))
    node, value, token_value, _, _ = read_values(
        page.source, page.nodes.attributes, page.attribute_rows
    )
    names = [(kind, page.attribute(at, kind)) for at in node[::2] for kind in ("class", "id")]
    assert len(set(names)) == len(set(value.tolist())) == value.max() + 1
    assert len(set(zip(names, value.tolist(), strict=True))) == len(set(names))
    assert set(token_value.tolist()) <= set(value.tolist())
    at, of_nodes = Batch.from_pages([page]).paths.names.tokens
    expected = read_tokens(page.source, page.nodes.attributes, page.attribute_rows)
    np.testing.assert_array_equal(at, expected[0])
    np.testing.assert_array_equal(of_nodes, expected[1])


def test_values_with_one_fingerprint_are_told_apart_in_linear_time() -> None:
    """Compiled, the first and the last eight bytes count; a search without a bound is quadratic."""
    names = [f"aaaaaaaa-{chr(97 + number % 26)}{number:06}-bbbbbbbb" for number in range(50_000)]
    page = parse("".join(f"<p class={name}>" for name in [*names, names[-1]]))
    node, value, token_value, token, hashes = read_values(
        page.source, page.nodes.attributes, page.attribute_rows
    )
    assert len(node) == len(value) == len(names) + 1
    assert hashes[-1] == hashes[-2]
    of_first, of_last = (token[token_value == value[place]].tolist() for place in (25, -1))
    alone = parse(f"<p class={names[25]}><p class={names[-1]}>")
    at, expected = read_tokens(alone.source, alone.nodes.attributes, alone.attribute_rows)
    assert of_first == expected[at == at[0]].tolist()
    assert of_last == expected[at == at[-1]].tolist()


def test_names_are_the_same_uncompiled() -> None:
    slow = from_source("model.features.element_hashes")[0]
    page = parse(_page_of_names(40))
    row = page.source, page.nodes.attributes, page.attribute_rows
    for ours, theirs in ((read_tokens, slow.read_tokens), (read_values, slow.read_values)):
        for made, expected in zip(ours(*row), theirs(*row), strict=True):
            np.testing.assert_array_equal(made, expected)


def test_nodes_with_the_same_path_have_the_same_hash(batch: Batch) -> None:
    tags = batch.tag.tolist()
    paths: dict[object, set[int]] = {}
    for node in range(len(batch.nodes)):
        path = path_to(batch, node)
        key = path[-1], tuple(tags[step] for step in path)
        paths.setdefault(key, set()).add(int(batch.paths.path[node]))
    assert all(len(hashes) == 1 for hashes in paths.values())
    assert len(set.union(*paths.values())) == len(paths)


def _counts_equal(keys: Hashes) -> Indexes:
    """For each row the number of rows with the same key."""
    group = np.empty(len(keys), np.intc)
    count = element_hashes.number_equal(keys, group)
    counts: Indexes = np.bincount(group, minlength=count)[group]
    return counts


def test_equal_keys_are_counted() -> None:
    source = random.Random(1)
    keys = [source.randrange(2**64) for _ in range(50)]
    drawn = [source.choice(keys) for _ in range(1000)]
    counts = _counts_equal(np.array(drawn, np.uint64))
    assert counts.tolist() == [drawn.count(key) for key in drawn]


def test_keys_that_collide_on_purpose_take_linear_time() -> None:
    """All keys have the same first place; a search without a bound would take minutes."""
    inverse = pow(0x9E3779B97F4A7C15, -1, 2**64)
    keys = np.array([number * inverse % 2**64 for number in range(200_000)], np.uint64)
    counts = _counts_equal(np.append(keys, keys[:10]))
    assert counts[:10].tolist() == counts[-10:].tolist() == [2] * 10
    assert counts.min() == 1
