# C types of html.py.

cimport cython

cdef int _OFTEN, _MANY, _MOST_COLUMNS, _MOST_ROWS

@cython.locals(
    event=tuple, events=list, out=list, open_tags=list, length=Py_ssize_t, place=Py_ssize_t,
    made=str,
)
cpdef str render(object page, object kept, object url, object options)
@cython.locals(kind=str)
cdef tuple _tag(tuple event, list open_tags)
cdef str _identity(object note)
cdef str _name(object note)
@cython.locals(before=tuple, after=tuple)
cdef bint _is_bare(list events, Py_ssize_t place) except -1
@cython.locals(kind=str, text=str)
cdef str _leaf(tuple leaf, bint bare)
@cython.locals(out=list, open_marks=tuple, marks=tuple, same=Py_ssize_t, place=Py_ssize_t, separator=str)
cdef str _inline(list spans, str line_break, object allowed)
cdef str _white(str separator, str line_break)
@cython.locals(place=Py_ssize_t)
cdef Py_ssize_t _common(tuple first, tuple second) except -1
cdef str _opened(tuple mark)
cdef str _content(object content, str line_break)
@cython.locals(character=Py_UCS4)
cdef str _escaped(str text)
@cython.locals(character=Py_UCS4)
cdef str _value(str text)
