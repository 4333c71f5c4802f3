"""The one loader of modules from their source, where compiled ones are installed."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Sequence
from importlib.abc import MetaPathFinder
from importlib.machinery import FileFinder, ModuleSpec, SourceFileLoader
from pathlib import Path
from types import ModuleType

import pytest

import tamis

_HOME = str(Path(tamis.__file__).parents[1])


class _SourceFinder(MetaPathFinder):
    def find_spec(
        self, name: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        if name.split(".")[0] != "tamis":
            return None
        return FileFinder((path or [_HOME])[0], (SourceFileLoader, [".py"])).find_spec(name)


def from_source(*names: str) -> list[ModuleType]:
    """Modules of a second tamis, all from source, as on a machine without compiler and Cython."""
    with pytest.MonkeyPatch.context() as patch:
        for name in [name for name in sys.modules if name.split(".")[0] == "tamis"]:
            patch.delitem(sys.modules, name)
        for name in ("cython", "Cython"):
            patch.setitem(sys.modules, name, None)
        patch.setattr(sys, "meta_path", [_SourceFinder(), *sys.meta_path])
        try:
            modules = [importlib.import_module(f"tamis.{name}") for name in names]
        finally:
            for name in [name for name in sys.modules if name.split(".")[0] == "tamis"]:
                del sys.modules[name]
    assert not any(getattr(module, "COMPILED", False) for module in modules)
    return modules
