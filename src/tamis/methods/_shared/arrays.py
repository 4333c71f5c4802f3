"""Records of arrays to named arrays and back: what a site method learned, ready for a file.

A record is a dataclass whose fields are arrays, numbers, sets of numbers, strings, rows of strings
or such records.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import is_dataclass
from typing import Any, TypeAlias, TypeVar, get_args, get_origin, get_type_hints

import numpy as np
import numpy.typing as npt

from tamis.model.weights.archive import LONGEST_JSON, Form, read_json, write_json

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
            arrays[prefix + name] = np.frombuffer(write_json(value), np.uint8)
        else:
            arrays[prefix + name] = np.asarray(value)
    return arrays


def forms_of(kind: type[Any], prefix: str = "") -> dict[str, Form]:
    """What `to_arrays` makes of such a record."""
    forms: dict[str, Form] = {}
    for name, hint in _fields(kind).items():
        if _is_record(hint):
            forms |= forms_of(hint, f"{prefix}{name}.")
        else:
            forms[prefix + name] = _form(hint)
    return forms


def from_arrays(kind: type[T], arrays: Mapping[str, npt.NDArray[Any]], prefix: str = "") -> T:
    """The record of which `to_arrays` made these; a `ValueError` or `KeyError` if it is none.

    A record that has a method `check` is asked whether its arrays make sense together.
    """
    record = kind(
        **{
            name: from_arrays(hint, arrays, f"{prefix}{name}.")
            if _is_record(hint)
            else _value(hint, arrays[prefix + name], prefix + name)
            for name, hint in _fields(kind).items()
        }
    )
    if check := getattr(record, "check", None):
        check()
    return record


def check_rising(keys: npt.NDArray[np.uint64], name: str) -> None:
    """Refuse what is no list of hashes in order, each once: the methods search in it."""
    if keys.ndim != 1 or not (keys[1:] > keys[:-1]).all():
        raise ValueError(f"{name} are not in order")


def _is_record(hint: Any) -> bool:
    return isinstance(hint, type) and is_dataclass(hint)


_known_fields: dict[type[Any], dict[str, Any]] = {}  # to evaluate them takes longer than to read


def _fields(kind: type[Any]) -> dict[str, Any]:
    if kind not in _known_fields:
        hints = get_type_hints(kind)
        _known_fields[kind] = {name: hints[name] for name in kind.__dataclass_fields__}
    return _known_fields[kind]


_NUMBERS = {int: "i8", float: "f8", bool: "b1"}
# A site has fewer pages, and no array of a model more numbers.
_MOST_KEYS, _MOST_NUMBERS = 1 << 20, 1 << 26


def _form(hint: Any) -> Form:
    if get_origin(hint) is frozenset:
        return Form("u8", most=_MOST_KEYS)
    if hint is str or get_origin(hint) is tuple:
        return Form("u1", most=LONGEST_JSON)
    if hint in _NUMBERS:
        return Form(_NUMBERS[hint], 0)
    # NDArray[T] has T alone since numpy 2.5; before, it is ndarray[shape, dtype[T]].
    arguments = get_args(hint)
    (wanted,) = arguments if len(arguments) == 1 else get_args(arguments[1])
    return Form(np.dtype(wanted).str[1:], None, most=_MOST_NUMBERS)


def _value(hint: Any, array: npt.NDArray[Any], name: str) -> Any:
    form = _form(hint)
    if array.dtype != np.dtype(form.dtype) or form.dimensions not in (None, array.ndim):
        raise ValueError(f"{name} has type {array.dtype} and shape {array.shape}")
    if get_origin(hint) is frozenset:
        return frozenset(array.tolist())
    if hint in _NUMBERS:
        return hint(array.item())
    if form.dtype != "u1":
        return array
    value = read_json(array.tobytes())
    if hint is str and isinstance(value, str):
        return value
    if hint is not str and isinstance(value, list) and all(isinstance(own, str) for own in value):
        return tuple(value)
    raise ValueError(f"{name} is no text")
