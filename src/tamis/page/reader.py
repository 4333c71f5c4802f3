"""From whatever the caller has to the page table: what bytes are, unpack, decode, scan."""

from __future__ import annotations

import re
import warnings
from dataclasses import dataclass

from tamis._runtime import limits
from tamis._runtime.compiled import list_uncompiled
from tamis._runtime.storage import GZIP, ZSTD, unpack, unpack_brotli
from tamis.errors import InputError, NotHtmlError, TooLargeError
from tamis.page.encoding import decode, find_utf16
from tamis.page.scan.scanner import scan
from tamis.page.table import Blocks, Nodes, Page, Texts

# Offsets in the table are 32-bit integers.
_LARGEST = 2**31 - 1

if _uncompiled := list_uncompiled():
    warnings.warn(
        f"tamis runs uncompiled, up to 100 times slower ({', '.join(_uncompiled)}): install it"
        " again where there is a C compiler",
        RuntimeWarning,
        stacklevel=2,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class PageLimits:
    """How large a page may be and how long it may take.

    The 6,447 pages of our data sets need at most 5.3 MB, 15,797 elements and depth 137.
    """

    max_bytes: int = 64 * 1024 * 1024
    """Largest page, in bytes."""

    max_nodes: int = 1_000_000
    """Most elements in a page."""

    max_depth: int = 2_000
    """Deepest nesting of elements."""

    max_seconds: float = 60.0
    """Longest time for the extraction of a page, and for each view of its result."""


_USUAL = PageLimits()


def parse(
    page: str | bytes, page_limits: PageLimits = _USUAL, *, content_type: str | None = None
) -> Page:
    """Read a page into its table, see `tamis.parse`."""
    with limits.within(page_limits.max_seconds):
        most = min(page_limits.max_bytes, _LARGEST)
        _check_size(page, most)
        if isinstance(page, bytes) and (kind := find_kind(page)):
            page = _unpack_page(page, kind, most)
            _check_size(page, most)
        decoded = decode(page, content_type)
        _check_size(decoded.source, most)
        nodes, texts, blocks, attributes, names = scan(
            decoded.source, page_limits.max_nodes, page_limits.max_depth, limits.end()
        )
    return Page(
        decoded.source,
        decoded.encoding,
        Nodes(*nodes),
        Texts(*texts),
        Blocks(*blocks),
        attributes,
        names,
    )


def _unpack_page(body: bytes, kind: str, most: int) -> bytes:
    """The page in a packed body; a `NotHtmlError` if there is none."""
    seems = kind
    if kind in PACKED:
        try:
            page = unpack(body, kind, most)
        except ValueError as error:
            raise NotHtmlError(
                f"the page seems to be packed with {kind}, but {error}; fetch or save it again"
            ) from error
        if (inside := find_kind(page)) is None:
            return page
        seems = f"{inside}, packed with {kind}"
    elif kind == BINARY:
        try:
            page, whole = unpack_brotli(body, most)
            if (whole or len(page) > most) and b"<" in page and find_kind(page) is None:
                return page
        except ValueError:
            pass
        except InputError as error:
            seems = f"{kind} (or brotli: {error})"
    raise NotHtmlError(f"the page is not HTML (it looks like {seems}); pass an HTML page")


def _check_size(page: object, limit: int) -> None:
    size = len(page) if isinstance(page, str | bytes | bytearray | memoryview) else 0
    if size > limit:
        raise TooLargeError(
            f"the page has {size} bytes, the limit is {limit}; raise Options.max_bytes to read it"
        )


# What bytes are, when neither a name nor a header says it

_HEAD = 4096
# The tags by which the MIME Sniffing standard knows HTML, in place of its end of a tag any
# character that ends a name, and some more that fragments of pages begin with.
_HTML = re.compile(
    rb"(?:\xef\xbb\xbf)?\s*(?:<\?xml[^>]*>\s*)?(?:<!--(?s:(?!-->).)*-->\s*)*<(?:!doctype\s+html|(?:"
    rb"html|head|body|title|meta|link|script|style|iframe|div|span|section|article|main|header|nav|table|"
    rb"font|center|form|ul|ol|h[1-6]|img|br|p|a|b)(?=[\s/>]))",
    re.IGNORECASE,
)
_HTML_SOON = re.compile(rb"<(?:!doctype\s+html|html)[\s>]", re.IGNORECASE)

# How nearly every page begins, in UTF-16 too, or with a byte order mark.
_MARKUP = re.compile(rb"\xff\xfe|\xfe\xff|\xef\xbb\xbf|[\s\0]{0,4096}<\0?[!?/a-zA-Z]")

_GZIP, _ZSTD = "gzip", "zstd"
PACKED = (_GZIP, _ZSTD)
"""Kinds that are unpacked, by the names that HTTP has for them."""
BINARY = "binary data"

_KINDS = {
    _GZIP: re.escape(GZIP),
    _ZSTD: re.escape(ZSTD),
    "a PDF document": rb"\s{0,16}%PDF-",
    "a PostScript document": rb"%!PS",
    "an RTF document": rb"\{\\rtf1",
    "a document of an old Microsoft Office": rb"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1",
    "an EPUB book": rb"PK\x03\x04.{26}mimetypeapplication/epub\+zip",
    "an OpenDocument file": rb"PK\x03\x04.{26}mimetypeapplication/vnd\.oasis",
    "a zip archive, or an Office document": rb"PK(?:\x03\x04|\x05\x06|\x07\x08)",
    "a PNG image": rb"\x89PNG",
    "a GIF image": rb"GIF8[79]a",
    "a JPEG image": rb"\xff\xd8\xff",
    "a WebP image": rb"RIFF.{4}WEBP",
    "a BMP image": rb"BM.{4}\0\0\0\0",
    "a TIFF image": rb"II\*\0|MM\0\*",
    "an icon": rb"\0\0[\x01\x02]\0.\0",
    "a video or image in MP4": rb"\0\0\0.ftyp",
    "a Matroska or WebM video": rb"\x1a\x45\xdf\xa3",
    "an AVI video": rb"RIFF.{4}AVI ",
    "WAV audio": rb"RIFF.{4}WAVE",
    "MP3 audio": rb"ID3[\x02-\x04]\0|\xff[\xfb\xf3\xf2]",
    "Ogg audio or video": rb"OggS\0",
    "FLAC audio": rb"fLaC\0",
    "a font": rb"wOF[F2]|OTTO\0|\0\x01\0\0\0",
    "an ELF program": rb"\x7fELF",
    "a Windows program": rb"MZ.\0",
    "a Mach-O program": rb"\xcf\xfa\xed\xfe|\xce\xfa\xed\xfe",
    "Java code, or a Mach-O program": rb"\xca\xfe\xba\xbe",
    "WebAssembly": rb"\0asm",
    "a bzip2 archive": rb"BZh[1-9]1AY&SY",
    "an xz archive": rb"\xfd7zXZ\0",
    "a 7z archive": rb"7z\xbc\xaf\x27\x1c",
    "a RAR archive": rb"Rar!\x1a\x07",
    "a tar archive": rb".{257}ustar(?:\0|  \0)",
    "an SQLite database": rb"SQLite format 3\0",
    "a Parquet file": rb"PAR1",
    "a NumPy array": rb"\x93NUMPY",
    "a WARC file, which `tamis corpus` reads": rb"WARC/[01]\.\d\d?\r\n",
}
_NAMES = tuple(_KINDS)
_BEGINS = re.compile(b"|".join(b"(%b)" % pattern for pattern in _KINDS.values()), re.DOTALL)

# The bytes that text does not have, as in the MIME Sniffing standard. Random bytes have 10% of
# them, and so has what is packed.
_CONTROLS = bytes([*range(9), 11, *range(14, 27), *range(28, 32)])
_CONTROL_SHARE = 0.04


def is_html(body: bytes) -> bool:
    """Whether bytes of no certain type are a page."""
    head = body[:_HEAD].replace(b"\0", b"")  # of UTF-16, the ASCII letters
    return bool(_HTML.match(head) or _HTML_SOON.search(head))


def find_kind(body: bytes) -> str | None:
    """Name, with its article, the kind of file that a body looks like; None if it may be a page."""
    if _MARKUP.match(body):
        return None
    if begin := _BEGINS.match(body):
        assert begin.lastindex
        return _NAMES[begin.lastindex - 1]
    head = body[:_HEAD]
    controls = len(head) - len(head.translate(None, _CONTROLS))
    if controls <= _CONTROL_SHARE * len(head) or find_utf16(head) or is_html(head):
        return None
    return BINARY
