"""Weights on disk: `NAME-VERSION.npz` with plain arrays, and beside it a `.json` card.

The card says which method the weights are for, which version of its features, what they were
trained on and what they measured. Nothing is unpickled, and nothing is used before the card's
method, spec and checksum have been compared, and the arrays with what the method needs (`forms`).
"""

from __future__ import annotations

import hashlib
import io
import json
import os
import stat
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields
from functools import lru_cache
from itertools import combinations
from pathlib import Path
from types import MappingProxyType
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from tamis._runtime import storage
from tamis.errors import WeightsError
from tamis.model.weights.archive import (
    LONGEST_JSON,
    Archive,
    Form,
    Forms,
    read_file,
    read_json,
    show_value,
)

Arrays: TypeAlias = Mapping[str, npt.NDArray[Any]]

FORMAT = 1
"""Version of the card itself."""
MOST_BYTES = 64 << 20
"""What a file of weights may unpack to; the shipped ones take 1 MB at most."""

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


def path_of_shipped(name: str, version: int = 1) -> str:
    """Path of weights that come with tamis."""
    return str(_FOLDER / f"{name}-{version}.npz")


def save(path: str | os.PathLike[str], arrays: Arrays, card: Card) -> None:
    """Write the arrays to `path`, which ends in .npz, and the card beside them."""
    target = _check_path(path)
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
    target = _check_path(path)
    try:
        status = target.stat()
    except (OSError, ValueError) as error:  # a name may have a zero in it
        why = getattr(error, "strerror", None) or error
        raise WeightsError(
            f"there are no weights at {target}: {why}; `tamis train` makes some"
        ) from error
    if not stat.S_ISREG(status.st_mode):
        raise WeightsError(f"{target}: no file, so there are no weights in it")
    return _load(target, status.st_mtime_ns, status.st_size, method, spec)


@lru_cache(maxsize=32)
def _load(path: Path, _changed: int, _size: int, method: str, spec: int) -> Weights:
    described = _read_card(path.with_suffix(".json"))
    if described["format"] != FORMAT:
        raise WeightsError(
            f"{path}: its card has format {show_value(described['format'])}, this version of tamis"
            f" reads format {FORMAT}"
        )
    if described["method"] != method:
        raise WeightsError(
            f"{path}: these are weights of method {show_value(described['method'])}, not of"
            f" {method!r}"
        )
    if described["spec"] != spec:
        raise WeightsError(
            f"{path}: made for version {show_value(described['spec'])} of the features of"
            f" {method!r}, this is version {spec}; train again"
        )
    try:
        content = read_file(path, MOST_BYTES)
    except OSError as error:
        raise WeightsError(f"{path}: cannot be read: {error.strerror}") from error
    if hashlib.sha256(content).hexdigest() != described["sha256"]:
        raise WeightsError(
            f"{path}: damaged, or not the file that its card {path.with_suffix('.json').name}"
            " describes: the checksums differ"
        )
    return Weights(_read_arrays(str(path), content, method), _make_card(path, described))


def _read_card(path: Path) -> dict[str, Any]:
    try:
        described = read_json(read_file(path, LONGEST_JSON))
    except OSError as error:
        raise WeightsError(f"the card {path} cannot be read: {error.strerror}") from error
    except ValueError as error:
        raise WeightsError(f"the card {path} is damaged: {error}") from error
    wanted = {"format", "sha256", *(entry.name for entry in fields(Card))} - {"taught"}
    missing = wanted - set(described) if isinstance(described, dict) else wanted
    if missing:
        raise WeightsError(f"{path} is no card of weights: {', '.join(sorted(missing))} missing")
    return dict(described)


def _make_card(path: Path, described: dict[str, Any]) -> Card:
    values = {entry.name: described.get(entry.name, {}) for entry in fields(Card)}
    for name, value in values.items():
        if not _KINDS[name](value):
            raise WeightsError(f"the card of {path} is damaged: {name!r} is {show_value(value)}")
    values["features"] = tuple(values["features"])
    for name in ("training_sets", "measures", "taught"):
        values[name] = MappingProxyType(values[name])
    return Card(**values)


