"""Documents for all frameworks: content, and metadata as flat dictionaries of plain values.

Vector stores refuse lists and dictionaries as metadata, so headings and authors are text.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, get_args

from tamis.errors import OptionsError
from tamis.flow import extract
from tamis.options import Options
from tamis.render.chunks import Chunk
from tamis.render.chunks.pieces import shorten
from tamis.result import Result
from tamis.web.download import FetchLimits
from tamis.web.fetch import extract_url

Format = Literal["markdown", "text", "html"]
"""What the content of a document can be."""

PLACE = ("start", "end", "xpath", "tokens")
"""Metadata of chunks that say nothing about their content."""

# Most letters of a value that is repeated in every chunk of a page.
_LONGEST = 1_000


def content_of(result: Result, format: Format) -> str:
    view: str = getattr(result, format)
    return view


def metadata_of(result: Result) -> dict[str, str]:
    """The metadata of a page, without unknown values."""
    known = result.metadata
    values = {
        "title": known.title,
        "author": known.author,
        "date": known.date,
        "language": known.language,
        "site_name": known.site_name,
        "description": known.description,
        "page_type": result.page_type,
        "url": result.url or known.canonical,
    }
    return {name: value for name, value in values.items() if value}


def repeated_metadata(result: Result) -> dict[str, str]:
    """The metadata of a page as each of its chunks repeats it: without long values."""
    return {name: shorten(value, _LONGEST) for name, value in metadata_of(result).items()}


def chunk_metadata(chunk: Chunk) -> dict[str, str | int]:
    """The headings of a chunk, and its place in the source of the page in bytes."""
    return {
        "headings": " > ".join(chunk.headings),
        "start": chunk.start,
        "end": chunk.end,
        "xpath": chunk.xpath,
        "tokens": chunk.tokens,
    }


@dataclass(frozen=True, slots=True)
class DocumentMaker:
    """Turns pages into documents: whole pages, or chunks of at most `max_tokens`."""

    format: Format
    max_tokens: int | None
    overlap: int
    options: Options

    def __post_init__(self) -> None:
        if self.format not in get_args(Format):
            raise OptionsError(
                f"format is {self.format!r}; give one of {', '.join(get_args(Format))}"
            )
        if self.max_tokens is not None and self.format != "markdown":
            raise OptionsError("max_tokens cuts Markdown; leave out max_tokens or format")

    def make_documents(self, result: Result) -> Iterator[tuple[str, dict[str, str | int]]]:
        """The content and metadata of each document of a page; none if it has no content."""
        if self.max_tokens is not None:
            known: dict[str, str | int] = {**repeated_metadata(result)}
            for chunk in result.chunks(self.max_tokens, self.overlap):
                yield chunk.text, known | chunk_metadata(chunk)
        elif content := content_of(result, self.format):
            yield content, {**metadata_of(result)}

    def read_page(self, source: str, limits: FetchLimits | None = None) -> Result:
        if is_address(source):
            return extract_url(source, limits=limits, options=self.options)
        return extract(Path(source), options=self.options)


def is_address(source: str) -> bool:
    return source.lower().startswith(("http://", "https://"))
