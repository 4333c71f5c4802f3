"""Fitting of the methods that learn, and their cross-validation.

Pages become tables of features with one label per row (`context_table`, `block_table`); a table
becomes arrays (`fit_context`, `fit_dragnet`) that `model.weights.load.save` writes and the method
reads. scikit-learn stays on this side: what is saved are numbers.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import chain, combinations
from pathlib import Path
from typing import Any

import numpy as np
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import log_loss
from sklearn.model_selection import GroupKFold, StratifiedKFold
from sklearn.tree import DecisionTreeClassifier

from tamis.errors import DatasetError, LimitError
from tamis.evaluate import measures
from tamis.evaluate.align import L3S_CONTENT, block_shares, shares, span_classes
from tamis.evaluate.datasets import Example
from tamis.methods import dragnet, text_block_context
from tamis.methods._base import Flags, Floats, visible_blocks
from tamis.model.features.batch import Indexes
from tamis.model.weights.load import Arrays
from tamis.model.weights.trees import LEAF, Tree
from tamis.page.read import parse
from tamis.train import card
from tamis.train.documents import documents
from tamis.train.labels import Say


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
    """Tokens of id and class of each row, for the tables of `block_table`."""

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


def context_table(pages: Iterable[Example]) -> FeatureTable:
    """The attributes of Kim 2013, one row per text block in the paper's sense.

    Labels are the annotated classes where a page has them, else from the gold text.
    """
    return _collected(pages, _context_rows)


def block_table(pages: Iterable[Example]) -> FeatureTable:
    """The features of Dragnet, one row per visible block; its tokens are in `tokens`."""
    return _collected(pages, _block_rows)


_Rows = tuple[Floats, Flags, Floats, list[frozenset[str]]]


def _collected(pages: Iterable[Example], rows_of: Callable[[Example], _Rows]) -> FeatureTable:
    parts: list[_Rows] = []
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


def _context_rows(example: Example) -> _Rows:
    if example.annotated:
        page, classes = span_classes(example.annotated)
        units = text_block_context.units(page)
        words = page.texts.words[units.texts] * np.isin(classes[units.texts], L3S_CONTENT)
        sums: Floats = np.concatenate((np.zeros(1), np.cumsum(words, dtype=np.float64)))
        content = sums[units.end] - sums[units.first] > units.words / 2
    else:
        page = parse(example.html)
        units = text_block_context.units(page)
        texts = text_block_context.unit_texts(page, units)
        content = shares(texts, example.text or "") > CONTENT_SHARE
    return text_block_context.attributes(units), content, units.words, []


def _block_rows(example: Example) -> _Rows:
    page = parse(example.html)
    blocks = visible_blocks(page)
    content = block_shares(page, example.text or "")[blocks] > CONTENT_SHARE
    rows = dragnet.columns_of(page, blocks, "st+cetr", ())
    words = page.blocks.words[blocks].astype(float)
    return rows, content, words, [frozenset(own) for own in dragnet.block_tokens(page, blocks)]


# Text block context


LEAF_SAMPLES = 10
"""Fewest text blocks in a leaf of the tree (Kim, sec. 4.3): half of the content of a mean page."""


def tree_learner(seed: int = 0, leaf: int = LEAF_SAMPLES) -> DecisionTreeClassifier:
    """The learner that stands for J48: an entropy tree."""
    return DecisionTreeClassifier(criterion="entropy", min_samples_leaf=leaf, random_state=seed)


def leaf_samples(table: FeatureTable) -> int:
    """The paper's rule on other pages: half of the content blocks of a mean page, at least 10.

    On the pages that the shipped tree learned from that is 49, which cross-validation on them
    prefers to 10 (`benchmarks/text_blocks.py --leaves`: F .690 for .683 over pages, .673 for .654
    over sites).
    """
    pages = max(1, len(np.unique(table.page)))
    return max(LEAF_SAMPLES, round(int(table.content.sum()) / pages / 2))


def fit_context(table: FeatureTable, seed: int = 0) -> Arrays:
    """Weights of `text_block_context`."""
    learner = tree_learner(seed, leaf_samples(table))
    # Single precision is what scikit-learn would make of it, with one copy less.
    columns = text_block_context.binary(table.rows).astype(np.float32)
    return exported(learner.fit(columns, table.content)).arrays()


def exported(learner: DecisionTreeClassifier) -> Tree:
    """A fitted tree of scikit-learn as flat arrays that answer the share of content."""
    tree = learner.tree_
    leaf = tree.children_left < 0
    content = int(np.flatnonzero(learner.classes_)[0]) if learner.classes_.any() else None
    value = np.zeros(tree.node_count) if content is None else tree.value[:, 0, content]
    return Tree(
        feature=np.where(leaf, LEAF, tree.feature).astype(np.int32),
        threshold=np.where(leaf, 0.0, tree.threshold),
        left=tree.children_left.astype(np.int32),
        right=tree.children_right.astype(np.int32),
        value=np.round(value, 6),
    )


# Dragnet


def fit_dragnet(table: FeatureTable, seed: int = 0) -> Arrays:
    """Weights of `dragnet`: the token list, and a model for every mix of feature sets."""
    tokens = select_tokens(table)
    arrays: dict[str, Any] = {"tokens": np.array(tokens, dtype=np.str_)}
    for mix in MIXES:
        if mix == "ic" and not tokens:
            coefficients, intercept = np.zeros(0), float(np.log(_odds(table.content)))
        else:
            coefficients, intercept = fit_logistic(mix_columns(table, mix, tokens), table, seed)
        arrays[f"{mix}.coefficients"] = coefficients
        arrays[f"{mix}.intercept"] = np.array(intercept)
    return arrays


MIXES = tuple(
    "+".join(mix)
    for size in range(1, len(dragnet.SETS) + 1)
    for mix in combinations(dragnet.SETS, size)
)
"""Every mix of the feature sets of Dragnet."""


def mix_columns(table: FeatureTable, mix: str, tokens: Sequence[str]) -> Floats:
    """The columns of a mix of feature sets, as `tamis.methods.dragnet.columns_of` orders them."""
    shallow = len(dragnet.NAMES["st"])
    parts = {"st": table.rows[:, :shallow], "cetr": table.rows[:, shallow:]}
    if "ic" in mix.split("+"):
        parts["ic"] = np.zeros((len(table), len(tokens)))
        columns = {token: column for column, token in enumerate(tokens)}
        for row, own in enumerate(table.tokens):
            parts["ic"][row, [columns[token] for token in own if token in columns]] = 1.0
    return np.concatenate([parts[name] for name in mix.split("+")], axis=1)


# Tokens of id and class (Dragnet, sec. 4.1). The paper's authors then picked by meaning; that a
# token is on 1% of the pages stands in for it, so that no single site brings its own.
ODDS_RATIO = 2.5
TOKEN_SHARE = 0.01
_SHORTEST_TOKEN = 2


def select_tokens(table: FeatureTable) -> list[str]:
    """Tokens in more than 1% of content or of other blocks that are 2.5 times likelier in one."""
    blocks = {True: Counter[str](), False: Counter[str]()}
    seen: set[tuple[int, str]] = set()
    rows = zip(table.tokens, table.content.tolist(), table.page.tolist(), strict=True)
    for own, content, page in rows:
        seen.update((page, token) for token in own)
        blocks[content].update(own)
    pages = Counter(token for _, token in seen)
    totals = {kind: max(1, int((table.content == kind).sum())) for kind in blocks}
    least = TOKEN_SHARE * len(np.unique(table.page))
    chosen = []
    for token in sorted(pages):
        shares_of = {kind: blocks[kind][token] / totals[kind] for kind in blocks}
        if max(shares_of.values()) <= TOKEN_SHARE or pages[token] <= least:
            continue
        # Half a block more on each side: a token may be in blocks of one kind alone.
        odds = [
            (blocks[kind][token] + 0.5) / (totals[kind] - blocks[kind][token] + 0.5)
            for kind in (True, False)
        ]
        long_enough = len(token.partition(":")[2]) >= _SHORTEST_TOKEN
        if long_enough and max(odds[0] / odds[1], odds[1] / odds[0]) > ODDS_RATIO:
            chosen.append(token)
    return chosen


STRENGTHS = (1e-4, 1e-3, 1e-2, 1e-1, 1.0)
"""Inverse strengths of the L2 penalty that cross-validation chooses from."""


def fit_logistic(columns: Floats, table: FeatureTable, seed: int) -> tuple[Floats, float]:
    """Coefficients and intercept of an L2 logistic regression, for columns as they are.

    The penalty sees columns of mean 0 and deviation 1; its strength is the best of `STRENGTHS` by
    5-fold cross-validation over pages. A block weighs as much as it has words.
    The paper does not say so, but its figures do: one block in five is content, but two words in
    three, and only by words does IC alone keep the blocks without a listed token, as its 0.887 on
    CleanEval shows (unweighted it has an F1 of 0.02 there).
    """
    if table.content.all() or not table.content.any():
        return np.zeros(columns.shape[1]), float(np.log(_odds(table.content)))
    mean, deviation = columns.mean(axis=0), columns.std(axis=0)
    deviation[deviation == 0] = 1.0
    scaled = (columns - mean) / deviation
    strength = _strength(scaled, table, seed)
    model = _logistic(strength).fit(scaled, table.content, sample_weight=_weight(table.words))
    coefficients: Floats = model.coef_[0] / deviation
    return coefficients, float(model.intercept_[0] - coefficients @ mean)


def _logistic(strength: float) -> LogisticRegression:
    return LogisticRegression(C=strength, max_iter=1000)


def _weight(words: Floats) -> Floats:
    mean = float(words.mean()) if len(words) else 0.0
    return words / mean if mean else np.ones(len(words))


# More rows move the chosen strength no more.
_ROWS_FOR_STRENGTH = 20_000


def _strength(scaled: Floats, table: FeatureTable, seed: int) -> float:
    if len(np.unique(table.page)) < 5:
        return 1.0
    rows = np.sort(np.random.default_rng(seed).permutation(len(table))[:_ROWS_FOR_STRENGTH])
    scaled, content = scaled[rows], table.content[rows]
    weight = _weight(table.words[rows])
    folds = [
        (train, test)
        for train, test in GroupKFold(5).split(scaled, content, table.page[rows])
        if 0 < content[train].mean() < 1 and weight[test].any()
    ]
    losses = dict.fromkeys(STRENGTHS, 0.0)
    for strength in STRENGTHS:
        for train, test in folds:
            model = _logistic(strength)
            model.fit(scaled[train], content[train], sample_weight=weight[train])
            losses[strength] += log_loss(
                content[test],
                model.predict_proba(scaled[test])[:, 1],
                sample_weight=weight[test],
                labels=[False, True],
            )
    return min(losses, key=lambda strength: losses[strength])


def _odds(content: Flags) -> float:
    return float((content.sum() + 0.5) / ((~content).sum() + 0.5))


# What is trained, by the name of the method


def run(
    method: str,
    paths: Sequence[Path],
    out: Path,
    *,
    rows: int,
    comments: bool = False,
    seed: int = 0,
    say: Say = lambda text: None,
) -> dict[str, float]:
    """Train on the sets, write the weights and their card, and give the measures by folds.

    At most so many `rows` are learned from; with `comments`, those are content too.
    """
    tables = {"dragnet": block_table, "text_block_context": context_table}

    def pages() -> Iterator[Example]:
        for path in paths:
            say(f"reading {path.name}")
            yield from documents(path, comments=comments)

    table = tables[method](pages())
    say(f"learning from {min(rows, len(table)):,} of {len(table):,} blocks")
    features, arrays, figures = fit(method, table.sample(rows, seed), seed)
    card.write(out, arrays, features, paths, figures, seed)
    return figures


# Fifteen models are fitted for the measures of a card.
_MEASURED_ROWS = 100_000


def fit(
    method: str, table: FeatureTable, seed: int = 0
) -> tuple[card.Features, Arrays, dict[str, float]]:
    """Fit a method on its table: its features, its weights, and measures by cross-validation."""
    part = table.sample(_MEASURED_ROWS, seed)
    if method == "text_block_context":
        arrays = fit_context(table, seed)
        columns = text_block_context.binary(part.rows)
        learner = partial(tree_learner, seed, leaf_samples(part))
        figures = _figures(columns, part, learner, seed)
        features = (method, text_block_context.SPEC, text_block_context.BINARY_NAMES)
        return features, arrays, figures
    arrays = fit_dragnet(table, seed)
    tokens = arrays["tokens"].tolist()
    names = (*dragnet.NAMES["st"], *tokens, *dragnet.NAMES["cetr"])
    columns = mix_columns(part, "st+ic+cetr", tokens)
    scaled = columns / np.maximum(columns.std(axis=0), 1e-9)
    figures = _figures(scaled, part, partial(_logistic, 1.0), seed)
    return (method, dragnet.SPEC, names), arrays, figures


def _figures(
    columns: Floats, table: FeatureTable, learner: Callable[[], Any], seed: int
) -> dict[str, float]:
    """F of the content class, five folds over blocks, pages and sites."""
    groups = {"block": len(table), "page": len(np.unique(table.page))}
    groups["site"] = len(np.unique(table.site))
    least = min(int(table.content.sum()), int((~table.content).sum()))
    return {
        f"F of content, 5 folds by {by}": round(
            cross_validated(columns, table, by, learner, folds=5, seed=seed).f1, 4
        )
        for by, count in groups.items()
        if count >= 5 and least >= 5
    }


# Cross-validation


def cross_validated(
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
    return measures.blocks(predicted, table.content)
