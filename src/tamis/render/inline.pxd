# C types of inline.py.

cimport cython

from tamis.render.escapes cimport (
    Formulas, alternative, code_span, destination, escaped, started,
)

cdef int _OFTEN, _BESIDE
cdef dict _DELIMITERS
cdef set _TAGS
cdef frozenset _WITHOUT_TEXT

@cython.locals(text=str)
cpdef str inline(list spans, str line_break, Formulas formulas)
cdef str _whole(str text, tuple marks, Formulas formulas)
cdef tuple _signs(tuple mark)
cdef bint _in_link(tuple marks) except -1
cdef str _atom(object content, bint in_link, Formulas formulas)
cdef tuple _effective(tuple marks)

@cython.final
cdef class _Inline:
    cdef str line_break, white
    cdef Formulas formulas
    cdef list out, open, code
    cdef dict delimiters

    @cython.locals(separator=str, marks=tuple, last=str, place=Py_ssize_t)
    cdef str of(self, list spans)
    cdef object _without_text(self, tuple marks, str last)
    @cython.locals(text=str, lead=str, after=str)
    cdef object _text(self, str content, tuple marks, bint code)
    cdef object _add_white(self, str white)
    @cython.locals(same=Py_ssize_t, place=Py_ssize_t)
    cdef object _move(self, tuple marks)
    @cython.locals(same=Py_ssize_t)
    cdef Py_ssize_t _same(self, tuple marks) except -1
    cdef object _open(self, tuple mark)
    cdef object _close(self, Py_ssize_t keep)
    @cython.locals(code=str, before=str, swallowed=bint)
    cdef str _code(self)
    @cython.locals(opening=dict, start=Py_ssize_t, end=Py_ssize_t, steps=Py_ssize_t)
    cdef object _resolve(self)
    @cython.locals(start=Py_ssize_t, end=Py_ssize_t)
    cdef bint _all_work(self, dict closing) except -1
    @cython.locals(opening=dict, near=Py_ssize_t, step=Py_ssize_t)
    cdef list _beside(self, Py_ssize_t place, dict closing)
    cdef bint _works(self, Py_ssize_t place, Py_ssize_t inward, dict opposite) except -1
    @cython.locals(last=Py_ssize_t, string=str)
    cdef tuple _neighbour(self, Py_ssize_t place, Py_ssize_t step, str sign)

cdef bint _is_punctuation(str character) except -1
