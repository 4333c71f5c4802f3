"""Passes over the elements of a page that the search for posts takes.

Part of the hot path, see `tamis.page.scan.lexer`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from tamis._runtime import limits
from tamis._runtime.compiled import view_numbers
from tamis.page import tags
from tamis.page.arrays import ALL, PRIME, START

if TYPE_CHECKING:
    import cython

    from tamis.describe.posts.clues import Clues
    from tamis.page.arrays import Bytes, Flags, Floats, Hashes, Ints, Longs
    from tamis.page.table import Page


COMPILED = not __file__.endswith(".py")

HTML, BODY = tags.ID["html"], tags.ID["body"]
LEVELS = 60  # of a unit above its anchor
AROUND = 25
"""Elements around a text that are looked at."""
NEAREST = 3
"""Elements around a text that say what it is."""
# Share of the units that must have an element around them for it to count as theirs.
USUAL = 0.5
# Rows between two checks of the limits.
OFTEN = 1000

CLUES = "weight plain words dates titles moments authors permalinks posts".split()
"""What is summed over units, see `families.tabulate_clues`: clues of texts, then of elements."""
WEIGHT, PLAIN, WORDS, DATES, TITLES, MOMENTS, AUTHORS, PERMALINKS, POSTS = range(9)
OF_TEXTS, OF_NODES = 5, 4

MOST_WORDS = 400.0  # of a unit that count
# Shares of the units that have a title that leads elsewhere, and of the words outside of links.
TITLED, LEAST_PLAIN = 0.5, 0.25


class ElementTree:
    """The elements of a page with their names."""

    def __init__(self, page: Page, clues: Clues) -> None:
        nodes = page.nodes
        self.parent, self.last, self.tag = nodes.parent.data, nodes.last.data, nodes.tag.data
        self.first_text, self.end_text = nodes.first_text.data, nodes.end_text.data
        self.count = len(nodes)
        self.texts = len(page.texts)
        self.first_name, self.name = clues.first_name.data, clues.name.data
        self.is_typed = clues.is_typed.view(np.uint8).data
        self.names = len(clues.all_names)
        self.known: dict[int, list[int]] = {}

    def find_units(self, family: Ints, anchor: Ints) -> tuple[Ints, Ints]:
        """Find the units of anchors, see `Families`.

        The first column is the row of the next anchor of the family that is not inside this one,
        the number of rows if there is none.
        """
        rows: cython.Py_ssize_t = family.shape[0]
        end: cython.Py_ssize_t = 0
        following_made = following = np.empty(rows, np.intc)
        unit_made = units = np.empty(rows, np.intc)
        for row in range(rows):
            if not row % OFTEN:
                limits.check()
            if row == end:
                while end < rows and family[end] == family[row]:
                    end += 1
            node: cython.int = anchor[row]
            low, high = row + 1, end
            while low < high:
                middle: cython.Py_ssize_t = (low + high) >> 1
                if anchor[middle] <= self.last[node]:
                    low = middle + 1
                else:
                    high = middle
            following[row] = low if low < end else rows
            behind: cython.int = anchor[low] if low < end else self.count
            before: cython.int = anchor[row - 1] if row and family[row - 1] == family[row] else -1
            level = 0
            while level < LEVELS:
                level += 1
                above: cython.int = max(self.parent[node], 0)
                if node == 0 or above <= before or self.last[above] >= behind:
                    break
                if self.tag[above] == HTML or self.tag[above] == BODY:
                    break
                node = above
            units[row] = node
        return following_made, unit_made

    def sum_clues(self, of_texts: Floats, of_nodes: Floats, first: Ints, end: Ints) -> Floats:
        """Sum the clues over ranges of nodes, from their running sums: one row for each clue."""
        made = out = np.empty((OF_TEXTS + OF_NODES, first.shape[0]))
        for row in range(first.shape[0]):
            low: cython.int = self.first_text[first[row]]
            high: cython.int = self.find_text_end(first[row], end[row])
            for column in range(OF_TEXTS):
                out[column, row] = of_texts[high, column] - of_texts[low, column]
            for column in range(OF_NODES):
                out[OF_TEXTS + column, row] = (
                    of_nodes[end[row], column] - of_nodes[first[row], column]
                )
        return made

    def find_text_end(self, first: cython.int, end: cython.int) -> cython.int:
        """Find the end of the texts of a range of nodes and of those up to the next node."""
        high: cython.int = self.texts if end >= self.count else self.first_text[end]
        high = min(high, self.end_text[max(self.parent[first], 0)])
        return max(high, self.first_text[first])

    def make_keys(self, node: cython.int) -> list[int]:
        """Make numbers for an element's tag with each name, or with the names of its parent."""
        known = self.known.get(node)
        if known is not None:
            return known
        above: cython.int = self.parent[node]
        wide: cython.longlong = 2 * self.names + self.count + 1
        base: cython.longlong = self.tag[node] * wide
        first: cython.int = self.first_name[node]
        end: cython.int = self.first_name[node + 1]
        if first == end:
            base += self.names
            if above >= 0:
                first = self.first_name[above]
                end = self.first_name[above + 1]
            if first == end:
                base += self.names + above + 1
        made = [base] if first == end else []
        for row in range(first, end):
            made.append(base + self.name[row])
        self.known[node] = made
        return made

    def mark_usual(self, units: Ints) -> Flags:
        """Mark the units with the name that most of them share."""
        counts: dict[int, int] = {}
        keys: list[list[int]] = []
        for row in range(units.shape[0]):
            own = self.make_keys(units[row])
            keys.append(own)
            for key in own:
                counts[key] = counts.get(key, 0) + 1
        most = max(counts, key=counts.__getitem__)
        return np.array([most in own for own in keys])

    def trim_units(self, anchors: Ints, units: Ints) -> Ints:
        """Replace units by the highest element inside them that half of the units have, too."""
        rows: cython.Py_ssize_t = anchors.shape[0]
        counts: dict[int, int] = {}
        for row in range(rows):
            if not row % OFTEN:
                limits.check()
            node = anchors[row]
            seen: set[int] = set()
            while True:
                seen.update(self.make_keys(node))
                if node <= units[row]:
                    break
                node = self.parent[node]
            for key in seen:
                counts[key] = counts.get(key, 0) + 1
        least: cython.double = max(2.0, USUAL * rows)
        usual = {key for key, count in counts.items() if count >= least}
        made = np.array(units)
        trimmed: cython.int[::1] = made
        for row in range(rows):
            node = anchors[row]
            while True:
                if self.is_typed[node] or not usual.isdisjoint(self.make_keys(node)):
                    trimmed[row] = node
                if node <= units[row]:
                    break
                node = self.parent[node]
        return made

    def share_named(
        self, is_post: Bytes, of_texts: Floats, first: Ints, end: Ints, plain: Floats
    ) -> cython.double:
        """Return the share of the units in which a post holds at least half of the words."""
        count: cython.double = 0  # a whole number would be divided as one
        for row in range(first.shape[0]):
            for node in range(first[row], end[row]):
                if not is_post[node]:
                    continue
                low: cython.int = self.first_text[node]
                high: cython.int = self.find_text_end(node, self.last[node] + 1)
                if 2 * (of_texts[high, PLAIN] - of_texts[low, PLAIN]) >= plain[row]:
                    count += 1
                    break
        return count / max(first.shape[0], 1)

    def find_around(self, node: Ints, first: Ints, chosen: Bytes) -> Ints:
        """Find the nearest chosen element at or around each node, not above `first`; else -1."""
        around: cython.int = AROUND
        made = out = np.full(node.shape[0], -1, np.intc)
        for row in range(node.shape[0]):
            place: cython.int = node[row]
            for level in range(around):
                if place < 0 or (level and place < first[row]):
                    break
                if chosen[place]:
                    out[row] = place
                    break
                place = self.parent[place]
        return made

    def hash_roles(self, node: Ints, first: Ints, signatures: Hashes) -> Hashes:
        """Hash the signatures of each node and of the nearest around it, not above `first`."""
        nearest: cython.int = NEAREST
        made = out = np.empty(node.shape[0], np.uint64)
        if not COMPILED:
            signatures = view_numbers(signatures)
        for row in range(node.shape[0]):
            place: cython.int = node[row]
            role: cython.ulonglong = START
            for level in range(nearest):
                if place < 0 or (level and place < first[row]):
                    break
                role = (role ^ signatures[place]) * PRIME & ALL
                place = self.parent[place]
            out[row] = role
        return made

    def sum_below(
        self, node: Ints, first: Ints, unit: Ints, weight: Longs, words: Ints
    ) -> tuple[Flags, Ints, Longs, Longs]:
        """Sum the weights and words of the texts at and below each element of the units.

        Each text has its element, the first element and the number of its unit, its weight and its
        words. The result says for each element whether it has any text, and its unit and sums.
        """
        around: cython.int = AROUND
        columns = (
            np.zeros(self.count, bool),
            np.zeros(self.count, np.intc),
            np.zeros(self.count, np.int64),
            np.zeros(self.count, np.int64),
        )
        has: cython.uchar[::1] = columns[0].view(np.uint8)
        units: cython.int[::1] = columns[1]
        weights: cython.longlong[::1] = columns[2]
        counts: cython.longlong[::1] = columns[3]
        for row in range(node.shape[0]):
            place: cython.int = node[row]
            for level in range(around):
                if place < 0 or (level and place < first[row]):
                    break
                has[place] = True
                units[place] = unit[row]
                weights[place] += weight[row]
                counts[place] += words[row]
                place = self.parent[place]
        return columns


