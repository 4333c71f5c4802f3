"""Training of the joint decision of a site model, on the sites with several pages in the sets.

For each page the evidence comes from the other pages of its site, without their gold; what the
method says about a page alone comes from weights that did not see the site. So the forest learns
how far to trust each as it will be on new sites. Folds are by site.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random

import lightgbm
import numpy as np
import numpy.typing as npt

from tamis.decision import decide
from tamis.describe.page_type import page_types
from tamis.methods.tamis import Tamis
from tamis.model.weights.forest import Forest
from tamis.options import Options
from tamis.site.evidence import MANY_PAGES, Matrix, SiteCounts
from tamis.site.joint import NAMES, VERSION, Alone, alone, table, together
from tamis.train import card
from tamis.train.boosted import FOLDS, fold_of
from tamis.train.corpus import LabelledPage
from tamis.train.export import forest_of
from tamis.train.run import read

Floats = npt.NDArray[np.float64]
Say = Callable[[str], None]

# Swept by folds: 40 to 200 trees of 6 to 16 leaves, other rates and fewer columns are within 3% of
# the wrong words of each other; more features of the block itself learn the sites by heart.
TREES = 80
# More pages with the same pattern never make a block content; more variety in its place, or a
# better opinion of that place, never make it less so. Worth 1% of the wrong words on wcxb-dev.
_MONOTONE = {"pattern": -1, "pattern.pages": -1, "place.variety": 1, "place.difference": 1}
PARAMETERS = {
    "monotone_constraints": [_MONOTONE.get(name, 0) for name in NAMES],
    "objective": "cross_entropy",
    "boost_from_average": False,
    "learning_rate": 0.05,
    "num_leaves": 8,
    "min_data_in_leaf": 200,
    "feature_fraction": 0.5,
    "bagging_fraction": 0.7,
    "bagging_freq": 1,
    "lambda_l2": 20.0,
    "max_bin": 63,
    "deterministic": True,
    "force_row_wise": True,
    "verbose": -1,
}


@dataclass(frozen=True, eq=False)
class Neighbour:
    """A page beside some others of its site."""

    source: LabelledPage
    alone: Alone
    counts: SiteCounts
    """Of the site: with this page, which is taken out when its evidence is asked for."""
    values: Matrix | None
    """What the forest looks at, None if no other page has the template."""
    fold: int


# Of a site with more than two pages some are also learned from with fewer others beside them.
_SMALLER_SITES = 2


def neighbours(
    found: Iterable[LabelledPage], methods: Sequence[Tamis], seed: int = 0
) -> Iterator[Neighbour]:
    """The pages of the sites that have several: first beside all others, then beside some."""
    sites: dict[str, list[LabelledPage]] = {}
    for one in found:
        if len(one.page.blocks):
            sites.setdefault(one.site.lower().removeprefix("www."), []).append(one)
    random = Random(seed)
    for site, sources in sorted(sites.items()):
        if len(sources) < 2:
            continue
        fold = fold_of(site)
        pages = [(one, alone(methods[fold], one.page, _forum(one))) for one in sources]
        yield from _beside(pages, fold)
        for _ in range(_SMALLER_SITES if len(pages) > 2 else 0):
            yield from _beside(random.sample(pages, random.randint(2, len(pages) - 1)), fold)


def _forum(one: LabelledPage) -> float:
    return page_types(one.page, one.example.url)["forum"]


def _beside(pages: Sequence[tuple[LabelledPage, Alone]], fold: int) -> Iterator[Neighbour]:
    counts = SiteCounts.none()
    for _, known in pages:
        counts = counts.plus(known.reading)
    for one, known in pages:
        yield Neighbour(one, known, counts, table(counts, known), fold)


# As in `tamis.train.boosted`: blocks of a page that are learned from, and what a block weighs.
_MOST_BLOCKS = 150
_GOLD_FLOOR = 100.0

# The sets have hardly a block that the method is sure of and that three other pages repeat: their
# sites have few pages. What becomes of one is planted: so many of the blocks that are content are
# learned a second time, as if most of the other pages had them word for word and as no content.
_PLANTED = 0.04
_PLANTED_PAGES = 3


def train(pages: Sequence[Neighbour], seed: int = 0) -> tuple[Forest, list[Forest]]:
    """The forest of all pages, and for each fold one that was learned without it."""
    told = [one for one in pages if one.values is not None]
    uses: dict[int, int] = {}
    for one in told:
        uses[id(one.source)] = uses.get(id(one.source), 0) + 1
    counts = np.array([len(one.source.labels) for one in told])
    page = np.repeat(np.arange(len(told)), counts)
    values = np.concatenate([one.values for one in told if one.values is not None])
    labels = np.concatenate([one.source.labels for one in told])
    odds = np.concatenate([one.alone.reading.odds for one in told])
    words = np.concatenate([one.alone.reading.words for one in told])
    gold = np.bincount(page, np.nan_to_num(labels) * words)
    chance = np.minimum(_MOST_BLOCKS / counts, 1.0)
    weight = np.sqrt(np.maximum(words, 1) / (gold[page] + _GOLD_FLOOR)) / chance[page]
    weight /= np.array([uses[id(one.source)] for one in told])[page]
    draw = np.random.default_rng(seed).random(len(page))
    learned = ~np.isnan(labels) & (draw < chance[page])
    fold = np.array([one.fold for one in told])[page]
    planted = np.flatnonzero(learned & (labels > 0.9) & (draw < _PLANTED * chance[page]))
    values = np.concatenate((values, _repeated(values[planted], seed)))
    labels = np.concatenate((labels, np.zeros(len(planted))))
    odds, weight, learned, fold = (
        np.concatenate((column, column[planted])) for column in (odds, weight, learned, fold)
    )

    def boosted(without: int | None) -> Forest:
        rows = learned & (fold != without) if without is not None else learned
        data = lightgbm.Dataset(
            values[rows], labels[rows], weight=50 * weight[rows], init_score=odds[rows]
        )
        return forest_of(lightgbm.train({**PARAMETERS, "seed": seed}, data, TREES))

    return boosted(None), [boosted(number) for number in range(FOLDS)]


def _repeated(values: Matrix, seed: int) -> Matrix:
    """These rows as if most of the other pages had the block."""
    draw = np.random.default_rng(seed)
    values = values.copy()
    values[:, NAMES.index("pattern")] = draw.uniform(0.6, 1, len(values))
    values[:, NAMES.index("pattern.pages")] = draw.integers(
        _PLANTED_PAGES, MANY_PAGES, len(values), endpoint=True
    )
    return values


@dataclass(frozen=True)
class Wrong:
    """Words that were missed or added on a page, and those of its gold."""

    dataset: str
    alone: float
    together: float
    gold: float


def measured(
    pages: Iterable[Neighbour], methods: Sequence[Tamis], forests: Sequence[Forest]
) -> Iterator[Wrong]:
    """Each page with a gold once, beside all others, by the weights of its fold."""
    seen: set[int] = set()
    for one in pages:
        example = one.source.example
        if id(one.source) in seen or example.text is None:
            continue
        seen.add(id(one.source))
        method = methods[one.fold]
        joint = together(one.counts, one.alone, forests[one.fold])
        wrong = []
        for scores in (one.alone.scores, joint):
            kept = decide(one.source.page, scores, method, Options()).kept
            share = np.where(kept, 1 - one.source.labels, one.source.labels)
            wrong.append(float(share @ one.alone.reading.words))
        gold = float(one.source.labels @ one.alone.reading.words)
        yield Wrong(example.dataset, wrong[0], wrong[1], gold)


def run(
    paths: Sequence[Path],
    out: Path,
    *,
    folds: Path,
    seed: int = 0,
    say: Say = lambda text: None,
) -> dict[str, float]:
    """Train on the sets, write the weights and their card, and give the measures by folds.

    `folds` is the folder of the weights for each fold that `tamis train tamis` wrote.
    """
    methods = [Tamis(weights=str(folds / f"fold-{fold}.npz")) for fold in range(FOLDS)]
    found = read(paths, say)
    say("evidence")
    pages = list(neighbours(found, methods, seed))
    say("trees")
    forest, forests = train(pages, seed)
    say("measuring")
    figures = summary(list(measured(pages, methods, forests)))
    card.write(out, forest.arrays(), ("site", VERSION, NAMES), paths, figures, seed)
    return figures


def summary(pages: Sequence[Wrong]) -> dict[str, float]:
    """By set, wrong words as a share of the gold, at most 1 a page: alone and together."""
    figures = {}
    for dataset in sorted({page.dataset for page in pages}):
        some = [page for page in pages if page.dataset == dataset]
        figures[f"{dataset}, pages"] = float(len(some))
        for name in ("alone", "together"):
            shares = [min(getattr(page, name) / max(page.gold, 50.0), 1.0) for page in some]
            figures[f"{dataset}, wrong words {name}, folds by site"] = round(
                float(np.mean(shares)), 4
            )
    return figures
