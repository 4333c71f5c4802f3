"""Records of arrays to named arrays and back: what a site method learned, ready for a file.

A record is a dataclass whose fields are arrays, numbers, sets of numbers, strings, rows of strings
or such records.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import is_dataclass
from typing import Any, TypeAlias, TypeVar, get_args, get_origin, get_type_hints

import numpy as np
import numpy.typing as npt

T = TypeVar("T")
Arrays: TypeAlias = dict[str, npt.NDArray[Any]]


def to_arrays(record: Any, prefix: str = "") -> Arrays:
    """The fields of a record by name; those of a record inside it have its name in front."""
    arrays: Arrays = {}
    for name in _fields(type(record)):
        value = getattr(record, name)
        if is_dataclass(value):
            arrays |= to_arrays(value, f"{prefix}{name}.")
        elif isinstance(value, frozenset):
            arrays[prefix + name] = np.array(sorted(value), np.uint64)
        elif isinstance(value, str | tuple):
            arrays[prefix + name] = np.frombuffer(json.dumps(value).encode(), np.uint8)
        else:
            arrays[prefix + name] = np.asarray(value)
    return arrays


def from_arrays(kind: type[T], arrays: Mapping[str, npt.NDArray[Any]], prefix: str = "") -> T:
    """The record of which `to_arrays` made these; a `ValueError` or `KeyError` if it is none."""
    return kind(
        **{
            name: from_arrays(hint, arrays, f"{prefix}{name}.")
            if isinstance(hint, type) and is_dataclass(hint)
            else _value(hint, arrays[prefix + name], prefix + name)
            for name, hint in _fields(kind).items()
        }
    )


def _fields(kind: type[Any]) -> dict[str, Any]:
    hints = get_type_hints(kind)
    return {name: hints[name] for name in kind.__dataclass_fields__}


def _value(hint: Any, array: npt.NDArray[Any], name: str) -> Any:
    if get_origin(hint) is frozenset:
        return frozenset(array.tolist())
    if hint is str or get_origin(hint) is tuple:
        value = json.loads(array.tobytes())
        return value if isinstance(value, str) else tuple(map(str, value))
    if hint in (int, float, bool):
        return hint(array.item())
    # NDArray[T] has T alone since numpy 2.5; before, it is ndarray[shape, dtype[T]].
    arguments = get_args(hint)
    (wanted,) = arguments if len(arguments) == 1 else get_args(arguments[1])
    if array.dtype != np.dtype(wanted):
        raise ValueError(f"{name} has type {array.dtype}, not {np.dtype(wanted)}")
    return array
