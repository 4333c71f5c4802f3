"""tamis keeps what a web page is about and drops the rest."""

from typing import TYPE_CHECKING as _TYPE_CHECKING

from tamis._runtime.version import __version__ as __version__
from tamis.decide.decision import Decision
from tamis.errors import (
    CrashError,
    DatasetError,
    DeadlineError,
    FetchError,
    InputError,
    LabelConflictError,
    LimitError,
    MethodError,
    NotHtmlError,
    NotInProjectError,
    NotNowError,
    OptionsError,
    OutputError,
    ProjectBusyError,
    ProjectError,
    ProjectFullError,
    TamisError,
    TooDeepError,
    TooLargeError,
    TooManyNodesError,
    TooMuchOutputError,
    WeightsError,
)
from tamis.flow import extract, parse, to_markdown
from tamis.inputs import Fetched
from tamis.many import extract_many
from tamis.methods._base import Method
from tamis.methods._registry import names as list_methods
from tamis.options import Options
from tamis.page.table import Page
from tamis.result import Result, word_cloud

if _TYPE_CHECKING:
    from tamis.corpus.run import CorpusReport, extract_corpus
    from tamis.describe.blocks import Block
    from tamis.describe.metadata.products import Product
    from tamis.describe.metadata.record import Metadata
    from tamis.render.chunks import Chunk
    from tamis.render.posts import Post
    from tamis.site.model import Site
    from tamis.web.download import FetchLimits
    from tamis.web.fetch import extract_url, extract_url_async, fetch, fetch_async

__all__ = [
    "Block",
    "Chunk",
    "CorpusReport",
    "CrashError",
    "DatasetError",
    "DeadlineError",
    "Decision",
    "FetchError",
    "FetchLimits",
    "Fetched",
    "InputError",
    "LabelConflictError",
    "LimitError",
    "Metadata",
    "Method",
    "MethodError",
    "NotHtmlError",
    "NotInProjectError",
    "NotNowError",
    "Options",
    "OptionsError",
    "OutputError",
    "Page",
    "Post",
    "Product",
    "ProjectBusyError",
    "ProjectError",
    "ProjectFullError",
    "Result",
    "Site",
    "TamisError",
    "TooDeepError",
    "TooLargeError",
    "TooManyNodesError",
    "TooMuchOutputError",
    "WeightsError",
    "extract",
    "extract_corpus",
    "extract_many",
    "extract_url",
    "extract_url_async",
    "fetch",
    "fetch_async",
    "list_methods",
    "parse",
    "to_markdown",
    "word_cloud",
]

# Not everybody needs these, and they take longer to import than all the others.
_WHEN_ASKED_FOR = {
    "Block": "tamis.describe.blocks",
    "Chunk": "tamis.render.chunks",
    "CorpusReport": "tamis.corpus.run",
    "FetchLimits": "tamis.web.download",
    "Metadata": "tamis.describe.metadata.record",
    "Post": "tamis.render.posts",
    "Product": "tamis.describe.metadata.products",
    "Site": "tamis.site.model",
    "extract_corpus": "tamis.corpus.run",
    "extract_url": "tamis.web.fetch",
    "extract_url_async": "tamis.web.fetch",
    "fetch": "tamis.web.fetch",
    "fetch_async": "tamis.web.fetch",
}


def __getattr__(name: str) -> object:
    if name in _WHEN_ASKED_FOR:
        from importlib import import_module

        return getattr(import_module(_WHEN_ASKED_FOR[name]), name)
    raise AttributeError(f"module 'tamis' has no attribute {name!r}")


def __dir__() -> list[str]:
    return [*__all__, "__version__"]
