# C types of roles.py.

cimport cython

from tamis.page.attributes cimport Attributes

cdef int HIDDEN, IN_FIGURE, IN_HEADING, MATH, TYPE, FIRST_OF_TEX, LEAST_TEX
cdef int CLASS, A, E, H, K, M, T, HYPHEN, FIGCAPTION, CAPTION_LEVELS, CAPTION_TEXTS

@cython.locals(
    tag="const int[::1]", source=bytes, node=Py_ssize_t, row=Py_ssize_t, is_long=bint,
    names="const int[::1]", starts="const int[::1]", ends="const int[::1]",
)
cpdef bint may_have_formulas(object page) except -1

@cython.locals(
    source=bytes, row=Py_ssize_t, place=Py_ssize_t,
    names="const int[::1]", starts="const int[::1]", ends="const int[::1]",
)
cpdef bint may_have_wrappers(object page) except -1
@cython.locals(before=int, after=int)
cdef bint is_in_wrapper(bytes source, Py_ssize_t place) except -1

@cython.locals(
    out="unsigned char[::1]", wanted="const unsigned char[::1]", first="const int[::1]",
    end="const int[::1]", block_flags="const int[::1]", flags="const int[::1]",
    every=int, hidden=int, block=Py_ssize_t, text=Py_ssize_t,
)
cpdef tuple find_shown_texts(object page, object kept)

@cython.locals(choice=_Choice, count=Py_ssize_t)
cpdef list choose_elements(object page, object shown, object role_of_tag, dict formulas)

@cython.final
cdef class _Choice:
    cdef const int[::1] tag, parent, last, flags, first_text, end_text, text_flags, text_block
    cdef const int[::1] block_node
    cdef const unsigned char[::1] block_level
    cdef int[::1] before
    cdef int[::1] texts
    cdef Attributes attributes
    cdef int total, caption_before, caption
    cdef bint whole
    cdef object columns

    @cython.locals(wanted="const unsigned char[::1]", out="int[::1]", text=Py_ssize_t)
    cdef object count_shown(self, object shown)
    @cython.locals(
        out="int[:, ::1]", node=Py_ssize_t, inner=Py_ssize_t, stop=Py_ssize_t, table=Py_ssize_t,
        count=Py_ssize_t,
        first=int, end=int, role=int, others=int, image=int, table_part=int, is_part=bint,
    )
    cdef Py_ssize_t fill(
        self,
        const unsigned char[::1] role_of_tag,
        dict formulas,
        const Py_ssize_t[::1] table_firsts,
        const Py_ssize_t[::1] table_lasts,
    ) except -1
    cdef bint is_heading(self, Py_ssize_t node) except -1
    @cython.locals(above=int)
    cdef bint has_caption(self, Py_ssize_t root, int before) except -1
    @cython.locals(node=int)
    cdef int find_caption(self, Py_ssize_t text) except -2
    @cython.locals(among=bint)
    cdef bint stands_among(self, Py_ssize_t root, int before) except -1
    @cython.locals(text=Py_ssize_t)
    cdef bint is_without_text(self, Py_ssize_t root) except -1
    @cython.locals(above=int, place=Py_ssize_t, texts=Py_ssize_t)
    cdef bint is_in_block(self, Py_ssize_t root) except -1

cdef int _TOGETHER
cdef bytes _IS_LETTER

@cython.locals(
    source=bytes, flags="const int[::1]", blocks="const int[::1]", starts="const int[::1]",
    ends="const int[::1]", numbers="const int[::1]", place=Py_ssize_t, before=Py_ssize_t,
    text=Py_ssize_t, first=int, last=Py_ssize_t,
)
cdef list _find_joined_words(object page, object texts)
