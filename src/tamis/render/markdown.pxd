# C types of markdown.py.

cimport cython

from tamis.render.inline cimport code_span, inline, safe_tex

cdef int _OFTEN

@cython.final
cdef class _List:
    cdef object number
    cdef bint first
    cdef str sign

    cdef str marker(self)

@cython.final
cdef class _Document:
    cdef list pieces, stack, lists
    cdef str prefix, first, between
    cdef _List ended
    cdef bint tight, joined
    cdef object callout
    cdef _Grid table
    cdef Py_ssize_t length

    @cython.locals(place=Py_ssize_t, action=int, kind=str, spans=list)
    cdef str of(self, list events)
    cdef object open(self, str kind, object value)
    @cython.locals(tight=bint, innermost=_List, marker=str)
    cdef object item(self, str kind, object note)
    cdef object begin(self, str first, str others)
    cdef object close(self, str kind)
    @cython.locals(text=str)
    cdef object leaf(self, str kind, object value, list spans)
    cdef object write(self, str text, bint tight)

@cython.final
cdef class _Grid:
    cdef list caption, rows, cell
    cdef object columns
    cdef dict reaching
    cdef int fillers

    cdef object open(self, str kind, object value)
    cdef object close(self, str kind)
    cdef object leaf(self, str kind, list spans)
    cdef str markdown(self)

@cython.locals(text=str)
cdef str _display(list spans)
cdef str _listed(list spans)
cdef str _listing(list spans, str language)
cdef str _closed(str text)
