# C types of pictures.py.

cimport cython

from tamis.page.addresses cimport Base
from tamis.page.attributes cimport Attributes, value_of
from tamis.render.decoration cimport is_address_of_decoration, is_decoration

cdef int _ALT, _SRC, _DATA_SRC, _SRCSET
cdef int _LONGEST

@cython.locals(src=str, alt=bytes, in_figure=bint)
cpdef object image(object page, Attributes attributes, Py_ssize_t node, Base base)
cpdef str address(object page, Attributes attributes, Py_ssize_t node, Base base)
cdef str _loaded(bytes address, Base base)
cdef str _loaded_late(object page, Py_ssize_t node, Base base)
cdef bytes _largest(bytes candidates)
