# C types of decoration.py.

cimport cython

from tamis.page.attributes cimport Attributes

cdef int _ALT, _CLASS, _STYLE, _ROLE, _HIDDEN, _WIDTH, _HEIGHT
cdef tuple _PARTS
cdef int _UNSEEN, _SIGN, _ICON, _PICTURE, _LONGEST

@cython.locals(sizes=list, names=bytes, role=bytes, hidden=bytes)
cpdef bint is_decoration(Attributes attributes, Py_ssize_t node, bint in_figure) except -1
@cython.locals(part=bytes)
cdef bint _may_name(bytes names) except -1
@cython.locals(path=str, query=str, name=str, kind=str)
cpdef bint is_address_of_decoration(str address) except -1
@cython.locals(style=bytes, sizes=dict, raw=bytes)
cdef list _sizes(Attributes attributes, Py_ssize_t node)
