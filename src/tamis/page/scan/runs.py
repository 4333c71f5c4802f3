"""Runs of text between tags, counted, and the blocks they make up.

A word is a run of characters without white space that has a letter or a digit; it may go on
behind an inline tag. For scripts without spaces see `tamis.page.text.characters`. Part of
the hot path, see `tamis.page.scan.lexer`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from tamis._runtime.compiled import view_numbers
from tamis.page.arrays import grow_rows
from tamis.page.scan.lexer import Lexer
from tamis.page.tags import BREAK_BEFORE, HIDDEN, IN_LINK, IN_PRE, SPACE_BEFORE, VERBATIM
from tamis.page.text import characters
from tamis.page.text.characters import (
    DIGIT,
    HAN,
    HAN_WORD,
    IGNORED,
    LOWER,
    MARKUP,
    PUNCTUATION,
    REFERENCE,
    SEA_WORD,
    SPACE,
    SYMBOL,
    UPPER,
)
from tamis.page.text.references import Reference

if TYPE_CHECKING:
    import cython

(
    T_START, T_END, T_NODE, T_BLOCK, T_TAGS, T_FLAGS, T_CHARS, T_WORDS, T_PUNCTUATION, T_CAPITALS,
    T_DIGITS, T_UNSPACED,
) = TEXT_COLUMNS = range(12)  # fmt: skip
(
    B_FIRST_TEXT, B_END_TEXT, B_NODE, B_FLAGS, B_CHARS, B_WORDS, B_LINK_CHARS, B_LINK_WORDS,
    B_PUNCTUATION, B_CAPITALS, B_DIGITS, B_UNSPACED, B_LINES, B_LINE_WORDS,
) = BLOCK_COLUMNS = range(14)  # fmt: skip

LINE = 80  # width of the lines that text density is measured in
BYTE_KINDS, CODE_POINT_KINDS = characters.BYTE_KINDS, characters.CODE_POINT_KINDS


class Runs(Lexer):
    """Rows of texts and blocks. A subclass says where in the tree we are."""

    def __init__(self, source: bytes) -> None:
        Lexer.__init__(self, source)
        self.reference = Reference()
        self.byte_kinds = BYTE_KINDS
        self.code_point_kinds = CODE_POINT_KINDS
        self.text_rows = np.empty((len(TEXT_COLUMNS), 16 + self.size // 200), np.intc)
        self.block_rows = np.empty((len(BLOCK_COLUMNS), 16 + self.size // 300), np.intc)
        self.texts = view_numbers(self.text_rows)
        self.blocks = view_numbers(self.block_rows)
        self.n_texts = self.n_blocks = self.n_tags = 0
        self.node = self.block_node = self.context = 0
        self.in_body = self.links = self.lost_link = 0
        self.block_start = self.breaks = self.space = 0
        self.word_state = self.word_chars = self.line_chars = self.lines = self.line_words = 0
        self.block_hidden = 0
        self.reset_block()

    def begin_body(self) -> cython.int:
        """Called when text comes before the body."""
        return 0

    def read_text(
        self, i: cython.size_t, stop: cython.size_t, raw: cython.int, literal: cython.size_t
    ) -> cython.size_t:
        """Count a run of text from `i` to the next markup or `stop`; return where it ends.

        `raw` is 1 where "<" does not begin markup, 2 where "&" does not begin a reference either;
        "<" before `literal` is text.
        """
        begin: cython.size_t = i
        if not self.word_state and not self.context & IN_PRE:
            # Two of three runs are the white space between two tags.
            while i < stop and self.byte_kinds[self.src[i]] == SPACE:
                i += 1
            if i > begin and not raw and i >= literal and self.is_markup(i, stop):
                if (not self.context & HIDDEN) == (not self.block_hidden):
                    self.space = 1
                return i
        ignored = 0  # the run begins with characters that do not count
        first = started = space_before = 0
        end = i
        space: cython.int = i > begin
        chars = words = punctuation = capitals = digits = han = sea = 0
        state = self.word_state  # 0 between words, 1 in punctuation, 2 in a word
        word_chars, line_chars = self.word_chars, self.line_chars
        lines, line_words = self.lines, self.line_words
        words_before = self.words
        if self.block_hidden and not self.context & HIDDEN:
            # What came before in this block is hidden and will not count.
            words_before = state = word_chars = line_chars = lines = line_words = 0

        while i < stop:
            kind: cython.int = self.byte_kinds[self.src[i]]
            j: cython.size_t = i + 1
            if kind >= MARKUP:
                if kind == MARKUP:
                    if not raw and i >= literal and self.is_markup(i, stop):
                        break
                    kind = SYMBOL
                elif kind == REFERENCE:
                    kind = PUNCTUATION
                    if raw < 2:
                        j = self.reference.read(self.source, i + 1, self.size)
                        if j > i + 1:
                            kind = self.find_kind(self.reference.code)
                else:
                    j = self.read_multibyte(i, stop)
                    kind = self.kind
                if kind == LOWER:
                    chars += 1
                    word_chars += 1
            elif kind == LOWER:
                while j < stop and self.byte_kinds[self.src[j]] == LOWER:
                    j += 1
                chars += j - i
                word_chars += j - i
            if kind == LOWER:
                if state != 2:
                    state = 2
                    words += 1
            elif kind == SPACE:
                while j < stop and self.byte_kinds[self.src[j]] == SPACE:
                    j += 1
                if state == 2:
                    line_chars += word_chars + (line_chars > 0)
                    if line_chars > LINE:
                        lines += 1
                        line_words = words_before + words + estimate_words(han, sea) - 1
                        line_chars = word_chars
                state = 0
                word_chars = 0
                space = 1
                i = j
                continue
            elif kind <= DIGIT:
                chars += 1
                word_chars += 1
                if kind == UPPER:
                    capitals += 1
                else:
                    digits += 1
                if state != 2:
                    state = 2
                    words += 1
            elif kind == IGNORED:
                if started:
                    end = j
                elif not ignored:
                    ignored = 1
                    first = i
                    space_before = space
                space = 0
                i = j
                continue
            elif kind <= SYMBOL:
                chars += 1
                word_chars += 1
                if kind == PUNCTUATION:
                    punctuation += 1
                if state == 0:
                    state = 1
            else:  # a script without spaces: every character may end a line
                if state == 2:
                    line_chars += word_chars
                state = 0
                word_chars = 0
                chars += 1
                line_chars += 1
                if line_chars > LINE:
                    lines += 1
                    line_words = words_before + words + estimate_words(han, sea)
                    line_chars = 1
                if kind == HAN:
                    han += 1
                else:
                    sea += 1
            if not started:
                started = 1
                if not ignored:
                    first = i
                    space_before = space
            space = 0
            i = j
            end = j

        flags: cython.int = self.context
        if chars == 0:
            # Space counts between hidden texts and between visible ones, not from one to the other.
            if i > begin and (not flags & HIDDEN) == (not self.block_hidden):
                self.word_state = state
                self.word_chars = word_chars
                self.line_chars = line_chars
                self.lines = lines
                self.line_words = line_words
                self.space |= space_before | space
                if flags & IN_PRE and self.n_texts > self.block_start:
                    self.add_text(begin, i, flags, 0, 0, 0, 0, 0, 0)
            return i

        if not self.in_body:
            self.begin_body()
        flags = self.context & ~IN_LINK
        if self.links or self.lost_link:
            flags |= IN_LINK
        if self.space or space_before:
            flags |= SPACE_BEFORE
        if self.breaks:
            flags |= BREAK_BEFORE
        if raw == 2:
            flags |= VERBATIM
        if flags & IN_PRE:
            first = begin
            end = i
        words += estimate_words(han, sea)
        self.add_text(first, end, flags, chars, words, punctuation, capitals, digits, han + sea)
        if self.n_texts > self.block_start + 1:
            if flags & HIDDEN and not self.block_hidden:
                # Hidden text inside a visible block has a row, but the block does not count it.
                return i
            if self.block_hidden and not flags & HIDDEN:
                self.reset_block()
        self.block_hidden = flags & HIDDEN
        self.block_flags &= flags
        self.chars += chars
        self.words += words
        if flags & IN_LINK:
            self.link_chars += chars
            self.link_words += words
        self.punctuation += punctuation
        self.capitals += capitals
        self.digits += digits
        self.unspaced += han + sea
        self.word_state = state
        self.word_chars = word_chars
        self.line_chars = line_chars
        self.lines = lines
        self.line_words = line_words
        self.space = space
        self.breaks = 0
        return i

    def is_markup(self, i: cython.size_t, stop: cython.size_t) -> cython.int:
        if i + 1 >= stop or self.src[i] != 60:
            return 0
        c: cython.int = self.src[i + 1]
        return 97 <= (c | 32) <= 122 or c == 47 or c == 33 or c == 63

    def read_multibyte(self, i: cython.size_t, stop: cython.size_t) -> cython.size_t:
        """The character beyond ASCII at `i`: its kind to `kind`, return where it ends."""
        c: cython.int = self.src[i]
        k: cython.int = 1
        if c < 0xC2 or c > 0xF4:
            self.kind = SYMBOL  # not UTF-8: shown as U+FFFD
            return i + 1
        if c < 0xE0:
            length: cython.int = 2
            c &= 0x1F
        elif c < 0xF0:
            length = 3
            c &= 0x0F
        else:
            length = 4
            c &= 0x07
        while k < length and i + k < stop and (self.src[i + k] & 0xC0) == 0x80:
            c = (c << 6) | (self.src[i + k] & 0x3F)
            k += 1
        self.kind = self.find_kind(c) if k == length else SYMBOL
        return i + k

    def find_kind(self, code: cython.int) -> cython.int:
        if code < 0x10000:
            return self.code_point_kinds[code]
        if 0x20000 <= code < 0x40000:
            return HAN
        if 0x1F000 <= code < 0x20000:
            return SYMBOL
        return IGNORED if code >= 0xE0000 else LOWER

    def add_text(
        self,
        start: cython.size_t,
        end: cython.size_t,
        flags: cython.int,
        chars: cython.int,
        words: cython.int,
        punctuation: cython.int,
        capitals: cython.int,
        digits: cython.int,
        unspaced: cython.int,
    ) -> cython.int:
        row: cython.int = self.n_texts
        if row >= self.texts.shape[1]:
            self.text_rows = grow_rows(self.text_rows)
            self.texts = view_numbers(self.text_rows)
        self.texts[T_START, row] = start
        self.texts[T_END, row] = end
        self.texts[T_NODE, row] = self.node
        self.texts[T_BLOCK, row] = self.n_blocks
        self.texts[T_TAGS, row] = self.n_tags
        self.texts[T_FLAGS, row] = flags
        self.texts[T_CHARS, row] = chars
        self.texts[T_WORDS, row] = words
        self.texts[T_PUNCTUATION, row] = punctuation
        self.texts[T_CAPITALS, row] = capitals
        self.texts[T_DIGITS, row] = digits
        self.texts[T_UNSPACED, row] = unspaced
        self.n_texts = row + 1
        return 0

    def line_break(self) -> cython.int:
        """One `br` is a line break in the block, two in a row separate blocks."""
        if self.context & HIDDEN and not self.block_hidden:
            return 0
        if self.breaks:
            self.end_block()
        self.breaks = 1
        if self.word_state == 2:
            self.line_chars += self.word_chars + (self.line_chars > 0)
            if self.line_chars > LINE:
                self.lines += 1
                self.line_words = self.words - 1
                self.line_chars = self.word_chars
        self.word_state = self.word_chars = 0
        return 0

    def end_block(self) -> cython.int:
        """A block-level tag: the open block, if it has text, becomes a row of `blocks`."""
        row: cython.int = self.n_blocks
        self.space = self.breaks = 0
        if self.n_texts == self.block_start:
            self.word_state = self.word_chars = 0
            return 0
        if row >= self.blocks.shape[1]:
            self.block_rows = grow_rows(self.block_rows)
            self.blocks = view_numbers(self.block_rows)
        rest: cython.int = self.word_chars + (self.line_chars > 0)
        if self.word_state == 2 and self.line_chars + rest > LINE:
            self.lines += 1
            self.line_words = self.words - 1
        if not self.lines:
            self.lines = 1
            self.line_words = self.words
        self.blocks[B_FIRST_TEXT, row] = self.block_start
        self.blocks[B_END_TEXT, row] = self.n_texts
        self.blocks[B_NODE, row] = self.block_node
        self.blocks[B_FLAGS, row] = self.block_flags & ~(SPACE_BEFORE | BREAK_BEFORE)
        self.blocks[B_CHARS, row] = self.chars
        self.blocks[B_WORDS, row] = self.words
        self.blocks[B_LINK_CHARS, row] = self.link_chars
        self.blocks[B_LINK_WORDS, row] = self.link_words
        self.blocks[B_PUNCTUATION, row] = self.punctuation
        self.blocks[B_CAPITALS, row] = self.capitals
        self.blocks[B_DIGITS, row] = self.digits
        self.blocks[B_UNSPACED, row] = self.unspaced
        self.blocks[B_LINES, row] = self.lines
        self.blocks[B_LINE_WORDS, row] = self.line_words
        self.n_blocks = row + 1
        self.block_start = self.n_texts
        return self.reset_block()

    def reset_block(self) -> cython.int:
        self.block_flags = -1
        self.chars = self.words = self.link_chars = self.link_words = 0
        self.punctuation = self.capitals = self.digits = self.unspaced = 0
        self.lines = self.line_words = self.line_chars = 0
        self.word_state = self.word_chars = self.block_hidden = 0
        return 0


def estimate_words(han: cython.int, sea: cython.int) -> cython.int:
    return (han + HAN_WORD - 1) // HAN_WORD + (sea + SEA_WORD - 1) // SEA_WORD
