# C types of type_trees.py.

cimport cython

@cython.final
cdef class NameWeights:
    cdef const int[::1] row_of
    cdef const float[:, ::1] weights
    cdef const unsigned char[::1] known

    cpdef void weigh(self, const int[::1] places, float[::1] out) except *

@cython.final
cdef class TypeTrees:
    cdef const short[::1] feature
    cdef const float[::1] limit, answer
    cdef const int[::1] branch, first, place, walking

    cpdef void add(self, const float[::1] columns, double[::1] out) except *
