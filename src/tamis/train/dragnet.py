"""Fitting of Dragnet: the token list, and a logistic regression for every mix of feature sets."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import combinations
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import log_loss
from sklearn.model_selection import GroupKFold

from tamis.labels.alignment import piece_shares
from tamis.labels.datasets import Example
from tamis.methods import dragnet
from tamis.methods._base import Flags, Floats, check_choice
from tamis.methods._shared.layout_blocks import PUBLISHED_TOKENS
from tamis.model.weights.load import Arrays
from tamis.page.reader import parse
from tamis.train import feature_table as fit
from tamis.train.feature_table import CONTENT_SHARE, FeatureTable, Fitted, Rows


@dataclass(frozen=True)
class DragnetTraining:
    """How Dragnet is trained."""

    blocks: str = "text"
    """What has features: `text`, blocks of the page, or `paper`, blocks and tokens as published."""
    features: str = dragnet.PUBLISHED
    """The feature sets; the weights have a model for every mix of them."""
    tokens: str = "all"
    """Tokens that the rule of sec. 4.1 finds: `all`, or those with a plain `meaning`."""
    most_words: int = 0
    """A block weighs as many as it has words, at most this many: 200 in the authors' program, 1 for
    blocks that all weigh the same, 0 for no limit."""

    def __post_init__(self) -> None:
        check_choice("blocks", self.blocks, dragnet.BLOCKS)
        check_choice("tokens", self.tokens, ("all", "meaning"))
        dragnet.check_mix(self.features)
        if self.most_words < 0:
            raise ValueError(f"most_words is at least 0, not {self.most_words}")

    @property
    def mix(self) -> str:
        return dragnet.mix_of(self.features)


def train(
    training: DragnetTraining, paths: Sequence[Path], out: Path, *, rows: int, **more: Any
) -> dict[str, float]:
    """Train on the sets, as `fit.run`."""
    table_of, fitted = partial(block_table, training), partial(fit_and_measure, training)
    return fit.train_learner(table_of, fitted, paths, out, rows=rows, **more)


def block_table(training: DragnetTraining, pages: Iterable[Example]) -> FeatureTable:
    """The features, one row per block; its tokens are in `tokens`."""
    return fit.collect_rows(pages, partial(_block_rows, training))


def _block_rows(training: DragnetTraining, example: Example) -> Rows:
    units = dragnet.units_of(parse(example.html), training.blocks)
    content = piece_shares(units.texts, example.text or "") > CONTENT_SHARE
    # Without a set of numbers the rows are empty.
    rows = dragnet.columns_of(units, f"ic+{training.mix}", ())
    return rows, content, units.words, units.tokens()


def fit_and_measure(training: DragnetTraining, table: FeatureTable, seed: int = 0) -> Fitted:
    arrays = fit_weights(training, table, seed)
    tokens = arrays["tokens"].tolist()
    names = tuple(
        name for part in training.mix.split("+") for name in dragnet.NAMES.get(part, tokens)
    )
    part = table.sample(fit.MEASURED_ROWS, seed)
    columns = mix_columns(training, part, training.mix, tokens)
    scaled = columns / np.maximum(columns.std(axis=0), 1e-9)
    measured = fit.measure_by_folds(scaled, part, partial(_make_logistic, 1.0), seed)
    return ("dragnet", dragnet.SPEC, names), arrays, measured


def fit_weights(
    training: DragnetTraining, table: FeatureTable, seed: int = 0, mixes: Sequence[str] = ()
) -> Arrays:
    tokens = listed_tokens(training, table)
    weight = words_that_weigh(table.words, training.most_words)
    arrays: dict[str, Any] = {
        "blocks": np.array(training.blocks, dtype=np.str_),
        "tokens": np.array(tokens, dtype=np.str_),
    }
    for mix in mixes or mixes_of(training):
        if mix == "ic" and not tokens:
            coefficients, intercept = np.zeros(0), float(np.log(_estimate_odds(table.content)))
        else:
            columns = mix_columns(training, table, mix, tokens)
            coefficients, intercept = fit_logistic(columns, table, weight, seed)
        arrays[f"{mix}.coefficients"] = coefficients
        arrays[f"{mix}.intercept"] = np.array(intercept)
    return arrays


def mixes_of(training: DragnetTraining) -> tuple[str, ...]:
    sets = training.mix.split("+")
    return tuple(
        "+".join(mix) for size in range(1, len(sets) + 1) for mix in combinations(sets, size)
    )


def mix_columns(
    training: DragnetTraining, table: FeatureTable, mix: str, tokens: Sequence[str]
) -> Floats:
    """The columns of a mix of feature sets, as `tamis.methods.dragnet.columns_of` orders them."""
    parts, begin = {}, 0
    for name in training.mix.split("+"):
        if name in dragnet.NAMES:
            end = begin + len(dragnet.NAMES[name])
            parts[name] = table.rows[:, begin:end]
            begin = end
    if "ic" in mix.split("+"):
        parts["ic"] = np.zeros((len(table), len(tokens)))
        columns = {token: column for column, token in enumerate(tokens)}
        for row, own in enumerate(table.tokens):
            parts["ic"][row, [columns[token] for token in own if token in columns]] = 1.0
    return np.concatenate([parts[name] for name in mix.split("+")], axis=1)


# Tokens of id and class (sec. 4.1)

ODDS_RATIO = 2.5
TOKEN_SHARE = 0.01

MEANINGS = frozenset(Path(__file__).with_name("meanings.txt").read_text("utf-8").split())
"""Names of the parts of a page, in the words of those who write style sheets.

