"""Text runs and blocks as strings, decoded and joined as a browser shows them.

Part of the hot path, see `tamis.page.lex`.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import numpy as np

from tamis import limits
from tamis.page import tags
from tamis.page.references import resolve
from tamis.page.tags import BREAK_BEFORE, HIDDEN, IN_PRE, SPACE_BEFORE, VERBATIM

if TYPE_CHECKING:
    from typing import TypeAlias

    import cython
    import numpy.typing as npt

    from tamis.page.table import Page

    Places: TypeAlias = memoryview
    Utf8: TypeAlias = bytes

BREAK = tags.ID["br"]
ANY_WHITE_SPACE = re.compile(r"\s+")
# A single space, the commonest case, is left alone.
WHITE_SPACE = re.compile(r"[ \t\n\f\r]{2,}|[\t\n\f\r]")
# Blocks after which the limits are looked at.
OFTEN = 1000


def decoded(raw: Utf8, flags: cython.int) -> str:
    """Text as a browser shows it: white space collapsed except in pre, references resolved."""
    if flags & IN_PRE:
        text: str = raw.decode("utf-8", "replace").replace("\r\n", "\n").replace("\r", "\n")
    else:
        text = b" ".join(raw.split()).decode("utf-8", "replace")
    if "\0" in text:
        text = text.replace("\0", "")
    if "&" not in text or flags & VERBATIM:
        return text
    text = resolve(text)
    # A reference may stand for white space, which collapses too.
    return text if flags & IN_PRE else WHITE_SPACE.sub(" ", text)


class Strings:
    """The text runs of a page as strings, by their numbers."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.source = page.source
        self.flags = page.texts.flags.data
        self.starts = page.texts.start.data
        self.ends = page.texts.end.data
        self.breaks: memoryview | None = None

    def text(self, text: cython.Py_ssize_t) -> str:
        """A text run; most need no more than to be decoded."""
        source: bytes = self.source
        start: cython.Py_ssize_t = self.starts[text]
        end: cython.Py_ssize_t = self.ends[text]
        place: cython.Py_ssize_t
        before: cython.uchar = 32
        for place in range(start, end):
            byte: cython.uchar = source[place]
            # A reference, a control character, or white space that may collapse.
            if byte <= 38 and (byte < 32 or byte == 38 or (byte == 32 and before == 32)):
                return decoded(source[start:end], self.flags[text])
            before = byte
        if before == 32:
            return decoded(source[start:end], self.flags[text])
        return source[start:end].decode("utf-8", "replace")

    def separator(self, text: cython.Py_ssize_t) -> str:
        """What separates a text run from the run before it in its block."""
        flag: cython.int = self.flags[text]
        if flag & BREAK_BEFORE:
            return "\n"
        return " " if flag & SPACE_BEFORE and not flag & IN_PRE else ""

    def joined(self, texts: Places, begin: cython.Py_ssize_t, end: cython.Py_ssize_t) -> str:
        """The text runs `texts[begin:end]` of a block."""
        text: cython.Py_ssize_t = texts[begin]
        place: cython.Py_ssize_t
        joined: str = self.text(text)
        if end > begin + 1:
            pieces: list[str] = [joined]
            for place in range(begin + 1, end):
                pieces.append(self.separator(texts[place]))
                pieces.append(self.text(texts[place]))
            joined = "".join(pieces)
        # Preformatted, but no listing: a form.
        return ANY_WHITE_SPACE.sub(" ", joined) if self.flags[text] & IN_PRE else joined

    def code(
        self, texts: Places, begin: cython.Py_ssize_t, end: cython.Py_ssize_t, separator: str
    ) -> str:
        """The text runs `texts[begin:end]` of a listing, each after its line breaks."""
        place: cython.Py_ssize_t
        if self.breaks is None:
            self.breaks = line_breaks(self.page)
        pieces: list[str] = []
        for place in range(begin, end):
            breaks = "\n" * self.breaks[texts[place]]
            pieces.append(breaks or (separator if place == begin else ""))
            pieces.append(self.text(texts[place]))
        return "".join(pieces)

    def block(self, first: cython.Py_ssize_t, end: cython.Py_ssize_t, hidden: cython.int) -> str:
        """The text runs from `first` to `end` of a block, hidden runs only if `hidden`."""
        text: cython.Py_ssize_t
        flag: cython.int = self.flags[first]
        preformatted: cython.int = flag & IN_PRE
        if end == first + 1 and (hidden or not flag & HIDDEN):
            joined: str = self.text(first)
        else:
            pieces: list[str] = []
            for text in range(first, end):
                flag = self.flags[text]
                if hidden or not flag & HIDDEN:
                    pieces.append(self.separator(text))
                    pieces.append(self.text(text))
            joined = "".join(pieces)
        # The indentation of the first line of code is part of it.
        return joined.strip("\n").rstrip() if preformatted else joined.strip()


def line_breaks(page: Page) -> memoryview:
    """How many `br` stand right before each text run."""
    nodes = page.nodes
    places = nodes.first_text[nodes.tag == BREAK]
    return np.bincount(places, minlength=len(page.texts) + 1).data


def block_texts(page: Page, blocks: npt.NDArray[np.intp]) -> list[str]:
    """The texts of these blocks; hidden text only if all of a block is hidden."""
    strings: Strings = Strings(page)
    columns = page.blocks
    first = columns.first_text[blocks].tolist()
    end = columns.end_text[blocks].tolist()
    hidden = (columns.flags[blocks] & HIDDEN).tolist()
    joined: list[str] = []
    place: cython.Py_ssize_t
    for place in range(len(first)):
        if place % OFTEN == 0:
            limits.check()
        joined.append(strings.block(first[place], end[place], hidden[place]))
    return joined
