# C types of strings.py.

cimport cython

from tamis.page.text.references cimport Reference

cdef int BREAK_BEFORE, HIDDEN, IN_PRE, SPACE_BEFORE, VERBATIM, OFTEN

cdef int OTHER, SPACE, REFERRED, NOTHING

@cython.final
cdef class Buffer:
    cdef bytearray made
    cdef unsigned char[::1] view
    cdef Py_ssize_t end
    cdef Reference reference

    cdef int reserve(self, Py_ssize_t more) except -1
    cdef int put(self, int byte) except -1
    @cython.locals(place=Py_ssize_t)
    cdef int add(self, bytes text) except -1
    cdef str text(self, Py_ssize_t begin)
    @cython.locals(after=Py_ssize_t)
    cdef bint fold(
        self, bytes source, Py_ssize_t place, Py_ssize_t end, int verbatim, int preformatted
    ) except -1
    cdef Py_ssize_t refer(
        self, bytes source, Py_ssize_t place, Py_ssize_t end
    ) except -1
    cdef int put_code_point(self, int code) except -1
    @cython.locals(width=Py_ssize_t)
    cdef int strip(self, Py_ssize_t begin, int preformatted) except -1

cdef bint is_space(int byte) noexcept
cdef Py_ssize_t measure_white(
    const unsigned char[::1] view, Py_ssize_t place, Py_ssize_t stop
) except? -1
@cython.locals(width=Py_ssize_t)
cdef Py_ssize_t measure_white_before(
    const unsigned char[::1] view, Py_ssize_t begin, Py_ssize_t place
) except? -1

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
    @cython.locals(place=Py_ssize_t)
    cdef bint is_plain(self, Py_ssize_t text) except -1
    cdef str plain(self, Py_ssize_t text)
    cdef int write(self, Py_ssize_t text, Buffer out) except -1
    cdef str separator(self, Py_ssize_t text)
    cdef int write_separator(self, Py_ssize_t text, Buffer out) except -1
    @cython.locals(place=Py_ssize_t)
    cdef str joined(self, const int[::1] texts, Py_ssize_t begin, Py_ssize_t end, Buffer out)
    @cython.locals(place=Py_ssize_t, breaks=Py_ssize_t)
    cdef str code(
        self, const int[::1] texts, Py_ssize_t begin, Py_ssize_t end, str separator, Buffer out
    )
    cpdef str block(self, Py_ssize_t first, Py_ssize_t end, int hidden)
    @cython.locals(text=Py_ssize_t)
    cdef int write_block(
        self, Py_ssize_t first, Py_ssize_t end, int hidden, Buffer out
    ) except -1

cdef object count_breaks(object nodes, Py_ssize_t texts)
@cython.locals(firsts="const int[::1]", ends="const int[::1]", flags="const int[::1]", place=Py_ssize_t, block=Py_ssize_t)
cpdef list join_blocks(object page, object blocks)
@cython.locals(
    firsts="const int[::1]", ends="const int[::1]", block_flags="const int[::1]",
    wanted="const unsigned char[::1]",
)
@cython.locals(block=Py_ssize_t, text=Py_ssize_t)
cpdef tuple join_kept(object page, object kept)
