"""tamis keeps what a web page is about and drops the rest."""

from tamis.errors import TamisError
from tamis.extract import extract
from tamis.many import extract_many
from tamis.methods._registry import names as methods
from tamis.options import Options
from tamis.page.read import parse
from tamis.page.table import Page
from tamis.result import Result

__version__ = "0.1.0"

__all__ = [
    "Options",
    "Page",
    "Result",
    "TamisError",
    "extract",
    "extract_many",
    "methods",
    "parse",
]
