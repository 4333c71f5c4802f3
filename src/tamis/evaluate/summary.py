"""The results of a bench as one row a contestant and set, and one a contestant and page type."""

from __future__ import annotations

import statistics
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from tamis.evaluate.measures import Snippets, pooled
from tamis.evaluate.run import Result


@dataclass(frozen=True, slots=True)
class SummaryRow:
    """Means over the pages of a group. What the group has no gold for is None."""

    contestant: str
    group: str
    """Name of the set, or the page type."""
    pages: int
    precision: float | None
    """Of the bag of words, like `recall` and `f1`: the mean over the pages that have gold text."""
    recall: float | None
    f1: float | None
    measures: dict[str, float]
    """Mean F1 of every measure that was taken."""
    snippets: Snippets | None
    """Counts over all pages of the group."""
    milliseconds: float
    """Mean a page."""
    median_milliseconds: float
    misses: dict[str, int]
    """Pages without an output, by the kind of reason."""

    @property
    def figure(self) -> float | None:
        """The one number for the group: F1 of words, or of snippets where there is no gold text."""
        if self.f1 is not None:
            return self.f1
        return None if self.snippets is None else self.snippets.score.f1

    def to_dict(self) -> dict[str, Any]:
        """The row as plain values, ready for JSON."""
        snippets = self.snippets
        return {
            "contestant": self.contestant,
            "group": self.group,
            "pages": self.pages,
            "figure": self.figure,
            "precision": self.precision,
            "recall": self.recall,
            "f1": self.f1,
            "measures": self.measures,
            "with": snippets.with_rate if snippets else None,
            "without": snippets.without_rate if snippets else None,
            "snippet_f1": snippets.score.f1 if snippets else None,
            "milliseconds": self.milliseconds,
            "median_milliseconds": self.median_milliseconds,
            "misses": self.misses,
        }


def by_set(results: Iterable[Result]) -> list[SummaryRow]:
    """One row a contestant and set, in the order of the results."""
    return _rows(results, lambda result: result.gold.dataset)


def by_page_type(results: Iterable[Result]) -> list[SummaryRow]:
    """One row a contestant and page type, for the pages that have one."""
    typed = (result for result in results if result.gold.page_type)
    return _rows(typed, lambda result: str(result.gold.page_type))


def overall(rows: Iterable[SummaryRow], contestant: str) -> float | None:
    """Mean over the sets, each counting the same."""
    figures = [row.figure for row in rows if row.contestant == contestant]
    return _mean([figure for figure in figures if figure is not None])


def table(rows: Sequence[SummaryRow]) -> dict[str, dict[str, SummaryRow]]:
    """Contestant to group to row, both in the order of the rows."""
    found: dict[str, dict[str, SummaryRow]] = defaultdict(dict)
    for row in rows:
        found[row.contestant][row.group] = row
    return dict(found)


def groups(rows: Sequence[SummaryRow]) -> list[str]:
    """The names of the groups, in order."""
    return list(dict.fromkeys(row.group for row in rows))


def _rows(results: Iterable[Result], group: Callable[[Result], str]) -> list[SummaryRow]:
    found: dict[tuple[str, str], list[Result]] = defaultdict(list)
    for result in results:
        found[result.contestant.name, group(result)].append(result)
    return [_row(*names, members) for names, members in found.items()]


def _row(contestant: str, group: str, results: list[Result]) -> SummaryRow:
    outcomes = [result.outcome for result in results]
    words = [one.scores["bag_of_words"] for one in outcomes if "bag_of_words" in one.scores]
    taken = dict.fromkeys(name for one in outcomes for name in one.scores)
    counts = [one.snippets for one in outcomes if one.snippets is not None]
    times = [one.seconds * 1000 for one in outcomes]
    return SummaryRow(
        contestant,
        group,
        len(results),
        _mean([score.precision for score in words]),
        _mean([score.recall for score in words]),
        _mean([score.f1 for score in words]),
        {
            name: statistics.fmean(one.scores[name].f1 for one in outcomes if name in one.scores)
            for name in taken
        },
        pooled(counts) if counts else None,
        statistics.fmean(times),
        statistics.median(times),
        dict(Counter(_kind(one.miss) for one in outcomes if one.miss is not None)),
    )


def _mean(values: list[float]) -> float | None:
    return statistics.fmean(values) if values else None


def _kind(miss: str) -> str:
    return miss.partition(":")[0]
