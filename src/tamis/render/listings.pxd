# C types of listings.py.

cimport cython

from tamis.page.attributes cimport Attributes, value_of

cdef int IMPLIED, _FEW, _FAR, _LEVELS, _OFTEN, _CLASS, _STYLE

@cython.final
cdef class Listings:
    cdef object page
    cdef Attributes attributes
    cdef const int[::1] parents, lasts, flags, starts, closes, first_texts, end_texts, text_starts
    cdef const int[::1] words
    cdef dict languages, languages_of_tags, gutters, gutters_of_names

    cdef object _open(self)
    @cython.locals(language=str, words=int, level=int)
    cpdef str language(self, Py_ssize_t node)
    @cython.locals(language=str, tag=bytes)
    cdef str _language_of(self, Py_ssize_t node)
    @cython.locals(first=Py_ssize_t, end=Py_ssize_t)
    cdef bytes _start_tag(self, Py_ssize_t node)
    cpdef str label(self, Py_ssize_t node, Py_ssize_t text)
    cdef list _headers(self, object texts)
    @cython.locals(place=Py_ssize_t, beside=list)
    cpdef list beside_code(self, object texts)
    @cython.locals(level=int)
    cdef bint _is_gutter(self, Py_ssize_t node) except -1
    @cython.locals(names=bytes, style=bytes)
    cdef bint _says_gutter(self, Py_ssize_t node) except -1

cdef bint _is_for_numbers(bytes names, bytes style) except -1
cdef str _language(bytes start_tag)
cdef str _known(str name)
