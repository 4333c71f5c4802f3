"""Teaching: the default method goes on from weights that are there, with a few pages more.

Few pages train no model, but they correct one. Small trees with strong shrinkage are grown on the
log odds that the weights give (LightGBM's `init_score`) and appended to both forests, first to the
one that reads the features of a block, then to the one that reads what the first thinks of the
structures around it. Tokens, calibration and the decision stay as they are, so taught weights are
weights like any other, as fast but for a few trees.

Whether that helps is measured on the same pages by cross-validation over sites: each page is
extracted with trees that were grown without its site. If blocks are not surely predicted better so,
the weights stay as they were.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np

from tamis.errors import DatasetError
from tamis.labels import datasets
from tamis.labels.datasets import Example
from tamis.methods._base import Floats
from tamis.methods.tamis import Tamis
from tamis.model.features import spec
from tamis.model.weights.load import Arrays, load, path_of_shipped
from tamis.page.arrays import Indexes
from tamis.train import weights as card
from tamis.train.correction import Measures, Teacher
from tamis.train.labelled_pages import LabelledPage, align_pages, domain_of

STRENGTHS = (0.25, 0.5, 1.0)
"""Shares of what was learned that may be taken over; the pages themselves choose."""

FOLDS = 5
_CURVE = (5, 10, 20, 50, 100, 200, 500)
Progress = Callable[[float, str], None]
"""Called with the share that is done and what is done next."""


class Stopped(Exception):
    """Somebody asked a training to stop."""


def teach(
    examples: Iterable[Example],
    start: str = "",
    *,
    comments: bool = False,
    seed: int = 0,
    progress: Progress = lambda share, text: None,
    stop: Callable[[], bool] = lambda: False,
) -> tuple[Arrays, Taught]:
    """Weights that go on from those at `start`, the shipped ones if empty, and the report.

    `stop` is asked between the steps; if it says so, `Stopped` is raised.
    """

    def step(share: float, text: str) -> None:
        if stop():
            raise Stopped
        progress(share, text)

    step(0.0, "reading the pages")
    method = Tamis(weights=start)
    method.load_model()
    pages, warnings = align_pages(examples, comments=comments, between=lambda: step(0.0, "reading"))
    if len(pages) < 2:
        raise DatasetError(
            "; ".join(["teaching needs two pages at least whose gold is on the page", *warnings])
        )
    teacher = Teacher(pages, [method] * len(pages), seed)
    course = Course(teacher, np.arange(len(pages)), step)
    changes = course.cross_validate()
    strength = choose_strength(changes)
    curve = course.measure_curve(strength or STRENGTHS[0])
    arrays = load(start or path_of_shipped("tamis"), method="tamis", spec=spec.VERSION).arrays
    if strength:
        step(1.0, "learning from all pages")
        arrays = teacher.learn(range(len(pages))).scale(strength).append_to(arrays)
    change = changes[strength].f1 if strength else np.zeros(len(pages))
    taught = report_gains(
        start, pages, course.group, course.before.f1, change, strength, curve, warnings
    )
    return arrays, taught


def _assign_folds(pages: Sequence[LabelledPage]) -> tuple[Indexes, Indexes]:
    """The fold and the group of each page; a group, a site if there are enough, is in one fold."""
    sites = [domain_of(page.site) for page in pages]
    names = sites if can_split_by_site(sites) else [*map(str, range(len(pages)))]
    group = np.unique(names, return_inverse=True)[1]
    sizes = np.bincount(group)
    filled = np.zeros(min(FOLDS, len(sizes)))
    fold_of_group = np.zeros(len(sizes), np.intp)
    for number in np.argsort(-sizes, kind="stable").tolist():
        fold_of_group[number] = filled.argmin()
        filled[filled.argmin()] += sizes[number]
    return fold_of_group[group], group


class Course:
    """The cross-validation of some of the pages: what other folds teach about those of each."""

    def __init__(self, teacher: Teacher, pages: Indexes, step: Progress = lambda *_: None) -> None:
        self._teacher, self._pages, self._step = teacher, pages, step
        self._fold, self.group = _assign_folds([teacher.pages[page] for page in pages])
        self._folds = int(self._fold.max()) + 1
        others = len(pages) * (self._folds - 1) // self._folds
        self._sizes = [size for size in _CURVE if size < others]
        self._order = np.random.default_rng(teacher.seed).permutation(len(pages))
        self.before = teacher.measure(pages)

    def cross_validate(self) -> dict[float, Measures]:
        """For each strength the change of each page."""
        return self._changes(STRENGTHS, len(self._pages), 0, "cross-validation")

    def measure_curve(self, strength: float) -> tuple[CurvePoint, ...]:
        """The gain with fewer pages of the other folds."""
        points = []
        for place, size in enumerate(self._sizes, 1):
            change = self._changes([strength], size, place, f"learning curve, {size} pages")
            points.append(CurvePoint(size, round(float(change[strength].f1.mean()), 4)))
        return tuple(points)

    def _changes(
        self, strengths: Sequence[float], most: int, place: int, text: str
    ) -> dict[float, Measures]:
        pages = len(self._pages)
        changes = {strength: Measures(np.zeros(pages), np.zeros(pages)) for strength in strengths}
        for number in range(self._folds):
            done = (place * self._folds + number) / ((1 + len(self._sizes)) * self._folds)
            self._step(done, f"{text}, fold {number + 1} of {self._folds}")
            here = np.flatnonzero(self._fold == number)
            others = self._order[self._fold[self._order] != number][:most]
            correction = self._teacher.learn(self._pages[others])
            for strength, change in changes.items():
                after = self._teacher.measure(self._pages[here], correction.scale(strength))
                change.f1[here] = after.f1 - self.before.f1[here]
                change.loss[here] = after.loss - self.before.loss[here]
        return changes


def choose_strength(changes: Mapping[float, Measures]) -> float:
    """The strength with which the blocks are predicted best, 0 if with none surely better.

    The cross-entropy chooses, since of few pages it says more than F1, which must not fall by more
    than a standard error. What changes no text is not taken over.
    """
    best, most = 0.0, 0.0
    for strength, change in changes.items():
        gain = -float(change.loss.mean()) - _standard_error(change.loss)
        falls = float(change.f1.mean()) < -_standard_error(change.f1)
        if gain > most and change.f1.any() and not falls:
            best, most = strength, gain
    return best


def _standard_error(values: Floats) -> float:
    return float(values.std(ddof=1)) / math.sqrt(len(values))


def teach_from_sets(
    paths: Sequence[Path],
    out: Path,
    *,
    start: str = "",
    comments: bool = False,
    seed: int = 0,
    progress: Progress = lambda share, text: None,
) -> Taught:
    examples = (example for path in paths for example in datasets.read(path))
    arrays, taught = teach(examples, start, comments=comments, seed=seed, progress=progress)
    write_taught(out, arrays, taught, [*map(datasets.name_of, paths)], start=start, seed=seed)
    return taught


def write_taught(
    out: Path,
    arrays: Arrays,
    taught: Taught,
    names: Sequence[str],
    *,
    start: str = "",
    seed: int = 0,
) -> None:
    """Write taught weights; `names` are those of the sets that they were taught with."""
    before = load(start or path_of_shipped("tamis"), method="tamis", spec=spec.VERSION).card
    measures = {
        "F1 before, folds by site": taught.before,
        "F1 after, folds by site": taught.after,
    }
    features = ("tamis", spec.VERSION, spec.NAMES)
    learned = dict(before.training_sets)
    card.write_weights(
        out, arrays, features, names, measures, seed, more=learned, taught=taught.to_dict()
    )


_FEWEST_SITES = 3

# Pages below which nothing can be said about pages that are not here.
_FEWEST_PAGES = 10
_DRAWS = 2000
# Change of a page's F1 that is named.
_WORSE = 0.01


def can_split_by_site(sites: Sequence[str]) -> bool:
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


def report_gains(
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
    if not can_split_by_site(sites):
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
        by_site=can_split_by_site(sites),
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
