# C types of escapes.py.

cimport cython

cdef int _LONG, _SPECIAL, _BESIDE, _NOWHERE, _BEFORE_NAMES, _EVERYWHERE
cdef bytes _KIND
cdef str _NO_TAG, _WHITE, _ALT_SIGNS

@cython.final
cdef class Formulas:
    cdef public bint near, met

@cython.locals(first=Py_ssize_t, near=int)
cpdef str escape_text(str text, bint in_link, Formulas formulas)
@cython.locals(character=Py_UCS4, place=Py_ssize_t)
cdef Py_ssize_t _find_special(str text) except -2
@cython.locals(
    character=Py_UCS4, pieces=list, written=str, kind=int, place=Py_ssize_t, end=Py_ssize_t,
)
cdef str _escape_markup(str text, Py_ssize_t first, bint in_link, int near)
@cython.locals(after=str, before=str)
cdef str _escape_sign(str text, Py_ssize_t place, Py_UCS4 character)
@cython.locals(start=Py_ssize_t)
cdef bint _may_be_reference(str text, Py_ssize_t place) except -1
cpdef str escape_starts(str text)
cdef str _replace(object pattern, object replacement, str text)
cpdef str escape_address(str address)
@cython.locals(character=Py_UCS4)
cpdef str escape_alt(str text)
cpdef str write_code_span(str text)
cpdef str read_displayed(str text)
