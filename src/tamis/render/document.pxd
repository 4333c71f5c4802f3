# C types of document.py.

cimport cython

cdef int _OFTEN, _MANY

@cython.locals(
    event=tuple, document=list, children=list, place=Py_ssize_t, container=dict, leaf=dict,
)
cpdef list render(
    object page, object kept, object url, object options, Py_ssize_t length=*
)
@cython.locals(event=tuple, render_texts=list, place=Py_ssize_t)
cpdef list render_texts(object page, object kept)
cdef dict _make_container(tuple event)
@cython.locals(block=dict, kind=str, spans=list)
cdef dict _make_leaf(tuple leaf)
@cython.locals(text=str)
cdef str _join_text(str kind, list spans)
@cython.locals(marks=tuple)
cdef bint _are_rich(list spans) except -1
@cython.locals(made=list)
cdef list _make_spans(list spans)
@cython.locals(count=Py_ssize_t, span=dict)
cdef Py_ssize_t _count_characters(dict leaf) except -1
@cython.locals(separator=str)
cdef str _read_text(tuple span)
@cython.locals(result=dict, marks=tuple)
cdef dict _make_span(tuple span)
