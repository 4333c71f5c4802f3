# C types of events.py.

cimport cython

@cython.final
cdef class LinkedLeaves:
    cdef public list cards
    cdef public tuple link, leaf_before

    @cython.locals(link=tuple, mark=tuple)
    cpdef object follow(self, tuple leaf, tuple marks)

@cython.locals(mark=tuple)
cpdef bint is_linked(tuple marks) except -1
@cython.locals(marks=tuple)
cdef bint _has_mark(list spans, tuple mark) except -1
