# cython: boundscheck=False
"""Hashes of paths, rows with equal hashes, and what the tokens on the path to a block weigh.

Every pass is linear. Uncompiled it gives the same numbers; sums of hashes wrap around at 64 bits.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from tamis._runtime.compiled import view
from tamis.model.features.numbering import Numbering
from tamis.page.hashes import ALL

if TYPE_CHECKING:
    import cython
    import numpy.typing as npt

    from tamis.page.arrays import Floats, Hashes, Ints, Matrix

COMPILED = not __file__.endswith(".py")

GOLDEN = 0x9E3779B97F4A7C15  # 2**64 over the golden ratio: spreads small numbers over all bits
OTHER = 0xD6E8FEB86659FD93

# Places that are tried for a key. On honest pages no search takes more than some dozens; a page
# whose hashes were made to collide gets groups of one instead of our time.
LONGEST_SEARCH = 256


def paths(parent: Ints, tag: Ints, names: Hashes) -> tuple[Hashes, Hashes, Hashes]:
    """Hashes of the path from the root to each node, different ones for each page.

    By tags; by tags and names (one hash per node, see `names.values`); and of each node's own tag
    and names together with its parent, which siblings that look the same share.
    """
    nodes: cython.Py_ssize_t = parent.shape[0]
    node: cython.Py_ssize_t
    above: cython.int
    key: cython.ulonglong
    tags_above: cython.ulonglong
    named_above: cython.ulonglong
    if not COMPILED:
        parent, tag, names = view(parent), view(tag), view(names)
    made = np.empty((3, nodes), np.uint64)
    by_tags: cython.ulonglong[::1] = made[0].data
    named: cython.ulonglong[::1] = made[1].data
    sibling: cython.ulonglong[::1] = made[2].data
    for node in range(nodes):
        above = parent[node]
        key = (tag[node] + 1) * GOLDEN & ALL
        if above < 0:
            tags_above = named_above = node + 1
        else:
            tags_above = by_tags[above]
            named_above = named[above]
        by_tags[node] = mixed(tags_above ^ key)
        key ^= names[node]
        named[node] = mixed(named_above ^ key)
        sibling[node] = named[node]  # a root has no siblings
        if above >= 0:
            sibling[node] = mixed(key + (above + 1) * OTHER & ALL)
    return tuple(made)


def mixed(number: cython.ulonglong) -> cython.ulonglong:
    """A hash of a hash."""
    number = number * GOLDEN & ALL
    return number ^ (number >> 29)


def number_equal(keys: Hashes, group: Ints) -> cython.int:
    """Write to each row the number of its group, the rows with the same key; return how many."""
    rows: cython.Py_ssize_t = keys.shape[0]
    row: cython.Py_ssize_t
    bits: cython.int = 4
    groups: cython.int = 0
    steps: cython.int
    place: cython.ulonglong
    last: cython.ulonglong
    if not COMPILED:
        keys = view(keys)
    while (1 << bits) < 2 * rows:
        bits += 1
    last = (1 << bits) - 1
    holder: cython.int[::1] = np.zeros(1 << bits, np.intc).data  # row + 1
    for row in range(rows):
        place = (keys[row] * GOLDEN & ALL) >> (64 - bits)
        steps = 0
        while holder[place] and keys[holder[place] - 1] != keys[row] and steps < LONGEST_SEARCH:
            place = (place + 1) & last
            steps += 1
        if holder[place] and keys[holder[place] - 1] == keys[row]:
            group[row] = group[holder[place] - 1]
        else:
            if not holder[place]:
                holder[place] = row + 1
            group[row] = groups
            groups += 1
    return groups


def add_weights(
    node: Ints, token: Hashes, keys: Hashes, weights: npt.NDArray[np.float32], sums: Floats
) -> None:
    """Add to `sums` of each node the two weights of each of its tokens that `keys` has.

    `keys` is a table with open addressing, a power of two long, at most half full; 0 is empty.
    """
    tokens: cython.Py_ssize_t = token.shape[0]
    number: cython.Py_ssize_t
    place: cython.ulonglong
    last: cython.ulonglong = keys.shape[0] - 1
    bits: cython.int = 0
    while (1 << bits) < keys.shape[0]:
        bits += 1
    if not COMPILED:
        token, keys = view(token), view(keys)
    for number in range(tokens):
        place = (token[number] * GOLDEN & ALL) >> (64 - bits)
        while keys[place] and keys[place] != token[number]:
            place = (place + 1) & last
        if keys[place]:
            sums[node[number], 0] += weights[place, 0]
            sums[node[number], 1] += weights[place, 1]


def token_table(tokens: Hashes) -> Hashes:
    """A table for `add_weights` that holds these tokens, none of them 0.

    A `ValueError` if many belong to the same place: each would be searched for past the others.
    """
    number: cython.Py_ssize_t
    steps: cython.Py_ssize_t
    place: cython.ulonglong
    last: cython.ulonglong
    bits: cython.int = 4
    while (1 << bits) < 2 * tokens.shape[0]:
        bits += 1
    last = (1 << bits) - 1
    if not COMPILED:
        tokens = view(tokens)
    made = np.zeros(1 << bits, np.uint64)
    keys: cython.ulonglong[::1] = made.data
    for number in range(tokens.shape[0]):
        place = (tokens[number] * GOLDEN & ALL) >> (64 - bits)
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
    node: cython.Py_ssize_t
    number: cython.Py_ssize_t
    above: cython.int
    nodes: cython.Py_ssize_t = parent.shape[0]
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
    row: cython.Py_ssize_t
    node: cython.int
    above: cython.int
    own: cython.double
    for row in range(min(out.shape[1], block_node.shape[0] - first)):
        node = block_node[first + row]
        above = up[node]
        own = weights[node, NEAR]
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
