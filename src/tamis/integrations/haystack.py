"""Haystack: a converter component from HTML to documents, in the place of `HTMLToDocument`."""

from __future__ import annotations

import logging
from pathlib import Path
from typing import Any

from haystack import Document, component, default_from_dict, default_to_dict
from haystack.components.converters.utils import get_bytestream_from_source, normalize_metadata
from haystack.dataclasses import ByteStream

from tamis.errors import TamisError
from tamis.flow import extract
from tamis.integrations._documents import DocumentMaker, Format, is_address
from tamis.method_choices import check_name
from tamis.options import choose_options

_LOG = logging.getLogger(__name__)


@component
class TamisToDocument:
    """Converts pages to documents: whole pages, or with `max_tokens` chunks of their Markdown.

    Like all converters of Haystack, it logs and leaves out pages that it cannot read. It leaves out
    pages without content, too.
    """

    def __init__(
        self,
        format: Format = "markdown",
        max_tokens: int | None = None,
        overlap: int = 0,
        options: dict[str, Any] | None = None,
        store_full_path: bool = False,
    ) -> None:
        """Choose what to make.

        :param format: What the content of a document is: "markdown", "text" or "html".
        :param max_tokens: Most tokens of a document; None for one document per page.
        :param overlap: How many tokens a chunk may repeat of the one before.
        :param options: Options of `tamis.extract`, by their names.
        :param store_full_path: Whether `file_path` is the whole path of a file, or its name alone.
        """
        self.format: Format = format
        self.max_tokens = max_tokens
        self.overlap = overlap
        self.options = options or {}
        check_name(self.options.get("method"))  # a stored pipeline must not name code to run
        self.store_full_path = store_full_path
        chosen = choose_options(None, self.options)
        self._maker = DocumentMaker(format, max_tokens, overlap, chosen)

    def to_dict(self) -> dict[str, Any]:
        written: dict[str, Any] = default_to_dict(
            self,
            format=self.format,
            max_tokens=self.max_tokens,
            overlap=self.overlap,
            options=self.options,
            store_full_path=self.store_full_path,
        )
        return written

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> TamisToDocument:
        made: TamisToDocument = default_from_dict(cls, data)
        return made

    @component.output_types(documents=list[Document])
    def run(
        self,
        sources: list[str | Path | ByteStream],
        meta: dict[str, Any] | list[dict[str, Any]] | None = None,
    ) -> dict[str, list[Document]]:
        """Convert files and streams of bytes, such as `LinkContentFetcher` gives.

        :param sources: Paths of files, or `ByteStream`s; their `url` makes links absolute.
        :param meta: Metadata for all documents, or a list of them, one for each source.
        :returns: `documents`. Metadata of a source and of `meta` override those of the page.
        """
        documents: list[Document] = []
        for source, given in zip(sources, normalize_metadata(meta, len(sources)), strict=True):
            try:
                stream = get_bytestream_from_source(source)
            except (OSError, ValueError) as error:
                _LOG.warning("%s: cannot be read and is left out: %s", source, error)
                continue
            own = {**stream.meta, **given}
            if not self.store_full_path and own.get("file_path"):
                own["file_path"] = Path(own["file_path"]).name
            try:
                documents += self._make_documents(stream, own)
            except TamisError as error:
                name = own.get("url") or own.get("file_path") or "a page"
                _LOG.warning("%s: is left out: %s", name, error)
        return {"documents": documents}

    def _make_documents(self, stream: ByteStream, own: dict[str, Any]) -> list[Document]:
        url = str(own.get("url") or "")
        result = extract(
            stream.data, url=url if is_address(url) else None, options=self._maker.options
        )
        return [
            Document(content=content, meta={**metadata, **own})
            for content, metadata in self._maker.make_documents(result)
        ]
