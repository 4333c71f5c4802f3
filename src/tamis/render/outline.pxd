# C types of outline.py.

cimport cython

from tamis.page.addresses cimport Base
from tamis.page.attributes cimport Attributes, value_of
from tamis.page.strings cimport Strings
from tamis.render.pictures cimport image

cdef int CODE, CONTAINER, FORMULA, IMAGE, LINK, MARK, RULE
cdef Py_ssize_t _FAR
cdef int _DEEPEST, _LEVELS, _OFTEN

@cython.final
cdef class _Walk:
    cdef object page
    cdef Base base
    cdef list events
    cdef str kind
    cdef object value
    cdef list spans
    cdef Py_ssize_t around
    cdef tuple marks
    cdef list stack
    cdef Py_ssize_t last
    cdef Py_ssize_t end
    cdef list containers
    cdef bint led_by_image
    cdef Py_ssize_t atom_place
    cdef object chosen
    cdef const int[::1] nodes
    cdef const int[::1] roles
    cdef const int[::1] firsts
    cdef const int[::1] ends
    cdef const int[::1] tags
    cdef const int[::1] lasts
    cdef const int[::1] parents
    cdef Attributes attributes
    cdef Py_ssize_t place
    cdef Py_ssize_t steps
    cdef Py_ssize_t next
    cdef dict hrefs
    cdef object notes
    cdef dict references
    cdef dict note_holders
    cdef bint links
    cdef bint images

    cdef dict _hrefs(self)
    cdef object _step(self)
    cdef object _notes(self)
    @cython.locals(
        texts=Strings, numbers="const Py_ssize_t[::1]", begins=list, blocks=list, around=list,
        separator=str, place=Py_ssize_t, begin=Py_ssize_t,
        end=Py_ssize_t, block=Py_ssize_t, block_before=Py_ssize_t,
    )
    cdef object run(self)
    cdef object _begins(self, object texts, set own)
    cdef str _new_block(self, Py_ssize_t block, Py_ssize_t around, str separator)
    cdef object _add(self, Py_ssize_t text, str separator, str content)
    @cython.locals(place=Py_ssize_t, node=Py_ssize_t, role=int)
    cdef object _enter(self, Py_ssize_t number)
    cdef object _push(self, Py_ssize_t place, str container)
    cdef object _leave(self)
    cdef object _flush(self)
    cdef object _add_cell(self, tuple leaf)
    cdef object _open_link(self, Py_ssize_t place, Py_ssize_t node)
    cdef object _open_leaf(self, Py_ssize_t place, Py_ssize_t node, int role)
    cdef object _open_container(self, Py_ssize_t place, Py_ssize_t node, str kind)
    cdef object _number(self, Py_ssize_t node, str name)
    cdef object _rule(self)
    cdef object _atom(self, Py_ssize_t node, int role)
    @cython.locals(tag=int)
    cdef Py_ssize_t _block_around(self, Py_ssize_t node) except -2

cdef bint _is_sign(str content, tuple marks) except -1
cdef bint _is_linked(tuple marks) except -1
