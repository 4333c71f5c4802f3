# C types of pictures.py.

cimport cython

from tamis.page.addresses cimport Base
from tamis.page.attributes cimport Attributes, value_of

cdef int _ALT, _SRC, _DATA_SRC, _SRCSET, _WIDTH, _HEIGHT
cdef int _LONGEST

@cython.locals(src=str, alt=bytes)
cpdef object image(object page, Attributes attributes, Py_ssize_t node, Base base)
cdef bint _is_pixel(bytes size) except -1
cdef str _loaded(bytes address, Base base)
cdef str _loaded_late(object page, Py_ssize_t node, Base base)
cdef bytes _largest(bytes candidates)
