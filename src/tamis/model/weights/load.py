"""Weights on disk: `NAME-VERSION.npz` with plain arrays, and beside it a `.json` card.

The card says which method the weights are for, which version of its features, what they were
trained on and what they measured. Nothing is unpickled, and nothing is used before the card's
method, spec and checksum have been compared.
"""

from __future__ import annotations

import hashlib
import io
import json
import os
import zipfile
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from functools import lru_cache
from pathlib import Path
from types import MappingProxyType
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from tamis import storage
from tamis.errors import WeightsError

Arrays: TypeAlias = Mapping[str, npt.NDArray[Any]]

FORMAT = 1
"""Version of the card itself."""

_FOLDER = Path(__file__).parent


@dataclass(frozen=True, kw_only=True)
class Card:
    """What weights are, where they come from, and how good they are."""

    method: str
    """Public name of the method."""
    spec: int
    """Version of the method's features."""
    features: tuple[str, ...]
    """Names of the features, in the order of the columns."""
    training_sets: Mapping[str, str]
    """Name of each training set, and its licence."""
    measures: Mapping[str, float] = field(default_factory=dict)
    """What was measured, on what."""
    date: str = ""
    """Day of training."""
    seed: int = 0
    tamis: str = ""
    """Version of tamis that trained."""
    taught: Mapping[str, Any] = field(default_factory=dict)
    """Of weights that were taught: what they started from, and the report on the pages."""


@dataclass(frozen=True, eq=False)
class Weights:
    """Arrays, read-only, with their card. A file that has not changed is the same object."""

    arrays: Arrays
    card: Card


def shipped(name: str, version: int = 1) -> str:
    """Path of weights that come with tamis."""
    return str(_FOLDER / f"{name}-{version}.npz")


def save(path: str | os.PathLike[str], arrays: Arrays, card: Card) -> None:
    """Write the arrays to `path`, which ends in .npz, and the card beside them."""
    target = _npz(path)
    buffer = io.BytesIO()
    np.savez_compressed(buffer, allow_pickle=False, **dict(arrays))
    content = buffer.getvalue()
    checksum = hashlib.sha256(content).hexdigest()
    # A card that was loaded has read-only mappings, which JSON does not know.
    values = {entry.name: getattr(card, entry.name) for entry in fields(card)}
    plain = {
        name: dict(value) if isinstance(value, Mapping) else value for name, value in values.items()
    }
    described = {"format": FORMAT, "sha256": checksum, **plain}
    storage.write(target, content)
    card_text = json.dumps(described, indent=1, ensure_ascii=False) + "\n"
    storage.write(target.with_suffix(".json"), card_text)


def load(path: str | os.PathLike[str], *, method: str, spec: int) -> Weights:
    """Weights for version `spec` of the features of `method`; a `WeightsError` if they are not."""
    target = _npz(path)
    try:
        stat = target.stat()
    except OSError as error:
        raise WeightsError(
            f"there are no weights at {target}: {error.strerror}; `tamis train` makes some"
        ) from error
    return _load(target, stat.st_mtime_ns, stat.st_size, method, spec)


@lru_cache(maxsize=32)
def _load(path: Path, _changed: int, _size: int, method: str, spec: int) -> Weights:
    described = _described(path.with_suffix(".json"))
    if described["format"] != FORMAT:
        raise WeightsError(
            f"{path}: its card has format {described['format']!r}, this version of tamis reads"
            f" format {FORMAT}"
        )
    if described["method"] != method:
        raise WeightsError(
            f"{path}: these are weights of method {described['method']!r}, not of {method!r}"
        )
    if described["spec"] != spec:
        raise WeightsError(
            f"{path}: made for version {described['spec']!r} of the features of {method!r}, this"
            f" is version {spec}; train again"
        )
    try:
        content = path.read_bytes()
    except OSError as error:
        raise WeightsError(f"{path}: cannot be read: {error.strerror}") from error
    if hashlib.sha256(content).hexdigest() != described["sha256"]:
        raise WeightsError(
            f"{path}: damaged, or not the file that its card {path.with_suffix('.json').name}"
            " describes: the checksums differ"
        )
    return Weights(_arrays(path, content), _card(path, described))


def _described(path: Path) -> dict[str, Any]:
    try:
        described = json.loads(path.read_text("utf-8"))
    except OSError as error:
        raise WeightsError(f"the card {path} cannot be read: {error.strerror}") from error
    except ValueError as error:
        raise WeightsError(f"the card {path} is damaged: {error}") from error
    wanted = {"format", "sha256", *(entry.name for entry in fields(Card))} - {"taught"}
    missing = wanted - set(described) if isinstance(described, dict) else wanted
    if missing:
        raise WeightsError(f"{path} is no card of weights: {', '.join(sorted(missing))} missing")
    return dict(described)


def _card(path: Path, described: dict[str, Any]) -> Card:
    values = {entry.name: described.get(entry.name, {}) for entry in fields(Card)}
    try:
        values["features"] = tuple(values["features"])
        values["training_sets"] = MappingProxyType(dict(values["training_sets"]))
        values["measures"] = MappingProxyType(dict(values["measures"]))
        values["taught"] = MappingProxyType(dict(values["taught"]))
    except (TypeError, ValueError) as error:
        raise WeightsError(f"the card of {path} is damaged: {error}") from error
    return Card(**values)


def _arrays(path: Path, content: bytes) -> Arrays:
    try:
        with np.load(io.BytesIO(content), allow_pickle=False) as stored:
            arrays = {name: stored[name] for name in stored.files}
    except (ValueError, OSError, EOFError, KeyError, AttributeError, zipfile.BadZipFile) as error:
        raise WeightsError(f"{path}: not an .npz of plain arrays: {error}") from error
    for array in arrays.values():
        array.flags.writeable = False
    return MappingProxyType(arrays)


def _npz(path: str | os.PathLike[str]) -> Path:
    target = Path(path)
    if target.suffix != ".npz":
        raise WeightsError(f"{target}: the name of a file with weights ends in .npz")
    return target
