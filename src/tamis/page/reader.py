"""From whatever the caller has to the page table: decode, scan."""

from __future__ import annotations

import warnings
from dataclasses import dataclass

from tamis._runtime import limits
from tamis._runtime.compiled import list_uncompiled
from tamis._runtime.storage import unpack, unpack_brotli
from tamis.errors import InputError, NotHtmlError, TooLargeError
from tamis.page.decode.encoding import decode
from tamis.page.decode.file_kinds import BINARY, PACKED, find_kind
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
