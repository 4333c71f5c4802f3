"""What the default method learns from: the blocks of labelled pages as one table."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from tamis.labels.alignment import tokenize
from tamis.labels.datasets import Example
from tamis.methods._base import Floats
from tamis.model.features import spec
from tamis.model.features.batch import Batch
from tamis.model.features.token_weights import PlacedTokens, TokenTable, write_token_columns
from tamis.page.arrays import Matrix
from tamis.page.table import Page
from tamis.train.labelled_pages import LabelledPage

TOKEN_COLUMNS = len(spec.GROUPS["tokens"])

SAME_EACH_TIME = {"bagging_freq": 1, "deterministic": True, "force_row_wise": True, "verbose": -1}
"""Parameters of LightGBM: the same seed gives the same trees, with a new sample for each."""

# Swept on wcxb-dev, folds by site: 200 to 400 trees of 15 to 63 leaves, learning rates 0.04 to
# 0.08, leaves of 40 to 100 blocks and hard labels are within 0.003 of each other.
PARAMETERS = {
    **SAME_EACH_TIME,
    "objective": "cross_entropy",
    "bagging_fraction": 0.7,
    "lambda_l2": 5.0,
    "max_bin": 127,
}

# How much a page of each kind weighs, its content and the rest. The values of a record are short,
# few and have no long text beside them that they would be kept with: six times their weight finds
# .860 of them for .741, with fewer words (folds by site). Most pages of the sets are articles, so
# those of other kinds count a half more.
_ARTICLE = 1.0, 1.0
_RECIPE = 2.0, 1.0
_RECORD = 6.0, 2.0
_FORUM = 2.0, 2.0
_OTHER = 1.5, 1.5

# Blocks of a page that are learned from: more of a long page add little.
MOST_BLOCKS = 200
# A block weighs the root of its words over those of its page's gold, and some more so that a gold
# of three words does not outweigh a book.
GOLD_FLOOR = 100.0
# A page with snippets alone has no length.
SNIPPETS_GOLD = 400.0


@dataclass(frozen=True, eq=False)
class TrainingPage:
    """A page to learn from."""

    site: str
    page: Page
    values: Matrix
    """Features but for the tokens, one row per block."""
    names: PlacedTokens
    words: Floats
    labels: Floats
    """Share of content, NaN where it is not known."""
    gold_words: float
    """Words of the gold, NaN if the page has none."""
    importance: tuple[float, float] = (1.0, 1.0)
    """How much its content and the rest of it weigh."""

    @classmethod
    def of(
        cls,
        page: Page,
        site: str,
        labels: Floats,
        gold_words: float,
        importance: tuple[float, float] = (1.0, 1.0),
    ) -> TrainingPage:
        """Compute the features of a page."""
        batch = Batch.from_pages([page])
        values = spec.make_table(batch, TokenTable.make_empty())
        return cls(
            site,
            page,
            values[:, :-TOKEN_COLUMNS].copy(),
            PlacedTokens.from_batch(batch),
            page.blocks.words.astype(float),
            labels,
            gold_words,
            importance,
        )

    @classmethod
    def of_labelled(
        cls, source: LabelledPage, page: Page | None = None, labels: Floats | None = None
    ) -> TrainingPage:
        """Compute the features of a labelled page, or of a version of it with labels of its own."""
        example = source.example
        gold = float("nan") if example.text is None else float(len(tokenize(example.text)))
        return cls.of(
            source.page if page is None else page,
            source.site,
            source.labels if labels is None else labels,
            gold,
            _weigh_kind(example),
        )

    def token_values(self, table: TokenTable) -> Matrix:
        """The columns of the tokens, one row per block."""
        values = np.zeros((len(self.words), TOKEN_COLUMNS), np.float32)
        if len(values):
            write_token_columns(self.names, table, values)
        return values


def _weigh_kind(example: Example) -> tuple[float, float]:
    if example.page_type in (None, "article"):
        return _ARTICLE
    if example.text is None:
        return _RECIPE if example.page_type == "recipe" else _RECORD
    return _FORUM if example.page_type == "forum" else _OTHER


class BlockTable:
    """All blocks of some pages as one table."""

    def __init__(self, samples: Sequence[TrainingPage]) -> None:
        self.samples = samples
        counts = np.array([len(page.words) for page in samples], dtype=np.intp)
        self.first = np.concatenate(([0], np.cumsum(counts)))
        self.page = np.repeat(np.arange(len(samples)), counts)
        self.values = np.concatenate([page.values for page in samples])
        self.labels = np.concatenate([page.labels for page in samples])
        self.words = np.concatenate([page.words for page in samples])
        gold = np.array([page.gold_words for page in samples])
        gold = np.where(np.isnan(gold), SNIPPETS_GOLD, gold)[self.page]
        self.known = ~np.isnan(self.labels)
        content, rest = np.array([page.importance for page in samples])[self.page].T
        self.weight = np.sqrt(np.maximum(self.words, 1) / (gold + GOLD_FLOOR))
        self.weight *= np.where(self.labels > 0.5, content, rest)
        chance = MOST_BLOCKS / np.maximum(counts, 1)
        draw = np.random.default_rng(0).random(len(self.page))
        self.learned = self.known & (draw < chance[self.page])

    def __len__(self) -> int:
        return len(self.page)

    def rows(self, page: int) -> slice:
        return slice(int(self.first[page]), int(self.first[page + 1]))
