"""From whatever the caller has to the page table: decode, scan."""

from __future__ import annotations

import re
import time
import warnings

from tamis.errors import TooLargeError
from tamis.options import Options
from tamis.page.compiled import uncompiled
from tamis.page.decode import decode
from tamis.page.scan import scan
from tamis.page.table import Blocks, Nodes, Page, Texts

# Offsets in the table are 32-bit integers.
_LARGEST = 2**31 - 1

_TITLE = re.compile(rb"<title(?:\s[^>]*)?>[^<]*", re.IGNORECASE)
_END_OF_TITLE = re.compile(rb"</title[\s/>]", re.IGNORECASE)

if _uncompiled := uncompiled():
    warnings.warn(
        f"tamis runs uncompiled, up to 100 times slower ({', '.join(_uncompiled)}): install it"
        " again where there is a C compiler",
        RuntimeWarning,
        stacklevel=2,
    )


def parse(
    page: str | bytes, options: Options | None = None, *, content_type: str | None = None
) -> Page:
    """Read a page into its table.

    `content_type` is the HTTP header of that name, if there was one; it may tell the encoding.
    Only the limits of `options` matter here.

    >>> page = parse("<nav>Home</nav><p>A <b>tamis</b> is a sieve.")
    >>> [page.block_text(block) for block in range(len(page.blocks))]
    ['Home', 'A tamis is a sieve.']
    """
    options = options or Options()
    started = time.monotonic()
    limit = min(options.max_bytes, _LARGEST)
    _check_size(page, limit)
    decoded = decode(page, content_type)
    _check_size(decoded.source, limit)
    limits = options.max_nodes, options.max_depth, started + options.max_seconds
    read = _page(decoded.source, decoded.encoding, limits)
    if not len(read.texts) and (mended := _with_end_of_title(read.source)):
        read = _page(mended, decoded.encoding, limits)
    return read


def _page(source: bytes, encoding: str, limits: tuple[int, int, float]) -> Page:
    nodes, texts, blocks, attributes, names = scan(source, *limits)
    return Page(source, encoding, Nodes(*nodes), Texts(*texts), Blocks(*blocks), attributes, names)


def _with_end_of_title(source: bytes) -> bytes | None:
    """A page whose title never ends, with an end to it; None if that is not what ails it.

    To the letter of the standard the whole page is then title. 8 of the 6,447 pages of our data
    sets, cut and put together again by some archive, have their text nowhere else.
    """
    title = _TITLE.search(source)
    if title is None or _END_OF_TITLE.search(source, title.end()):
        return None
    return source[: title.end()] + b"</title>" + source[title.end() :]


def _check_size(page: object, limit: int) -> None:
    size = len(page) if isinstance(page, str | bytes | bytearray | memoryview) else 0
    if size > limit:
        raise TooLargeError(
            f"the page has {size} bytes, the limit is {limit}; raise Options.max_bytes to read it"
        )
