"""What the documents of all frameworks carry: flat dictionaries of plain values.

Stores of vectors refuse lists and dictionaries as metadata, so headings and authors are text.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, get_args

from tamis.download import FetchLimits
from tamis.errors import OptionsError
from tamis.flow import extract
from tamis.options import Options, choose_options
from tamis.render.chunks import Chunk
from tamis.render.pieces import shorten
from tamis.result import Result
from tamis.web import extract_url

Format = Literal["markdown", "text", "html"]
"""What the content of a document can be."""

PLACE = ("start", "end", "xpath", "tokens")
"""Metadata of chunks that say nothing about what is in them."""

# Letters of a value that every chunk of a page has: the chunks grow with the page, not its square.
_LONGEST = 1_000


def content_of(result: Result, format: Format) -> str:
    """The content in a format."""
    view: str = getattr(result, format)
    return view


def metadata_of(result: Result) -> dict[str, str]:
    """What is known about a page; what is not is left out."""
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
    """What is known about a page, as each of its chunks has it: no long values."""
    return {name: shorten(value, _LONGEST) for name, value in metadata_of(result).items()}


def chunk_metadata(chunk: Chunk) -> dict[str, str | int]:
    """Where a chunk stands: its headings, and its place in the source of the page, in bytes."""
    return {
        "headings": " > ".join(chunk.headings),
        "start": chunk.start,
        "end": chunk.end,
        "xpath": chunk.xpath,
        "tokens": chunk.tokens,
    }


@dataclass(frozen=True, slots=True)
class DocumentMaker:
    """How pages become documents: whole ones, or chunks of at most `max_tokens`."""

    format: Format
    max_tokens: int | None
    overlap: int
    options: Options

    def made(self, result: Result) -> Iterator[tuple[str, dict[str, str | int]]]:
        """The documents of a page, content and metadata; none if it has no content."""
        if self.max_tokens is not None:
            known: dict[str, str | int] = {**repeated_metadata(result)}
            for chunk in result.chunks(self.max_tokens, self.overlap):
                yield chunk.text, known | chunk_metadata(chunk)
        elif content := content_of(result, self.format):
            yield content, {**metadata_of(result)}

    def page(self, source: str, limits: FetchLimits | None = None) -> Result:
        """The page at an address or in a file."""
        if is_address(source):
            return extract_url(source, limits=limits, options=self.options)
        return extract(Path(source), options=self.options)


def maker(
    format: Format,
    max_tokens: int | None,
    overlap: int,
    options: Options | None,
    fields: Mapping[str, Any],
) -> DocumentMaker:
    """What the adapters make of their arguments; an `OptionsError` if these are wrong."""
    if format not in get_args(Format):
        raise OptionsError(f"format is {format!r}; give one of {', '.join(get_args(Format))}")
    if max_tokens is not None and format != "markdown":
        raise OptionsError("max_tokens cuts Markdown; leave it out, or format")
    return DocumentMaker(format, max_tokens, overlap, choose_options(options, fields))


def is_address(source: str) -> bool:
    """Whether a source is an address of the web."""
    return source.lower().startswith(("http://", "https://"))
