"""Which family of a page is its thread, or its comments.

If units hold headers alone, the elements between two of them belong to them. Of all families that
one wins whose units have most clues and words, short ones counted almost as much as long ones, and
whose units are of one kind. A second look finds comments inside the units, or what the units
comment on.
"""

from __future__ import annotations

import heapq
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from tamis.describe.posts.clues import COMMENT, POST, Clues
from tamis.describe.posts.families import (
    Families,
    PostUnit,
    Sums,
    columns_of,
    mark_covered,
    running_sums,
)
from tamis.describe.posts.passes import (
    LEAST_PLAIN,
    are_posts,
    are_several,
    range_hashes,
    take_off_inner,
    take_off_ranges,
)
from tamis.describe.posts.passes import scores as family_scores
from tamis.page.arrays import Flags, Floats, Ints
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
# Share of the units that have a date.
_DATED = 0.6
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
    keys_of = families.elements.keys
    keys = Counter(key for unit in others for key in keys_of(unit.first))
    if any(2 * keys[key] > len(others) for key in keys_of(root.first)):
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
    texts = mark_covered(page, units)
    rest = _Search(families, texts == inside, within == inside)
    if rest.dates() < 2:
        return units
    others, worth = rest.best(units if inside else ())
    others = [unit for unit in others if unit.usual and unit not in units]
    if not others or worth < _LEAST_WORTH * len(others):
        return units
    sums = rest.sums(*columns_of(others))
    if not sums.dated.all() or (sums.worth >= _LEAST_WORTH).mean() < _SOME:
        return units
    outer, inner = (units, others) if inside else (others, units)
    around = [first for first in _find_outer(outer, inner) if first >= 0]
    if 2 * len(around) < len(inner):
        return units
    if len(set(around)) in (len(around) if inside else 1, 0):
        return units
    if inside:
        # What is part of each post, such as its text, is no comment on it.
        left = _Search(families, texts & ~mark_covered(page, others), within)
        before, after = (each.sums(*columns_of(units)) for each in (search, left))
        if after.worth.sum() < _KEEPS * before.worth.sum() or after.good.sum() < before.good.sum():
            return units
    return [*units, *others]


def _find_outer(outer: list[PostUnit], inner: list[PostUnit]) -> list[int]:
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


class _Candidate(NamedTuple):
    """A family that may be the thread, with some of what stands between its units or without."""

    score: float
    bound: float
    """What its score is not above after a closer look."""
    order: int
    """Its place among those with the same score."""
    extended: str
    rows: slice
    units: _Units


class _Units(NamedTuple):
    """The units of all families, each row a unit."""

    first: Ints
    end: Ints
    good: Flags
    worth: Floats


class _Ranked(NamedTuple):
    """A family and how good it is."""

    score: float
    alike: int
    """Units of one kind."""
    order: int
    first: Ints
    end: Ints
    extended: bool
    """Whether its units have what stands between them."""


