"""The results of a bench as one row per contestant and set, or per contestant and page type."""

from __future__ import annotations

import statistics
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from tamis.bench.measures import BLOCKS, BlockScore, Snippets, pool_counts
from tamis.bench.run import Trial


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
    blocks: BlockScore | None
    """Decisions on blocks, means over the pages, if they were taken."""
    snippets: Snippets | None
    """Counts over all pages of the group."""
    milliseconds: float
    """Mean per page."""
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
            "blocks": self.blocks and self.blocks._asdict(),
            "with": snippets.with_rate if snippets else None,
            "without": snippets.without_rate if snippets else None,
            "snippet_f1": snippets.score.f1 if snippets else None,
            "milliseconds": self.milliseconds,
            "median_milliseconds": self.median_milliseconds,
            "misses": self.misses,
        }


def summarise_sets(results: Iterable[Trial]) -> list[SummaryRow]:
    """One row per contestant and set, in the order of the results."""
    return _summarise(results, lambda result: result.gold.dataset)


def summarise_types(results: Iterable[Trial]) -> list[SummaryRow]:
    """One row per contestant and page type, for the pages that have one."""
    typed = (result for result in results if result.gold.page_type)
    return _summarise(typed, lambda result: str(result.gold.page_type))


def mean_figure(rows: Iterable[SummaryRow], contestant: str) -> float | None:
    """Mean over the sets, each counting the same."""
    figures = [row.figure for row in rows if row.contestant == contestant]
    return _mean_or_none([figure for figure in figures if figure is not None])


def group_rows(rows: Sequence[SummaryRow]) -> dict[str, dict[str, SummaryRow]]:
    """Contestant to group to row, both in the order of the rows."""
    rows_of: dict[str, dict[str, SummaryRow]] = defaultdict(dict)
    for row in rows:
        rows_of[row.contestant][row.group] = row
    return dict(rows_of)


def list_groups(rows: Sequence[SummaryRow]) -> list[str]:
    return list(dict.fromkeys(row.group for row in rows))


def _summarise(results: Iterable[Trial], group: Callable[[Trial], str]) -> list[SummaryRow]:
    members_of: dict[tuple[str, str], list[Trial]] = defaultdict(list)
    for result in results:
        members_of[result.contestant.name, group(result)].append(result)
    return [_make_row(*names, members) for names, members in members_of.items()]


def _make_row(contestant: str, group: str, results: list[Trial]) -> SummaryRow:
    outcomes = [result.outcome for result in results]
    words = [
        outcome.scores["bag_of_words"] for outcome in outcomes if "bag_of_words" in outcome.scores
    ]
    taken = dict.fromkeys(name for outcome in outcomes for name in outcome.scores)
    decisions = [outcome.scores[BLOCKS] for outcome in outcomes if BLOCKS in outcome.scores]
    counts = [outcome.snippets for outcome in outcomes if outcome.snippets is not None]
    times = [outcome.seconds * 1000 for outcome in outcomes]
    return SummaryRow(
        contestant,
        group,
        len(results),
        _mean_or_none([score.precision for score in words]),
        _mean_or_none([score.recall for score in words]),
        _mean_or_none([score.f1 for score in words]),
        {
            name: statistics.fmean(
                outcome.scores[name].f1 for outcome in outcomes if name in outcome.scores
            )
            for name in taken
        },
        BlockScore(*map(statistics.fmean, zip(*decisions, strict=True))) if decisions else None,
        pool_counts(counts) if counts else None,
        statistics.fmean(times),
        statistics.median(times),
        dict(
            Counter(_kind_of_miss(outcome.miss) for outcome in outcomes if outcome.miss is not None)
        ),
    )


def _mean_or_none(values: list[float]) -> float | None:
    return statistics.fmean(values) if values else None


def _kind_of_miss(miss: str) -> str:
    return miss.partition(":")[0]
