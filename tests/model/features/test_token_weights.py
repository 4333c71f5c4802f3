"""What the names of elements tell."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tamis.model.features import spec
from tamis.model.features.batch import Batch
from tamis.model.features.element_hashes import read_tokens
from tamis.model.features.token_weights import (
    PlacedTokens,
    TokenTable,
    add_weights,
    list_chains,
    make_token_table,
)
from tamis.page.reader import parse

PAGE = "<div class=far><p class=near>a</p><p>b</p></div>"


def _token(attribute: str, token: str) -> int:
    """The hash of a token; a name of its letters alone is another token, so take the first."""
    page = parse(f"<p {attribute}='{token}'>")
    return int(read_tokens(page.source, page.nodes.attributes, page.attribute_rows)[1][0])


def _table(weights: dict[int, tuple[float, float]]) -> TokenTable:
    return TokenTable.from_arrays(
        {
            "token": np.array(list(weights), np.uint64),
            "weight": np.array(list(weights.values()), np.float32).reshape(-1, 2),
        }
    )


def _columns(html: str, table: TokenTable) -> dict[str, list[float]]:
    values = spec.make_table(Batch.from_pages([parse(html)]), table)
    return {name: values[:, spec.NAMES.index(name)].tolist() for name in spec.GROUPS["tokens"]}


def test_near_and_far_names_have_their_weights() -> None:
    table = _table({_token("class", "near"): (1, 100), _token("class", "far"): (1000, -2)})
    columns = _columns(PAGE, table)
    assert columns["tokens.near"] == [1, 0]
    assert columns["tokens.far"] == [-2, -2]
    assert columns["tokens"] == [-1, -2]
    assert columns["tokens.own"] == [1, 0]
    assert columns["tokens.ancestor1"] == [-2, -2]


def test_the_lowest_and_the_highest_far_element_count() -> None:
    table = _table({_token("class", "good"): (0, 3), _token("class", "bad"): (0, -4)})
    html = "<div class=good><div class=bad><p>a</p><p>b</p></div><p>c</p></div><p>d"
    columns = _columns(html, table)
    assert columns["tokens.far_lowest"] == [-4, -4, 0, 0]
    assert columns["tokens.far_highest"] == [3, 3, 3, 0]


def test_a_page_of_one_block_has_only_near_names() -> None:
    table = _table({_token("class", "far"): (5, 7)})
    columns = _columns("<div class=far><p>a</p></div>", table)
    assert columns["tokens"] == columns["tokens.near"] == [5]
    assert columns["tokens.far"] == columns["tokens.ancestor1"] == [0]


def test_tags_are_tokens() -> None:
    tokens_of = list_chains(PlacedTokens.from_batch(Batch.from_pages([parse("<p>a")])))
    assert len(tokens_of.near_token) == 3  # html, body, p; the head has no text
    table = _table({int(token): (1, 0) for token in tokens_of.near_token})
    assert _columns("<p>a", table)["tokens"] == [3]


def test_an_empty_table_gives_zeros() -> None:
    assert set(map(tuple, _columns(PAGE, TokenTable.make_empty()).values())) == {(0.0, 0.0)}


def test_attributes_are_told_apart() -> None:
    hashes = {_token(name, "nav") for name in ("class", "id", "role", "itemprop")}
    assert len(hashes) == 4


def test_a_table_comes_back_from_its_arrays() -> None:
    generator = np.random.default_rng(1)
    tokens = np.unique(generator.integers(1, 2**63, 5000, np.uint64))
    weights = generator.normal(size=(len(tokens), 2)).astype(np.float32)
    table = TokenTable.from_arrays({"token": tokens[::-1], "weight": weights[::-1]})
    assert len(table) == len(tokens)
    arrays = table.to_arrays("t_")
    np.testing.assert_array_equal(arrays["t_token"], tokens)
    np.testing.assert_array_equal(arrays["t_weight"], weights)
    again = TokenTable.from_arrays(arrays, "t_")
    assert again.keys.size == table.keys.size
    with pytest.raises(ValueError, match="read-only"):
        table.weights[0] = 1


@pytest.mark.parametrize(
    ("tokens", "weights", "message"),
    [
        ([1, 2], [[1, 2]], "rows of 2 weights"),
        ([1], [[1, 2, 3]], "rows of 2 weights"),
        ([1], [[1, np.nan]], "not finite"),
        ([1, 1], [[1, 2], [1, 2]], "listed twice"),
        ([0], [[1, 2]], "0 or"),
    ],
)
def test_arrays_of_another_form_are_refused(tokens: Any, weights: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        TokenTable.from_arrays(
            {"token": np.array(tokens, np.uint64), "weight": np.array(weights, float)}
        )


def test_tokens_that_would_be_searched_one_past_the_other_are_refused() -> None:
    golden = 0x9E3779B97F4A7C15  # the upper bits of the product are the place
    inverse = pow(golden, -1, 2**64)
    for places in ([5 << 40] * 3000, [number << 51 for number in range(1, 3000)]):
        hashes = [(place + number) * inverse % 2**64 for number, place in enumerate(places, 1)]
        tokens = np.array(hashes, np.uint64)
        with pytest.raises(ValueError, match="nearly the same hash"):
            TokenTable.from_arrays(
                {"token": tokens, "weight": np.ones((len(tokens), 2), np.float32)}
            )


def test_chains_are_shared_by_blocks_with_the_same_names() -> None:
    html = "<ul><li class=aa>x<li class=aa>y<li class=bb>z</ul>"
    tokens_of = list_chains(PlacedTokens.from_batch(Batch.from_pages([parse(html)])))
    assert tokens_of.chain[0] == tokens_of.chain[1] != tokens_of.chain[2]
    near = [
        sorted(tokens_of.near_token[tokens_of.near == chain].tolist()) for chain in tokens_of.chain
    ]
    far = [
        sorted(tokens_of.far_token[tokens_of.far == chain].tolist()) for chain in tokens_of.chain
    ]
    assert near[0] == near[1] != near[2]
    assert far[0] == far[1] == far[2]
    assert len(far[0]) == 3  # ul, body, html
    assert len(near[0]) == 2  # li and aa


def test_sums_over_chains_are_the_columns(sources: dict[str, bytes]) -> None:
    """What is learned on chains is what the columns sum up."""
    batch = Batch.from_pages([parse(source) for source in sources.values()])
    tokens_of = list_chains(PlacedTokens.from_batch(batch))
    tokens = np.unique(np.concatenate((tokens_of.near_token, tokens_of.far_token)))
    weights = np.random.default_rng(2).normal(size=(len(tokens), 2)).astype(np.float32)
    table = TokenTable.from_arrays({"token": tokens, "weight": weights})
    count = int(tokens_of.chain.max()) + 1
    near = weights[np.searchsorted(tokens, tokens_of.near_token), 0]
    far = weights[np.searchsorted(tokens, tokens_of.far_token), 1]
    values = spec.make_table(batch, table)
    for name, chain, weight in (
        ("tokens.near", tokens_of.near, near),
        ("tokens.far", tokens_of.far, far),
    ):
        expected = np.bincount(chain, weight, count)[tokens_of.chain]
        np.testing.assert_allclose(values[:, spec.NAMES.index(name)], expected, atol=1e-4)


def test_a_page_without_blocks_has_no_chains() -> None:
    tokens_of = list_chains(PlacedTokens.from_batch(Batch.from_pages([parse("")])))
    assert len(tokens_of.chain) == len(tokens_of.near_token) == len(tokens_of.far_token) == 0


def test_a_table_of_tokens_finds_all_of_them() -> None:
    tokens = np.unique(np.random.default_rng(1).integers(1, 2**63, 3000, np.uint64))
    keys = make_token_table(tokens)
    weights = np.stack((keys != 0, np.zeros(len(keys))), 1).astype(np.float32)
    sums = np.zeros((len(tokens) + 1, 2))
    looked_up = np.append(tokens, np.uint64(3))
    add_weights(np.arange(len(looked_up), dtype=np.intc), looked_up, keys, weights, sums)
    assert sums[:, 0].tolist() == [1] * len(tokens) + [0]
