"""Columns as a table of pandas or polars, neither of which tamis needs."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from importlib.util import find_spec
from typing import Any

from tamis.errors import InputError


def frame(columns: Mapping[str, Any]) -> Any:
    """A `pandas.DataFrame`, or a `polars.DataFrame` where there is no pandas."""
    for library in ("pandas", "polars"):
        if find_spec(library):
            return import_module(library).DataFrame(dict(columns))
    raise InputError("to_frame needs pandas or polars: pip install 'tamis[pandas]'")
