"""Character references (`&amp;`, `&#233;`), as the HTML standard reads them.

Part of the hot path, see `tamis.page.scan.lexer`.
"""

from __future__ import annotations

from html.entities import html5
from typing import TYPE_CHECKING

from tamis._runtime import limits

if TYPE_CHECKING:
    import cython

# What each name stands for: the first code point, and all of it in UTF-8. A name is as it stands in
# the source, with its semicolon if it needs one.
NAMED = {name.encode(): (ord(text[0]), text.encode()) for name, text in html5.items()}
LONGEST = max(map(len, html5))
LONGEST_WITHOUT_SEMICOLON = max(len(name) for name in html5 if not name.endswith(";"))
# What the numbers 0x80 to 0x9F mean.
WINDOWS_1252 = tuple(
    ord(bytes((byte,)).decode("cp1252")) if byte not in (0x81, 0x8D, 0x8F, 0x90, 0x9D) else byte
    for byte in range(0x80, 0xA0)
)
BEYOND = 0x110000
# References of a text after which the limits are looked at.
OFTEN = 10_000


class Reference:
    """The reference that was read last: its first code point, and all of it if it has a name."""

    def __init__(self) -> None:
        self.code = 0
        self.utf8: bytes | None = None

    def read(
        self, source: bytes, place: cython.Py_ssize_t, end: cython.Py_ssize_t
    ) -> cython.Py_ssize_t:
        """Read the reference whose ampersand is before a place.

        Return where it ends, the place itself if there is none.
        """
        text = source  # compiled a pointer, read below `end` alone
        stop: cython.Py_ssize_t = place
        if place < end and text[place] == 35:
            return self.read_number(source, place, end)
        while stop < end and is_alphanumeric(text[stop]):
            stop += 1
        length = stop - place
        if stop < end and length and text[stop] == 59:
            length += 1
        if length <= LONGEST and self.read_name(source, place, length):
            return place + length
        length = min(length, LONGEST_WITHOUT_SEMICOLON)
        while length > 1:
            if self.read_name(source, place, length):
                return place + length
            length -= 1
        return place

    def read_name(
        self, source: bytes, place: cython.Py_ssize_t, length: cython.Py_ssize_t
    ) -> cython.bint:
        """Look a name up; False if there is no such name."""
        found = NAMED.get(source[place : place + length])
        if found is None:
            return False
        self.code, self.utf8 = found
        return True

    def read_number(
        self, source: bytes, place: cython.Py_ssize_t, end: cython.Py_ssize_t
    ) -> cython.Py_ssize_t:
        """As `read`, for the number after a hash at a place."""
        stop: cython.Py_ssize_t = place + 1
        base: cython.int = 10
        number: cython.int = 0
        if stop < end and (source[stop] | 32) == 120:
            base = 16
            stop += 1
        first: cython.Py_ssize_t = stop
        while stop < end:
            digit: cython.int = parse_digit(source[stop])
            if digit >= base:
                break
            number = min(number * base + digit, BEYOND)
            stop += 1
        if stop == first:
            return place
        if 0x80 <= number < 0xA0:
            number = WINDOWS_1252[number - 0x80]
        elif number == 0 or number >= BEYOND or 0xD800 <= number < 0xE000:
            number = 0xFFFD
        self.code = number
        self.utf8 = None
        return stop + 1 if stop < end and source[stop] == 59 else stop


def is_alphanumeric(byte: cython.int) -> cython.bint:
    return 48 <= byte <= 57 or 97 <= (byte | 32) <= 122


def parse_digit(byte: cython.int) -> cython.int:
    """The value of a hexadecimal digit, 16 if it is none."""
    if 48 <= byte <= 57:
        return byte - 48
    return (byte | 32) - 87 if 97 <= (byte | 32) <= 102 else 16


def resolve_references(text: str, attribute: cython.bint = False) -> str:
    """`text` with its character references resolved.

    In an attribute value a name without a semicolon does not count before `=` or an alphanumeric
    character, so that `?a=1&copy=2` stays what its author meant.
    """
    if "&" not in text:
        return text
    source: bytes = text.encode("utf-8", "surrogatepass")
    size: cython.Py_ssize_t = len(source)
    begin: cython.Py_ssize_t = 0
    steps: cython.Py_ssize_t = 0
    place: cython.Py_ssize_t = source.find(b"&")
    reference: Reference = Reference()
    parts: list[bytes] = []
    while place >= 0:
        steps += 1
        if steps % OFTEN == 0:
            limits.check()
        stop: cython.Py_ssize_t = reference.read(source, place + 1, size)
        is_part: cython.bint = (
            attribute
            and stop < size
            and source[stop - 1] != 59
            and reference.utf8 is not None
            and (source[stop] == 61 or is_alphanumeric(source[stop]))
        )
        if stop > place + 1 and not is_part:
            parts.append(source[begin:place])
            parts.append(reference.utf8 or chr(reference.code).encode())
            begin = stop
        place = source.find(b"&", stop)
    parts.append(source[begin:])
    return b"".join(parts).decode("utf-8", "surrogatepass")
