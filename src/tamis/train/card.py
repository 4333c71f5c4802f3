"""The one place where weights and their card are written."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path

from tamis.evaluate import datasets
from tamis.model.weights import load
from tamis.version import __version__

LICENCES: dict[str, str] = json.loads(Path(__file__).with_name("licences.json").read_text("utf-8"))
"""Licences of the data sets that we know. The card of shipped weights says on which of them they
were trained: only sets whose licence allows it."""

Features = tuple[str, int, Sequence[str]]
"""A method, the version of its features, and their names."""


def write(
    out: Path,
    arrays: load.Arrays,
    trained: Features,
    paths: Iterable[Path],
    measures: Mapping[str, float],
    seed: int,
) -> None:
    """Write weights that were trained on the sets of `paths`, and their card beside them."""
    method, spec, features = trained
    names = map(datasets.name_of, paths)
    card = load.Card(
        method=method,
        spec=spec,
        features=tuple(features),
        training_sets={name: LICENCES.get(name, "unstated") for name in names},
        measures=measures,
        date=datetime.now(UTC).date().isoformat(),
        seed=seed,
        tamis=__version__,
    )
    load.save(out, arrays, card)
