"""The family of a page that is its thread, or its comments.

If units hold headers alone, the elements between two of them belong to them. Of all families the
one wins whose units have most clues and words, short units counted almost as much as long ones, and
are of one kind. A second look finds comments inside the units, or what the units comment on.
"""

from __future__ import annotations

import heapq
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from tamis.describe.posts.clues import COMMENT, POST, Clues
from tamis.describe.posts.elements import (
    CLUES,
    LEAST_PLAIN,
    are_inside,
    hash_ranges,
    judge_units,
    score_families,
    subtract_inner_ranges,
    subtract_inner_units,
)
from tamis.describe.posts.families import Families, PostUnit, mark_covered, split_columns
from tamis.page.arrays import Flags, Floats, Ints
from tamis.page.table import Page

_PLAIN, _WORDS, _DATES, _TITLES, _MOMENTS, _AUTHORS, _PERMALINKS = (
    CLUES.index(name) for name in "plain words dates titles moments authors permalinks".split()
)
# What the score of a family is divided by if its units include what stands between them.
_EXTENDED = 1.5
# Families with this share of the best score are as good, and the one with the most units wins.
_EQUAL = 0.9
# What the score of a family of typed posts is multiplied by.
_TYPED = 2.0
# Families that are examined closely, and families whose units are tried.
_MOST_RANKED, _MOST_TRIED = 30, 30
# Units by themselves, with what follows each of them, and with what stands before it.
_VARIANTS = _BARE, _WITH_NEXT, _WITH_PREVIOUS = range(3)
# Share of the units that have a date.
_DATED = 0.6
# Shares of the units of a thread that are named as posts; that have a clue; that must have it if
# they are not named.
_NAMED, _SOME, _MOST = 0.6, 0.5, 0.8
# In the second look: what each unit must be worth, and the share of their worth that the first
# units must keep.
_LEAST_WORTH, _KEEPS = 1.0, 0.6
# Share of the units inside the first from which on it is the thread as a whole.
_ROOT = 0.6


def find_units(page: Page, clues: Clues) -> list[PostUnit]:
    """Find the units of the thread or comments of a page, in document order."""
    if not len(page.texts):
        return []
    families = Families(page, clues)
    search = _Search(families, np.ones(len(page.texts), bool), np.ones(len(page.nodes), bool))
    units, _ = search.find_best()
    if not units:
        return search.find_single()
    for inside in (True, False):
        units = _add_others(search, units, inside=inside)
    return _mark_root(families, sorted(units, key=lambda unit: (unit.first, -unit.end)))


def _mark_root(families: Families, units: list[PostUnit]) -> list[PostUnit]:
    """Mark the first unit if it holds most others, which are of another kind: it is the thread."""
    root, *others = units
    inside = sum(unit.end <= root.end for unit in others)
    if inside < max(2, _ROOT * len(others)):
        return units
    make_keys = families.elements.make_keys
    keys = Counter(key for unit in others for key in make_keys(unit.first))
    if any(2 * keys[key] > len(others) for key in make_keys(root.first)):
        return units
    return [root._replace(usual=False, root=True), *units[1:]]


def _add_others(search: _Search, units: list[PostUnit], *, inside: bool) -> list[PostUnit]:
    """Add the units inside these, or the units that these are inside."""
    families = search.families
    page = families.page
    within = np.zeros(len(page.nodes), bool)
    for unit in units:
        within[unit.first : unit.end] = True
    texts = mark_covered(page, units)
    rest = _Search(families, texts == inside, within == inside)
    whole = rest.sum_table(np.zeros(1, np.intc), np.array([len(page.nodes)], np.intc))
    if whole[_DATES, 0] + whole[_MOMENTS, 0] < 2:
        return units
    others, worth = rest.find_best(units if inside else ())
    others = [unit for unit in others if unit.usual and unit not in units]
    if not others or worth < _LEAST_WORTH * len(others):
        return units
    sums = rest.sum_units(*split_columns(others))
    if not sums.dated.all() or (sums.worth >= _LEAST_WORTH).mean() < _SOME:
        return units
    outer, inner = (units, others) if inside else (others, units)
    around = [first for first in _find_outer(outer, inner) if first >= 0]
    if 2 * len(around) < len(inner):
        return units
    if len(set(around)) in (len(around) if inside else 1, 0):
        return units
    if inside:
        # A part of each post, such as its text, is not a comment on it.
        left = _Search(families, texts & ~mark_covered(page, others), within)
        before, after = (each.sum_units(*split_columns(units)) for each in (search, left))
        if after.worth.sum() < _KEEPS * before.worth.sum() or after.good.sum() < before.good.sum():
            return units
    return [*units, *others]


def _find_outer(outer: list[PostUnit], inner: list[PostUnit]) -> list[int]:
    """Find for each inner unit the first node of the outer unit around it, else -1."""
    ordered = sorted(outer)
    firsts = np.array([unit.first for unit in ordered])
    places = np.searchsorted(firsts, [unit.first for unit in inner], side="right") - 1
    return [
        ordered[place].first
        if place >= 0 and unit.end <= ordered[place].end and unit != ordered[place]
        else -1
        for unit, place in zip(inner, places.tolist(), strict=True)
    ]


