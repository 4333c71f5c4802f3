"""Types of the arrays that hold columns, and their growth while a page is read."""

from __future__ import annotations

from typing import TypeAlias

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
