"""Diverse features in one model: text and link density, id and class tokens, tag ratios.

Peters and Lecocq put what earlier methods look at side by side in one logistic regression: the
shallow text features of Kohlschuetter et al., the whole of CETR, and the tokens that programmers
leave in id and class attributes.

Our reading: blocks are those of the page table; hidden ones are left out before neighbours are
taken, and outside the page every number is 0. A token is a run of letters (`sideBar` is two). The
paper picks 32 tokens by hand from those that its rule finds; we take all that the rule finds on
enough pages. The scores are the model's probabilities. `blocks="paper"` has the blocks and the
tokens as published (`tamis.methods._shared.layout_blocks`). As future work the paper names more
feature sets: `cetd` has the text densities of Sun et al., for weights trained with them.

When it fails: pages whose content is short blocks, such as listings and forums of one-line
replies; sites with class names that a machine made; languages whose words per line differ from
those of the training pages.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property, lru_cache
from typing import ClassVar, TypeAlias

import numpy as np
import numpy.typing as npt

from tamis._runtime import limits
from tamis.errors import WeightsError
from tamis.methods._base import (
    Choices,
    Method,
    Scores,
    Unit,
    on_all_blocks,
    visible_blocks,
    visible_texts,
)
from tamis.methods._shared.features import (
    absolute_derivative,
    content_elements,
    leave_origin,
    measure_densities,
    next_values,
    previous_values,
    smooth_values,
    tag_ratios,
)
from tamis.methods._shared.layout_blocks import ATTRIBUTES, LayoutBlocks, cut_layout
from tamis.methods._shared.verdicts import list_units
from tamis.model.features.batch import list_ranges
from tamis.model.weights.load import Arrays, Weights, load, path_of_shipped
from tamis.page import tags
from tamis.page.arrays import Floats, Indexes
from tamis.page.structure.subtrees import mark_texts
from tamis.page.table import Page

SPEC = 1
"""Version of the features; weights for another one do not load."""

SETS = ("st", "ic", "cetr", "cetd")

PUBLISHED = "st+ic+cetr"
"""The sets of the paper, of which the shipped weights know every mix."""

NAMES: Mapping[str, tuple[str, ...]] = {
    "st": tuple(
        f"{name}[{place}]"
        for name in ("text_density", "link_density")
        for place in ("-1", "+0", "+1")
    ),
    "cetr": ("tag_ratio", "tag_ratio_derivative", "cetr_verdict"),
    "cetd": ("log_density", "log_density_sum", "cetd_verdict"),
}
"""Names of the features of a set; those of `ic` are its tokens."""

BLOCKS = ("text", "paper")

# Elements around a text that are looked at, inside its block and outside: hostile pages nest
# thousands.
_DEEPEST = 16

# Contributions that a reason names.
_NAMED = 3

_SEPARATOR = re.compile("[+,]")
_TOKEN = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])|[^\W\d_A-Za-z]+")


@dataclass(frozen=True)
class Dragnet(Method):
    """Densities, id and class tokens and tag ratios in a logistic regression."""

    features: str = PUBLISHED
    """The feature sets of sec. 4, any mix: `st` shallow text, `ic` id and class, `cetr`; `cetd` for
    weights trained with it. Commas may stand for the signs."""

    blocks: str = "text"
    """What has features: `text`, blocks of the page, or `paper`, blocks as in sec. 3 and 4.1."""

    weights: str = ""
    """Path of weights that `tamis train dragnet` made; empty for those that come with tamis."""

    citation: ClassVar[str] = (
        "M. E. Peters, D. Lecocq: Content Extraction Using Diverse Feature Sets. WWW 2013"
        " Companion."
    )
    _choices: ClassVar[Choices] = {"blocks": BLOCKS}

    def __post_init__(self) -> None:
        super().__post_init__()
        check_mix(self.features)

    def score(self, page: Page) -> Scores:
        units = units_of(page, self.blocks)
        return units.on_blocks(predict_blocks(units, self.features, self._load_arrays()))

    def _load_arrays(self) -> Arrays:
        path = self.weights or path_of_shipped(_SHIPPED[self.blocks])
        arrays = _check_weights(load(path, method="dragnet", spec=SPEC))
        made_for = str(arrays["blocks"])
        if made_for != self.blocks:
            raise WeightsError(
                f"{path}: made for blocks={made_for}, not for blocks={self.blocks}; give the method"
                f" blocks={made_for}, or train with --parameter blocks={self.blocks}"
            )
        return arrays

    @property
    def decides_on(self) -> str:
        return "layout blocks" if self.blocks == "paper" else "blocks"

    def units(self, page: Page) -> tuple[Unit, ...]:
        """The blocks of the paper with their features; the title alone has no place on the page."""
        if self.blocks != "paper":
            return ()
        arrays, mix = self._load_arrays(), mix_of(self.features)
        units, listed = cut_layout(page), arrays["tokens"].tolist()
        names = list_features(mix, listed)
        columns = dict(zip(names, columns_of(units, mix, listed).T, strict=True))
        attributes: dict[str, Sequence[float | str]] = {
            name: columns[name].tolist() for name in names if name not in listed
        }
        if "ic" in mix.split("+"):
            hits = np.column_stack([columns[name] for name in listed]) > 0
            tokens = np.array(listed)
            attributes["tokens"] = [" ".join(tokens[row]) for row in limits.check_each(hits)]
        first = units.first_texts
        placed = np.flatnonzero(first >= 0)
        row_of = np.append(np.cumsum(first >= 0) - 1, -1)
        return list_units(
            page,
            np.where(units.of_text >= 0, row_of[units.of_text], -1),
            page.texts.node[first[placed]],
            predict_blocks(units, self.features, arrays)[placed],
            {name: [values[row] for row in placed.tolist()] for name, values in attributes.items()},
        )

    def because(self, page: Page, blocks: Indexes) -> list[str]:
        arrays, units, mix = self._load_arrays(), units_of(page, self.blocks), mix_of(self.features)
        rows, tokens = units.rows_of(blocks), arrays["tokens"].tolist()
        coefficients, intercept = arrays[f"{mix}.coefficients"], arrays[f"{mix}.intercept"]
        inside = rows >= 0
        table = columns_of(units, mix, tokens)[rows[inside]]
        account = iter(
            linear_account(list_features(mix, tokens), table, coefficients, float(intercept))
        )
        return [next(account) if own else "It is in none of the blocks." for own in inside.tolist()]


@lru_cache(maxsize=8)
def _check_weights(weights: Weights) -> Arrays:
    arrays = weights.arrays
    tokens = arrays["tokens"].tolist()
    if len({*tokens}) < len(tokens) or any(_kind_of(token) not in ATTRIBUTES for token in tokens):
        raise WeightsError(
            f"these weights have a token twice, or one of another kind than {', '.join(ATTRIBUTES)}"
        )
    for name in arrays:
        mix, _, part = name.rpartition(".")
        if part == "coefficients":
            count = len(list_features(mix, tokens))
            if len(arrays[name]) != count:
                raise WeightsError(
                    f"these weights have {len(arrays[name])} coefficients for {count} features"
                )
    return arrays


def _kind_of(token: str) -> str:
    """The attribute that a token is from; nothing of a token that cannot be written."""
    is_text = not any("\ud800" <= letter <= "\udfff" for letter in token)
    return token.partition(":")[0] if is_text else ""


_SHIPPED = {"text": "dragnet", "paper": "dragnet_paper"}


@dataclass(frozen=True, eq=False)
class TextBlocks:
    """The blocks of a page that a browser shows, as what has features."""

    start: ClassVar[str] = "diagonal"
    """Where the clusters of CETR start."""

    page: Page
    blocks: Indexes

    @cached_property
    def texts(self) -> list[str]:
        return self.page.block_texts(self.blocks)

    @property
    def first_texts(self) -> Indexes:
        first: Indexes = self.page.blocks.first_text[self.blocks].astype(np.intp)
        return first

    @property
    def words(self) -> Floats:
        return self.page.blocks.words[self.blocks].astype(float)

    @property
    def text_density(self) -> Floats:
        return self.page.blocks.text_density[self.blocks]

    @property
    def link_density(self) -> Floats:
        return self.page.blocks.link_density[self.blocks]

    @property
    def tag_ratios(self) -> Floats:
        return tag_ratios(self.page, self.blocks)

    def tokens(self) -> list[frozenset[str]]:
        return [frozenset(own) for own in block_tokens(self.page, self.blocks)]

    def token_features(self, listed: Sequence[str]) -> Floats:
        columns = {token: column for column, token in enumerate(listed)}
        return token_features(self.page, self.blocks, columns)

    def rows_of(self, blocks: Indexes) -> Indexes:
        return np.searchsorted(self.blocks, blocks)

    def on_blocks(self, scores: npt.ArrayLike) -> Scores:
        return on_all_blocks(self.page, self.blocks, scores)


Units: TypeAlias = TextBlocks | LayoutBlocks


def units_of(page: Page, blocks: str) -> Units:
    if blocks == "paper":
        return cut_layout(page)
    return TextBlocks(page, visible_blocks(page))


def _describe_feature(name: str, value: float) -> str:
    kind, colon, token = name.partition(":")
    if colon:
        return f"{kind} “{token}”"
    for sign, where in (("[-1]", " before it"), ("[+0]", ""), ("[+1]", " after it")):
        name = name.replace(sign, where)
    return f"{name.replace('_', ' ').replace('cetr', 'CETR').replace('cetd', 'CETD')} {value:.3g}"


def linear_account(
    names: Sequence[str], table: Floats, coefficients: Floats, intercept: float
) -> list[str]:
    """The log odds of each row of a table as a sum, its three largest parts by name."""
    parts = table * coefficients
    largest = np.argsort(-np.abs(parts), axis=1, kind="stable")[:, :_NAMED]
    sentences = []
    for own, values, row in limits.check_each(
        zip(parts, table, largest.tolist(), strict=True), 100
    ):
        named = [
            f"{own[c]:+.2f} by {_describe_feature(names[c], values[c])}" for c in row if own[c]
        ]
        rest = own.sum() - own[row].sum()
        sentences.append(
            f"Log odds {intercept + own.sum():+.2f}: {intercept:+.2f} for any block,"
            f" {''.join(f'{part}, ' for part in named)}{rest:+.2f} by the rest."
        )
    return sentences


def mix_of(features: str) -> str:
    """A mix of feature sets with the sets in their usual order.

    >>> mix_of("cetr,st")
    'st+cetr'
    """
    chosen = _SEPARATOR.split(features)
    return "+".join(name for name in SETS if name in chosen)


def list_features(mix: str, tokens: Sequence[str]) -> list[str]:
    return [name for part in mix.split("+") for name in NAMES.get(part, tokens)]


def check_mix(features: str) -> None:
    """Refuse unknown feature sets, and one that is there twice."""
    chosen = _SEPARATOR.split(features)
    if not set(chosen) <= set(SETS) or len(set(chosen)) < len(chosen):
        raise ValueError(f"features is a mix of {', '.join(SETS)}, such as st+ic, not {features!r}")


def columns_of(units: Units, features: str, tokens: Sequence[str]) -> Floats:
    parts = {"st": _shallow_features, "cetr": _ratio_features, "cetd": _density_features}
    return np.concatenate(
        [
            units.token_features(tokens) if name == "ic" else parts[name](units)
            for name in mix_of(features).split("+")
        ],
        axis=1,
    )


def predict_blocks(units: Units, features: str, arrays: Arrays) -> Scores:
    """Probability of content of blocks, by the model for that mix of features."""
    mix = mix_of(features)
    try:
        tokens = arrays["tokens"].tolist()
        coefficients, intercept = arrays[f"{mix}.coefficients"], arrays[f"{mix}.intercept"]
    except KeyError as error:
        raise WeightsError(
            f"these weights have no {error} for features {mix}; `tamis train dragnet --parameter"
            f" features={mix}` makes some"
        ) from error
    table = columns_of(units, mix, tokens)
    return logistic(table @ coefficients + intercept)


def logistic(values: Floats) -> Floats:
    """From log odds to probability; the largest that matter are far inside the bounds."""
    result: Floats = 1 / (1 + np.exp(-np.clip(values, -50, 50)))
    return result


def _shallow_features(units: Units) -> Floats:
    columns = []
    for values in (units.text_density, units.link_density):
        columns += [previous_values(values), values, next_values(values)]
    return np.column_stack(columns)


def _ratio_features(units: Units) -> Floats:
    ratios = smooth_values(units.tag_ratios)
    derivatives = absolute_derivative(ratios)
    verdict = leave_origin(ratios, derivatives, start=units.start)
    return np.column_stack((ratios, derivatives, verdict))


def _density_features(units: Units) -> Floats:
    """Logarithms of the density of a block's element and of the sum over it and its siblings.

    And whether CETD takes the block. Chosen by cross-validation on 300 of the training pages of
    2012: without logarithms the log loss is 5% to 10% higher, with the sum inside the element 4%
    to 8%.
    """
    page, first = units.page, units.first_texts
    result = np.zeros((len(first), len(NAMES["cetd"])))
    placed = np.flatnonzero(first >= 0)
    if not visible_texts(page).any():
        return result
    tree = measure_densities(page)
    taken = mark_texts(page, content_elements(page, tree)[0])
    element = page.blocks.node[page.texts.block[first[placed]]]
    around = np.maximum(page.nodes.parent[element], 0)
    result[placed, 0] = np.log1p(tree.density[element])
    result[placed, 1] = np.log1p(tree.sums[around])
    result[placed, 2] = taken[first[placed]]
    return result


# Tokens of id and class attributes (sec. 4.1)
#
# A block has the tokens of the elements that separate it from the blocks around it, from its lowest
# block-level element to the outermost that holds no other text, and of the inline elements inside.


def tokens_of(value: str) -> list[str]:
    """The tokens of the value of a class or id.

    >>> tokens_of("nav-main sideBar2 XMLFeed")
    ['nav', 'main', 'side', 'bar', 'xml', 'feed']
    """
    return [token.lower() for token in _TOKEN.findall(value)]


def block_tokens(page: Page, blocks: Indexes) -> list[set[str]]:
    """The tokens of each of some blocks, written `class:nav` or `id:nav`."""

    @cache
    def read_tokens(row: int) -> set[str]:
        number, start, stop = page.attribute_rows[:, row].tolist()
        kind, value = tags.ATTRIBUTES[number], page.source[start:stop].decode("utf-8", "replace")
        return {f"{kind}:{token}" for token in tokens_of(value)}

    place, node = _pair_elements(page, blocks)
    rows = page.nodes.attributes
    count = np.append(rows[1:], page.attribute_rows.shape[1])[node] - rows[node]
    row, place = list_ranges(rows[node], count), np.repeat(place, count)
    kinds = [tags.ATTRIBUTE_ID[name] for name in ATTRIBUTES]
    wanted = np.isin(page.attribute_rows[0, row], kinds)
    result: list[set[str]] = [set() for _ in range(len(blocks))]
    pairs = zip(place[wanted].tolist(), row[wanted].tolist(), strict=True)
    for block, attribute in limits.check_each(pairs):
        result[block] |= read_tokens(attribute)
    return result


def token_features(page: Page, blocks: Indexes, columns: Mapping[str, int]) -> Floats:
    """1 where a block has a token; `columns` gives the place of each listed token."""
    result = np.zeros((len(blocks), len(columns)))
    for row, tokens in zip(result, block_tokens(page, blocks), strict=True):
        row[[columns[token] for token in tokens if token in columns]] = 1.0
    return result


def _pair_elements(page: Page, blocks: Indexes) -> tuple[Indexes, Indexes]:
    """Pairs of a place in `blocks` and an element of that block, each once."""
    pairs = _pair_inline(page, blocks) + _pair_around(page, blocks)
    width = max(1, len(page.nodes))
    keys = np.unique(np.concatenate([place * width + node for place, node in pairs]))
    return keys // width, keys % width


_Pairs = list[tuple[Indexes, Indexes]]


def _pair_inline(page: Page, blocks: Indexes) -> _Pairs:
    """The inline elements around the visible texts of each block."""
    place_of = np.full(len(page.blocks), -1, dtype=np.intp)
    place_of[blocks] = np.arange(len(blocks))
    shown = visible_texts(page)
    texts = np.flatnonzero(shown & (place_of[page.texts.block] >= 0))
    place = place_of[page.texts.block[texts]]
    node = page.texts.node[texts].astype(np.intp)
    depth = page.nodes.depth[page.blocks.node[page.texts.block[texts]]]
    pairs: _Pairs = []
    for _ in range(_DEEPEST):
        inside = page.nodes.depth[node] > depth
        place, node, depth = place[inside], node[inside], depth[inside]
        if not len(node):
            break
        pairs.append((place, node))
        node = page.nodes.parent[node].astype(np.intp)
    return pairs


def _pair_around(page: Page, blocks: Indexes) -> _Pairs:
    """The block-level element of each block, and those above it that hold no other text."""
    shown: Indexes = np.append(0, np.cumsum(visible_texts(page)))
    own = shown[page.blocks.end_text[blocks]] - shown[page.blocks.first_text[blocks]]
    below = shown[page.nodes.end_text] - shown[page.nodes.first_text]
    place, node = np.arange(len(blocks)), page.blocks.node[blocks].astype(np.intp)
    pairs: _Pairs = [(place, node)]
    for _ in range(_DEEPEST):
        parent = page.nodes.parent[node].astype(np.intp)
        alone = (parent >= 0) & (below[parent] == own[place])
        place, node = place[alone], parent[alone]
        if not len(node):
            break
        pairs.append((place, node))
    return pairs