@dataclass(frozen=True, eq=False)
class _UnitSums:
    """Sums of clues over units, one row for each clue, and what they say."""

    table: Floats
    good: Flags
    """Whether each unit has enough clues for a post."""
    worth: Floats
    """What it adds to the score of its family."""

    @property
    def dated(self) -> Flags:
        dated: Flags = self.table[_DATES] + self.table[_MOMENTS] > 0
        return dated


class _Candidate(NamedTuple):
    """A family that may be the thread."""

    score: float
    bound: float
    """A closer look does not give it a higher score."""
    order: int
    """Its place among those with the same score."""
    is_extended: bool
    """Whether its units include what stands between them."""
    rows: slice
    """Its rows among the units of all families."""
    first: Ints
    end: Ints
    good: Flags
    worth: Floats


class _Ranked(NamedTuple):
    """A family and how good it is."""

    score: float
    alike: int
    """How many of its units are of one kind."""
    order: int
    first: Ints
    end: Ints
    is_extended: bool


class _Search:
    """The search for the best family, over some of the texts and nodes of a page."""

    def __init__(self, families: Families, texts: Flags, nodes: Flags) -> None:
        self.families, self.page, self.elements = families, families.page, families.elements
        of_texts, of_nodes = families.clue_columns
        self._texts = accumulate_rows(of_texts * texts[:, None])
        self._nodes = accumulate_rows(of_nodes * nodes[:, None])

    def sum_table(self, first: Ints, end: Ints) -> Floats:
        return self.elements.sum_clues(self._texts, self._nodes, first, end)

    def sum_units(self, first: Ints, end: Ints) -> _UnitSums:
        table = self.sum_table(first, end)
        return _UnitSums(table, *judge_units(table))

    def find_best(self, around: Sequence[PostUnit] = ()) -> tuple[list[PostUnit], float]:
        """Find the units of the best family that makes a thread, and what they are worth.

        With units `around`, only families inside these that are more than a part of each count.
        """
        outer = split_columns(sorted(around)) if around else None
        variants = (self._list_candidates(variant, outer) for variant in _VARIANTS)
        waiting = heapq.merge(*variants, key=lambda candidate: -candidate.bound)
        candidate = next(waiting, None)
        ranked: list[_Ranked] = []
        most = 0.0
        for _ in range(_MOST_TRIED):
            # Candidates that cannot be as good get no closer look.
            while candidate and candidate.bound >= _EQUAL * most:
                ranked.append(self._rank(candidate))
                most = max(most, ranked[-1].score)
                candidate = next(waiting, None)
            if not ranked:
                break
            # Of families that are about as good, the one with the most units of a kind wins.
            equals = (rank for rank in ranked if rank.score >= _EQUAL * most)
            best = max(equals, key=lambda rank: (rank.alike, -rank.order))
            ranked.remove(best)
            most = max((rank.score for rank in ranked), default=0.0)
            units, worth = self._select_posts(best)
            if units:
                return units, worth
        return [], 0.0

    def _list_candidates(
        self, variant: int, around: tuple[Ints, Ints] | None
    ) -> Iterator[_Candidate]:
        """List the families with the best scores, the best first; the same units once."""
        families = self.families
        first = families.extended_firsts if variant == _WITH_PREVIOUS else families.unit
        end = families.extended_ends if variant == _WITH_NEXT else families.end
        table = self.sum_table(first, end)
        subtract_inner_units(families.family_ends, families.following, table)
        good, worth = judge_units(table)
        scores = score_families(families.bounds, table, good.view(np.uint8), worth)
        scores /= _EXTENDED if variant else 1.0
        hashes = hash_ranges(families.bounds, first, end)
        bounds = scores * (_TYPED if families.clues.is_typed.any() else 1.0)
        order = np.argsort(-scores, kind="stable")
        ranked: set[int] = set()
        begins, same_units = families.bounds.tolist(), hashes.tolist()
        for place in order[scores[order] > 0].tolist():
            if len(ranked) == _MOST_RANKED:
                break
            rows, same = slice(begins[place], begins[place + 1]), same_units[place]
            if same in ranked or (around and not are_inside(first[rows], *around)):
                continue
            ranked.add(same)
            number = variant * _MOST_RANKED + len(ranked)
            score, bound = float(scores[place]), float(bounds[place])
            own = first[rows], end[rows], good[rows], worth[rows]
            yield _Candidate(score, bound, number, variant != _BARE, rows, *own)

    def _rank(self, candidate: _Candidate) -> _Ranked:
        """Rank a family; it counts less if its units are of several kinds."""
        families, good = self.families, candidate.good
        starts, ends = candidate.first, candidate.end
        if not candidate.is_extended:
            starts = self._trim_units(families.anchor[candidate.rows], starts)
            ends = self.page.nodes.last[starts] + np.intc(1)
        typed = families.clues.is_typed[starts[good]]
        usual = self.elements.mark_usual(starts[good]) | typed
        # A unit of another kind may open the thread.
        opens = int(not usual[0] and candidate.worth[good][0] >= _LEAST_WORTH)
        alike = int(usual.sum()) + opens
        score = candidate.score * (alike / len(usual)) ** 2 * (_TYPED if typed.all() else 1.0)
        return _Ranked(score, alike, candidate.order, starts, ends, candidate.is_extended)

    def _select_posts(self, family: _Ranked) -> tuple[list[PostUnit], float]:
        """Select the units of a family that are posts, none if the family is not a thread."""
        starts, ends = family.first, family.end
        if not family.is_extended:
            starts = self._join_rows(starts)
            ends = self.page.nodes.last[starts] + np.intc(1)
        pairs = sorted(set(zip(starts.tolist(), (-ends).tolist(), strict=True)))
        starts, ends = (np.array(column, np.intc) for column in zip(*pairs, strict=True))
        ends = -ends
        table = self.sum_table(starts, ends)
        subtract_inner_ranges(starts, ends, table)
        sums = _UnitSums(table, *judge_units(table))
        good = sums.good
        if sums.dated.mean() >= _DATED:
            good = good & sums.dated
        if good.sum() < 2:
            return [], 0.0
        usual = self.elements.mark_usual(starts) | self.families.clues.is_typed[starts]
        alike = good & usual
        if not self._is_thread(table.compress(alike, axis=1), starts[alike], ends[alike]):
            return [], 0.0
        columns = starts[good].tolist(), ends[good].tolist(), usual[good].tolist()
        return list(map(PostUnit, *columns)), float(sums.worth[good].sum())

    def _is_thread(self, table: Floats, first: Ints, end: Ints) -> bool:
        """Whether units are named as posts, or else have all the clues that posts have."""
        if len(first) < 2:
            return False
        clues = self.families.clues
        is_post = ((clues.kinds & POST != 0) | clues.is_typed).view(np.uint8)
        named = self.elements.share_named(is_post, self._texts, first, end, table[_PLAIN])
        dated = (table[_DATES] + table[_MOMENTS] > 0).mean()
        authors, permalinks, titles = (
            (table[clue] > 0).mean() for clue in (_AUTHORS, _PERMALINKS, _TITLES)
        )
        numbered = clues.is_numbered[first].mean()
        if len(first) < 3:
            return bool(named == dated == max(authors, numbered) == 1)
        if named >= _NAMED:
            comments = (clues.is_typed[first] | (clues.kinds[first] & COMMENT > 0)).mean()
            return bool(dated >= _SOME or min(authors, comments) >= _NAMED)
        whose = max(numbered, min(authors, 2 * permalinks))
        return bool(min(dated, whose, 1 - titles) >= _MOST)

    def _trim_units(self, anchors: Ints, units: Ints) -> Ints:
        """Trim units to the elements that many of them have in common."""
        trimmed, last = self.elements.trim_units(anchors, units), self.page.nodes.last
        # The post that opens a thread may be of another kind.
        trimmed_good, good = (
            self.sum_units(first, last[first] + np.intc(1)).good for first in (trimmed, units)
        )
        return np.where(good & ~trimmed_good, units, trimmed)

    def _join_rows(self, units: Ints) -> Ints:
        """Replace units by their parents if each parent holds a row like a card and a message."""
        rows: dict[int, list[int]] = {}
        units_once = dict.fromkeys(units.tolist())
        parents = self.page.nodes.parent[list(units_once)].tolist()
        for unit, parent in zip(units_once, parents, strict=True):
            rows.setdefault(parent, []).append(unit)
        [(count, times)] = Counter(map(len, rows.values())).most_common(1)
        if len(rows) < 2 or count < 2 or times < _MOST * len(rows):
            return units
        alike = [row for row in rows.values() if len(row) == count]
        keys = [[set(self.elements.make_keys(unit)) for unit in row] for row in alike]
        columns = [set.intersection(*column) for column in zip(*keys, strict=True)]
        if any(not column - columns[place - 1] for place, column in enumerate(columns)):
            return units
        return np.array(list(rows), np.intc)

    def find_single(self) -> list[PostUnit]:
        """Find typed elements, or numbered ones that are named as comments, if nothing repeats."""
        clues, nodes = self.families.clues, self.page.nodes
        named = clues.is_typed | (clues.kinds & COMMENT != 0) & clues.is_numbered
        first = np.flatnonzero(named).astype(np.intc)
        end = nodes.last[first] + np.intc(1)
        sums = self.sum_units(first, end)
        table = sums.table
        posts = sums.dated & (table[_AUTHORS] > 0) & (sums.worth > 0) & (table[_TITLES] == 0)
        posts &= table[_PLAIN] >= LEAST_PLAIN * table[_WORDS]
        units: list[PostUnit] = []
        for unit in map(PostUnit, first[posts].tolist(), end[posts].tolist()):
            if not units or unit.first >= units[-1].end:
                units.append(unit)
        return units


def accumulate_rows(columns: Floats) -> Floats:
    """Accumulate the rows of a table: before each row, and after the last."""
    made = np.zeros((len(columns) + 1, columns.shape[1]))
    np.cumsum(columns, axis=0, out=made[1:])
    return made
