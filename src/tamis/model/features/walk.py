"""Passes over the tree of a page, or of several, that numpy cannot do: what follows from above.

Nodes are in document order, so every parent comes before its children and one loop from the first
to the last node has what is above each node at hand. Every pass is linear in the nodes.

Part of the hot path: ordinary Python that is compiled by Cython, with the C types in the .pxd file
of the same name. Uncompiled it gives the same numbers; sums of hashes wrap around at 64 bits.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    import cython

COMPILED = not __file__.endswith(".py")

ALL = 2**64 - 1
GOLDEN = 0x9E3779B97F4A7C15  # 2**64 over the golden ratio: spreads small numbers over all bits
OTHER = 0xD6E8FEB86659FD93

# Places that are tried for a key. On honest pages no search takes more than some dozens; a page
# whose hashes were made to collide gets groups of one instead of our time.
LONGEST_SEARCH = 256
KEPT_BITS = 10


def spans(first_text, end_text, text_block, blocks):
    """First block at or below each node, and one past the last; an empty range if there is none."""
    nodes: cython.Py_ssize_t = first_text.shape[0]
    texts: cython.Py_ssize_t = text_block.shape[0]
    node: cython.Py_ssize_t
    start: cython.int
    first_made = np.empty(nodes, np.intc)
    end_made = np.empty(nodes, np.intc)
    first: cython.int[::1] = memoryview(first_made)
    end: cython.int[::1] = memoryview(end_made)
    for node in range(nodes):
        start = first_text[node]
        first[node] = text_block[start] if start < texts else blocks
        end[node] = first[node]
        if end_text[node] > start:
            end[node] = text_block[end_text[node] - 1] + 1
    return first_made, end_made


def levels(parent, first, end, block_node, near_levels, far_levels):
    """Where each node is among the elements that hold different numbers of blocks.

    Three arrays. For each node the nearest ancestor that holds more blocks, or the root; and the
    number of times the number of blocks changes on the way from the root. For each block a row of
    ancestors of its node: first the nearest that holds more blocks, the next nearest that holds
    more than that one, ...; then the lowest ones at level 1, 2, ... seen from the root, or the
    node itself if it is not that deep.
    """
    nodes: cython.Py_ssize_t = parent.shape[0]
    blocks: cython.Py_ssize_t = block_node.shape[0]
    node: cython.Py_ssize_t
    block: cython.Py_ssize_t
    above: cython.int
    far: cython.int
    up_made = np.empty(nodes, np.intc)
    level_made = np.empty(nodes, np.intc)
    around_made = np.empty((blocks, near_levels + far_levels), np.intc)
    up: cython.int[::1] = memoryview(up_made)
    level: cython.int[::1] = memoryview(level_made)
    around: cython.int[:, ::1] = memoryview(around_made)
    top: cython.int[:, ::1] = memoryview(np.empty((nodes, far_levels), np.intc))
    for node in range(nodes):
        above = parent[node]
        if above < 0:
            up[node] = node
            level[node] = 0
        elif end[above] - first[above] > end[node] - first[node]:
            up[node] = above
            level[node] = level[above] + 1
        else:
            up[node] = up[above]
            level[node] = level[above]
        for far in range(far_levels):
            top[node, far] = node if level[node] <= far + 1 else top[above, far]
    for block in range(blocks):
        above = block_node[block]
        for far in range(far_levels):
            around[block, near_levels + far] = top[above, far]
        for far in range(near_levels):
            above = up[above]
            around[block, far] = above
    return up_made, level_made, around_made


def counts_before(tag, kind_of_tag, kinds):
    """How many nodes of each kind come before each node, and in all; kind -1 is not counted."""
    nodes: cython.Py_ssize_t = tag.shape[0]
    node: cython.Py_ssize_t
    kind: cython.int
    made = np.zeros((nodes + 1, kinds), np.intc)
    counts: cython.int[:, ::1] = memoryview(made)
    for node in range(nodes):
        for kind in range(kinds):
            counts[node + 1, kind] = counts[node, kind]
        kind = kind_of_tag[tag[node]]
        if kind >= 0:
            counts[node + 1, kind] += 1
    return made


def ways(parent, tag, names):
    """Hashes of the way from the root to each node, of pages different ones.

    By tags; by tags and names (a hash a node, see `words.names`); and of each node's own tag and
    names together with its parent, which siblings that look alike share.
    """
    nodes: cython.Py_ssize_t = parent.shape[0]
    node: cython.Py_ssize_t
    above: cython.int
    key: cython.ulonglong
    plain_above: cython.ulonglong
    named_above: cython.ulonglong
    if not COMPILED:  # plain integers instead of numpy's, whose overflow is a warning
        parent, tag, names = memoryview(parent), memoryview(tag), memoryview(names)
    plain_made = np.empty(nodes, np.uint64)
    named_made = np.empty(nodes, np.uint64)
    alike_made = np.empty(nodes, np.uint64)
    plain: cython.ulonglong[::1] = memoryview(plain_made)
    named: cython.ulonglong[::1] = memoryview(named_made)
    alike: cython.ulonglong[::1] = memoryview(alike_made)
    for node in range(nodes):
        above = parent[node]
        key = (tag[node] + 1) * GOLDEN & ALL
        if above < 0:
            plain_above = named_above = node + 1
        else:
            plain_above = plain[above]
            named_above = named[above]
        plain[node] = mixed(plain_above ^ key)
        key ^= names[node]
        named[node] = mixed(named_above ^ key)
        alike[node] = named[node]  # a root has no siblings
        if above >= 0:
            alike[node] = mixed(key + (above + 1) * OTHER & ALL)
    return plain_made, named_made, alike_made


def mixed(number):
    """A hash of a hash."""
    number = number * GOLDEN & ALL
    return number ^ (number >> 29)


def number_alike(keys, group):
    """Write the number of its group to each row, rows with the same key; return how many."""
    rows: cython.Py_ssize_t = keys.shape[0]
    row: cython.Py_ssize_t
    bits: cython.int = 4
    groups: cython.int = 0
    steps: cython.int
    place: cython.ulonglong
    last: cython.ulonglong
    while (1 << bits) < 2 * rows:
        bits += 1
    last = (1 << bits) - 1
    holder: cython.int[::1] = memoryview(np.zeros(1 << bits, np.intc))  # a row + 1 each
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


def counts_alike(keys):
    """For each row the number of rows with the same key."""
    rows: cython.Py_ssize_t = keys.shape[0]
    row: cython.Py_ssize_t
    if not COMPILED:
        keys = memoryview(keys)
    group: cython.int[::1] = memoryview(np.empty(rows, np.intc))
    groups: cython.int = number_alike(keys, group)
    counts: cython.int[::1] = memoryview(np.zeros(groups, np.intc))
    made = np.empty((rows, 1))
    result: cython.double[:, ::1] = memoryview(made)
    for row in range(rows):
        counts[group[row]] += 1
    for row in range(rows):
        result[row, 0] = counts[group[row]]
    return made


def same_way(way, block_node, sums, first_block, out):
    """All blocks with the same way to their node: columns of `repetition.ways`.

    `sums` are prefix sums over the blocks: words, words in links, punctuation, blocks.
    """
    blocks: cython.Py_ssize_t = block_node.shape[0]
    block: cython.Py_ssize_t
    page: cython.Py_ssize_t
    column: cython.int
    words: cython.double
    total: cython.double
    key_made = np.empty(blocks, np.uint64)
    key: cython.ulonglong[::1] = memoryview(key_made)
    for block in range(blocks):
        key[block] = way[block_node[block]]
    group: cython.int[::1] = memoryview(np.empty(blocks, np.intc))
    groups: cython.int = number_alike(key, group)
    same: cython.double[:, ::1] = memoryview(np.zeros((groups, 4)))
    for block in range(blocks):
        for column in range(4):
            same[group[block], column] += sums[block + 1, column] - sums[block, column]
    for page in range(first_block.shape[0] - 1):
        total = max(sums[first_block[page + 1], 0] - sums[first_block[page], 0], 1.0)
        for block in range(first_block[page], first_block[page + 1]):
            words = same[group[block], 0]
            out[block, 0] = same[group[block], 3]
            out[block, 1] = words
            out[block, 2] = words / total
            words = max(words, 1.0)
            out[block, 3] = same[group[block], 1] / words
            out[block, 4] = same[group[block], 2] / words
    return 0


def repeated(parent, first, end, alike, sums, first_block, block_node):
    """The repeated element each block is in: the ancestor with the most siblings alike.

    Of equals the lowest; only elements that hold text count. `sums` are prefix sums over the
    blocks: words, words in links. For each block the number of siblings alike, with the element
    itself; the link density of the element; words of them all, their share of the page, their
    link density, and words of each.
    """
    nodes: cython.Py_ssize_t = parent.shape[0]
    blocks: cython.Py_ssize_t = block_node.shape[0]
    node: cython.Py_ssize_t
    block: cython.Py_ssize_t
    above: cython.int
    item: cython.int
    number: cython.int
    page: cython.Py_ssize_t
    total: cython.double
    words: cython.double
    link_words: cython.double
    if not COMPILED:
        alike = memoryview(alike)
    group: cython.int[::1] = memoryview(np.empty(nodes, np.intc))
    groups: cython.int = number_alike(alike, group)
    of_group: cython.double[:, ::1] = memoryview(np.zeros((groups, 3)))
    best: cython.int[::1] = memoryview(np.empty(nodes, np.intc))
    best_count: cython.double[::1] = memoryview(np.empty(nodes))
    made = np.empty((blocks, 6))
    result: cython.double[:, ::1] = memoryview(made)
    for node in range(nodes):
        number = group[node]
        of_group[number, 0] += 1
        of_group[number, 1] += sums[end[node], 0] - sums[first[node], 0]
        of_group[number, 2] += sums[end[node], 1] - sums[first[node], 1]
    for node in range(nodes):
        above = parent[node]
        best[node] = node
        best_count[node] = 1
        if end[node] > first[node]:
            best_count[node] = of_group[group[node], 0]
        if above >= 0 and best_count[above] > best_count[node]:
            best[node] = best[above]
            best_count[node] = best_count[above]
    for page in range(first_block.shape[0] - 1):
        total = max(sums[first_block[page + 1], 0] - sums[first_block[page], 0], 1.0)
        for block in range(first_block[page], first_block[page + 1]):
            item = best[block_node[block]]
            number = group[item]
            words = sums[end[item], 0] - sums[first[item], 0]
            link_words = sums[end[item], 1] - sums[first[item], 1]
            result[block, 0] = best_count[item]
            result[block, 1] = link_words / max(words, 1.0)
            words = of_group[number, 1]
            result[block, 2] = words
            result[block, 3] = words / total
            result[block, 4] = of_group[number, 2] / max(words, 1.0)
            result[block, 5] = words / best_count[item]
    return made


def containers(parent, last, level, around, sums, block_node, first_node, first_block):
    """The elements by the text they collect, and where each block is in the best of its page.

    A block gives its text mass, the last column of the prefix sums, to the first three of its
    ancestors in `around`: all, a half, a third.
    Of each page the best score; of each block, as shares of the best score, those of its first and
    second ancestor and the highest on the way to it; whether it is inside the best element, the
    first of equals; whether it comes before it (-1) or after it (1); and how many levels the best
    element is below the one that holds both. `first_node` and `first_block` have the end too.
    """
    nodes: cython.Py_ssize_t = parent.shape[0]
    blocks: cython.Py_ssize_t = block_node.shape[0]
    pages: cython.Py_ssize_t = first_node.shape[0] - 1
    page: cython.Py_ssize_t
    node: cython.Py_ssize_t
    block: cython.Py_ssize_t
    above: cython.int
    best: cython.int
    most: cython.double
    mass: cython.double
    column: cython.Py_ssize_t = sums.shape[1] - 1
    score: cython.double[::1] = memoryview(np.zeros(nodes))
    highest: cython.double[::1] = memoryview(np.empty(nodes))
    shared: cython.int[::1] = memoryview(np.empty(nodes, np.intc))
    best_score_made = np.zeros(pages)
    best_score: cython.double[::1] = memoryview(best_score_made)
    made = np.empty((blocks, 6))
    result: cython.double[:, ::1] = memoryview(made)
    # In sixths, which are whole numbers, so that the sums are exact.
    for block in range(blocks):
        mass = sums[block + 1, column] - sums[block, column]
        score[around[block, 0]] += 6 * mass
        score[around[block, 1]] += 3 * mass
        score[around[block, 2]] += 2 * mass
    for page in range(pages):
        best = first_node[page]
        for node in range(first_node[page], first_node[page + 1]):
            above = parent[node]
            shared[node] = -1
            score[node] /= 6
            highest[node] = score[node]
            if above >= 0 and highest[above] > score[node]:
                highest[node] = highest[above]
            if score[node] > score[best]:
                best = node
        # The way to the best element, and for all others where they leave it.
        above = best if first_node[page] < first_node[page + 1] else -1
        while above >= 0:
            shared[above] = level[above]
            above = parent[above]
        for node in range(first_node[page], first_node[page + 1]):
            if shared[node] < 0:
                shared[node] = shared[parent[node]]
        for block in range(first_block[page], first_block[page + 1]):
            best_score[page] = score[best]
            most = score[best] if score[best] > 1 else 1.0
            node = block_node[block]
            result[block, 0] = score[around[block, 0]] / most
            result[block, 1] = score[around[block, 1]] / most
            result[block, 2] = highest[node] / most
            result[block, 3] = best <= node <= last[best]
            result[block, 4] = 0.0
            if node < best:
                result[block, 4] = -1.0
            elif node > last[best]:
                result[block, 4] = 1.0
            result[block, 5] = level[best] - shared[node]
    return best_score_made, made


def add_weights(node, token, keys, weights, sums):
    """Add to `sums` of each node the two weights of each of its tokens that `keys` has.

    `keys` is a table with open addressing, a power of two long, at most half full; 0 is empty.
    """
    tokens: cython.Py_ssize_t = token.shape[0]
    number: cython.Py_ssize_t
    found: cython.int
    slot: cython.ulonglong
    place: cython.ulonglong
    last: cython.ulonglong = keys.shape[0] - 1
    bits: cython.int = 0
    while (1 << bits) < keys.shape[0]:
        bits += 1
    if not COMPILED:
        token = memoryview(token)
        keys = memoryview(keys)
    # A page repeats its names; the table is large. So keep where the last ones were.
    kept: cython.ulonglong[::1] = memoryview(np.zeros(1 << KEPT_BITS, np.uint64))
    kept_place: cython.int[::1] = memoryview(np.zeros(1 << KEPT_BITS, np.intc))
    for number in range(tokens):
        slot = (token[number] * GOLDEN & ALL) >> (64 - KEPT_BITS)
        if kept[slot] != token[number]:
            place = (token[number] * GOLDEN & ALL) >> (64 - bits)
            while keys[place] and keys[place] != token[number]:
                place = (place + 1) & last
            kept[slot] = token[number]
            kept_place[slot] = place if keys[place] else -1
        found = kept_place[slot]
        if found >= 0:
            sums[node[number], 0] += weights[found, 0]
            sums[node[number], 1] += weights[found, 1]
    return 0


def token_table(tokens):
    """A table for `add_weights` that holds these tokens, none of them 0."""
    number: cython.Py_ssize_t
    place: cython.ulonglong
    last: cython.ulonglong
    bits: cython.int = 4
    while (1 << bits) < 2 * tokens.shape[0]:
        bits += 1
    last = (1 << bits) - 1
    if not COMPILED:
        tokens = memoryview(tokens)
    made = np.zeros(1 << bits, np.uint64)
    keys: cython.ulonglong[::1] = memoryview(made)
    for number in range(tokens.shape[0]):
        place = (tokens[number] * GOLDEN & ALL) >> (64 - bits)
        while keys[place] and keys[place] != tokens[number]:
            place = (place + 1) & last
        keys[place] = tokens[number]
    return made


def weigh_ways(parent, up, level, weights, block_node):
    """What the tokens on the way to each block weigh, from two weights a node: near and far.

    Near are the nodes below the nearest ancestor that holds more blocks, far are that one and
    those above. Seven columns: all, near, far, the lowest and the highest far node, the block's
    own node, and that ancestor.
    """
    nodes: cython.Py_ssize_t = parent.shape[0]
    blocks: cython.Py_ssize_t = block_node.shape[0]
    node: cython.Py_ssize_t
    block: cython.Py_ssize_t
    above: cython.int
    # Sum of the near weights, and sum, lowest and highest of the far ones, from the root.
    way: cython.double[:, ::1] = memoryview(np.empty((nodes, 4)))
    made = np.zeros((blocks, 7))
    result: cython.double[:, ::1] = memoryview(made)
    for node in range(nodes):
        above = parent[node]
        way[node, 0] = weights[node, 0]
        way[node, 1] = way[node, 2] = way[node, 3] = weights[node, 1]
        if above >= 0:
            way[node, 0] += way[above, 0]
            way[node, 1] += way[above, 1]
            if way[above, 2] < way[node, 2]:
                way[node, 2] = way[above, 2]
            if way[above, 3] > way[node, 3]:
                way[node, 3] = way[above, 3]
    for block in range(blocks):
        node = block_node[block]
        above = up[node]
        result[block, 1] = way[node, 0]
        result[block, 5] = weights[node, 0]
        if level[node] > 0:
            result[block, 1] -= way[above, 0]
            result[block, 2] = way[above, 1]
            result[block, 3] = way[above, 2]
            result[block, 4] = way[above, 3]
            result[block, 6] = weights[above, 1]
        result[block, 0] = result[block, 1] + result[block, 2]
    return made
