"""Text runs and blocks as strings, decoded and joined as a browser shows them.

Part of the hot path, see `tamis.page.scan.lexer`.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import numpy as np

from tamis._runtime import limits
from tamis.page import tags
from tamis.page.arrays import Flags, Indexes
from tamis.page.tags import BREAK_BEFORE, HIDDEN, IN_PRE, SPACE_BEFORE, VERBATIM
from tamis.page.text.references import Reference, resolve_references

if TYPE_CHECKING:
    from typing import TypeAlias

    import cython

    from tamis.page.table import Nodes, Page

    Places: TypeAlias = memoryview
    Utf8: TypeAlias = bytes
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
    for width in range(1, min(place - begin, 3) + 1):
        if measure_white(view, place - width, place) == width:
            return width
        if view[place - 1] < 0x80:
            break
    return 0


BREAK = tags.ID["br"]
ANY_WHITE_SPACE = re.compile(r"\s+")
# A single space, the commonest case, is left alone.
WHITE_SPACE = re.compile(r"[ \t\n\f\r]{2,}|[\t\n\f\r]")
# Blocks after which the limits are looked at.
OFTEN = 1000


def decode_text(raw: Utf8, flags: cython.int) -> str:
    """Text as a browser shows it: white space collapsed except in pre, references resolved."""
    if flags & IN_PRE:
        text: str = raw.decode("utf-8", "replace").replace("\r\n", "\n").replace("\r", "\n")
    else:
        text = b" ".join(raw.split()).decode("utf-8", "replace")
    if "\0" in text:
        text = text.replace("\0", "")
    if "&" not in text or flags & VERBATIM:
        return text
    text = resolve_references(text)
    # A reference may stand for white space, which collapses too.
    return text if flags & IN_PRE else WHITE_SPACE.sub(" ", text)


class Strings:
    """The text runs of a page as strings, by their numbers."""

    def __init__(self, page: Page) -> None:
        # Not the page itself, which keeps this: it could not be freed when it is no longer used.
        self.nodes = page.nodes
        self.count = page.texts.start.shape[0]
        self.source = page.source
        self.flags = page.texts.flags.data
        self.starts = page.texts.start.data
        self.ends = page.texts.end.data
        self.breaks: memoryview | None = None

    def text(self, text: cython.Py_ssize_t) -> str:
        if self.is_plain(text):
            return self.plain(text)
        out: Buffer = Buffer(2 * (self.ends[text] - self.starts[text]))
        self.write(text, out)
        return out.text(0)

    def is_plain(self, text: cython.Py_ssize_t) -> cython.bint:
        """Whether a text run needs no more than to be decoded, as most."""
        source: bytes = self.source
        before: cython.uchar = 32
        for place in range(self.starts[text], self.ends[text]):
            byte: cython.uchar = source[place]
            # A reference, a control character, or white space that may collapse.
            if byte <= 38 and (byte < 32 or byte == 38 or (byte == 32 and before == 32)):
                return False
            before = byte
        return before != 32

    def plain(self, text: cython.Py_ssize_t) -> str:
        source: bytes = self.source
        return source[self.starts[text] : self.ends[text]].decode("utf-8", "replace")

    def write(self, text: cython.Py_ssize_t, out: Buffer) -> cython.int:
        """Add a text run to `out`; all but few are copied once."""
        source: bytes = self.source
        start: cython.Py_ssize_t = self.starts[text]
        end: cython.Py_ssize_t = self.ends[text]
        flag: cython.int = self.flags[text]
        is_written: cython.bint = out.fold(source, start, end, flag & VERBATIM, flag & IN_PRE)
        return 0 if is_written else out.add(decode_text(source[start:end], flag).encode())

    def separator(self, text: cython.Py_ssize_t) -> str:
        """What separates a text run from the run before it in its block."""
        flag: cython.int = self.flags[text]
        if flag & BREAK_BEFORE:
            return "\n"
        return " " if flag & SPACE_BEFORE and not flag & IN_PRE else ""

    def write_separator(self, text: cython.Py_ssize_t, out: Buffer) -> cython.int:
        flag: cython.int = self.flags[text]
        if flag & BREAK_BEFORE:
            return out.put(10)
        return out.put(32) if flag & SPACE_BEFORE and not flag & IN_PRE else 0

    def joined(
        self, texts: Places, begin: cython.Py_ssize_t, end: cython.Py_ssize_t, out: Buffer
    ) -> str:
        """The text runs `texts[begin:end]` of a block; `out` is for the work."""
        text: cython.Py_ssize_t = texts[begin]
        if end == begin + 1 and self.is_plain(text):
            joined: str = self.plain(text)
        else:
            out.end = 0
            self.write(text, out)
            for place in range(begin + 1, end):
                self.write_separator(texts[place], out)
                self.write(texts[place], out)
            joined = out.text(0)
        # Preformatted, but no listing: a form.
        return ANY_WHITE_SPACE.sub(" ", joined) if self.flags[text] & IN_PRE else joined

    def code(
        self,
        texts: Places,
        begin: cython.Py_ssize_t,
        end: cython.Py_ssize_t,
        separator: str,
        out: Buffer,
    ) -> str:
        """The text runs `texts[begin:end]` of a listing, each after its line breaks."""
        if self.breaks is None:
            self.breaks = count_breaks(self.nodes, self.count)
        out.end = 0
        for place in range(begin, end):
            breaks = self.breaks[texts[place]]
            if place == begin and not breaks:
                out.add(separator.encode())
            for _ in range(breaks):
                out.put(10)
            self.write(texts[place], out)
        return out.text(0)

    def block(self, first: cython.Py_ssize_t, end: cython.Py_ssize_t, hidden: cython.int) -> str:
        """The text runs from `first` to `end` of a block, hidden runs only if `hidden`."""
        out: Buffer = Buffer(64)
        self.write_block(first, end, hidden, out)
        return out.text(0)

    def write_block(
        self,
        first: cython.Py_ssize_t,
        end: cython.Py_ssize_t,
        hidden: cython.int,
        out: Buffer,
    ) -> cython.int:
        """Add the text runs from `first` to `end` of a block, see `block`."""
        begin: cython.Py_ssize_t = out.end
        for text in range(first, end):
            if hidden or not self.flags[text] & HIDDEN:
                if end > first + 1:
                    self.write_separator(text, out)
                self.write(text, out)
        # The indentation of the first line of code is part of it.
        return out.strip(begin, self.flags[first] & IN_PRE)


def count_breaks(nodes: Nodes, texts: cython.Py_ssize_t) -> memoryview:
    places = nodes.first_text[nodes.tag == BREAK]
    return np.bincount(places, minlength=texts + 1).data


def join_blocks(page: Page, blocks: Indexes) -> list[str]:
    """The texts of these blocks; hidden text only if all of a block is hidden."""
    strings: Strings = Strings(page)
    columns = page.blocks
    firsts = columns.first_text.data
    ends = columns.end_text.data
    flags = columns.flags.data
    out: Buffer = Buffer(1024)
    texts: list[str] = []
    for place, block in enumerate(blocks.tolist()):
        if place % OFTEN == 0:
            limits.check()
        out.end = 0
        strings.write_block(firsts[block], ends[block], flags[block] & HIDDEN, out)
        texts.append(out.text(0))
    return texts


def join_kept(page: Page, kept: Flags) -> tuple[str, int]:
    """The texts of the kept blocks, each on a line of its own, and the flags that any run has."""
    strings: Strings = Strings(page)
    columns = page.blocks
    firsts, ends, block_flags = columns.first_text.data, columns.end_text.data, columns.flags.data
    wanted = kept.view(np.uint8).data
    out: Buffer = Buffer(4096)
    flags: cython.int = 0
    count: cython.Py_ssize_t = 0
    for block in range(len(wanted)):
        if not wanted[block]:
            continue
        if count % OFTEN == 0:
            limits.check()
        if count:
            out.put(10)
        count += 1
        for text in range(firsts[block], ends[block]):
            flags |= strings.flags[text]
        strings.write_block(firsts[block], ends[block], block_flags[block] & HIDDEN, out)
    return out.text(0), flags
