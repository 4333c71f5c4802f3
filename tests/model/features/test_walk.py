"""Passes over the tree, compared with the plain way to the same answers."""

from __future__ import annotations

import random

import numpy as np
import pytest

from tamis.model.features import walk
from tamis.model.features.batch import Batch
from tamis.page.read import parse


@pytest.fixture
def batch(sources: dict[str, bytes]) -> Batch:
    return Batch.of([parse(source) for source in list(sources.values())[:4]])


def _way(batch: Batch, node: int) -> list[int]:
    """The node and all above it."""
    way = []
    while node >= 0:
        way.append(node)
        node = int(batch.nodes.parent[node])
    return way


def test_spans_are_the_blocks_of_the_texts_below(batch: Batch) -> None:
    for node in range(0, len(batch.nodes), 7):
        texts = range(batch.nodes.first_text[node], batch.nodes.end_text[node])
        blocks = {int(batch.texts.block[text]) for text in texts}
        assert set(range(batch.tree.first[node], batch.tree.end[node])) == blocks


def test_levels_are_changes_of_the_number_of_blocks(batch: Batch) -> None:
    tree = batch.tree
    held = (tree.end - tree.first).tolist()
    for block in range(0, len(batch), 5):
        way = _way(batch, int(batch.blocks.node[block]))
        counts = [held[node] for node in way]
        distinct = sorted(set(counts))
        assert tree.level[way[0]] == len(distinct) - 1
        near, at = [], way[0]
        for _ in range(4):
            above = [node for node in way if held[node] > held[at]]
            at = above[0] if above else way[-1]
            near.append(at)
        far = []
        for level in (1, 2, 3):
            at_level = [node for node in way if tree.level[node] <= level]
            far.append(at_level[0])
        assert tree.around[block].tolist() == [*near, *far]


def test_nodes_with_the_same_way_have_the_same_hash(batch: Batch) -> None:
    tags = batch.tag.tolist()
    ways: dict[object, set[int]] = {}
    for node in range(len(batch.nodes)):
        way = _way(batch, node)
        key = way[-1], tuple(tags[step] for step in way)
        ways.setdefault(key, set()).add(int(batch.tree.plain_way[node]))
    assert all(len(hashes) == 1 for hashes in ways.values())
    assert len(set.union(*ways.values())) == len(ways)


def test_counts_alike_are_counts() -> None:
    source = random.Random(1)
    keys = [source.randrange(2**64) for _ in range(50)]
    drawn = [source.choice(keys) for _ in range(1000)]
    counts = walk.counts_alike(np.array(drawn, np.uint64))[:, 0]
    assert counts.tolist() == [drawn.count(key) for key in drawn]


def test_keys_that_collide_on_purpose_take_linear_time() -> None:
    """All keys have the same first place; a search without a bound would take minutes."""
    inverse = pow(0x9E3779B97F4A7C15, -1, 2**64)
    keys = np.array([number * inverse % 2**64 for number in range(200_000)], np.uint64)
    counts = walk.counts_alike(np.append(keys, keys[:10]))[:, 0]
    assert counts[:10].tolist() == counts[-10:].tolist() == [2] * 10
    assert counts.min() == 1


def test_a_table_of_tokens_finds_all_of_them() -> None:
    tokens = np.unique(np.random.default_rng(1).integers(1, 2**63, 3000, np.uint64))
    keys = walk.token_table(tokens)
    weights = np.stack((keys != 0, np.zeros(len(keys))), 1).astype(np.float32)
    sums = np.zeros((len(tokens) + 1, 2))
    looked_up = np.append(tokens, np.uint64(3))
    walk.add_weights(np.arange(len(looked_up), dtype=np.intc), looked_up, keys, weights, sums)
    assert sums[:, 0].tolist() == [1] * len(tokens) + [0]
