"""LangChain: a loader, a blob parser and a document transformer.

Documents are whole pages, or with `max_tokens` chunks of their Markdown, cut where a reader would
cut, with the path of headings and the place in the source in their metadata. A page without content
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

from tamis.download import FetchLimits
from tamis.errors import TamisError
from tamis.flow import extract
from tamis.integrations._documents import Format, is_address, maker
from tamis.options import OptionFields, Options
from tamis.result import Result

_LOG = logging.getLogger(__name__)


class TamisLoader(BaseLoader):
    """Loads pages from addresses and files.

    Addresses are read as `tamis.fetch` does, public ones only unless `limits` say otherwise. What
    cannot be read is raised, or logged with `continue_on_failure=True`. Further keywords are those
    of `tamis.extract`.
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
        self._maker = maker(format, max_tokens, overlap, options, fields)

    def lazy_load(self) -> Iterator[Document]:
        """Load page after page."""
        for source in self.sources:
            try:
                result = self._maker.page(source, self.limits)
                made = [
                    Document(content, metadata={"source": source, **metadata})
                    for content, metadata in self._maker.made(result)
                ]
            except TamisError as error:
                if not self.continue_on_failure:
                    raise
                _LOG.warning("%s: left out: %s", source, error)
                continue
            yield from made


class _FromHtml:
    """Knows what to make of a page."""

    def __init__(
        self,
        *,
        format: Format = "markdown",
        max_tokens: int | None = None,
        overlap: int = 0,
        options: Options | None = None,
        **fields: Unpack[OptionFields],
    ) -> None:
        self._maker = maker(format, max_tokens, overlap, options, fields)


class TamisParser(_FromHtml, BaseBlobParser):
    """Parses blobs that are HTML, in any encoding. Keywords are those of `TamisLoader`."""

    def lazy_parse(self, blob: Blob) -> Iterator[Document]:
        """Parse a blob; its own metadata come first."""
        url = blob.source if blob.source and is_address(blob.source) else None
        page = blob.data if isinstance(blob.data, str) else blob.as_bytes()
        result = extract(page, url=url, options=self._maker.options)
        own = {"source": blob.source} if blob.source else {}
        for content, metadata in self._maker.made(result):
            yield Document(content, metadata={**metadata, **own, **blob.metadata})


class TamisTransformer(_FromHtml, BaseDocumentTransformer):
    """Turns documents that are HTML into their content. Keywords are those of `TamisLoader`."""

    def transform_documents(
        self, documents: Sequence[Document], **kwargs: Any
    ) -> Sequence[Document]:
        """Transform all; the metadata of a document stay, and come before what the page says."""
        whole = self._maker.max_tokens is None
        return [
            Document(
                content,
                metadata={**metadata, **document.metadata},
                id=document.id if whole else None,
            )
            for document in documents
            for content, metadata in self._maker.made(self._result(document))
        ]

    def _result(self, document: Document) -> Result:
        source = str(document.metadata.get("source") or document.metadata.get("url") or "")
        url = source if is_address(source) else None
        return extract(document.page_content, url=url, options=self._maker.options)
