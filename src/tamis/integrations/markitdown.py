"""MarkItDown: a plugin that gives the content of HTML pages instead of everything on them.

MarkItDown finds it by its entry point: `markitdown --use-plugins page.html`, or
`MarkItDown(enable_plugins=True)`. Pass options of tamis as `tamis_options=tamis.Options(...)`.
"""

from __future__ import annotations

from typing import Any, BinaryIO

from markitdown import (
    PRIORITY_GENERIC_FILE_FORMAT,
    DocumentConverter,
    DocumentConverterResult,
    MarkItDown,
    StreamInfo,
)

from tamis.flow import extract, to_markdown
from tamis.options import Options

__plugin_interface_version__ = 1

_EXTENSIONS = (".html", ".htm", ".xhtml", ".shtml")
_TYPES = ("text/html", "application/xhtml")


def register_converters(markitdown: MarkItDown, **kwargs: Any) -> None:
    """Register the converter: it goes before that for HTML and after those for single sites."""
    options = kwargs.get("tamis_options") or Options(title=True)
    markitdown.register_converter(TamisConverter(options), priority=PRIORITY_GENERIC_FILE_FORMAT)


class TamisConverter(DocumentConverter):
    """Converts the content of a page, under its title."""

    def __init__(self, options: Options) -> None:
        self.options = options

    def accepts(self, file_stream: BinaryIO, stream_info: StreamInfo, **kwargs: Any) -> bool:
        """Whether the name or type says that it is HTML."""
        return (stream_info.extension or "").lower() in _EXTENSIONS or (
            stream_info.mimetype or ""
        ).lower().startswith(_TYPES)

    def convert(
        self, file_stream: BinaryIO, stream_info: StreamInfo, **kwargs: Any
    ) -> DocumentConverterResult:
        """The content, or the whole page if it has none.

        If tamis cannot read a page, MarkItDown tries its own converter after the `TamisError`.
        """
        body, url = file_stream.read(), stream_info.url
        # For an address, the server says the charset. For a file it is a guess; ours is better.
        charset = stream_info.charset if url else None
        content_type = f"text/html; charset={charset}" if charset else None
        result = extract(body, url=url, content_type=content_type, options=self.options)
        markdown = result.markdown or to_markdown(result.page, url=url, options=self.options)
        return DocumentConverterResult(markdown, title=result.metadata.title or None)
