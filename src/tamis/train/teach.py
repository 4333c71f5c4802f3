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
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path

import numpy as np

from tamis.errors import DatasetError
from tamis.evaluate import datasets
from tamis.evaluate.datasets import Example
from tamis.methods._base import Floats
from tamis.methods.tamis import Tamis
from tamis.model.features import spec
from tamis.model.weights.load import load, path_of_shipped
from tamis.page.arrays import Indexes
from tamis.train import card
from tamis.train.boosted import Arrays, domain_of
from tamis.train.correction import Measures, Teacher
from tamis.train.documents import LabelledPage
from tamis.train.labelled import align_pages
from tamis.train.taught import CurvePoint, Taught, by_site, report

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
    method.model()
    pages, warnings = align_pages(examples, comments=comments, between=lambda: step(0.0, "reading"))
    if len(pages) < 2:
        raise DatasetError(
            "; ".join(["teaching needs two pages at least whose gold is on the page", *warnings])
        )
    teacher = Teacher(pages, [method] * len(pages), seed)
    course = Course(teacher, np.arange(len(pages)), step)
    changes = course.validated()
    strength = chosen(changes)
    curve = course.curve(strength or STRENGTHS[0])
    arrays = dict(load(start or path_of_shipped("tamis"), method="tamis", spec=spec.VERSION).arrays)
    if strength:
        step(1.0, "learning from all pages")
        arrays = teacher.correction(range(len(pages))).scaled(strength).appended(arrays)
    change = changes[strength].f1 if strength else np.zeros(len(pages))
    taught = report(start, pages, course.group, course.before.f1, change, strength, curve, warnings)
    return arrays, taught


def _folds(pages: Sequence[LabelledPage]) -> tuple[Indexes, Indexes]:
    """The fold and the group of each page; a group, a site if there are enough, is in one fold."""
    sites = [domain_of(page.site) for page in pages]
    names = sites if by_site(sites) else [*map(str, range(len(pages)))]
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
        self._fold, self.group = _folds([teacher.pages[page] for page in pages])
        self._folds = int(self._fold.max()) + 1
        others = len(pages) * (self._folds - 1) // self._folds
        self._sizes = [size for size in _CURVE if size < others]
        self._order = np.random.default_rng(teacher.seed).permutation(len(pages))
        self.before = teacher.measured(pages)

    def validated(self) -> dict[float, Measures]:
        """For each strength the change of each page."""
        return self._changes(STRENGTHS, len(self._pages), 0, "cross-validation")

    def curve(self, strength: float) -> tuple[CurvePoint, ...]:
        """The gain with fewer pages of the other folds."""
        points = []
        for place, size in enumerate(self._sizes, 1):
            change = self._changes([strength], size, place, f"learning curve, {size} pages")
            points.append(CurvePoint(size, round(float(change[strength].f1.mean()), 4)))
        return tuple(points)

    def _changes(
        self, strengths: Sequence[float], most: int, place: int, text: str
    ) -> dict[float, Measures]:
        changes = {strength: Measures.none(len(self._pages)) for strength in strengths}
        for number in range(self._folds):
            done = (place * self._folds + number) / ((1 + len(self._sizes)) * self._folds)
            self._step(done, f"{text}, fold {number + 1} of {self._folds}")
            here = np.flatnonzero(self._fold == number)
            others = self._order[self._fold[self._order] != number][:most]
            correction = self._teacher.correction(self._pages[others])
            for strength, change in changes.items():
                after = self._teacher.measured(self._pages[here], correction.scaled(strength))
                change.f1[here] = after.f1 - self.before.f1[here]
                change.loss[here] = after.loss - self.before.loss[here]
        return changes


def chosen(changes: Mapping[float, Measures]) -> float:
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


def run(
    paths: Sequence[Path],
    out: Path,
    *,
    start: str = "",
    comments: bool = False,
    seed: int = 0,
    progress: Progress = lambda share, text: None,
    stop: Callable[[], bool] = lambda: False,
) -> Taught:
    """Teach with the pages of some sets; write the weights, and the card with the report."""
    examples = (example for path in paths for example in datasets.read(path))
    arrays, taught = teach(
        examples, start, comments=comments, seed=seed, progress=progress, stop=stop
    )
    write(out, arrays, taught, [*map(datasets.name_of, paths)], start=start, seed=seed)
    return taught


def write(
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
    card.write(out, arrays, features, names, measures, seed, more=learned, taught=taught.to_dict())
