"""Text as a browser shows it, written into one buffer of UTF-8.

Part of the hot path, see `tamis.page.scan.lexer`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tamis.page.text.references import Reference

if TYPE_CHECKING:
    from typing import TypeAlias

    import cython

    Bytes: TypeAlias = memoryview

# What the last written character of a run is: anything else, white space of the source, white space
# that a reference stands for; and before the first.
OTHER, SPACE, REFERRED, NOTHING = range(4)


class Buffer:
    """Text that grows at its end."""

    def __init__(self, size: cython.Py_ssize_t) -> None:
        self.made = bytearray(size)
        self.view = memoryview(self.made)
        self.end = 0
        self.reference = Reference()

    def reserve(self, more: cython.Py_ssize_t) -> cython.int:
        if self.end + more > len(self.view):
            grown = bytearray(2 * (self.end + more))
            grown[: self.end] = self.made[: self.end]
            self.made = grown
            self.view = memoryview(grown)
        return 0

    def put(self, byte: cython.int) -> cython.int:
        if self.end >= len(self.view):
            self.reserve(1)
        self.view[self.end] = byte
        self.end += 1
        return 0

    def add(self, text: bytes) -> cython.int:
        place: cython.Py_ssize_t
        self.reserve(len(text))
        for place in range(len(text)):
            self.view[self.end + place] = text[place]
        self.end += len(text)
        return 0

    def text(self, begin: cython.Py_ssize_t) -> str:
        return self.made[begin : self.end].decode("utf-8", "replace")

    def fold(
        self,
        source: bytes,
        place: cython.Py_ssize_t,
        end: cython.Py_ssize_t,
        verbatim: cython.int,
        preformatted: cython.int,
    ) -> cython.bint:
        """Add a part of the source, references resolved unless `verbatim`.

        White space is folded unless it is `preformatted`. Nothing is added, and the answer is
        False, if the source has a NUL or begins inside a character.
        """
        begin: cython.Py_ssize_t = self.end
        at: cython.Py_ssize_t = begin
        white: cython.int = NOTHING
        after: cython.Py_ssize_t
        # What a reference stands for has at most 1.2 times its bytes.
        self.reserve(2 * (end - place))
        out: cython.uchar[::1] = self.view
        if place < end and (source[place] & 0xC0) == 0x80:
            return False
        while place < end:
            byte: cython.int = source[place]
            place += 1
            if byte > 38:
                out[at] = byte
                at += 1
                white = OTHER
                continue
            if byte == 38 and not verbatim:
                self.end = at
                after = self.refer(source, place, end)
                if after > place:
                    place = after
                    if not preformatted and self.end == at + 1 and is_space(out[at]):
                        # A space that is there already stands for this, too.
                        out[at] = 32
                        at += white in (OTHER, NOTHING)
                        white = REFERRED
                    else:
                        at = self.end
                        white = OTHER
                    continue
            elif (byte == 32 or 9 <= byte <= 13) and not preformatted:
                if white == OTHER:
                    out[at] = 32
                    at += 1
                    white = SPACE
                continue
            elif byte == 13:
                if place < end and source[place] == 10:
                    continue
                byte = 10
            elif byte == 0:
                self.end = begin
                return False
            out[at] = byte
            at += 1
            white = OTHER
        self.end = at - 1 if white == SPACE else at
        return True

    def refer(
        self, source: bytes, place: cython.Py_ssize_t, end: cython.Py_ssize_t
    ) -> cython.Py_ssize_t:
        """Add what the reference stands for whose ampersand is before a place; see `Reference`."""
        stop: cython.Py_ssize_t = self.reference.read(source, place, end)
        if stop > place:
            if self.reference.utf8 is None:
                self.put_code_point(self.reference.code)
            else:
                self.add(self.reference.utf8)
        return stop

    def put_code_point(self, code: cython.int) -> cython.int:
        if code < 0x80:
            return self.put(code)
        if code < 0x800:
            self.put(0xC0 | code >> 6)
        else:
            if code < 0x10000:
                self.put(0xE0 | code >> 12)
            else:
                self.put(0xF0 | code >> 18)
                self.put(0x80 | (code >> 12 & 0x3F))
            self.put(0x80 | (code >> 6 & 0x3F))
        return self.put(0x80 | (code & 0x3F))

    def strip(self, begin: cython.Py_ssize_t, preformatted: cython.int) -> cython.int:
        """Take white space off the ends of what was added from `begin` on.

        The indentation of the first line of what is preformatted is part of it.
        """
        view: cython.uchar[::1] = self.view
        place: cython.Py_ssize_t = begin
        stop: cython.Py_ssize_t = self.end
        width: cython.Py_ssize_t
        while place < stop:
            width = measure_white(view, place, stop)
            if not width or (preformatted and view[place] != 10):
                break
            place += width
        while place < stop:
            width = measure_white_before(view, place, stop)
            if not width:
                break
            stop -= width
        self.end = begin + stop - place
        if place > begin:
            for width in range(stop - place):
                view[begin + width] = view[place + width]
        return 0


def is_space(byte: cython.int) -> cython.bint:
    """Whether a byte that a reference stands for is folded like white space."""
    return byte == 32 or 9 <= byte <= 10 or 12 <= byte <= 13


def measure_white(
    view: Bytes, place: cython.Py_ssize_t, stop: cython.Py_ssize_t
) -> cython.Py_ssize_t:
    """Bytes of the white space of Unicode that begins at a place, 0 if none does."""
    first: cython.int = view[place]
    if first < 0x80:
        return 9 <= first <= 13 or 28 <= first <= 32
    if first == 0xC2 and place + 1 < stop:
        return 2 if view[place + 1] == 0x85 or view[place + 1] == 0xA0 else 0
    if first < 0xE1 or first > 0xE3 or place + 2 >= stop:
        return 0
    last_two: cython.int = view[place + 1] << 8 | view[place + 2]
    if first == 0xE2:
        return 3 * (
            0x8080 <= last_two <= 0x808A
            or 0x80A8 <= last_two <= 0x80A9
            or last_two == 0x80AF
            or last_two == 0x819F
        )
    return 3 * (last_two == (0x9A80 if first == 0xE1 else 0x8080))


def measure_white_before(
    view: Bytes, begin: cython.Py_ssize_t, place: cython.Py_ssize_t
) -> cython.Py_ssize_t:
    """Bytes of the white space of Unicode that ends at a place, 0 if none does."""
    width: cython.Py_ssize_t
    for width in range(1, min(place - begin, 3) + 1):
        if measure_white(view, place - width, place) == width:
            return width
        if view[place - 1] < 0x80:
            break
    return 0
