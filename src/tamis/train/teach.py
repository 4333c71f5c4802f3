"""Teaching: the default method goes on from weights that are there, with a few pages more.

Few pages train no model, but they correct one. Small trees with strong shrinkage are grown on the
log odds that the weights give (LightGBM's `init_score`) and appended to both forests, first to the
one that reads the features of a block, then to the one that reads what the first thinks of the
structures around it. Tokens, calibration and the decision stay as they are, so taught weights are
weights like any other, as fast but for a few trees.

Whether that helps is measured on the same pages by cross-validation over sites: each page is
extracted with trees that were grown without its site. If the pages do not come out better so, the
weights stay as they were.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from tamis.errors import DatasetError
from tamis.evaluate import datasets
from tamis.evaluate.datasets import Example
from tamis.methods._base import Floats
from tamis.methods.tamis import Tamis
from tamis.model.features import spec
from tamis.model.features.batch import Indexes
from tamis.model.weights.load import load, shipped
from tamis.train import card
from tamis.train.boosted import Arrays, domain_of
from tamis.train.correction import Teacher
from tamis.train.documents import LabelledPage
from tamis.train.labelled import aligned
from tamis.train.taught import FEWEST_SITES, CurvePoint, Taught, report

STRENGTHS = (0.25, 0.5, 1.0)
"""Shares of what was learned that may be taken over; the pages themselves choose."""

FOLDS = 5
_CURVE = (5, 10, 20, 50, 100, 200, 500)

Progress = Callable[[float, str], None]
"""Called with the share that is done and what is done next."""


class Stopped(Exception):
    """Somebody asked a training to stop."""


@dataclass(frozen=True)
class Course:
    """What a teaching tells while it runs, and whether it may go on."""

    steps: int
    progress: Progress
    stop: Callable[[], bool]

    def step(self, number: int, text: str) -> None:
        """Say what is next, or end here."""
        if self.stop():
            raise Stopped
        self.progress(number / self.steps, text)


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
    progress(0.0, "reading the pages")
    method = Tamis(weights=start)
    pages, warnings = aligned(examples, comments=comments, stop=lambda: _check(stop))
    if len(pages) < 2:
        raise DatasetError(
            "; ".join(["teaching needs two pages at least whose gold is on the page", *warnings])
        )
    teacher = Teacher(pages, method, seed)
    fold, group = _folds(pages)
    count = int(fold.max()) + 1
    sizes = [size for size in _CURVE if size < len(pages) * (count - 1) // count]
    course = Course((1 + len(sizes)) * count + 1, progress, stop)
    before = teacher.f1(range(len(pages)))
    changes = _cross_validated(teacher, fold, before, course)
    strength = _chosen(changes)
    change = changes.get(strength, np.zeros(len(pages)))
    curve = _curve(teacher, fold, before, strength or STRENGTHS[0], sizes, course)
    course.step(course.steps - 1, "learning from all pages")
    arrays = dict(load(start or shipped("tamis"), method="tamis", spec=spec.VERSION).arrays)
    if strength:
        arrays = teacher.correction(range(len(pages))).scaled(strength).appended(arrays)
    taught = report(start, pages, group, before, change, strength, curve, warnings)
    progress(1.0, "done")
    return arrays, taught


def _check(stop: Callable[[], bool]) -> None:
    if stop():
        raise Stopped


def _folds(pages: Sequence[LabelledPage]) -> tuple[Indexes, Indexes]:
    """The fold and the group of each page; a group, a site if there are enough, is in one fold."""
    sites = [domain_of(page.site) for page in pages]
    names = sites if len(set(sites)) >= FEWEST_SITES else [*map(str, range(len(pages)))]
    group = np.unique(names, return_inverse=True)[1]
    sizes = np.bincount(group)
    count = min(FOLDS, len(sizes))
    fold_of_group = np.zeros(len(sizes), np.intp)
    filled = np.zeros(count)
    for number in np.argsort(-sizes, kind="stable").tolist():
        fold_of_group[number] = filled.argmin()
        filled[filled.argmin()] += sizes[number]
    return fold_of_group[group], group


def _cross_validated(
    teacher: Teacher, fold: Indexes, before: Floats, course: Course
) -> dict[float, Floats]:
    """For each strength the change of each page's F1, by what the other folds teach."""
    changes = {strength: np.zeros(len(before)) for strength in STRENGTHS}
    for number in range(int(fold.max()) + 1):
        course.step(number, f"learning without fold {number + 1} of {int(fold.max()) + 1}")
        here = np.flatnonzero(fold == number)
        correction = teacher.correction(np.flatnonzero(fold != number))
        for strength, change in changes.items():
            change[here] = teacher.f1(here, correction.scaled(strength)) - before[here]
    return changes


def _curve(
    teacher: Teacher,
    fold: Indexes,
    before: Floats,
    strength: float,
    sizes: Sequence[int],
    course: Course,
) -> tuple[CurvePoint, ...]:
    """The gain with fewer pages, of the same folds."""
    points = []
    count = int(fold.max()) + 1
    order = np.random.default_rng(teacher.seed).permutation(len(fold))
    for place, size in enumerate(sizes, 1):
        change = np.zeros(len(fold))
        for number in range(count):
            course.step(place * count + number, f"learning curve: {size} pages")
            here = np.flatnonzero(fold == number)
            others = order[fold[order] != number][:size]
            correction = teacher.correction(others).scaled(strength)
            change[here] = teacher.f1(here, correction) - before[here]
        points.append(CurvePoint(size, round(float(change.mean()), 4)))
    return tuple(points)


def _chosen(changes: dict[float, Floats]) -> float:
    """The strength with which the pages came out best, 0 if with none better than before."""
    best = max(changes, key=lambda strength: changes[strength].mean())
    return best if changes[best].mean() > 0 else 0.0


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
    out: Path, arrays: Arrays, taught: Taught, names: Sequence[str], *, start: str, seed: int
) -> None:
    """Write taught weights; `names` are those of the sets that they were taught with."""
    before = load(start or shipped("tamis"), method="tamis", spec=spec.VERSION).card
    measures = {
        "F1 before, folds by site": taught.before,
        "F1 after, folds by site": taught.after,
    }
    features = ("tamis", spec.VERSION, spec.NAMES)
    learned = dict(before.training_sets)
    card.write(out, arrays, features, names, measures, seed, more=learned, taught=taught.to_dict())
