"""Diverse features in one model: text and link density, id and class tokens, tag ratios.

Peters and Lecocq put what earlier methods look at side by side in one logistic regression: the
shallow text features of Kohlschuetter et al., the whole of CETR, and the tokens that programmers
leave in id and class attributes.

Our reading: blocks are those of the page table; hidden ones are left out before neighbours are
taken, and outside the page every number is 0. A token is a run of letters (`sideBar` is two). The
paper picks 32 tokens by hand from those that its rule finds; we take all that the rule finds on
enough pages. The scores are the model's probabilities.

When it fails: pages whose content is short blocks, such as listings and forums of one-line
replies; sites with class names that a machine made; languages whose words a line differ from
those of the training pages.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import numpy.typing as npt

from tamis.errors import WeightsError
from tamis.methods._base import Method, Scores, on_all_blocks, visible_blocks
from tamis.methods._shared.density import Floats, following, previous
from tamis.methods._shared.ratios import absolute_derivative, cluster_verdict, smoothed, tag_ratios
from tamis.methods._shared.tokens import token_features
from tamis.model.weights.load import Arrays, load, shipped
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


def mix_of(features: str) -> str:
    """A mix of feature sets with the sets in their usual order."""
    chosen = features.split("+")
    return "+".join(name for name in SETS if name in chosen)


def columns_of(
    page: Page, blocks: npt.NDArray[np.intp], features: str, tokens: Sequence[str]
) -> Floats:
    """The features of some blocks: a row a block, the sets in their usual order."""
    parts = {"st": _shallow, "cetr": _ratios}
    columns = {token: column for column, token in enumerate(tokens)}
    return np.concatenate(
        [
            token_features(page, blocks, columns) if name == "ic" else parts[name](page, blocks)
            for name in mix_of(features).split("+")
        ],
        axis=1,
    )


def probabilities(
    page: Page, blocks: npt.NDArray[np.intp], features: str, arrays: Arrays
) -> Scores:
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


def _shallow(page: Page, blocks: npt.NDArray[np.intp]) -> Floats:
    columns = []
    for values in (page.blocks.text_density[blocks], page.blocks.link_density[blocks]):
        columns += [previous(values), values, following(values)]
    return np.column_stack(columns)


def _ratios(page: Page, blocks: npt.NDArray[np.intp]) -> Floats:
    ratios = smoothed(tag_ratios(page, blocks))
    derivatives = absolute_derivative(ratios)
    return np.column_stack((ratios, derivatives, cluster_verdict(ratios, derivatives)))