def _is_whole(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and abs(value) < 2**63


def _is_number(value: Any) -> bool:
    return isinstance(value, float) or _is_whole(value)


def _is_text(value: Any) -> bool:
    return isinstance(value, str)


def _maps_to(is_kind: Callable[[Any], bool]) -> Callable[[Any], bool]:
    return lambda value: isinstance(value, dict) and all(map(is_kind, value.values()))


_KINDS: Mapping[str, Callable[[Any], bool]] = {
    "method": _is_text,
    "spec": _is_whole,
    "features": lambda value: isinstance(value, list) and all(map(_is_text, value)),
    "training_sets": _maps_to(_is_text),
    "measures": _maps_to(_is_number),
    "date": _is_text,
    "seed": _is_whole,
    "tamis": _is_text,
    "taught": lambda value: isinstance(value, dict),
}
"""What each field of a card must be."""


def _read_arrays(name: str, content: bytes, method: str) -> Arrays:
    archive = Archive(content, name)
    archive.check_size(MOST_BYTES)
    forms = FORMS.get(method)
    if forms is None:  # of somebody's own method
        return MappingProxyType({name: archive.read(name) for name in archive.names})
    return MappingProxyType(archive.read_all(forms))


def _check_path(path: str | os.PathLike[str]) -> Path:
    try:
        target = Path(path)
    except TypeError as error:
        raise WeightsError(f"weights are the path of a file, not {path!r}") from error
    if target.suffix != ".npz":
        raise WeightsError(f"{target}: the name of a file with weights ends in .npz")
    return target


MOST_NODES = 1 << 20
"""Nodes of a forest or a tree at most; the shipped ones have up to 43,100."""
LARGEST = 1e6
"""A weight is no larger: far beyond what is learned, far below where sums overflow."""


def _forms_of_forest(prefix: str = "", *, required: bool = True) -> Forms:
    # Its values are thresholds, too, which have no bound; `Forest.from_arrays` looks at the leaves.
    return {
        f"{prefix}feature": Form("i2", most=MOST_NODES, required=required),
        f"{prefix}value": Form("f4", most=MOST_NODES, required=required),
    }


def _forms_of_regression(name: str) -> Forms:
    return {
        f"{name}.coefficients": Form("f8", bound=LARGEST, required=False),
        f"{name}.intercept": Form("f8", 0, bound=LARGEST, required=False),
    }


_TAMIS: Forms = {
    "tokens.token": Form("u8", most=1 << 18),
    "tokens.weight": Form("f4", 2, bound=LARGEST),
    **_forms_of_forest("forest."),
    **_forms_of_forest("second."),
    **_forms_of_forest("ranker.", required=False),
    "ranker.margins": Form("f8", bound=LARGEST, required=False),
    "calibration.odds": Form("f8", bound=LARGEST),
    "calibration.probability": Form("f8", bound=1),
    "nothing": Form("f8", bound=LARGEST),
}

_SETS = ("st", "ic", "cetr", "cetd")
_MIXES = ["+".join(mix) for size in (1, 2, 3, 4) for mix in combinations(_SETS, size)]
_DRAGNET: dict[str, Form] = {"blocks": Form("U", 0), "tokens": Form("U", most=1 << 16)}
for _mix in _MIXES:
    _DRAGNET |= _forms_of_regression(_mix)

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
    _PAGE_TYPE |= _forms_of_forest(f"{_kind}.")

FORMS: Mapping[str, Forms] = {
    "tamis": _TAMIS,
    "dragnet": _DRAGNET,
    "text_block_context": _TREE,
    "page_type": _PAGE_TYPE,
    "site": _forms_of_forest(),
}
"""By method."""
