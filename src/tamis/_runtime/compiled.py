"""What compiled modules share, and which of them run uncompiled."""

from __future__ import annotations

import os
from importlib.machinery import EXTENSION_SUFFIXES
from typing import Any

import numpy as np
import numpy.typing as npt

FOLDERS = tuple("decide describe describe/posts model/features model/weights page render".split())


def uncompiled() -> list[str]:
    """The names of modules that were not compiled for this Python."""
    home = os.path.dirname(os.path.dirname(__file__))
    names = []
    for folder in FOLDERS:
        files = set(os.listdir(os.path.join(home, folder)))
        for file in sorted(files):
            module = file.removesuffix(".pxd")
            if module != file and files.isdisjoint(
                module + suffix for suffix in EXTENSION_SUFFIXES
            ):
                names.append(".".join(filter(None, ("tamis", *folder.split("/"), module))))
    return sorted(names)


def view(array: npt.NDArray[np.generic]) -> Any:
    """An array to be read number by number: of C types if compiled, else of plain integers.

    Uncompiled, numpy's own integers would be slow and would warn of sums that wrap around.
    """
    return array.data
