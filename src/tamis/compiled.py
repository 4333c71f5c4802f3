"""What compiled modules share, and which of them run uncompiled."""

from __future__ import annotations

import os
from importlib.machinery import EXTENSION_SUFFIXES
from typing import Any

import numpy as np
import numpy.typing as npt

FOLDERS = ("describe", "model/features", "model/weights", "page", "render")


def uncompiled() -> list[str]:
    """The names of modules that were not compiled for this Python."""
    home = os.path.dirname(__file__)
    names = []
    for folder in FOLDERS:
        files = set(os.listdir(os.path.join(home, folder)))
        for file in sorted(files):
            module = file.removesuffix(".pxd")
            if module != file and files.isdisjoint(
                module + suffix for suffix in EXTENSION_SUFFIXES
            ):
                names.append(f"tamis.{folder.replace('/', '.')}.{module}")
    return names


LINE = 16  # numbers of single precision in a line of the cache


def room(columns: int, rows: int) -> npt.NDArray[np.float32]:
    """An empty table with one row per column, each at the beginning of a line of the cache.

    It may have more room than rows were asked for: an odd number of lines, so that the same row of
    many columns has a place in the cache.
    """
    lines = -(-rows // LINE) | 1
    made = np.empty((columns * lines + 1) * LINE, np.float32)
    first = -made.ctypes.data // made.itemsize % LINE
    return made[first : first + columns * lines * LINE].reshape(columns, lines * LINE)


def view(array: npt.NDArray[np.generic]) -> Any:
    """An array to be read number by number: of C types if compiled, else of plain integers.

    Uncompiled, numpy's own integers would be slow and would warn of sums that wrap around.
    """
    return array.data
