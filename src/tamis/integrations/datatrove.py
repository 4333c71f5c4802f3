"""datatrove: an extractor for its pipelines, instead of that of trafilatura."""

from __future__ import annotations

from collections.abc import Generator, Iterable
from dataclasses import replace
from typing import Unpack

from datatrove.data import Document, DocumentsPipeline
from datatrove.pipeline.extractors.base import BaseExtractor
from datatrove.utils.typeshelper import StatHints

from tamis.errors import DeadlineError, TamisError
from tamis.flow import extract
from tamis.integrations._documents import Format, content_of, metadata_of
from tamis.options import OptionFields, Options, choose_options


class TamisExtractor(BaseExtractor):
    """Replaces the HTML of a document by the content of the page.

    Further keywords are those of `tamis.extract`. It reads a page in the process of its task and
    needs no other process: the limits hold inside the call, and every page gives either a text or
    an error. It counts errors by their kind, and drops and counts pages without content.
    """

    name = "🥣 tamis"

    def __init__(
        self,
        format: Format = "text",
        timeout: float = 10,
        metadata: bool = False,
        options: Options | None = None,
        **fields: Unpack[OptionFields],
    ) -> None:
        """Choose what to write.

        Args:
            format: what the text of a document becomes: "text", "markdown" or "html"
            timeout: longest time for a page, in seconds
            metadata: whether to add title, author, date, language and type to those of a document
            options: as `tamis.extract` has them
            **fields: single options
        """
        super().__init__(timeout)
        self.format: Format = format
        self.metadata = metadata
        self.options = replace(choose_options(options, fields), max_seconds=timeout)

    def extract(self, text: str) -> str:
        return content_of(extract(text, options=self.options), self.format)

    def run(self, data: DocumentsPipeline, rank: int = 0, world_size: int = 1) -> DocumentsPipeline:
        """Extract each document. If the reader knows its address, links become absolute."""
        return DocumentsPipeline(self._extract_each(data or ()))

    def _extract_each(self, documents: Iterable[Document]) -> Generator[Document, None, None]:
        for document in documents:
            self.stat_update(StatHints.total)
            with self.track_time():
                try:
                    self._fill(document)
                except DeadlineError:
                    self.stat_update("timeout")
                    continue
                except TamisError as error:
                    self.stat_update("clean_error", f"clean_error: {type(error).__name__}")
                    continue
                self.stat_update("extracted")
            if document.text:
                self.stat_update(StatHints.forwarded)
                self.update_doc_stats(document)
                yield document
            else:
                self.stat_update(StatHints.dropped)

    def _fill(self, document: Document) -> None:
        url = document.metadata.get("url")
        result = extract(document.text, url=url, options=self.options)
        document.text = content_of(result, self.format)
        if self.metadata:
            document.metadata |= metadata_of(result)
