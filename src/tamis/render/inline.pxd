# C types of write_inline.py.

cimport cython

from tamis.render.escapes cimport (
    Formulas, escape_alt, write_code_span, escape_address, escape_text, escape_starts,
)

cdef int _OFTEN, _BESIDE
cdef dict _DELIMITERS
cdef set _TAGS
cdef frozenset _WITHOUT_TEXT

@cython.locals(text=str)
cpdef str write_inline(list spans, str line_break, Formulas formulas)
cdef str _write_whole(str text, tuple marks, Formulas formulas)
cdef tuple _signs_of(tuple mark)
cdef bint _is_in_link(tuple marks) except -1
cdef str _write_atom(object content, bint in_link, Formulas formulas)
cdef tuple _reduce_marks(tuple marks)

@cython.final
cdef class _Inline:
    cdef str line_break, white
    cdef Formulas formulas
    cdef list out, open, code
    cdef dict delimiters
    cdef set nested

    @cython.locals(separator=str, marks=tuple, last=str, place=Py_ssize_t)
    cdef str write(self, list spans)
    cdef object _add_without_text(self, tuple marks, str last)
    @cython.locals(text=str, lead=str, after=str)
    cdef object _add_text(self, str content, tuple marks, bint code)
    cdef object _add_white(self, str white)
    @cython.locals(same=Py_ssize_t, place=Py_ssize_t)
    cdef object _move(self, tuple marks)
    @cython.locals(same=Py_ssize_t)
    cdef Py_ssize_t _count_same(self, tuple marks) except -1
    cdef object _open(self, tuple mark)
    cdef object _close(self, Py_ssize_t keep)
    @cython.locals(code=str, before=str, swallowed=bint)
    cdef str _end_code(self)
    @cython.locals(opening=dict, start=Py_ssize_t, end=Py_ssize_t, steps=Py_ssize_t)
    cdef object _resolve(self)
    @cython.locals(start=Py_ssize_t, end=Py_ssize_t)
    cdef bint _are_all_effective(self, dict closing) except -1
    @cython.locals(opening=dict, near=Py_ssize_t, step=Py_ssize_t)
    cdef list _find_beside(self, Py_ssize_t place, dict closing)
    cdef bint _is_effective(self, Py_ssize_t place, Py_ssize_t inward, dict opposite) except -1
    @cython.locals(ends=list)
    cdef bint _is_nested(self, Py_ssize_t place) except -1
    @cython.locals(last=Py_ssize_t, string=str)
    cdef tuple _find_neighbour(self, Py_ssize_t place, Py_ssize_t step, str sign)

cdef bint _is_punctuation(str character) except -1