class _Search:
    """The search for the best family, over some of the texts and nodes of a page."""

    def __init__(self, families: Families, texts: Flags, nodes: Flags) -> None:
        self.families, self.page, self.elements = families, families.page, families.elements
        of_texts, of_nodes = families.clue_columns
        self._texts = running_sums(of_texts * texts[:, None])
        self._nodes = running_sums(of_nodes * nodes[:, None])

    def _table(self, first: Ints, end: Ints) -> Floats:
        return self.elements.sums(self._texts, self._nodes, first, end)

    def sums(self, first: Ints, end: Ints) -> Sums:
        """The sums over these ranges of nodes."""
        return Sums(*self._table(first, end))

    def dates(self) -> float:
        """How many dates there are in all."""
        sums = self.sums(np.zeros(1, np.intc), np.array([len(self.page.nodes)], np.intc))
        return float(sums.dates[0] + sums.moments[0])

    def best(self, around: Sequence[PostUnit] = ()) -> tuple[list[PostUnit], float]:
        """The units of the best family that makes a thread, and what they are worth.

        With some units `around`, of a family inside these that is more than a part of each.
        """
        outer = columns_of(sorted(around)) if around else None
        variants = (self._candidates(extended, outer) for extended in _VARIANTS)
        waiting = heapq.merge(*variants, key=lambda candidate: -candidate.bound)
        candidate = next(waiting, None)
        ranked: list[_Ranked] = []
        most = 0.0
        for _ in range(_MOST_TRIED):
            # No closer look at those that cannot be as good.
            while candidate and candidate.bound >= _EQUAL * most:
                ranked.append(self._ranked(candidate))
                most = max(most, ranked[-1].score)
                candidate = next(waiting, None)
            if not ranked:
                break
            # Of families that are about as good the one with the most units of a kind.
            equals = (rank for rank in ranked if rank.score >= _EQUAL * most)
            best = max(equals, key=lambda rank: (rank.alike, -rank.order))
            ranked.remove(best)
            most = max((rank.score for rank in ranked), default=0.0)
            units, worth = self._posts(best)
            if units:
                return units, worth
        return [], 0.0

    def _candidates(self, extended: str, around: tuple[Ints, Ints] | None) -> Iterator[_Candidate]:
        """The families with the best scores, the same units once."""
        families = self.families
        first = families.backward if extended == "backward" else families.unit
        end = families.forward if extended == "forward" else families.end
        sums = self._table(first, end)
        take_off_inner(families.family_ends, families.following, sums)
        good, worth = np.empty(len(first), bool), np.empty(len(first))
        scores = family_scores(families.bounds, sums, good.view(np.uint8), worth)
        scores /= _EXTENDED if extended else 1.0
        hashes = range_hashes(families.bounds, first, end)
        units = _Units(first, end, good, worth)
        bounds = scores * (_TYPED if families.clues.is_typed.any() else 1.0)
        order = np.argsort(-scores, kind="stable")
        ranked: set[int] = set()
        begins, same_units = families.bounds.tolist(), hashes.tolist()
        for place in order[scores[order] > 0].tolist():
            if len(ranked) == _MOST_RANKED:
                break
            rows, same = slice(begins[place], begins[place + 1]), same_units[place]
            if same in ranked or (around and not are_several(first[rows], *around)):
                continue
            ranked.add(same)
            number = _VARIANTS.index(extended) * _MOST_RANKED + len(ranked)
            score, bound = float(scores[place]), float(bounds[place])
            yield _Candidate(score, bound, number, extended, rows, units)

    def _ranked(self, candidate: _Candidate) -> _Ranked:
        """How good a family is: it counts less if its units are of several kinds."""
        families, rows = self.families, candidate.rows
        units = candidate.units
        starts, ends, good = units.first[rows], units.end[rows], units.good[rows]
        if not candidate.extended:
            starts = self._trimmed(families.anchor[rows], starts)
            ends = self.page.nodes.last[starts] + np.intc(1)
        typed = families.clues.is_typed[starts[good]]
        usual = self.elements.usual(starts[good]) | typed
        # One of another kind may open the thread.
        opens = int(not usual[0] and units.worth[rows][good][0] >= _LEAST_WORTH)
        alike = int(usual.sum()) + opens
        score = candidate.score * (alike / len(usual)) ** 2 * (_TYPED if typed.all() else 1.0)
        return _Ranked(score, alike, candidate.order, starts, ends, bool(candidate.extended))

    def _posts(self, family: _Ranked) -> tuple[list[PostUnit], float]:
        """The units of a family that are posts, none if it is no thread."""
        starts, ends = family.first, family.end
        if not family.extended:
            starts = self._joined(starts)
            ends = self.page.nodes.last[starts] + np.intc(1)
        pairs = sorted(set(zip(starts.tolist(), (-ends).tolist(), strict=True)))
        starts, ends = (np.array(column, np.intc) for column in zip(*pairs, strict=True))
        ends = -ends
        table = self._table(starts, ends)
        take_off_ranges(starts, ends, table)
        sums, good = Sums(*table), are_posts(table)
        if sums.dated.mean() >= _DATED:
            good &= sums.dated
        if good.sum() < 2:
            return [], 0.0
        usual = self.elements.usual(starts) | self.families.clues.is_typed[starts]
        alike = good & usual
        own = Sums(*(column[alike] for column in sums))
        if not self._is_thread(own, starts[alike], ends[alike]):
            return [], 0.0
        columns = starts[good].tolist(), ends[good].tolist(), usual[good].tolist()
        return list(map(PostUnit, *columns)), float(sums.worth[good].sum())

    def _is_thread(self, sums: Sums, first: Ints, end: Ints) -> bool:
        """Whether units are named as posts, or else have all the clues that posts have."""
        if len(first) < 2:
            return False
        clues = self.families.clues
        is_post = (clues.kinds & POST != 0) | clues.is_typed
        named = self.elements.named(is_post.view(np.uint8), self._texts, first, end, sums.plain)
        dated, authors = sums.dated.mean(), (sums.authors > 0).mean()
        numbered = clues.is_numbered[first].mean()
        if len(first) < 3:
            return bool(named == dated == max(authors, numbered) == 1)
        if named >= _NAMED:
            return bool(dated >= _SOME or (authors >= _NAMED and self._are_comments(first)))
        whose = max(numbered, min(authors, 2 * (sums.permalinks > 0).mean()))
        return bool(min(dated, whose, 1 - (sums.titles > 0).mean()) >= _MOST)

    def _are_comments(self, first: Ints) -> bool:
        clues = self.families.clues
        return bool((clues.is_typed[first] | (clues.kinds[first] & COMMENT > 0)).mean() >= _NAMED)

    def _trimmed(self, anchors: Ints, units: Ints) -> Ints:
        """Units without what only some have around."""
        trimmed, last = self.elements.trimmed(anchors, units), self.page.nodes.last
        # The post that opens a thread may be of another kind.
        good = [
            are_posts(self._table(first, last[first] + np.intc(1))) for first in (trimmed, units)
        ]
        return np.where(good[1] & ~good[0], units, trimmed)

    def _joined(self, units: Ints) -> Ints:
        """The elements around if each holds a row of units, such as a card and a message."""
        rows: dict[int, list[int]] = {}
        units_once = dict.fromkeys(units.tolist())
        parents = self.page.nodes.parent[list(units_once)].tolist()
        for unit, parent in zip(units_once, parents, strict=True):
            rows.setdefault(parent, []).append(unit)
        [(count, times)] = Counter(map(len, rows.values())).most_common(1)
        if len(rows) < 2 or count < 2 or times < _MOST * len(rows):
            return units
        alike = [row for row in rows.values() if len(row) == count]
        keys = [[set(self.elements.keys(unit)) for unit in row] for row in alike]
        columns = [set.intersection(*column) for column in zip(*keys, strict=True)]
        if any(not column - columns[place - 1] for place, column in enumerate(columns)):
            return units
        return np.array(list(rows), np.intc)

    def lone(self) -> list[PostUnit]:
        """A numbered element that is named as a comment, or a typed one, if nothing repeats."""
        clues, nodes = self.families.clues, self.page.nodes
        named = clues.is_typed | (clues.kinds & COMMENT != 0) & clues.is_numbered
        first = np.flatnonzero(named).astype(np.intc)
        end = nodes.last[first] + np.intc(1)
        sums = self.sums(first, end)
        posts = sums.dated & (sums.authors > 0) & (sums.worth > 0) & (sums.titles == 0)
        posts &= sums.plain >= LEAST_PLAIN * sums.words
        units: list[PostUnit] = []
        for unit in map(PostUnit, first[posts].tolist(), end[posts].tolist()):
            if not units or unit.first >= units[-1].end:
                units.append(unit)
        return units
