"""Hashes of hashes, the same in every process and on every machine."""

from __future__ import annotations

from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt

from tamis.page.arrays import Flags, Indexes
from tamis.page.arrays import Hashes as Hashes

_Number = TypeVar("_Number", bound=np.integer[Any])

ALL = 2**64 - 1
START, PRIME = 0xCBF29CE484222325, 0x100000001B3
"""FNV-1a: from `START`, for each byte, `(value ^ byte) * PRIME & ALL`."""

_GOLDEN = np.uint64(0x9E3779B97F4A7C15)


def mix_hashes(first: npt.ArrayLike, second: npt.ArrayLike) -> Hashes:
    """A hash of two hashes, the order counts."""
    with np.errstate(over="ignore"):
        value = (np.asarray(first, np.uint64) ^ np.uint64(0x51ED270B)) * _GOLDEN
        value = (value ^ (value >> np.uint64(29)) ^ np.asarray(second, np.uint64)) * _GOLDEN
        result: Hashes = value ^ (value >> np.uint64(32))
    return result


def sort_distinct(numbers: npt.NDArray[_Number]) -> npt.NDArray[_Number]:
    """Numbers in order, each once; faster than numpy's own up to some thousands."""
    ordered = np.sort(numbers)
    is_new = np.ones(len(ordered), bool)
    is_new[1:] = ordered[1:] != ordered[:-1]
    result: npt.NDArray[_Number] = ordered[is_new]
    return result


def find_hashes(keys: Hashes, wanted: Hashes) -> tuple[Indexes, Flags]:
    """Where each hash that is wanted is in sorted keys, and whether it is there at all."""
    if not len(keys):
        return np.zeros(len(wanted), np.intp), np.zeros(len(wanted), bool)
    place = np.minimum(np.searchsorted(keys, wanted), len(keys) - 1)
    return place, keys[place] == wanted


def look_up(keys: Hashes, values: npt.NDArray[Any], wanted: Hashes) -> npt.NDArray[Any]:
    """The values of the hashes that are wanted, 0 for each that is not among the sorted keys."""
    place, known = find_hashes(keys, wanted)
    rows = np.zeros((len(wanted), *values.shape[1:]), values.dtype)
    rows[known] = values[place[known]]
    return rows


def make_key(hashes: Hashes) -> int:
    """One number, the same for the same hashes in the same order, such as the words of a page."""
    return int(np.bitwise_xor.reduce(mix_hashes(hashes, np.arange(len(hashes)))))


def check_rising(keys: Hashes, name: str) -> None:
    """Refuse hashes in which `find_hashes` cannot search: they must rise, each once."""
    if keys.ndim != 1 or not (keys[1:] > keys[:-1]).all():
        raise ValueError(f"{name} are not in order")