def subtract_inner_units(family_ends: Ints, following: Ints, sums: Floats) -> None:
    """Subtract from the sums of units those of the units of their family inside them."""
    # Units inside come later, so their sums are still whole here.
    for row in range(following.shape[0]):
        end: cython.Py_ssize_t = min(following[row], family_ends[row])
        inner = row + 1
        while inner < end:
            for column in range(sums.shape[0]):
                sums[column, row] -= sums[column, inner]
            inner = following[inner]


def subtract_inner_ranges(first: Ints, end: Ints, sums: Floats) -> None:
    """Subtract from the sums of ranges in document order those of the ranges inside them."""
    around = np.full(first.shape[0], -1, np.intc)
    for row in range(1, first.shape[0]):
        outer: cython.int = row - 1
        while outer >= 0 and end[outer] <= first[row]:
            outer = around[outer]
        around[row] = outer
        if outer >= 0:
            for column in range(sums.shape[0]):
                sums[column, outer] -= sums[column, row]


def judge_units(sums: Floats) -> tuple[Flags, Floats]:
    """Tell which units have enough clues for a post, and what each adds to its family's score."""
    good_made, worth_made = np.empty(sums.shape[1], bool), np.zeros(sums.shape[1])
    good: cython.uchar[::1] = good_made.view(np.uint8)
    worth: cython.double[::1] = worth_made
    most_words: cython.double = MOST_WORDS
    for row in range(sums.shape[1]):
        authors: cython.bint = sums[AUTHORS, row] > 0
        posts: cython.bint = sums[POSTS, row] > 0
        if sums[DATES, row] + sums[MOMENTS, row] > 0:
            good[row] = authors or posts or sums[PERMALINKS, row] > 0
        else:
            good[row] = posts and authors
        if good[row]:
            worth[row] = min(max(sums[WEIGHT, row], 1.0), most_words) ** 0.5 - 1
    return good_made, worth_made


