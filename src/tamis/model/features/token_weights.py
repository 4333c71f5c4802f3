# cython: boundscheck=False, infer_types=True
"""What the names of elements say: learned weights of the tokens of classes, ids and roles.

Each element has tokens: the words of its class, id, role and itemprop attributes, the names as a
whole, and its tag. A token has two weights, one for where it is near a block, on an element that
holds this block and no other, and one for where it is far, on an element further up. The sums
along the path from the root are features. Tokens are 64-bit hashes, so that a table of weights
holds no words and has one form for all languages.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from tamis._runtime.compiled import view_numbers
from tamis.model.features.batch import Batch, Names, list_ranges
from tamis.model.features.columns import Numbering
from tamis.model.features.element_hashes import hash_paths
from tamis.model.features.word_hashes import hash_words
from tamis.page import tags
from tamis.page.arrays import ALL, Floats, Hashes, Indexes, Ints, Matrix

if TYPE_CHECKING:
    import cython

COMPILED = not __file__.endswith(".py")

GOLDEN = 0x9E3779B97F4A7C15
LONGEST_SEARCH = 256

# By name, so that a new name in `tags.NAMES` changes no other token.
_TAG_TOKENS: Hashes = np.array(
    [hash_words(f"tag0{name}".encode().replace(b"-", b"0"))[0] for name in (*tags.NAMES, "")]
)


# Tokens side by side in a table, which a search walks past: of the shipped ones 13, of as many as
# may be by chance some 40.
LONGEST_RUN = 256


def add_weights(node: Ints, token: Hashes, keys: Hashes, weights: Matrix, sums: Floats) -> None:
    """Add to `sums` of each node the two weights of each of its tokens that `keys` has.

    `keys` is a table with open addressing, a power of two long, at most half full; 0 is empty.
    """
    tokens = token.shape[0]
    last: cython.ulonglong = keys.shape[0] - 1
    bits = 0
    while (1 << bits) < keys.shape[0]:
        bits += 1
    if not COMPILED:
        token, keys = view_numbers(token), view_numbers(keys)
    for number in range(tokens):
        place: cython.ulonglong = (token[number] * GOLDEN & ALL) >> (64 - bits)
        while keys[place] and keys[place] != token[number]:
            place = (place + 1) & last
        if keys[place]:
            sums[node[number], 0] += weights[place, 0]
            sums[node[number], 1] += weights[place, 1]


def make_token_table(tokens: Hashes) -> Hashes:
    """A table for `add_weights` that holds these tokens, none of them 0.

    A `ValueError` if many belong to the same place: each would be searched for past the others.
    """
    bits = 4
    while (1 << bits) < 2 * tokens.shape[0]:
        bits += 1
    last: cython.ulonglong = (1 << bits) - 1
    if not COMPILED:
        tokens = view_numbers(tokens)
    made = np.zeros(1 << bits, np.uint64)
    keys: cython.ulonglong[::1] = made.data
    for number in range(tokens.shape[0]):
        place: cython.ulonglong = (tokens[number] * GOLDEN & ALL) >> (64 - bits)
        steps = 0
        while keys[place] and keys[place] != tokens[number]:
            place = (place + 1) & last
            steps += 1
            if steps > LONGEST_SEARCH:
                raise ValueError("too many tokens have nearly the same hash")
        keys[place] = tokens[number]
    return made


# What `weigh_nodes` has of each node.
OWN_NEAR, OWN_FAR, NEAR, FAR, LOWEST, HIGHEST = range(6)
OF_NODES = 6

NAMES = Numbering()
column = NAMES.group("tokens")
ALL_TOKENS = column("tokens")
NEAR_TOKENS = column("tokens.near")
FAR_TOKENS = column("tokens.far")
LOWEST_FAR = column("tokens.far_lowest")
HIGHEST_FAR = column("tokens.far_highest")
OWN_TOKENS = column("tokens.own")
ANCESTOR_TOKENS = column("tokens.ancestor1")


def weigh_nodes(
    parent: Ints, tag: Ints, of_tags: Floats, names: tuple[Ints, Ints], of_names: Floats
) -> Floats:
    """What each node weighs, and those on the path from the root to it: six numbers.

    The near and the far weight of its tag and its names, which are pairs of a node and a row of
    `of_names`; over the nodes on the path the sum of the near ones, and sum, lowest and highest of
    the far ones.
    """
    nodes = parent.shape[0]
    named: cython.int[::1] = names[0]
    value: cython.int[::1] = names[1]
    made = np.empty((nodes, OF_NODES))
    weights: cython.double[:, ::1] = made
    for node in range(nodes):
        weights[node, OWN_NEAR] = of_tags[tag[node], 0]
        weights[node, OWN_FAR] = of_tags[tag[node], 1]
    for number in range(named.shape[0]):
        weights[named[number], OWN_NEAR] += of_names[value[number], 0]
        weights[named[number], OWN_FAR] += of_names[value[number], 1]
    for node in range(nodes):
        above = parent[node]
        weights[node, NEAR] = weights[node, OWN_NEAR]
        weights[node, FAR] = weights[node, LOWEST] = weights[node, HIGHEST] = weights[node, OWN_FAR]
        if above >= 0:
            weights[node, NEAR] += weights[above, NEAR]
            weights[node, FAR] += weights[above, FAR]
            weights[node, LOWEST] = min(weights[node, LOWEST], weights[above, LOWEST])
            weights[node, HIGHEST] = max(weights[node, HIGHEST], weights[above, HIGHEST])
    return made


def weigh_paths(
    up: Ints, level: Ints, weights: Floats, block_node: Ints, first: cython.Py_ssize_t, out: Matrix
) -> None:
    """Write what the tokens on the path to each block weigh, from the block `first` on.

    `weights` is from `weigh_nodes`. Near are the nodes below the nearest ancestor that holds more
    blocks, far are that one and those above: the sum of all, of the near, of the far; the lowest
    and the highest far node; the block's own node, and that ancestor.
    """
    for row in range(min(out.shape[1], block_node.shape[0] - first)):
        node = block_node[first + row]
        above = up[node]
        own: cython.double = weights[node, NEAR]
        out[ALL_TOKENS, row] = own
        out[FAR_TOKENS, row] = 0
        out[LOWEST_FAR, row] = 0
        out[HIGHEST_FAR, row] = 0
        out[ANCESTOR_TOKENS, row] = 0
        if level[node] > 0:
            own -= weights[above, NEAR]
            out[ALL_TOKENS, row] = own + weights[above, FAR]
            out[FAR_TOKENS, row] = weights[above, FAR]
            out[LOWEST_FAR, row] = weights[above, LOWEST]
            out[HIGHEST_FAR, row] = weights[above, HIGHEST]
            out[ANCESTOR_TOKENS, row] = weights[above, OWN_FAR]
        out[NEAR_TOKENS, row] = own
        out[OWN_TOKENS, row] = weights[node, OWN_NEAR]


@dataclass(frozen=True, eq=False)
class TokenTable:
    """Weights of tokens, in a table with open addressing. The arrays are read-only."""

    keys: Hashes
    """Hash of the token at each place, 0 where there is none."""
    weights: npt.NDArray[np.float32]
    """Near and far, one row per place."""

    @classmethod
    def from_arrays(cls, arrays: Mapping[str, npt.NDArray[Any]], prefix: str = "") -> TokenTable:
        """The table of some tokens: `token`, a hash each, and `weight`, a row each (near, far)."""
        tokens = np.ascontiguousarray(arrays[prefix + "token"], np.uint64)
        own = np.ascontiguousarray(arrays[prefix + "weight"], np.float32)
        if tokens.ndim != 1 or own.shape != (len(tokens), 2):
            raise ValueError(
                f"{tokens.size} tokens need as many rows of 2 weights, not {own.shape}"
            )
        if not np.isfinite(own).all():
            raise ValueError("a weight of a token is not finite")
        order = np.argsort(tokens)  # np.unique would import numpy.ma, 20 ms
        if not (np.diff(tokens[order]).all() and tokens.all()):
            raise ValueError("a token is 0 or is listed twice")
        keys = make_token_table(tokens)
        filled = np.flatnonzero(keys)
        ends = np.append(np.flatnonzero(np.diff(filled) > 1), len(filled) - 1)
        if np.diff(ends, prepend=-1).max() > LONGEST_RUN:
            raise ValueError("too many tokens have nearly the same hash")
        weights = np.zeros((len(keys), 2), np.float32)
        weights[filled] = own[order[np.searchsorted(tokens[order], keys[filled])]]
        for array in (keys, weights):
            array.flags.writeable = False
        return cls(keys, weights)

    @classmethod
    def make_empty(cls) -> TokenTable:
        """A table of no tokens: all columns are 0."""
        return cls.from_arrays(
            {"token": np.zeros(0, np.uint64), "weight": np.zeros((0, 2), np.float32)}
        )

    def to_arrays(self, prefix: str = "") -> dict[str, npt.NDArray[Any]]:
        """The tokens in order and their weights, for `of`."""
        filled = np.flatnonzero(self.keys)
        filled = filled[np.argsort(self.keys[filled])]
        return {prefix + "token": self.keys[filled], prefix + "weight": self.weights[filled]}

    def __len__(self) -> int:
        return self._count

    @cached_property
    def _count(self) -> int:
        return int(np.count_nonzero(self.keys))

    @cached_property
    def of_tags(self) -> Floats:
        """The two weights of each tag."""
        weights = np.zeros((len(_TAG_TOKENS), 2))
        numbers = np.arange(len(_TAG_TOKENS), dtype=np.intc)
        add_weights(numbers, _TAG_TOKENS, self.keys, self.weights, weights)
        return weights


@dataclass(frozen=True, eq=False)
class PlacedTokens:
    """The tokens of a batch and where they are: all that their weights need."""

    parent: Ints
    """Parent of each node."""
    up: Ints
    """Its nearest ancestor that holds more blocks."""
    level: Ints
    """Number of such ancestors above it."""
    tag: Ints
    block_node: Ints
    """The node of each block."""
    names: Names

    @classmethod
    def from_batch(cls, batch: Batch) -> PlacedTokens:
        """The tokens of a batch."""
        columns = batch.columns
        return cls(
            batch.nodes.parent,
            np.asarray(columns.up),
            np.asarray(columns.level),
            batch.tag,
            batch.blocks.node,
            batch.paths.names,
        )


class TokenWeights:
    """What the tokens on the path to each block weigh, see `weigh_paths`."""

    def __init__(self, placed: PlacedTokens, table: TokenTable) -> None:
        self._placed = placed
        self._weights: Floats | None = None
        if len(table):
            names = placed.names
            of_names = np.zeros((len(names.value), 2))
            add_weights(names.token_value, names.token, table.keys, table.weights, of_names)
            self._weights = weigh_nodes(
                placed.parent, placed.tag, table.of_tags, (names.node, names.value), of_names
            )

    def write(self, first: int, out: Matrix) -> None:
        """Write the columns of the blocks from `first` on, one row of `out` each."""
        placed = self._placed
        if self._weights is None:
            out[:] = 0
        else:
            weigh_paths(placed.up, placed.level, self._weights, placed.block_node, first, out)


def write_token_columns(placed: PlacedTokens, table: TokenTable, out: Matrix) -> None:
    """Write what the tokens on the path to each block weigh, one row of `out` per block."""
    TokenWeights(placed, table).write(0, out.T)


@dataclass(frozen=True, eq=False)
class Chains:
    """The tokens of the blocks of some pages, for training. Blocks with the same tokens are one."""

    chain: Indexes
    """The chain of each block."""
    near: Indexes
    """Near tokens: their chains."""
    near_token: Hashes
    """Near tokens: their hashes."""
    far: Indexes
    """Far tokens: their chains."""
    far_token: Hashes
    """Far tokens: their hashes."""


def list_chains(placed: PlacedTokens) -> Chains:
    """The near and the far tokens of each block, repeated ones as often as they are."""
    parent, count = placed.parent, len(placed.parent)
    token_node, tokens = placed.names.tokens
    node = np.concatenate((token_node, np.arange(count, dtype=np.intc)))
    token = np.concatenate((tokens, _TAG_TOKENS[placed.tag]))
    order = np.argsort(node, kind="stable")
    node, token = node[order], token[order]
    own = np.zeros(count, np.uint64)
    np.add.at(own, node, token)
    path = hash_paths(parent, np.zeros(count, np.intc), own)[1]
    stop = np.where(placed.level > 0, placed.up, -1)[placed.block_node]
    keys = np.stack((path[placed.block_node], np.where(stop < 0, np.uint64(0), path[stop])), 1)
    _, first, chain = np.unique(keys, axis=0, return_index=True, return_inverse=True)
    near, far = _climb_paths(parent, placed.block_node[first], stop[first])
    starts = np.searchsorted(node, np.arange(count + 1))
    return Chains(chain.ravel(), *_tokens_of(near, starts, token), *_tokens_of(far, starts, token))


_Pairs = tuple[Indexes, Indexes]


def _climb_paths(parent: Ints, node: Ints, stop: Ints) -> tuple[_Pairs, _Pairs]:
    """Pairs of a chain and a node of it: below `stop`, and from there on."""
    chain, is_far = np.arange(len(node)), np.zeros(len(node), bool)
    chain_parts, node_parts, far_parts = [chain[:0]], [node[:0]], [is_far[:0]]
    while len(node):
        is_far = is_far | (node == stop[chain])
        chain_parts.append(chain)
        node_parts.append(node)
        far_parts.append(is_far)
        node = parent[node]
        left = node >= 0
        chain, node, is_far = chain[left], node[left], is_far[left]
    chain, nodes = np.concatenate(chain_parts), np.concatenate(node_parts).astype(np.intp)
    is_far = np.concatenate(far_parts)
    return (chain[~is_far], nodes[~is_far]), (chain[is_far], nodes[is_far])


def _tokens_of(pairs: _Pairs, starts: Indexes, token: Hashes) -> tuple[Indexes, Hashes]:
    """Pairs of a chain and a token of it; the tokens of a node begin at its `starts`."""
    chain, node = pairs
    counts = starts[node + 1] - starts[node]
    return np.repeat(chain, counts), token[list_ranges(starts[node], counts)]
