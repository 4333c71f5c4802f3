"""Paths, equal keys and tables of tokens, compared with plain loops."""

from __future__ import annotations

import random

import numpy as np

from tamis.model.features import walk
from tamis.model.features.batch import Batch
from tamis.page.arrays import Hashes, Indexes
from tests.model.features.paths import path_to


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
    count = walk.number_equal(keys, group)
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


def test_a_table_of_tokens_finds_all_of_them() -> None:
    tokens = np.unique(np.random.default_rng(1).integers(1, 2**63, 3000, np.uint64))
    keys = walk.token_table(tokens)
    weights = np.stack((keys != 0, np.zeros(len(keys))), 1).astype(np.float32)
    sums = np.zeros((len(tokens) + 1, 2))
    looked_up = np.append(tokens, np.uint64(3))
    walk.add_weights(np.arange(len(looked_up), dtype=np.intc), looked_up, keys, weights, sums)
    assert sums[:, 0].tolist() == [1] * len(tokens) + [0]
