"""Which modules run uncompiled though they have C types beside them, in a .pxd file."""

from __future__ import annotations

import os
from importlib.machinery import EXTENSION_SUFFIXES

FOLDERS = ("describe", "model/features", "model/weights", "page", "render")


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
                names.append(f"tamis.{folder.replace('/', '.')}.{module}")
    return names
