# C types of strings.py.

cimport cython

from tamis.page.text.buffer cimport Buffer

cdef int BREAK_BEFORE, HIDDEN, IN_PRE, SPACE_BEFORE, VERBATIM, OFTEN

cdef str decode_text(bytes raw, int flags)

@cython.final
cdef class Strings:
    cdef object nodes
    cdef Py_ssize_t count
    cdef bytes source
    cdef const int[::1] flags
    cdef const int[::1] starts
    cdef const int[::1] ends
    cdef object breaks

    cpdef str text(self, Py_ssize_t text)
    cdef bint is_plain(self, Py_ssize_t text) except -1
    cdef str plain(self, Py_ssize_t text)
    cdef int write(self, Py_ssize_t text, Buffer out) except -1
    cdef str separator(self, Py_ssize_t text)
    cdef int write_separator(self, Py_ssize_t text, Buffer out) except -1
    cdef str joined(self, const int[::1] texts, Py_ssize_t begin, Py_ssize_t end, Buffer out)
    cdef str code(
        self, const int[::1] texts, Py_ssize_t begin, Py_ssize_t end, str separator, Buffer out
    )
    cpdef str block(self, Py_ssize_t first, Py_ssize_t end, int hidden)
    cdef int write_block(
        self, Py_ssize_t first, Py_ssize_t end, int hidden, Buffer out
    ) except -1

cdef object count_breaks(object nodes, Py_ssize_t texts)
@cython.locals(firsts="const int[::1]", ends="const int[::1]", flags="const int[::1]")
cpdef list join_blocks(object page, object blocks)
@cython.locals(
    firsts="const int[::1]", ends="const int[::1]", block_flags="const int[::1]",
    wanted="const unsigned char[::1]",
)
cpdef tuple join_kept(object page, object kept)
