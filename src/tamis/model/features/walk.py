# cython: boundscheck=False
"""Hashes of paths, rows with equal hashes, and what the tokens on the path to a block weigh.

Every pass is linear. Uncompiled it gives the same numbers; sums of hashes wrap around at 64 bits.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from tamis.compiled import view
from tamis.model.features.numbering import Numbering

if TYPE_CHECKING:
    import cython
    import numpy.typing as npt

    from tamis.model.features.batch import Floats, Hashes, Ints, Matrix

COMPILED = not __file__.endswith(".py")

ALL = 2**64 - 1
GOLDEN = 0x9E3779B97F4A7C15  # 2**64 over the golden ratio: spreads small numbers over all bits
OTHER = 0xD6E8FEB86659FD93

# Places that are tried for a key. On honest pages no search takes more than some dozens; a page
# whose hashes were made to collide gets groups of one instead of our time.
LONGEST_SEARCH = 256
KEPT_BITS = 10


def paths(parent: Ints, tag: Ints, names: Hashes) -> tuple[Hashes, Hashes, Hashes]:
    """Hashes of the path from the root to each node, different ones for each page.

    By tags; by tags and names (one hash per node, see `words.names`); and of each node's own tag
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
    tags_made = np.empty(nodes, np.uint64)
    named_made = np.empty(nodes, np.uint64)
    sibling_made = np.empty(nodes, np.uint64)
    by_tags: cython.ulonglong[::1] = tags_made.data
    named: cython.ulonglong[::1] = named_made.data
    sibling: cython.ulonglong[::1] = sibling_made.data
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
    return tags_made, named_made, sibling_made


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


def counts_equal(keys: Hashes) -> Floats:
    """For each row the number of rows with the same key."""
    rows: cython.Py_ssize_t = keys.shape[0]
    row: cython.Py_ssize_t
    group: cython.int[::1] = np.empty(rows, np.intc)
    counts: cython.int[::1] = np.zeros(number_equal(keys, group), np.intc)
    made = np.empty(rows)
    result: cython.double[::1] = made
    for row in range(rows):
        counts[group[row]] += 1
    for row in range(rows):
        result[row] = counts[group[row]]
    return made


def add_weights(
    node: Ints, token: Hashes, keys: Hashes, weights: npt.NDArray[np.float32], sums: Floats
) -> None:
    """Add to `sums` of each node the two weights of each of its tokens that `keys` has.

    `keys` is a table with open addressing, a power of two long, at most half full; 0 is empty.
    """
    tokens: cython.Py_ssize_t = token.shape[0]
    number: cython.Py_ssize_t
    row: cython.int
    slot: cython.ulonglong
    place: cython.ulonglong
    last: cython.ulonglong = keys.shape[0] - 1
    bits: cython.int = 0
    while (1 << bits) < keys.shape[0]:
        bits += 1
    if not COMPILED:
        token, keys = view(token), view(keys)
    # A page repeats its names; the table is large. So keep where the last ones were.
    kept: cython.ulonglong[::1] = np.zeros(1 << KEPT_BITS, np.uint64).data
    kept_place: cython.int[::1] = np.zeros(1 << KEPT_BITS, np.intc).data
    for number in range(tokens):
        slot = (token[number] * GOLDEN & ALL) >> (64 - KEPT_BITS)
        if kept[slot] != token[number]:
            place = (token[number] * GOLDEN & ALL) >> (64 - bits)
            while keys[place] and keys[place] != token[number]:
                place = (place + 1) & last
            kept[slot] = token[number]
            kept_place[slot] = place if keys[place] else -1
        row = kept_place[slot]
        if row >= 0:
            sums[node[number], 0] += weights[row, 0]
            sums[node[number], 1] += weights[row, 1]


def weights_of(tag: Ints, of_tags: Floats) -> Floats:
    """The two weights of the tag of each node."""
    node: cython.Py_ssize_t
    made = np.empty((tag.shape[0], 2))
    weights: cython.double[:, ::1] = made
    for node in range(tag.shape[0]):
        weights[node, 0] = of_tags[tag[node], 0]
        weights[node, 1] = of_tags[tag[node], 1]
    return made


def token_table(tokens: Hashes) -> Hashes:
    """A table for `add_weights` that holds these tokens, none of them 0."""
    number: cython.Py_ssize_t
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
        while keys[place] and keys[place] != tokens[number]:
            place = (place + 1) & last
        keys[place] = tokens[number]
    return made


# What `path_sums` has of each node.
NEAR, FAR, LOWEST, HIGHEST = range(4)

NAMES = Numbering()
column = NAMES.group("tokens")
ALL_TOKENS = column("tokens")
NEAR_TOKENS = column("tokens.near")
FAR_TOKENS = column("tokens.far")
LOWEST_FAR = column("tokens.far_lowest")
HIGHEST_FAR = column("tokens.far_highest")
OWN_TOKENS = column("tokens.own")
ANCESTOR_TOKENS = column("tokens.ancestor1")


def path_sums(parent: Ints, weights: Floats) -> Floats:
    """For each node, over the nodes on the path from the root to it: four numbers.

    The sum of the near weights, and sum, lowest and highest of the far ones.
    """
    nodes: cython.Py_ssize_t = parent.shape[0]
    node: cython.Py_ssize_t
    above: cython.int
    made = np.empty((nodes, 4))
    sums: cython.double[:, ::1] = made
    for node in range(nodes):
        above = parent[node]
        sums[node, NEAR] = weights[node, 0]
        sums[node, FAR] = sums[node, LOWEST] = sums[node, HIGHEST] = weights[node, 1]
        if above >= 0:
            sums[node, NEAR] += sums[above, NEAR]
            sums[node, FAR] += sums[above, FAR]
            sums[node, LOWEST] = min(sums[node, LOWEST], sums[above, LOWEST])
            sums[node, HIGHEST] = max(sums[node, HIGHEST], sums[above, HIGHEST])
    return made


def weigh_paths(
    up: Ints, level: Ints, weights: Floats, sums: Floats, block_node: Ints, out: Matrix
) -> None:
    """Write what the tokens on the path to each block weigh.

    Each node has two weights, near and far. Near are the nodes below the nearest ancestor that
    holds more blocks, far are that one and those above: the sum of all, of the near, of the far;
    the lowest and the highest far node; the block's own node, and that ancestor.
    """
    row: cython.Py_ssize_t
    node: cython.int
    above: cython.int
    own: cython.double
    for row in range(block_node.shape[0]):
        node = block_node[row]
        above = up[node]
        own = sums[node, NEAR]
        out[ALL_TOKENS, row] = own
        out[FAR_TOKENS, row] = 0
        out[LOWEST_FAR, row] = 0
        out[HIGHEST_FAR, row] = 0
        out[ANCESTOR_TOKENS, row] = 0
        if level[node] > 0:
            own -= sums[above, NEAR]
            out[ALL_TOKENS, row] = own + sums[above, FAR]
            out[FAR_TOKENS, row] = sums[above, FAR]
            out[LOWEST_FAR, row] = sums[above, LOWEST]
            out[HIGHEST_FAR, row] = sums[above, HIGHEST]
            out[ANCESTOR_TOKENS, row] = weights[above, 1]
        out[NEAR_TOKENS, row] = own
        out[OWN_TOKENS, row] = weights[node, 0]
