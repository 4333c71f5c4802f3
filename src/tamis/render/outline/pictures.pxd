# C types of pictures.py.

cimport cython

from tamis.page.addresses cimport Base
from tamis.page.attributes cimport Attributes, value_of

cdef int _ALT, _SRC, _DATA_SRC, _SRCSET
cdef int _LONGEST

@cython.locals(src=str, alt=bytes, in_figure=bint)
cpdef object read_image(object page, Attributes attributes, Py_ssize_t node, Base base)
cpdef str find_address(object page, Attributes attributes, Py_ssize_t node, Base base)
cdef str _resolve(bytes find_address, Base base)
cdef str _find_late(object page, Py_ssize_t node, Base base)
cdef bytes _choose_largest(bytes candidates)

cdef int _CLASS, _STYLE, _ROLE, _HIDDEN, _WIDTH, _HEIGHT
cdef tuple _PARTS
cdef int _UNSEEN, _SIGN, _ICON, _SHOWN, _LONGEST_READ

@cython.locals(sizes=list, names=bytes, role=bytes, hidden=bytes)
cpdef bint is_decoration(Attributes attributes, Py_ssize_t node, bint in_figure) except -1
@cython.locals(part=bytes)
cdef bint _may_be_named(bytes names) except -1
@cython.locals(path=str, query=str, name=str, kind=str)
cpdef bint is_address_of_decoration(str find_address) except -1
@cython.locals(style=bytes, sizes=dict, raw=bytes)
cdef list _read_sizes(Attributes attributes, Py_ssize_t node)
