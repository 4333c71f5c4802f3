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
from tamis.page.text.buffer import Buffer
from tamis.page.text.references import resolve_references

if TYPE_CHECKING:
    from typing import TypeAlias

    import cython

    from tamis.page.table import Nodes, Page

    Places: TypeAlias = memoryview
    Utf8: TypeAlias = bytes

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
        place: cython.Py_ssize_t
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
        place: cython.Py_ssize_t
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
        place: cython.Py_ssize_t
        breaks: cython.Py_ssize_t
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
        text: cython.Py_ssize_t
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
    place: cython.Py_ssize_t
    block: cython.Py_ssize_t
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
    block: cython.Py_ssize_t
    text: cython.Py_ssize_t
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
