# C types of runs.py.

cimport cython

from tamis.page.scan.lexer cimport Lexer
from tamis.page.text.references cimport Reference

cdef int DIGIT, HAN, HAN_WORD, IGNORED, LOWER, MARKUP, PUNCTUATION, REFERENCE, SEA_WORD, SPACE
cdef int SYMBOL, UPPER
cdef int BREAK_BEFORE, HIDDEN, IN_LINK, IN_PRE, SPACE_BEFORE, VERBATIM
cdef int LINE
cdef int T_START, T_END, T_NODE, T_BLOCK, T_TAGS, T_FLAGS, T_CHARS, T_WORDS, T_PUNCTUATION
cdef int T_CAPITALS, T_DIGITS, T_UNSPACED
cdef int B_FIRST_TEXT, B_END_TEXT, B_NODE, B_FLAGS, B_CHARS, B_WORDS, B_LINK_CHARS, B_LINK_WORDS
cdef int B_PUNCTUATION, B_CAPITALS, B_DIGITS, B_UNSPACED, B_LINES, B_LINE_WORDS
cdef bytes BYTE_KINDS, CODE_POINT_KINDS

cdef class Runs(Lexer):
    cdef Reference reference
    cdef const unsigned char *byte_kinds     # of all 256 bytes
    cdef const unsigned char *code_point_kinds  # below 0x10000
    cdef object text_rows
    cdef int[:, ::1] texts
    cdef int n_texts
    cdef object block_rows
    cdef int[:, ::1] blocks
    cdef int n_blocks

    # Where we are: the open element, the lowest block-level one, the flags that hold there.
    cdef int node
    cdef int block_node
    cdef int context
    cdef int in_body
    cdef int n_tags                          # start and end tags so far
    cdef int links                           # open links whose end tag has not come
    cdef int lost_link                       # a block closed a link: the standard reopens it

    # The open block: its counts so far, and the word that may go on in the next run.
    cdef int block_start
    cdef int block_hidden
    cdef int block_flags
    cdef int chars
    cdef int words
    cdef int link_chars
    cdef int link_words
    cdef int punctuation
    cdef int capitals
    cdef int digits
    cdef int unspaced
    cdef int lines
    cdef int line_words
    cdef int line_chars
    cdef int word_state
    cdef int word_chars
    cdef int space
    cdef int breaks

    cdef int begin_body(self) except? -1
    @cython.locals(
        first=size_t, end=size_t, started=int, ignored=int, space_before=int, state=int,
        chars=int, words=int, punctuation=int, capitals=int, digits=int, han=int, sea=int,
        word_chars=int, line_chars=int, lines=int, line_words=int, words_before=int,
    )
    cdef size_t read_text(self, size_t i, size_t stop, int raw, size_t literal) except? -1
    @cython.final
    cdef int is_markup(self, size_t i, size_t stop) noexcept
    cdef size_t read_multibyte(self, size_t i, size_t stop) except? -1
    cdef int find_kind(self, int code) except? -1
    cdef int add_text(self, size_t start, size_t end, int flags, int chars, int words,
                      int punctuation, int capitals, int digits, int unspaced) except? -1
    cdef int line_break(self) except? -1
    cdef int end_block(self) except? -1
    cdef int reset_block(self) except? -1

cdef int estimate_words(int han, int sea) noexcept