The authors took the tokens "with an obvious semantic interpretation" by hand. Names of looks and
states (`rounded`, `white`, `xs`, `hover`) and of programs (`elementor`) are none. Not the default:
with this list alone the shipped weights gain up to 0.012 on nine sets of the gate and lose up to
0.009 on five (big9, mercury, world-news, readability, cleaneval-final).
"""


def listed_tokens(training: DragnetTraining, table: FeatureTable) -> list[str]:
    if training.blocks == "paper":
        return list(PUBLISHED_TOKENS)
    tokens = frequent_tokens(table)
    if training.tokens == "all":
        return tokens
    return [token for token in tokens if token.partition(":")[2] in MEANINGS]


_SHORTEST_TOKEN = 2


def frequent_tokens(table: FeatureTable) -> list[str]:
    """Tokens in more than 1% of content or of other blocks that are 2.5 times likelier in one.

    They are on more than 1% of the pages, too, so that no single site brings its own.
    """
    pages = Counter(
        token
        for _, token in {
            (page, token)
            for own, page in zip(table.tokens, table.page.tolist(), strict=True)
            for token in own
        }
    )
    least = TOKEN_SHARE * len(np.unique(table.page))
    return [
        count.token
        for count in token_counts(table)
        if len(count.token.partition(":")[2]) >= _SHORTEST_TOKEN
        and pages[count.token] > least
        and count.share > TOKEN_SHARE
        and max(count.odds_ratio, 1 / count.odds_ratio) > ODDS_RATIO
    ]


class TokenCount(NamedTuple):
    """How often a token is in content and elsewhere (Table 1)."""

    token: str
    odds_ratio: float
    """Odds in content over those elsewhere, with half a block more on each side: a token may be
    in blocks of one kind alone."""
    share: float
    """Part of the blocks that have it, of the kind in which it is likelier."""


def token_counts(table: FeatureTable) -> list[TokenCount]:
    blocks = {True: Counter[str](), False: Counter[str]()}
    for own, content in zip(table.tokens, table.content.tolist(), strict=True):
        blocks[content].update(own)
    totals = {kind: max(1, int((table.content == kind).sum())) for kind in blocks}
    counts = []
    for token in sorted(blocks[True] | blocks[False]):
        inside, elsewhere = (
            (blocks[kind][token] + 0.5) / (totals[kind] - blocks[kind][token] + 0.5)
            for kind in (True, False)
        )
        share = max(blocks[kind][token] / totals[kind] for kind in blocks)
        counts.append(TokenCount(token, inside / elsewhere, share))
    return counts


# The model

STRENGTHS = (1e-4, 1e-3, 1e-2, 1e-1, 1.0)
"""Inverse strengths of the L2 penalty that cross-validation chooses from."""


def fit_logistic(
    columns: Floats, table: FeatureTable, weight: Floats, seed: int
) -> tuple[Floats, float]:
    """Coefficients and intercept of an L2 logistic regression, for columns as they are.

    The penalty sees columns of mean 0 and deviation 1; its strength is the best of `STRENGTHS` by
    5-fold cross-validation over pages.
    """
    if table.content.all() or not table.content.any():
        return np.zeros(columns.shape[1]), float(np.log(_estimate_odds(table.content)))
    mean, deviation = columns.mean(axis=0), columns.std(axis=0)
    deviation[deviation == 0] = 1.0
    scaled = (columns - mean) / deviation
    model = _make_logistic(_choose_strength(scaled, table, weight, seed))
    model.fit(scaled, table.content, sample_weight=_scale_weight(weight))
    coefficients: Floats = model.coef_[0] / deviation
    return coefficients, float(model.intercept_[0] - coefficients @ mean)


def words_that_weigh(words: Floats, most_words: int) -> Floats:
    """The weights of blocks: their words, up to a limit if there is one.

    The paper does not speak of weights, but its figures do: two blocks in five are content, but two
    words in three, and only by words does IC alone keep the blocks without a listed token
    (unweighted it has an F1 of 0.092 on the authors' training pages, published 0.709). The authors'
    program has the choice, with a limit of 200 words.
    """
    return np.minimum(words, most_words) if most_words else words


def _make_logistic(strength: float) -> LogisticRegression:
    return LogisticRegression(C=strength, max_iter=1000)


def _scale_weight(weight: Floats) -> Floats:
    mean = float(weight.mean()) if len(weight) else 0.0
    return weight / mean if mean else np.ones(len(weight))


# More rows move the chosen strength no more.
_ROWS_FOR_STRENGTH = 20_000


def _choose_strength(scaled: Floats, table: FeatureTable, weight: Floats, seed: int) -> float:
    if len(np.unique(table.page)) < 5:
        return 1.0
    rows = np.sort(np.random.default_rng(seed).permutation(len(table))[:_ROWS_FOR_STRENGTH])
    scaled, content = scaled[rows], table.content[rows]
    weight = _scale_weight(weight[rows])
    folds = [
        (train, test)
        for train, test in GroupKFold(5).split(scaled, content, table.page[rows])
        if 0 < content[train].mean() < 1 and weight[test].any()
    ]
    losses = dict.fromkeys(STRENGTHS, 0.0)
    for strength in STRENGTHS:
        for train, test in folds:
            model = _make_logistic(strength)
            model.fit(scaled[train], content[train], sample_weight=weight[train])
            losses[strength] += log_loss(
                content[test],
                model.predict_proba(scaled[test])[:, 1],
                sample_weight=weight[test],
                labels=[False, True],
            )
    return min(losses, key=lambda strength: losses[strength])


def _estimate_odds(content: Flags) -> float:
    return float((content.sum() + 0.5) / ((~content).sum() + 0.5))
