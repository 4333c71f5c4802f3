"""The one place where weights and their card are written."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from types import MappingProxyType
from typing import Any

from tamis._runtime.version import __version__
from tamis.evaluate import datasets
from tamis.evaluate.sources import table
from tamis.model.weights import load

Features = tuple[str, int, Sequence[str]]
"""A method, the version of its features, and their names."""


def write(
    out: Path,
    arrays: load.Arrays,
    trained: Features,
    sets: Iterable[Path | str],
    measures: Mapping[str, float],
    seed: int,
    *,
    more: Mapping[str, str] = MappingProxyType({}),
    taught: Mapping[str, Any] = MappingProxyType({}),
) -> None:
    """Write weights that were trained on some sets, and their card beside them.

    `sets` are their paths or names. Weights that were taught have learned from `more`, too.
    """
    method, spec, features = trained
    names = (datasets.name_of(each) if isinstance(each, Path) else each for each in sets)
    licences = {name: source.licence for name, source in table().items()}
    card = load.Card(
        method=method,
        spec=spec,
        features=tuple(features),
        training_sets={**more, **{name: licences.get(name, "unstated") for name in names}},
        measures=measures,
        date=datetime.now(UTC).date().isoformat(),
        seed=seed,
        tamis=__version__,
        taught=dict(taught),
    )
    load.save(out, arrays, card)
