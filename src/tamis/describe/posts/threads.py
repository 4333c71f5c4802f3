"""Which family of a page is its thread, or its comments.

If units hold headers alone, the elements between two of them belong to them. Of all families that
one wins whose units have most clues and words, short ones counted almost as much as long ones, and
whose units are of one kind. A second look finds comments inside the units, or what the units
comment on.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from tamis import limits
from tamis.describe.posts.clues import COMMENT, POST, Clues
from tamis.describe.posts.families import (
    Families,
    Flags,
    Floats,
    Ints,
    Key,
    PostUnit,
    Sums,
    clue_columns,
    columns_of,
    covered,
    running_sums,
    texts_of,
)
from tamis.page.table import Page

# Times as much that units must hold if what stands between them is to be theirs.
_EXTENDED = 1.5
# Families with this part of the best score are as good, and the one with the most units wins.
_EQUAL = 0.9
# Times as much that a family of typed posts counts.
_TYPED = 2.0
_VARIANTS = ("", "forward", "backward")
# Families that are looked at closely, and those whose units are tried.
_MOST_RANKED, _MOST_TRIED = 30, 30
# Shares of the units: that share a name, have a date, have a title that leads elsewhere.
_USUAL, _DATED, _TITLED = 0.5, 0.6, 0.5
_LEAST_PLAIN = 0.25  # share of the words outside of links
# Shares of the units of a thread: that are named as posts; that have a clue, and if they are not
# named.
_NAMED, _SOME, _MOST = 0.6, 0.5, 0.8
# Of the units of a second look: what each is worth, and what the first ones keep.
_LEAST_WORTH, _KEEPS = 1.0, 0.6
# Share of the units inside the first from which on it is the thread as a whole.
_ROOT = 0.6


def units_of(page: Page, clues: Clues) -> list[PostUnit]:
    """The units of the thread or the comments of a page in document order, none if it has none."""
    if not len(page.texts):
        return []
    families = Families(page, clues)
    search = _Search(families, np.ones(len(page.texts), bool), np.ones(len(page.nodes), bool))
    units, _ = search.best()
    if not units:
        return search.lone()
    for inside in (True, False):
        units = _with_others(families, search, units, inside=inside)
    return _with_root(families, sorted(units, key=lambda unit: (unit.first, -unit.end)))


def _with_root(families: Families, units: list[PostUnit]) -> list[PostUnit]:
    """The units, the first marked if it is around others of another kind: the thread as a whole."""
    root, *others = units
    inside = sum(unit.end <= root.end for unit in others)
    if inside < max(2, _ROOT * len(others)):
        return units
    keys = Counter(key for unit in others for key in set(families.keys(unit.first)))
    if any(2 * keys[key] > len(others) for key in families.keys(root.first)):
        return units
    return [root._replace(usual=False, root=True), *units[1:]]


def _with_others(
    families: Families, search: _Search, units: list[PostUnit], *, inside: bool
) -> list[PostUnit]:
    """The units with those that are in them, or those that they are in."""
    page = families.page
    within = np.zeros(len(page.nodes), bool)
    for unit in units:
        within[unit.first : unit.end] = True
    texts = covered(page, units)
    rest = _Search(families, texts == inside, within == inside)
    others, worth = rest.best(units if inside else ())
    others = [unit for unit in others if unit.usual and unit not in units]
    if not others or worth < _LEAST_WORTH * len(others):
        return units
    sums = rest.sums(*columns_of(others))
    if not sums.dated.all() or (sums.worth >= _LEAST_WORTH).mean() < _SOME:
        return units
    outer, inner = (units, others) if inside else (others, units)
    around = [first for first in _around(outer, inner) if first >= 0]
    if 2 * len(around) < len(inner):
        return units
    if len(set(around)) in (len(around) if inside else 1, 0):
        return units
    if inside:
        # What is part of each post, such as its text, is no comment on it.
        left = _Search(families, texts & ~covered(page, others), within)
        before, after = (each.sums(*columns_of(units)) for each in (search, left))
        if after.worth.sum() < _KEEPS * before.worth.sum() or after.good.sum() < before.good.sum():
            return units
    return [*units, *others]


def _around(outer: list[PostUnit], inner: list[PostUnit]) -> list[int]:
    """For each inner unit the first node of the outer unit around it, -1 if there is none."""
    ordered = sorted(outer)
    firsts = np.array([unit.first for unit in ordered])
    places = np.searchsorted(firsts, [unit.first for unit in inner], side="right") - 1
    return [
        ordered[place].first
        if place >= 0 and unit.end <= ordered[place].end and unit != ordered[place]
        else -1
        for unit, place in zip(inner, places.tolist(), strict=True)
    ]


def _are_several(first: Ints, firsts: Ints, ends: Ints) -> bool:
    """Whether nodes are all inside the units around, and in one of them more than one."""
    place = np.searchsorted(firsts, first) - 1
    return bool((place >= 0).all() and (first < ends[place]).all() and np.bincount(place).max() > 1)


class _Ranked(NamedTuple):
    """A family and how good it is."""

    score: float
    alike: int
    """Units of one kind."""
    first: Ints
    end: Ints
    extended: bool
    """Whether its units have what stands between them."""


class _Search:
    """The search for the best family, over some of the texts and nodes of a page."""

    def __init__(self, families: Families, texts: Flags, nodes: Flags) -> None:
        self.families, self.page = families, families.page
        columns = clue_columns(families)
        self._texts = running_sums(np.array([column * texts for column in columns[0]]))
        self._nodes = running_sums(np.array([column * nodes for column in columns[1]]))

    def sums(self, first: Ints, end: Ints) -> Sums:
        """The sums over these ranges of nodes."""
        low, high = texts_of(self.page, first, end)
        of_texts = self._texts[:, high] - self._texts[:, low]
        return Sums(*of_texts, *(self._nodes[:, end] - self._nodes[:, first]))

    def best(self, around: Sequence[PostUnit] = ()) -> tuple[list[PostUnit], float]:
        """The units of the best family that makes a thread, and what they are worth.

        With some units `around`, of a family inside these that is more than a part of each.
        """
        families = self.families
        ranked: list[_Ranked] = []
        if len(families.anchor):
            outer = columns_of(sorted(around)) if around else None
            for extended in _VARIANTS:
                ranked += self._ranked(extended, outer)
        for _ in range(min(_MOST_TRIED, len(ranked))):
            # Of families that are about as good the one with the most units of a kind.
            most = max(rank.score for rank in ranked)
            equals = (rank for rank in ranked if rank.score >= _EQUAL * most)
            best = max(equals, key=lambda rank: rank.alike)
            ranked.remove(best)
            units, worth = self._posts(best)
            if units:
                return units, worth
        return [], 0.0

    def _ranked(self, extended: str, around: tuple[Ints, Ints] | None) -> Iterator[_Ranked]:
        """The best families; one counts less if its units are of several kinds."""
        families = self.families
        first = families.backward if extended == "backward" else families.unit
        end = families.forward if extended == "forward" else families.end
        sums = self._own(self.sums(first, end))
        scores = self._scores(sums) / (_EXTENDED if extended else 1.0)
        bounds = np.append(families.first, len(families.anchor)).tolist()
        order = np.argsort(-scores, kind="stable")
        all_good, worth = sums.good, sums.worth
        ranked: set[bytes] = set()
        for place in order[scores[order] > 0].tolist():
            rows = slice(bounds[place], bounds[place + 1])
            starts, ends = first[rows], end[rows]
            key = starts.tobytes() + ends.tobytes()
            if len(ranked) == _MOST_RANKED:
                break
            if key in ranked or (around and not _are_several(starts, *around)):
                continue
            ranked.add(key)
            good = all_good[rows]
            if not extended:
                starts = self._trimmed(families.anchor[rows].tolist(), starts)
                ends = families.last[starts] + 1
            typed = families.clues.is_typed[starts[good]]
            usual = self._usual(starts[good]) | typed
            # One of another kind may open the thread.
            opens = int(not usual[0] and worth[rows][good][0] >= _LEAST_WORTH)
            alike = int(usual.sum()) + opens
            score = float(scores[place]) * (alike / len(usual)) ** 2
            score *= _TYPED if typed.all() else 1.0
            yield _Ranked(score, alike, starts, ends, bool(extended))

    def _usual(self, units: Ints) -> Flags:
        """Whether each unit has the name that most of them share."""
        keys = [set(self.families.keys(unit)) for unit in units.tolist()]
        [(usual, _)] = Counter(key for own in keys for key in sorted(own)).most_common(1)
        return np.array([usual in own for own in keys])

    def _own(self, sums: Sums) -> Sums:
        """The sums of units without those of the units inside them."""
        following = self.families.following
        inside = np.flatnonzero(following > np.arange(1, len(following) + 1))
        family = self.families.family
        inside = inside[np.append(family, -1)[inside + 1] == family[inside]]
        if not len(inside):
            return sums
        table = np.array(sums)
        own = table.copy()
        ends = np.minimum(following, self._family_ends())
        steps = ends.tolist()
        for row in limits.checked(inside.tolist()):
            inner = row + 1
            while inner < steps[row]:
                own[:, row] -= table[:, inner]
                inner = steps[inner]
        return Sums(*own)

    def _family_ends(self) -> Ints:
        families = self.families
        ends = np.append(families.first[1:], len(families.anchor))
        return np.repeat(ends, np.diff(np.append(families.first, len(families.anchor))))

    def _scores(self, sums: Sums) -> Floats:
        """The score of each family: what its units are worth, less if not all are posts."""
        first = self.families.first
        ones = np.ones(len(sums.good))
        columns = (sums.worth, sums.good, sums.titles > 0, ones, sums.plain, sums.words)
        worth, good, titled, units, plain, words = (
            np.add.reduceat(column, first, dtype=float) for column in columns
        )
        scores: Floats = worth * (good / units) ** 2
        scores[(good < 2) | (titled > _TITLED * units) | (plain < _LEAST_PLAIN * words)] = 0
        return np.maximum(scores, 0)

    def _posts(self, family: _Ranked) -> tuple[list[PostUnit], float]:
        """The units of a family that are posts, none if it is no thread."""
        starts, ends = family.first, family.end
        if not family.extended:
            starts = self._joined(starts)
            ends = self.page.nodes.last[starts].astype(np.int64) + 1
        pairs = sorted(set(zip(starts.tolist(), (-ends).tolist(), strict=True)))
        starts, ends = np.array(pairs, np.int64).T * np.array([[1], [-1]])
        sums = self._without_inner(starts, ends)
        good = sums.good
        if sums.dated.mean() >= _DATED:
            good &= sums.dated
        if good.sum() < 2:
            return [], 0.0
        usual = self._usual(starts) | self.families.clues.is_typed[starts]
        alike = good & usual
        own = Sums(*(column[alike] for column in sums))
        if not self._is_thread(own, starts[alike], ends[alike]):
            return [], 0.0
        columns = starts[good].tolist(), ends[good].tolist(), usual[good].tolist()
        return list(map(PostUnit, *columns)), float(sums.worth[good].sum())

    def _without_inner(self, first: Ints, end: Ints) -> Sums:
        """The sums over ranges of nodes in document order, without those over ranges inside."""
        whole = np.array(self.sums(first, end))
        own = whole.copy()
        open_: list[int] = []
        ends = end.tolist()
        for place, start in enumerate(first.tolist()):
            while open_ and ends[open_[-1]] <= start:
                open_.pop()
            if open_:
                own[:, open_[-1]] -= whole[:, place]
            open_.append(place)
        return Sums(*own)

    def _is_thread(self, sums: Sums, first: Ints, end: Ints) -> bool:
        """Whether units are named as posts, or else have all the clues that posts have."""
        if len(first) < 2:
            return False
        units = zip(first.tolist(), end.tolist(), sums.plain.tolist(), strict=True)
        named = np.mean([self._is_named(*unit) for unit in limits.checked(units, 10)])
        dated, authors = sums.dated.mean(), (sums.authors > 0).mean()
        numbered = self.families.clues.is_numbered[first].mean()
        if len(first) < 3:
            return bool(named == dated == max(authors, numbered) == 1)
        if named >= _NAMED:
            return bool(dated >= _SOME or (authors >= _NAMED and self._are_comments(first)))
        whose = max(numbered, min(authors, 2 * (sums.permalinks > 0).mean()))
        return bool(min(dated, whose, 1 - (sums.titles > 0).mean()) >= _MOST)

    def _are_comments(self, first: Ints) -> bool:
        clues = self.families.clues
        return bool((clues.is_typed[first] | (clues.kinds[first] & COMMENT > 0)).mean() >= _NAMED)

    def _is_named(self, first: int, end: int, plain: float) -> bool:
        """Whether an element with at least half of the words of a unit has the name of a post."""
        clues = self.families.clues
        posts = first + np.flatnonzero((clues.kinds[first:end] & POST) | clues.is_typed[first:end])
        if not len(posts):
            return False
        held = self.sums(posts, self.page.nodes.last[posts].astype(np.int64) + 1).plain
        return bool(2 * held.max() >= plain)

    def _trimmed(self, anchors: list[int], units: Ints) -> Ints:
        """Units without what only some have around: from the element that half of them share."""
        parent = self.families.parent
        chains: list[list[int]] = []
        counts: Counter[Key] = Counter()
        for anchor, unit in limits.checked(zip(anchors, units.tolist(), strict=True), 100):
            chain = [anchor]
            while chain[-1] > unit:
                chain.append(parent[chain[-1]])
            chains.append(chain)
            counts.update({key for node in chain for key in self.families.keys(node)})
        usual = {key for key, count in counts.items() if count >= max(2, _USUAL * len(units))}
        trimmed, is_typed = units.copy(), self.families.clues.is_typed
        for place, chain in enumerate(chains):
            for node in reversed(chain):
                if is_typed[node] or not usual.isdisjoint(self.families.keys(node)):
                    trimmed[place] = node
                    break
        last = self.families.last
        # The post that opens a thread may be of another kind.
        lost = ~self.sums(trimmed, last[trimmed] + 1).good & self.sums(units, last[units] + 1).good
        trimmed[lost] = units[lost]
        return trimmed

    def _joined(self, units: Ints) -> Ints:
        """The elements around if each holds a row of units, such as a card and a message."""
        rows: dict[int, list[set[Key]]] = {}
        for unit in dict.fromkeys(units.tolist()):
            keys = set(self.families.keys(unit))
            rows.setdefault(int(self.page.nodes.parent[unit]), []).append(keys)
        [(count, parents)] = Counter(map(len, rows.values())).most_common(1)
        if len(rows) < 2 or count < 2 or parents < _MOST * len(rows):
            return units
        alike = [row for row in rows.values() if len(row) == count]
        columns = [set.intersection(*column) for column in zip(*alike, strict=True)]
        if any(not column - columns[place - 1] for place, column in enumerate(columns)):
            return units
        return np.array(list(rows), np.int64)

    def lone(self) -> list[PostUnit]:
        """A numbered element that is named as a comment, or a typed one, if nothing repeats."""
        clues, nodes = self.families.clues, self.page.nodes
        named = clues.is_typed | (clues.kinds & COMMENT != 0) & clues.is_numbered
        first = np.flatnonzero(named).astype(np.int64)
        end = nodes.last[first].astype(np.int64) + 1
        sums = self.sums(first, end)
        posts = sums.dated & (sums.authors > 0) & (sums.worth > 0) & (sums.titles == 0)
        posts &= sums.plain >= _LEAST_PLAIN * sums.words
        units: list[PostUnit] = []
        for unit in map(PostUnit, first[posts].tolist(), end[posts].tolist()):
            if not units or unit.first >= units[-1].end:
                units.append(unit)
        return units
