"""tamis keeps what a web page is about and drops the rest."""

from typing import TYPE_CHECKING as _TYPE_CHECKING

from tamis import cloud as _package  # first, or it would take the name of the function below
from tamis.errors import TamisError
from tamis.flow import extract
from tamis.many import extract_many
from tamis.methods._registry import names as methods
from tamis.options import Options
from tamis.page.read import parse
from tamis.page.table import Page
from tamis.result import Result, cloud

if _TYPE_CHECKING:
    from tamis.site.model import Site

del _package
__version__ = "0.1.0"

__all__ = [
    "Options",
    "Page",
    "Result",
    "Site",
    "TamisError",
    "cloud",
    "extract",
    "extract_many",
    "methods",
    "parse",
]


def __getattr__(name: str) -> object:
    # Not everybody needs it, and it takes a third of the time of the import.
    if name == "Site":
        from tamis.site.model import Site

        return Site
    raise AttributeError(f"module 'tamis' has no attribute {name!r}")
