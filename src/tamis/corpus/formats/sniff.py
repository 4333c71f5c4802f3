"""What bytes are, when neither a name nor a header says it."""

from __future__ import annotations

import re

from tamis.corpus.formats.files import HEAD_BYTES

# The tags by which the MIME Sniffing standard knows HTML, in place of its end of a tag any
# character that ends a name, and some more that fragments of pages begin with.
_HTML = re.compile(
    rb"(?:\xef\xbb\xbf)?\s*+(?:<\?xml[^>]*+>\s*+)?(?:<!--(?s:.*?)-->\s*+)*+<(?:!doctype\s+html|(?:html|"
    rb"head|body|title|meta|link|script|style|iframe|div|span|section|article|main|header|nav|table|"
    rb"font|center|form|ul|ol|h[1-6]|img|br|p|a|b)(?=[\s/>]))",
    re.IGNORECASE,
)
_HTML_SOON = re.compile(rb"<(?:!doctype\s+html|html)[\s>]", re.IGNORECASE)
_BINARY = {
    b"%PDF-": "application/pdf",
    b"\x89PNG": "image/png",
    b"GIF8": "image/gif",
    b"\xff\xd8\xff": "image/jpeg",
    b"PK\3\4": "application/zip",
    b"\x1f\x8b": "application/gzip",
}


def is_html(body: bytes) -> bool:
    """Whether bytes of no certain type are a page."""
    head = body[:HEAD_BYTES].replace(b"\0", b"")  # of UTF-16, the ASCII letters
    return bool(_HTML.match(head) or _HTML_SOON.search(head))


def binary_type(body: bytes) -> str | None:
    """The type of a body that is no text, whatever its header says."""
    return next((kind for magic, kind in _BINARY.items() if body.startswith(magic)), None)