def score_families(bounds: Ints, sums: Floats, good: Bytes, worth: Floats) -> Floats:
    """Score families by what their units are worth; less if not all units are posts."""
    made = out = np.zeros(bounds.shape[0] - 1)
    least_plain: cython.double = LEAST_PLAIN
    for family in range(bounds.shape[0] - 1):
        total = many = titled = plain = words = 0.0
        for row in range(bounds[family], bounds[family + 1]):
            total += worth[row]
            many += good[row]
            titled += sums[TITLES, row] > 0
            plain += sums[PLAIN, row]
            words += sums[WORDS, row]
        units: cython.double = bounds[family + 1] - bounds[family]
        if many >= 2 and titled <= TITLED * units and plain >= least_plain * words:
            out[family] = total * (many / units) ** 2
    return made


def are_inside(nodes: Ints, firsts: Ints, ends: Ints) -> cython.bint:
    """Whether all nodes are inside ranges, which are in order, and one range has several."""
    place: cython.Py_ssize_t = 0
    before: cython.Py_ssize_t = -1
    several: cython.bint = False
    for row in range(nodes.shape[0]):
        while place < firsts.shape[0] and firsts[place] < nodes[row]:
            place += 1
        while place and firsts[place - 1] >= nodes[row]:
            place -= 1
        if not place or nodes[row] >= ends[place - 1]:
            return False
        several |= before == place
        before = place
    return several


def hash_ranges(bounds: Ints, first: Ints, end: Ints) -> Hashes:
    made = out = np.zeros(bounds.shape[0] - 1, np.uint64)
    if not COMPILED:
        first, end = view_numbers(first), view_numbers(end)
    for family in range(bounds.shape[0] - 1):
        value: cython.ulonglong = START
        for row in range(bounds[family], bounds[family + 1]):
            value = (value ^ first[row]) * PRIME & ALL
            value = (value ^ end[row]) * PRIME & ALL
        out[family] = value
    return made
