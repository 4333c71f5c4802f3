"""Hashes of hashes, the same in every process and on every machine."""

from __future__ import annotations

from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt

from tamis.page.arrays import Hashes as Hashes

_Number = TypeVar("_Number", bound=np.integer[Any])

ALL = 2**64 - 1
START, PRIME = 0xCBF29CE484222325, 0x100000001B3
"""FNV-1a: from `START`, for each byte, `(value ^ byte) * PRIME & ALL`."""

_GOLDEN = np.uint64(0x9E3779B97F4A7C15)


def mixed(first: npt.ArrayLike, second: npt.ArrayLike) -> Hashes:
    """A hash of two hashes, the order counts."""
    with np.errstate(over="ignore"):
        value = (np.asarray(first, np.uint64) ^ np.uint64(0x51ED270B)) * _GOLDEN
        value = (value ^ (value >> np.uint64(29)) ^ np.asarray(second, np.uint64)) * _GOLDEN
        result: Hashes = value ^ (value >> np.uint64(32))
    return result


def distinct(numbers: npt.NDArray[_Number]) -> npt.NDArray[_Number]:
    """Numbers in order, each once; faster than numpy's own up to some thousands."""
    ordered = np.sort(numbers)
    is_new = np.ones(len(ordered), bool)
    is_new[1:] = ordered[1:] != ordered[:-1]
    result: npt.NDArray[_Number] = ordered[is_new]
    return result


def find(keys: Hashes, wanted: Hashes) -> tuple[npt.NDArray[np.intp], npt.NDArray[np.bool_]]:
    """Where each hash that is wanted is in sorted keys, and whether it is there at all."""
    if not len(keys):
        return np.zeros(len(wanted), np.intp), np.zeros(len(wanted), bool)
    place = np.minimum(np.searchsorted(keys, wanted), len(keys) - 1)
    return place, keys[place] == wanted


def key_of(hashes: Hashes) -> int:
    """One number, the same for the same hashes in the same order, such as the words of a page."""
    return int(np.bitwise_xor.reduce(mixed(hashes, np.arange(len(hashes)))))
