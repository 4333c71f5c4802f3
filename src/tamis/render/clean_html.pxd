# C types of clean_html.py.

cimport cython

cdef int _OFTEN, _MANY, _MOST_COLUMNS, _MOST_ROWS

@cython.locals(
    event=tuple, events=list, out=list, open_tags=list, length=Py_ssize_t, place=Py_ssize_t,
    made=str,
)
cpdef str render(object page, object kept, object url, object options)
@cython.locals(kind=str)
cdef tuple _open_tag(tuple event, list open_tags)
cdef str _write_id(object note)
cdef str _name_place(object note)
@cython.locals(before=tuple, after=tuple)
cdef bint _is_bare(list events, Py_ssize_t place) except -1
@cython.locals(kind=str, text=str)
cdef str _write_leaf(tuple leaf, bint bare)
@cython.locals(out=list, open_marks=tuple, marks=tuple, same=Py_ssize_t, place=Py_ssize_t, separator=str)
cdef str _write_inline(list spans, str line_break, object allowed)
cdef str _write_white(str separator, str line_break)
@cython.locals(place=Py_ssize_t)
cdef Py_ssize_t _count_common(tuple first, tuple second) except -1
cdef str _open_mark(tuple mark)
cdef str _write_content(object content, str line_break)
@cython.locals(character=Py_UCS4)
cdef str _escape_text(str text)
@cython.locals(character=Py_UCS4)
cdef str _escape_value(str text)
