"""What compiled modules share, and which of them run uncompiled."""

from __future__ import annotations

import os
from collections.abc import Callable
from importlib.machinery import EXTENSION_SUFFIXES
from operator import attrgetter
from typing import Any

import numpy as np
import numpy.typing as npt

# The packages with compiled modules, in whatever folder of them.
_PACKAGES = ("decide", "describe", "model", "page", "render")


def list_uncompiled() -> list[str]:
    """The names of modules that were not compiled for this Python."""
    home = os.path.dirname(os.path.dirname(os.path.dirname(__file__)))
    names = []
    for package in _PACKAGES:
        for folder, _, files in os.walk(os.path.join(home, "tamis", package)):
            for file in files:
                module = file.removesuffix(".pxd")
                if module != file and not any(module + end in files for end in EXTENSION_SUFFIXES):
                    path = os.path.relpath(os.path.join(folder, module), home)
                    names.append(path.replace(os.sep, "."))
    return sorted(names)


view_numbers: Callable[[npt.NDArray[np.generic]], Any] = attrgetter("data")
"""An array to be read number by number: of C types if compiled, else of plain integers.

Uncompiled, numpy's own integers would be slow and would warn of sums that wrap around.
"""
