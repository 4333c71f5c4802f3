"""Packages that only some parts of tamis need: those of the extras of `pip install`."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from importlib.util import find_spec
from typing import Any

from tamis.errors import InputError


def import_library(module: str, purpose: str, extra: str = "corpus") -> Any:
    """A module of an extra; an `InputError` if it is not installed, `purpose` says who needs it."""
    try:
        return import_module(module)
    except ImportError as error:
        raise _make_missing_error(module, purpose, extra) from error


def check_installed(module: str, purpose: str, extra: str = "corpus") -> None:
    if find_spec(module) is None:
        raise _make_missing_error(module, purpose, extra)


def _make_missing_error(module: str, purpose: str, extra: str) -> InputError:
    package = module.partition(".")[0]
    return InputError(f"{purpose} needs {package}: pip install 'tamis[{extra}]'")


def make_frame(columns: Mapping[str, Any]) -> Any:
    """A `pandas.DataFrame`, or a `polars.DataFrame` if pandas is not installed."""
    for library in ("pandas", "polars"):
        if find_spec(library):
            return import_module(library).DataFrame(dict(columns))
    raise InputError("to_frame needs pandas or polars: pip install 'tamis[pandas]'")
