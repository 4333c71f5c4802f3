"""LangChain: a loader, a blob parser and a document transformer.

Documents are whole pages, or with `max_tokens` chunks of their Markdown, cut where a reader would
cut. The metadata of a chunk have its headings and its place in the source. A page without content
gives no document.
"""

from __future__ import annotations

import logging
import os
from collections.abc import Iterator, Sequence
from typing import Any, Unpack

from langchain_core.document_loaders import BaseBlobParser, BaseLoader
from langchain_core.documents import BaseDocumentTransformer, Document
from langchain_core.documents.base import Blob

from tamis.errors import TamisError
from tamis.flow import extract
from tamis.integrations._documents import DocumentMaker, Format, is_address
from tamis.options import OptionFields, Options, choose_options
from tamis.result import Result
from tamis.web.download import FetchLimits

_LOG = logging.getLogger(__name__)


class TamisLoader(BaseLoader):
    """Loads pages from addresses and files.

    It reads addresses as `tamis.fetch` does, and only public ones unless `limits` allow others. A
    page that cannot be read is an error, or is logged with `continue_on_failure=True`. Further
    keywords are those of `tamis.extract`.
    """

    def __init__(
        self,
        sources: str | os.PathLike[str] | Sequence[str | os.PathLike[str]],
        *,
        format: Format = "markdown",
        max_tokens: int | None = None,
        overlap: int = 0,
        limits: FetchLimits | None = None,
        continue_on_failure: bool = False,
        options: Options | None = None,
        **fields: Unpack[OptionFields],
    ) -> None:
        several = [sources] if isinstance(sources, str | os.PathLike) else sources
        self.sources = [os.fspath(source) for source in several]
        self.limits = limits
        self.continue_on_failure = continue_on_failure
        self._maker = DocumentMaker(format, max_tokens, overlap, choose_options(options, fields))

    def lazy_load(self) -> Iterator[Document]:
        """Load one page after the other."""
        for source in self.sources:
            try:
                result = self._maker.read_page(source, self.limits)
                made = [
                    Document(content, metadata={"source": source, **metadata})
                    for content, metadata in self._maker.make_documents(result)
                ]
            except TamisError as error:
                if not self.continue_on_failure:
                    raise
                _LOG.warning("%s: left out: %s", source, error)
                continue
            yield from made


class _FromHtml:
    def __init__(
        self,
        *,
        format: Format = "markdown",
        max_tokens: int | None = None,
        overlap: int = 0,
        options: Options | None = None,
        **fields: Unpack[OptionFields],
    ) -> None:
        self._maker = DocumentMaker(format, max_tokens, overlap, choose_options(options, fields))


class TamisParser(_FromHtml, BaseBlobParser):
    """Parses blobs that are HTML, in any encoding. Keywords are those of `TamisLoader`."""

    def lazy_parse(self, blob: Blob) -> Iterator[Document]:
        """Parse a blob; its own metadata override those of the page."""
        url = blob.source if blob.source and is_address(blob.source) else None
        page = blob.data if isinstance(blob.data, str) else blob.as_bytes()
        result = extract(page, url=url, options=self._maker.options)
        own = {"source": blob.source} if blob.source else {}
        for content, metadata in self._maker.make_documents(result):
            yield Document(content, metadata={**metadata, **own, **blob.metadata})


class TamisTransformer(_FromHtml, BaseDocumentTransformer):
    """Turns documents that are HTML into their content. Keywords are those of `TamisLoader`."""

    def transform_documents(
        self, documents: Sequence[Document], **kwargs: Any
    ) -> Sequence[Document]:
        """Transform all; the metadata of a document override those of the page."""
        whole = self._maker.max_tokens is None
        return [
            Document(
                content,
                metadata={**metadata, **document.metadata},
                id=document.id if whole else None,
            )
            for document in documents
            for content, metadata in self._maker.make_documents(self._extract(document))
        ]

    def _extract(self, document: Document) -> Result:
        source = str(document.metadata.get("source") or document.metadata.get("url") or "")
        url = source if is_address(source) else None
        return extract(document.page_content, url=url, options=self._maker.options)
