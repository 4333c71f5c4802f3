# C types of json.py.

cimport cython

cdef int _OFTEN, _MANY

@cython.locals(
    event=tuple, document=list, children=list, place=Py_ssize_t, container=dict, leaf=dict,
)
cpdef list render(
    object page, object kept, object url, object options, Py_ssize_t length=*
)
@cython.locals(event=tuple, texts=list, place=Py_ssize_t)
cpdef list texts(object page, object kept)
cdef dict _container(tuple event)
@cython.locals(block=dict, kind=str, spans=list)
cdef dict _leaf(tuple leaf)
@cython.locals(text=str)
cdef str _joined(str kind, list spans)
@cython.locals(marks=tuple)
cdef bint _are_more_than_text(list spans) except -1
@cython.locals(made=list)
cdef list _spans(list spans)
@cython.locals(count=Py_ssize_t, span=dict)
cdef Py_ssize_t _characters(dict leaf) except -1
@cython.locals(separator=str)
cdef str _text(tuple span)
@cython.locals(result=dict, marks=tuple)
cdef dict _span(tuple span)
