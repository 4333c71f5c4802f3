"""Diverse features in one model: text and link density, id and class tokens, tag ratios.

Peters and Lecocq put what earlier methods look at side by side in one logistic regression: the
shallow text features of Kohlschuetter et al., the whole of CETR, and the tokens that programmers
leave in id and class attributes.

Our reading: blocks are those of the page table; hidden ones are left out before neighbours are
taken, and outside the page every number is 0. A token is a run of letters (`sideBar` is two). The
paper picks 32 tokens by hand from those that its rule finds; we take all that the rule finds on
enough pages. The scores are the model's probabilities.

When it fails: pages whose content is short blocks, such as listings and forums of one-line
replies; sites with class names that a machine made; languages whose words per line differ from
those of the training pages.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from tamis import limits
from tamis.errors import WeightsError
from tamis.methods._base import Floats, Indexes, Method, Scores, on_all_blocks, visible_blocks
from tamis.methods._shared import sequences
from tamis.model.features.batch import ranges
from tamis.model.weights.load import Arrays, load, shipped
from tamis.page import tags
from tamis.page.table import Page

SPEC = 1
"""Version of the features; weights for another one do not load."""

SETS = ("st", "ic", "cetr")

NAMES: Mapping[str, tuple[str, ...]] = {
    "st": tuple(
        f"{name}[{place}]"
        for name in ("text_density", "link_density")
        for place in ("-1", "+0", "+1")
    ),
    "cetr": ("tag_ratio", "tag_ratio_derivative", "cetr_verdict"),
}
"""Names of the features of a set; those of `ic` are its tokens."""

ATTRIBUTES = ("class", "id")

# Elements around a text that are looked at, inside its block and outside: hostile pages nest
# thousands.
_DEEPEST = 16

# Contributions that a reason names.
_NAMED = 3

_TOKEN = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])|[^\W\d_A-Za-z]+")


@dataclass(frozen=True)
class Dragnet(Method):
    """Densities, id and class tokens and tag ratios in a logistic regression."""

    features: str = "st+ic+cetr"
    """The feature sets of sec. 4, any mix: `st` shallow text, `ic` id and class, `cetr`."""

    weights: str = ""
    """Path of weights that `tamis train dragnet` made; empty for those that come with tamis."""

    citation: ClassVar[str] = (
        "M. E. Peters, D. Lecocq: Content Extraction Using Diverse Feature Sets. WWW 2013"
        " Companion."
    )

    def __post_init__(self) -> None:
        """Refuse an unknown feature set."""
        chosen = self.features.split("+")
        if not set(chosen) <= set(SETS) or len(set(chosen)) < len(chosen):
            raise ValueError(
                f"features is a mix of {', '.join(SETS)}, such as st+ic, not {self.features!r}"
            )

    def score(self, page: Page) -> Scores:
        """Probability of content."""
        arrays = load(self.weights or shipped("dragnet"), method="dragnet", spec=SPEC).arrays
        blocks = visible_blocks(page)
        return on_all_blocks(page, blocks, probabilities(page, blocks, self.features, arrays))

    def because(self, page: Page, blocks: Indexes) -> list[str]:
        """The log odds, and the features that contribute most to them."""
        arrays = load(self.weights or shipped("dragnet"), method="dragnet", spec=SPEC).arrays
        mix, tokens, visible = (
            mix_of(self.features),
            arrays["tokens"].tolist(),
            visible_blocks(page),
        )
        names = [_described(name) for part in mix.split("+") for name in NAMES.get(part, tokens)]
        table = columns_of(page, visible, mix, tokens)[np.searchsorted(visible, blocks)]
        coefficients, intercept = arrays[f"{mix}.coefficients"], arrays[f"{mix}.intercept"]
        return linear_account(names, table, coefficients, float(intercept))


def _described(name: str) -> str:
    """The name of a feature, in words, with room for its value."""
    kind, colon, token = name.partition(":")
    if colon:
        return f"{kind} “{token}”"
    for sign, where in (("[-1]", " before it"), ("[+0]", ""), ("[+1]", " after it")):
        name = name.replace(sign, where)
    return f"{name.replace('_', ' ').replace('cetr', 'CETR')} {{:.3g}}"


def linear_account(
    names: Sequence[str], table: Floats, coefficients: Floats, intercept: float
) -> list[str]:
    """The log odds of each row of a table as a sum, its three largest parts by name."""
    parts = table * coefficients
    largest = np.argsort(-np.abs(parts), axis=1, kind="stable")[:, :_NAMED]
    sentences = []
    for own, values, row in limits.checked(zip(parts, table, largest.tolist(), strict=True), 100):
        named = [f"{own[c]:+.2f} by {names[c].format(values[c])}" for c in row if own[c]]
        rest = own.sum() - own[row].sum()
        sentences.append(
            f"Log odds {intercept + own.sum():+.2f}: {intercept:+.2f} for any block,"
            f" {''.join(f'{part}, ' for part in named)}{rest:+.2f} by the rest."
        )
    return sentences


def mix_of(features: str) -> str:
    """A mix of feature sets with the sets in their usual order."""
    chosen = features.split("+")
    return "+".join(name for name in SETS if name in chosen)


def columns_of(page: Page, blocks: Indexes, features: str, tokens: Sequence[str]) -> Floats:
    """The features of some blocks: one row per block, the sets in their usual order."""
    parts = {"st": _shallow, "cetr": _ratios}
    columns = {token: column for column, token in enumerate(tokens)}
    return np.concatenate(
        [
            token_features(page, blocks, columns) if name == "ic" else parts[name](page, blocks)
            for name in mix_of(features).split("+")
        ],
        axis=1,
    )


def probabilities(page: Page, blocks: Indexes, features: str, arrays: Arrays) -> Scores:
    """Probability of content of some blocks, by the model for that mix of features."""
    mix = mix_of(features)
    try:
        tokens = arrays["tokens"].tolist()
        coefficients, intercept = arrays[f"{mix}.coefficients"], arrays[f"{mix}.intercept"]
    except KeyError as error:
        raise WeightsError(f"these weights have no {error} for features {mix}") from error
    table = columns_of(page, blocks, mix, tokens)
    if coefficients.shape != (table.shape[1],) or intercept.shape != ():
        raise WeightsError(
            f"these weights have {coefficients.shape} coefficients for {table.shape[1]} features"
        )
    return logistic(table @ coefficients + intercept)


def logistic(values: Floats) -> Floats:
    """From log odds to probability; the largest that matter are far inside the bounds."""
    result: Floats = 1 / (1 + np.exp(-np.clip(values, -50, 50)))
    return result


def _shallow(page: Page, blocks: Indexes) -> Floats:
    columns = []
    for values in (page.blocks.text_density[blocks], page.blocks.link_density[blocks]):
        columns += [sequences.previous(values), values, sequences.following(values)]
    return np.column_stack(columns)


def _ratios(page: Page, blocks: Indexes) -> Floats:
    ratios = sequences.smoothed(sequences.tag_ratios(page, blocks))
    derivatives = sequences.absolute_derivative(ratios)
    return np.column_stack((ratios, derivatives, sequences.cluster_verdict(ratios, derivatives)))


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
    place, values, own = _values(page, blocks)
    tokens = [
        {f"{kind}:{token}" for token in tokens_of(value.decode("utf-8", "replace"))}
        for kind, value in values
    ]
    result: list[set[str]] = [set() for _ in range(len(blocks))]
    for block, value_number in zip(place.tolist(), own.tolist(), strict=True):
        result[block] |= tokens[value_number]
    return result


def token_features(page: Page, blocks: Indexes, columns: Mapping[str, int]) -> Floats:
    """1 where a block has a token; `columns` gives the place of each listed token."""
    result = np.zeros((len(blocks), len(columns)))
    place, values, own = _values(page, blocks)
    by_kind = {
        kind: {
            token.removeprefix(f"{kind}:"): column
            for token, column in columns.items()
            if token.startswith(f"{kind}:")
        }
        for kind in ATTRIBUTES
    }
    listed = [
        (number, by_kind[kind][token])
        for number, (kind, value) in enumerate(values)
        for token in tokens_of(value.decode("utf-8", "replace"))
        if token in by_kind[kind]
    ]
    if not listed:
        return result
    numbers, hits = np.array(listed).T
    # Rows of `listed` of each value are neighbours, in the order of the values.
    first, end = np.searchsorted(numbers, own), np.searchsorted(numbers, own, side="right")
    result[np.repeat(place, end - first), hits[ranges(first, end - first)]] = 1.0
    return result


def _values(page: Page, blocks: Indexes) -> tuple[Indexes, list[tuple[str, bytes]], Indexes]:
    """Pairs of a place in `blocks` and a distinct attribute value, and the values themselves."""
    place, node = _elements(page, blocks)
    rows = page.nodes.attributes
    first = rows[node]
    end = np.append(rows[1:], page.attribute_rows.shape[1])[node]
    row, place = ranges(first, end - first), np.repeat(place, end - first)
    kind = page.attribute_rows[0, row]
    wanted = np.isin(kind, [tags.ATTRIBUTE_ID[name] for name in ATTRIBUTES])
    place, row = place[wanted], row[wanted]
    distinct, own = np.unique(row, return_inverse=True)
    numbers: dict[tuple[str, bytes], int] = {}
    table = page.attribute_rows[:, distinct].T.tolist()
    by_value = [
        numbers.setdefault((tags.ATTRIBUTES[name], page.source[start:stop]), len(numbers))
        for name, start, stop in table
    ]
    return place, list(numbers), np.array(by_value, dtype=np.intp)[own]


def _elements(page: Page, blocks: Indexes) -> tuple[Indexes, Indexes]:
    """Pairs of a place in `blocks` and an element of that block, each once."""
    pairs = _inside(page, blocks) + _around(page, blocks)
    width = max(1, len(page.nodes))
    keys = np.unique(np.concatenate([place * width + node for place, node in pairs]))
    return keys // width, keys % width


_Pairs = list[tuple[Indexes, Indexes]]


def _inside(page: Page, blocks: Indexes) -> _Pairs:
    """The inline elements around the visible texts of each block."""
    place_of = np.full(len(page.blocks), -1, dtype=np.intp)
    place_of[blocks] = np.arange(len(blocks))
    shown = page.texts.flags & tags.HIDDEN == 0
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


def _around(page: Page, blocks: Indexes) -> _Pairs:
    """The block-level element of each block, and those above it that hold no other text."""
    shown = np.concatenate((np.zeros(1, np.intp), np.cumsum(page.texts.flags & tags.HIDDEN == 0)))
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
