# C types of markdown.py.

cimport cython

from tamis.render.escapes cimport Formulas, write_code_span, read_displayed
from tamis.render.inline cimport write_inline

cdef int _OFTEN, _WIDE

@cython.final
cdef class _List:
    cdef object number
    cdef bint first, wide
    cdef str sign

    cdef str make_marker(self)

@cython.final
cdef class _Document:
    cdef list pieces, stack, lists
    cdef str prefix, first, between, before
    cdef _List ended
    cdef bint tight, joined
    cdef object callout
    cdef Formulas formulas
    cdef set wide
    cdef _Grid table
    cdef Py_ssize_t length, note

    @cython.locals(place=Py_ssize_t, action=int, kind=str, spans=list)
    cdef str write_all(self, list events)
    cdef object open(self, str kind, object value, bint wide)
    @cython.locals(tight=bint, innermost=_List, marker=str)
    cdef object open_item(self, str kind, object note, bint wide)
    cdef object begin_note(self, object note)
    cdef object begin(self, str first, str others)
    cdef object close(self, str kind)
    @cython.locals(text=str)
    cdef object add_leaf(self, str kind, object value, list spans)
    @cython.locals(text=str)
    cdef object add_paragraph(self, object note, list spans)
    cdef str write_display(self, list spans)
    @cython.locals(inner=str)
    cdef object add_listing(self, str code, str language)
    cdef object write(self, str text, bint tight)

@cython.final
cdef class _Grid:
    cdef list caption, rows, cell
    cdef object columns
    cdef Formulas formulas
    cdef dict reaching
    cdef int fillers

    cdef object open(self, str kind, object value)
    cdef object close(self, str kind)
    cdef object add_leaf(self, str kind, list spans)
    cdef str write(self)

@cython.locals(place=Py_ssize_t, around=list, wide=set, action=int, kind=str, spans=list)
cdef set _find_wide(list events)
cdef str _read_code(list spans)
cdef str _escape_end(str text)
