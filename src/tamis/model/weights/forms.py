"""Which arrays the weights of each method have. A file with others, or without one, is refused."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import combinations

from tamis.model.weights.archive import Form, Forms

MOST_NODES = 1 << 20
"""Nodes of a forest or a tree at most; the shipped ones have up to 43,100."""
LARGEST = 1e6
"""A weight is no larger: far beyond what is learned, far below where sums overflow."""


def _forest(prefix: str = "") -> Forms:
    # Its values are thresholds, too, which have no bound; `Forest.of` looks at the leaves.
    return {
        f"{prefix}feature": Form("i2", most=MOST_NODES),
        f"{prefix}value": Form("f4", most=MOST_NODES),
    }


def _regression(name: str) -> Forms:
    return {
        f"{name}.coefficients": Form("f8", bound=LARGEST, required=False),
        f"{name}.intercept": Form("f8", 0, bound=LARGEST, required=False),
    }


_TAMIS: Forms = {
    "tokens.token": Form("u8", most=1 << 18),
    "tokens.weight": Form("f4", 2, bound=LARGEST),
    **_forest("forest."),
    **_forest("second."),
    "calibration.odds": Form("f8", bound=LARGEST),
    "calibration.probability": Form("f8", bound=1),
    "nothing": Form("f8", bound=LARGEST),
}

_SETS = ("st", "ic", "cetr", "cetd")
_MIXES = ["+".join(mix) for size in (1, 2, 3, 4) for mix in combinations(_SETS, size)]
_DRAGNET: dict[str, Form] = {"blocks": Form("U", 0), "tokens": Form("U", most=1 << 16)}
for _mix in _MIXES:
    _DRAGNET |= _regression(_mix)

_TREE: Forms = {
    "text": Form("U", 0, required=False),
    **{name: Form("i", most=MOST_NODES) for name in ("feature", "left", "right")},
    "threshold": Form("f"),
    "value": Form("f", bound=1),
}

_PAGE_TYPE: dict[str, Form] = {
    "place": Form("u4", most=1 << 18),
    "weight": Form("f2", 2, most=1 << 21),
    "linear": Form("f8", 2, bound=LARGEST),
    "scale": Form("f8", bound=LARGEST),
    "shift": Form("f8", bound=LARGEST),
}
for _kind in ("article", "forum", "product", "documentation", "service", "overview", "listing"):
    _PAGE_TYPE |= _forest(f"{_kind}.")

FORMS: Mapping[str, Forms] = {
    "tamis": _TAMIS,
    "dragnet": _DRAGNET,
    "text_block_context": _TREE,
    "page_type": _PAGE_TYPE,
    "site": _forest(),
}
"""By method."""
