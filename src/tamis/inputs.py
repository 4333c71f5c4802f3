"""What a caller may give as a page: HTML, the path of a file, an open file; and what is none."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass, field
from typing import Any, Protocol, TypeAlias

from tamis.errors import InputError, TooLargeError
from tamis.page import reader
from tamis.page.table import Page


class Readable(Protocol):
    """A file that is open for reading, as bytes or as text."""

    def read(self, size: int, /) -> str | bytes:
        """At most so many bytes or characters; none at the end."""
        ...


@dataclass(frozen=True, slots=True)
class Fetched:
    """A page as it came from the web, see `tamis.fetch`; `tamis.extract` takes it as it is."""

    url: str
    """The final address, without credentials."""
    body: bytes = field(repr=False)
    """Decompressed."""
    content_type: str | None
    """The header of that name."""
    status: int
    """The HTTP status."""


PageInput: TypeAlias = str | bytes | os.PathLike[str] | Readable

# Longer ones are not looked up: Linux takes no longer path.
_LONGEST_NAME = 4096
_ADDRESS = re.compile(r"https?://\S+", re.IGNORECASE)


def unwrap(
    page: Any, url: str | None, content_type: str | None
) -> tuple[Any, str | None, str | None]:
    """A page, its address and its header: those that are given, else those it was fetched with."""
    if isinstance(page, Fetched):
        return page.body, url or page.url, content_type or page.content_type
    return page, url, content_type


def make_table(
    page: PageInput | Fetched | Page,
    url: str | None,
    content_type: str | None,
    limits: reader.PageLimits,
) -> tuple[Page, str | None]:
    given, url, content_type = unwrap(page, url, content_type)
    if not isinstance(url, str | None):
        raise InputError(f"url is {type(url).__name__}; give the address of the page as str")
    if isinstance(given, Page):
        return given, url
    html = read_html(given, limits.max_bytes)
    return reader.parse(html, limits, content_type=content_type), url


def read_html(page: PageInput, max_bytes: int) -> str | bytes:
    """The HTML of what was given as a page; a file is read up to its end or the limit.

    Text that is an address or the name of a file is an `InputError`, since it is not a page.
    """
    if isinstance(page, str):
        if len(page) <= _LONGEST_NAME:
            _check_that_it_is_no_name(page)
        return page
    if isinstance(page, os.PathLike):
        return _read_file(page, max_bytes)
    if hasattr(page, "read"):
        return _read_open(page, max_bytes)
    return page


def _check_that_it_is_no_name(text: str) -> None:
    name = text.strip()
    if not name or "<" in name or "\n" in name or "\r" in name:
        return
    if _ADDRESS.fullmatch(name):
        raise InputError(f"{name[:200]!r} is an address, no HTML; call tamis.extract_url(...)")
    if os.path.isfile(name):
        raise InputError(
            f"{name[:200]!r} is the name of a file, no HTML; give pathlib.Path(...) to read it"
        )


def _read_file(path: os.PathLike[str], max_bytes: int) -> str | bytes:
    name = os.fspath(path)
    try:
        with open(name, "rb") as file:
            return _read_limited(file, repr(name), max_bytes)
    except FileNotFoundError:
        raise InputError(f"{name!r}: no such file; check the name") from None
    except IsADirectoryError:
        raise InputError(f"{name!r}: a folder, no page; give one of the files in it") from None
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise InputError(f"{name!r}: cannot be read ({reason}); check the name") from error


def _read_open(file: Readable, max_bytes: int) -> str | bytes:
    kind = type(file).__name__
    try:
        return _read_limited(file, f"the {kind}", max_bytes)
    except UnicodeDecodeError as error:
        raise InputError(
            f"the {kind} is not in the encoding that it was opened with ({error.reason}); open it"
            " as bytes, open(name, 'rb')"
        ) from error
    except (OSError, ValueError, TypeError) as error:
        raise InputError(
            f"the {kind} cannot be read ({error}); give its bytes, such as response.content, or a"
            " file from open(name, 'rb')"
        ) from error


def _read_limited(file: Readable, name: str, max_bytes: int) -> str | bytes:
    """All of a file; one byte more than the limit is enough to know that it is too large."""
    parts: list[Any] = []
    left = max_bytes + 1
    while left > 0 and (piece := file.read(left)):
        parts.append(piece)
        left -= len(piece)
    if left <= 0:
        raise TooLargeError(
            f"{name}: more than {max_bytes:,} bytes; raise Options.max_bytes to read it"
        )
    nothing: str | bytes = parts[0][:0] if parts else b""
    return nothing.join(parts)
