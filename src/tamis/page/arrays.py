"""Arrays: types of those that hold columns, their growth while a page is read, and hashes in them.

A hash is the same in every process and on every machine.
"""

from __future__ import annotations

from typing import Any, TypeAlias, TypeVar

import numpy as np
import numpy.typing as npt

Bytes: TypeAlias = npt.NDArray[np.uint8]
Flags: TypeAlias = npt.NDArray[np.bool_]
Floats: TypeAlias = npt.NDArray[np.float64]
Hashes: TypeAlias = npt.NDArray[np.uint64]
Indexes: TypeAlias = npt.NDArray[np.intp]
"""Numbers of rows, as numpy gives them."""
Ints: TypeAlias = npt.NDArray[np.intc]
"""Numbers of rows, as the columns of a page have them."""
Longs: TypeAlias = npt.NDArray[np.int64]
Matrix: TypeAlias = npt.NDArray[np.float32]


def grow_rows(rows: Ints) -> Ints:
    """A copy of a column array with half as much capacity again."""
    larger = np.empty((rows.shape[0], rows.shape[1] * 3 // 2), rows.dtype)
    larger[:, : rows.shape[1]] = rows
    return larger


def trim_rows(rows: Ints, count: int) -> Ints:
    """The rows in use, read-only; copied when that frees much memory."""
    used = rows[:, :count]
    if rows.nbytes > 1 << 20 and count < rows.shape[1] * 3 // 4:
        used = used.copy()
    used.flags.writeable = False
    return used


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
