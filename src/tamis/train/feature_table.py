"""Fitting of methods that learn from rows of features, and their cross-validation.

Pages become a table of features with one label per row; the table becomes arrays that
`model.weights.load.save` writes and the method reads. scikit-learn stays on this side: what is
saved are numbers. `train.dragnet` and `train.text_block_context` have what is special to a method.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from types import MappingProxyType
from typing import Any

import numpy as np
from sklearn.model_selection import GroupKFold, StratifiedKFold

from tamis.bench import measures
from tamis.errors import DatasetError, LimitError
from tamis.labels.datasets import Example
from tamis.methods._base import Flags, Floats
from tamis.model.weights.load import Arrays
from tamis.page.arrays import Indexes
from tamis.train import weights as card
from tamis.train.labelled_pages import read_gold

Say = Callable[[str], None]
"""Called with what a training does next."""


@dataclass(frozen=True, eq=False)
class FeatureTable:
    """Rows of features with their labels, and where each row comes from."""

    rows: Floats
    content: Flags
    page: Indexes
    """Number of the page."""
    site: Indexes
    """Number of the site."""
    words: Floats
    """Words of the row's text."""
    tokens: tuple[frozenset[str], ...] = ()
    """Tokens of id and class of each row, for the tables of Dragnet."""

    def __len__(self) -> int:
        return len(self.rows)

    def sample(self, size: int, seed: int) -> FeatureTable:
        """At most that many rows, from whole pages in random order."""
        if size >= len(self):
            return self
        order = np.random.default_rng(seed).permutation(int(self.page.max()) + 1)
        ranked = np.argsort(order[self.page], kind="stable")
        chosen = np.sort(ranked[:size])
        return FeatureTable(
            self.rows[chosen],
            self.content[chosen],
            self.page[chosen],
            self.site[chosen],
            self.words[chosen],
            tuple(self.tokens[row] for row in chosen) if self.tokens else (),
        )


# From pages to tables

CONTENT_SHARE = 0.1
"""A block is content if more than this share of its words is in the gold text (Dragnet, sec. 3)."""


Rows = tuple[Floats, Flags, Floats, list[frozenset[str]]]
"""Of a page: features, whether content, words and, where they are features, tokens."""


def collect_rows(pages: Iterable[Example], rows_of: Callable[[Example], Rows]) -> FeatureTable:
    parts: list[Rows] = []
    sites: list[int] = []
    numbers: dict[str | None, int] = {}
    for example in pages:
        try:
            parts.append(rows_of(example))
        except LimitError:
            # A page that tamis does not read by default is none to learn from.
            continue
        sites.append(numbers.setdefault(example.site, len(numbers)))
    if not parts:
        raise DatasetError("no page of these sets has gold in the field `text`")
    rows, content, words, tokens = zip(*parts, strict=True)
    counts = list(map(len, rows))
    return FeatureTable(
        np.concatenate(rows),
        np.concatenate(content),
        np.repeat(np.arange(len(counts)), counts),
        np.repeat(np.array(sites), counts),
        np.concatenate(words),
        tuple(chain.from_iterable(tokens)),
    )


# Training


Fitted = tuple[card.Features, Arrays, dict[str, float]]
"""The features of a method, its weights, and measures by cross-validation."""


def train_learner(
    table_of: Callable[[Iterable[Example]], FeatureTable],
    fit: Callable[[FeatureTable, int], Fitted],
    paths: Sequence[Path],
    out: Path,
    *,
    rows: int,
    comments: bool = False,
    licences: Mapping[str, str] = MappingProxyType({}),
    seed: int = 0,
    say: Say = lambda text: None,
) -> dict[str, float]:
    """Train on the sets, write the weights and their card, and give the measures by folds.

    At most so many `rows` are learned from; with `comments`, those are content too.
    """

    def pages() -> Iterator[Example]:
        for path in paths:
            say(f"reading {path.name}")
            yield from read_gold(path, comments=comments)

    table = table_of(pages())
    say(f"learning from {min(rows, len(table)):,} of {len(table):,} blocks")
    features, arrays, figures = fit(table.sample(rows, seed), seed)
    card.write_weights(out, arrays, features, paths, figures, seed, licences=licences)
    return figures


MEASURED_ROWS = 100_000
"""Fifteen models are fitted for the measures of a card."""


def measure_by_folds(
    columns: Floats, table: FeatureTable, learner: Callable[[], Any], seed: int
) -> dict[str, float]:
    """F of the content class, five folds over blocks, pages and sites."""
    groups = {"block": len(table), "page": len(np.unique(table.page))}
    groups["site"] = len(np.unique(table.site))
    least = min(int(table.content.sum()), int((~table.content).sum()))
    return {
        f"F of content, 5 folds by {by}": round(
            cross_validate(columns, table, by, learner, folds=5, seed=seed).f1, 4
        )
        for by, count in groups.items()
        if count >= 5 and least >= 5
    }


# Cross-validation


def cross_validate(
    columns: Floats,
    table: FeatureTable,
    by: str,
    learner: Callable[[], Any],
    *,
    folds: int = 10,
    seed: int = 0,
) -> measures.BlockScore:
    """How well the content class is predicted, over all folds together.

    `by` says what is never split over folds: a `block`, a `page` or a `site`.
    """
    if by == "block":
        splitter = StratifiedKFold(folds, shuffle=True, random_state=seed)
    else:
        splitter = GroupKFold(folds, shuffle=True, random_state=seed)
    groups = {"block": None, "page": table.page, "site": table.site}[by]
    predicted = np.zeros(len(table), bool)
    for train, test in splitter.split(columns, table.content, groups):
        model = learner().fit(columns[train], table.content[train])
        predicted[test] = model.predict(columns[test])
    return measures.compare_blocks(predicted, table.content)
