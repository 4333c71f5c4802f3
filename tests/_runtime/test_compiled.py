"""Modules that were not compiled are named, so that nobody wonders why tamis is slow."""

from __future__ import annotations

import importlib
from pathlib import Path

import numpy as np
import pytest

from tamis._runtime import compiled
from tamis.page import reader
from tamis.page.scan import scanner


def test_every_module_that_was_not_compiled_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compiled, "EXTENSION_SUFFIXES", [])
    home = Path(compiled.__file__).parents[1]
    typed = (path.relative_to(home.parent).with_suffix("") for path in home.rglob("*.pxd"))
    assert compiled.list_uncompiled() == sorted(".".join(path.parts) for path in typed)


def test_a_compiled_module_is_not_named() -> None:
    assert ("tamis.page.scan.scanner" in compiled.list_uncompiled()) is not scanner.COMPILED


def test_one_warning_names_all(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compiled, "EXTENSION_SUFFIXES", [])
    with pytest.warns(RuntimeWarning, match=r"uncompiled.*page\.scan\.lexer.*render") as caught:
        importlib.reload(reader)
    assert len(caught) == 1


def test_numbers_of_a_view_do_not_wrap_around() -> None:
    (largest,) = compiled.view_numbers(np.array([2**64 - 1], np.uint64))
    assert largest + 1 == 2**64
