"""What a teaching answers: is it better on pages like these, by how much, how sure is that."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np

from tamis.methods._base import Floats
from tamis.page.arrays import Indexes
from tamis.train.boosted import domain_of
from tamis.train.documents import LabelledPage

_FEWEST_SITES = 3

# Pages below which nothing can be said about pages that are not here.
_FEWEST_PAGES = 10
_DRAWS = 2000
# Change of a page's F1 that is named.
_WORSE = 0.01


def by_site(sites: Sequence[str]) -> bool:
    """Whether folds can be by site: there are some, and none has most of the pages.

    If not, folds are by page, which says less about other sites.
    """
    counts = Counter(sites)
    return len(counts) >= _FEWEST_SITES and max(counts.values()) <= len(sites) / 2


@dataclass(frozen=True)
class ChangedPage:
    """A page, and how near it came to its gold before and after, by weights without its site."""

    id: str
    before: float
    after: float


@dataclass(frozen=True)
class CurvePoint:
    """How much so many pages gained on those of other sites."""

    pages: int
    gain: float


@dataclass(frozen=True)
class Taught:
    """Whether teaching made the method better on pages like these, and how sure that is.

    All figures are mean F1 by cross-validation: each page with weights that did not see its site,
    or, with fewer than three sites or most pages of one, that did not see the page.
    """

    start: str
    """What was taught: `shipped`, or the name of a file with weights."""
    pages: int
    sites: int
    by_site: bool
    """Whether the folds are by site; if not, the figures hold for these sites alone."""
    before: float
    after: float
    gain: float
    low: float
    high: float
    """Where the gain is in 95 of 100 draws of the sites."""
    sure: float
    """Share of the draws in which it is above 0."""
    strength: float
    """Share of what was learned that was taken over; 0: the weights are those of the start."""
    worse: tuple[ChangedPage, ...]
    """Pages that came out worse, the worst first."""
    curve: tuple[CurvePoint, ...]
    warnings: tuple[str, ...]

    @property
    def better(self) -> bool:
        """Whether the weights were changed, and the pages came out better."""
        return self.strength > 0 and self.gain > 0

    def to_dict(self) -> dict[str, Any]:
        """Plain values, ready for JSON."""
        return {**asdict(self), "better": self.better}

    def __str__(self) -> str:
        kind = "sites" if self.by_site else "pages"
        lines = [
            f"{self.pages} pages of {self.sites} sites",
            f"F1 before: {self.before:.3f}, after: {self.after:.3f}, by folds over {kind}",
            f"gain: {self.gain:+.3f} ({self.low:+.3f} to {self.high:+.3f}), better in"
            f" {self.sure:.0%} of draws",
        ]
        lines += [f"with {point.pages} pages: {point.gain:+.3f}" for point in self.curve]
        lines += [f"worse: {p.id}, {p.before:.3f} to {p.after:.3f}" for p in self.worse[:5]]
        return "\n".join(lines)


def report(
    start: str,
    pages: Sequence[LabelledPage],
    group: Indexes,
    before: Floats,
    change: Floats,
    strength: float,
    curve: tuple[CurvePoint, ...],
    warnings: Sequence[str],
) -> Taught:
    """The report on the pages, from the change of each by weights without its group."""
    sites = [domain_of(page.site) for page in pages]
    gains = _draw_means(change, group)
    low, high = np.quantile(gains, (0.025, 0.975)).tolist()
    named = list(warnings)
    if len(pages) < _FEWEST_PAGES:
        named.append(
            f"{len(pages)} pages are too few to tell whether others gain; label"
            f" {_FEWEST_PAGES} or more"
        )
    if not by_site(sites):
        named.append(
            f"the pages are of {len(set(sites))} site(s), or most of one: the figures hold for"
            " these, not for other sites"
        )
    if not strength:
        named.append("these pages do not come out better: the weights are those of the start")
    elif change.mean() <= 0:
        named.append("blocks are predicted better, but the texts are not better yet: label more")
    elif low <= 0:
        named.append("the gain may be chance: in more than 2 of 100 draws there is none")
    worst = np.argsort(change, kind="stable")
    return Taught(
        start=Path(start).name if start else "shipped",
        pages=len(pages),
        sites=len(set(sites)),
        by_site=by_site(sites),
        before=round(float(before.mean()), 4),
        after=round(float((before + change).mean()), 4),
        gain=round(float(change.mean()), 4),
        low=round(low, 4),
        high=round(high, 4),
        sure=round(float((gains > 0).mean()), 3),
        strength=strength,
        worse=tuple(
            ChangedPage(
                pages[page].example.id,
                round(float(before[page]), 4),
                round(float(before[page] + change[page]), 4),
            )
            for page in worst.tolist()
            if change[page] < -_WORSE
        ),
        curve=curve,
        warnings=tuple(named),
    )


def _draw_means(change: Floats, group: Indexes) -> Floats:
    """The mean change in draws of the groups, with replacement."""
    sums, sizes = np.bincount(group, change), np.bincount(group)
    draws = np.random.default_rng(0).integers(0, len(sums), (_DRAWS, len(sums)))
    means: Floats = sums[draws].sum(axis=1) / sizes[draws].sum(axis=1)
    return means
