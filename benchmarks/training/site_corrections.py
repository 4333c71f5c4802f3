"""Training of the joint decision of a site model, on the sites with enough pages in the sets.

For each page the evidence comes from the other pages of its site, without their gold; what the
method says about a page alone comes from weights that did not see the site. So the forest learns
how far to trust each as it will be on new sites. Folds are by site.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random

import lightgbm
import numpy as np

from tamis.bench.measures import count_snippets
from tamis.decide.decision import decide
from tamis.methods._base import Flags
from tamis.methods.tamis import Tamis
from tamis.model.weights.forest import Forest
from tamis.options import Options
from tamis.page.arrays import Matrix
from tamis.site.counts import SiteCounts
from tamis.site.joint import (
    FEWEST_PAGES,
    MANY_PAGES,
    NAMES,
    VERSION,
    Alone,
    combine_counts,
    join_columns,
    many_things,
    score_alone,
)
from tamis.train.block_table import SAME_EACH_TIME
from tamis.train.feature_table import Say
from tamis.train.labelled_pages import LabelledPage
from tamis.train.weights import forest_of
from training.folds import FOLDS, fold_of, load_methods
from training.licences import write_weights
from training.reading import read

# More features of the block itself learn the sites by heart.
TREES = 60
# More pages with the same text never make a block content; more variety in its place, or a better
# opinion of that place, never make it less so.
_MONOTONE = {"text": -1, "place.texts": 1, "place.difference": 1}
PARAMETERS = {
    **SAME_EACH_TIME,
    "monotone_constraints": [_MONOTONE.get(name, 0) for name in NAMES],
    "objective": "cross_entropy",
    "boost_from_average": False,
    "learning_rate": 0.05,
    "num_leaves": 8,
    "min_data_in_leaf": 100,
    "feature_fraction": 0.5,
    "bagging_fraction": 0.7,
    "lambda_l2": 20.0,
    "max_bin": 63,
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


# The pages of a larger site are also learned from with fewer others beside them.
_SMALLER_SITES = 2
_LEAST = FEWEST_PAGES + 1


def neighbours(
    labelled: Iterable[LabelledPage], methods: Sequence[Tamis], seed: int = 0
) -> Iterator[Neighbour]:
    """The pages of the sites that have enough: first beside all others, then beside some."""
    sites: dict[str, list[LabelledPage]] = defaultdict(list)
    for source in labelled:
        if len(source.page.blocks):
            sites[source.site.lower().removeprefix("www.")].append(source)
    random = Random(seed)
    for site, sources in sorted(sites.items()):
        if len(sources) < _LEAST:
            continue
        fold = fold_of(site)
        pages = [(source, _score_alone(source, methods[fold])) for source in sources]
        yield from _pair_with_site(pages, fold)
        for _ in range(_SMALLER_SITES if len(pages) > _LEAST else 0):
            yield from _pair_with_site(
                random.sample(pages, random.randint(_LEAST, len(pages) - 1)), fold
            )


def _score_alone(source: LabelledPage, method: Tamis) -> Alone:
    return score_alone(method, source.page, many_things(source.page, source.example.url))


def _pair_with_site(pages: Sequence[tuple[LabelledPage, Alone]], fold: int) -> Iterator[Neighbour]:
    counts = SiteCounts.make_empty()
    for _, known in pages:
        counts = counts.add_page(known.reading)
    for source, known in pages:
        yield Neighbour(source, known, counts, join_columns(counts, known), fold)


# As in `training.boosted`: blocks of a page that are learned from, and what a block weighs; a
# page with snippets alone has no length.
_MOST_BLOCKS = 200
_GOLD_FLOOR = 100.0
_SNIPPETS_GOLD = 400.0

# The sets have hardly a block that the method is sure of and that three other pages repeat: their
# sites have few pages. So such blocks are planted: this share of the blocks that are content is
# learned a second time, as no content, as if most of the other pages had them word for word.
_PLANTED = 0.04
_PLANTED_PAGES = 3


def train(pages: Sequence[Neighbour], seed: int = 0) -> tuple[Forest, list[Forest]]:
    """The forest of all pages, and for each fold one that was learned without it."""
    pages = [page for page in pages if page.values is not None]
    uses = Counter(id(page.source) for page in pages)
    counts = np.array([len(page.source.labels) for page in pages])
    number = np.repeat(np.arange(len(pages)), counts)
    values = np.concatenate([page.values for page in pages if page.values is not None])
    labels = np.concatenate([page.source.labels for page in pages])
    odds = np.concatenate([page.alone.reading.odds for page in pages])
    words = np.concatenate([page.alone.reading.words for page in pages])
    gold = np.bincount(number, np.nan_to_num(labels) * words)
    gold[[page.source.example.text is None for page in pages]] = _SNIPPETS_GOLD
    gold = gold[number]
    chance = np.minimum(_MOST_BLOCKS / counts, 1.0)[number]
    weight = np.sqrt(np.maximum(words, 1) / (gold + _GOLD_FLOOR)) / chance
    weight /= np.array([uses[id(page.source)] for page in pages])[number]
    draw = np.random.default_rng(seed).random(len(number))
    learned = ~np.isnan(labels) & (draw < chance)
    fold = np.array([page.fold for page in pages])[number]
    planted = np.flatnonzero(learned & (labels > 0.9) & (draw < _PLANTED * chance))
    values = np.concatenate((values, _repeat_values(values[planted], seed)))
    labels = np.concatenate((labels, np.zeros(len(planted))))
    odds, weight, learned, fold = (
        np.concatenate((column, column[planted])) for column in (odds, weight, learned, fold)
    )

    def boosted(without: int | None) -> Forest:
        rows = learned if without is None else learned & (fold != without)
        data = lightgbm.Dataset(
            values[rows], labels[rows], weight=50 * weight[rows], init_score=odds[rows]
        )
        return forest_of(lightgbm.train({**PARAMETERS, "seed": seed}, data, TREES))

    return boosted(None), [boosted(without) for without in range(FOLDS)]


def _repeat_values(values: Matrix, seed: int) -> Matrix:
    """These rows as if most of the other pages had the block."""
    draw = np.random.default_rng(seed)
    values = values.copy()
    share = draw.uniform(0.6, 1, len(values))
    for name in ("pattern", "text"):
        values[:, NAMES.index(name)] = share
    values[:, NAMES.index("pattern.pages")] = draw.integers(
        _PLANTED_PAGES, MANY_PAGES, len(values), endpoint=True
    )
    return values


@dataclass(frozen=True)
class Wrong:
    """How wrong a page is alone and together: wrong words by those of the gold, or missing values.

    At most 1.
    """

    dataset: str
    what: str
    alone: float
    together: float


def measure_pages(
    pages: Iterable[Neighbour], methods: Sequence[Tamis], forests: Sequence[Forest]
) -> Iterator[Wrong]:
    """Each page once, beside all others, by the weights of its fold."""
    seen: set[int] = set()
    for page in pages:
        source = page.source
        if id(source) in seen:
            continue
        seen.add(id(source))
        alone, beside = (
            _wrong(source, decide(source.page, scores, methods[page.fold], Options()).kept)
            for scores in (
                page.alone.scores,
                combine_counts(page.counts, page.alone, forests[page.fold]),
            )
        )
        what = "values missing" if source.example.text is None else "wrong words"
        yield Wrong(source.example.dataset, what, alone, beside)


def _wrong(source: LabelledPage, kept: Flags) -> float:
    if source.example.text is None:
        text = "\n".join(source.page.block_texts(np.flatnonzero(kept)))
        return 1 - count_snippets(text, source.example.with_, source.example.without).with_rate
    words = source.page.blocks.words
    wrong = float(np.where(kept, 1 - source.labels, source.labels) @ words)
    return min(wrong / max(float(source.labels @ words), 50.0), 1.0)


def run(
    paths: Sequence[Path],
    out: Path,
    *,
    folds: Path,
    seed: int = 0,
    say: Say = lambda text: None,
) -> dict[str, float]:
    """Train on the sets, write the weights and their card, and give the measures by folds.

    `folds` is the folder of the weights for each fold that `tamis train tamis` wrote; it gets the
    forests for each fold, too.
    """
    methods = load_methods(folds)
    labelled = read(paths, say)
    say("evidence")
    pages = list(neighbours(labelled, methods, seed))
    say("trees")
    forest, forests = train(pages, seed)
    say("measuring")
    figures = summary(list(measure_pages(pages, methods, forests)))
    features = ("site", VERSION, NAMES)
    for fold, without in enumerate(forests):
        write_weights(folds / f"site-{fold}.npz", without.to_arrays(), features, paths, {}, seed)
    write_weights(out, forest.to_arrays(), features, paths, figures, seed)
    return figures


def summary(pages: Sequence[Wrong]) -> dict[str, float]:
    """The means by set, alone and together."""
    figures = {}
    for dataset, what in sorted({(page.dataset, page.what) for page in pages}):
        members = [page for page in pages if (page.dataset, page.what) == (dataset, what)]
        figures[f"{dataset}, pages"] = float(len(members))
        for name in ("alone", "together"):
            mean = float(np.mean([getattr(page, name) for page in members]))
            figures[f"{dataset}, {what} {name}, folds by site"] = round(mean, 4)
    return figures
