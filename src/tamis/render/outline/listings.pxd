# C types of listings.py.

cimport cython

from tamis.page.attributes cimport Attributes, value_of

cdef int IMPLIED, _FEW, _FAR, _LEVELS, _CLASS, _STYLE

@cython.final
cdef class Listings:
    cdef object page
    cdef Attributes attributes
    cdef const int[::1] parents, lasts, flags, starts, closes, first_texts, end_texts, text_starts
    cdef const int[::1] words
    cdef dict languages, languages_of_tags, gutters, gutters_of_names

    cdef object _open(self)
    @cython.locals(language=str, words=int, level=int)
    cpdef str find_language(self, Py_ssize_t node)
    @cython.locals(language=str, tag=bytes)
    cdef str _language_of(self, Py_ssize_t node)
    @cython.locals(first=Py_ssize_t, end=Py_ssize_t)
    cdef bytes _read_start_tag(self, Py_ssize_t node)
    cpdef str read_label(self, Py_ssize_t node, Py_ssize_t text)
    cdef list _find_headers(self)
    @cython.locals(beside=list, node=Py_ssize_t)
    cpdef list find_beside_code(self, object texts)
    @cython.locals(level=int)
    cdef bint _is_in_gutter(self, Py_ssize_t node) except -1
    @cython.locals(names=bytes, style=bytes)
    cdef bint _is_gutter(self, Py_ssize_t node) except -1

cdef str _read_language(bytes start_tag)
cdef str _check_language(str name)
