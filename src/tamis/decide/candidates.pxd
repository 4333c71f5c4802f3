# C types of candidates.py.

cimport cython

cdef double CERTAIN, HALF
cdef int MOST_GAP, HIDDEN
cdef int BEST, PRECISE, SURE, LONGEST_RUN, TWO_RUNS, ELEMENT

@cython.final
cdef class Candidates:
    cdef readonly object made, kinds_made
    cdef readonly int count
    cdef unsigned char[:, ::1] rows
    cdef int[::1] kinds

    cdef void add(self, int kind) except *
    cpdef object add_flags(self, int kind, const unsigned char[::1] flags)
    cdef void add_first(self, int kind, const Py_ssize_t[::1] order, Py_ssize_t count) except *
    cdef void add_certain(self, const double[::1] probabilities) except *
    @cython.locals(number=int, heaviest=int, second=int)
    cdef void add_runs(self, const double[::1] expected, const int[::1] flags) except *
    @cython.locals(deepest=int, first=int, end=int)
    cdef void add_element(
        self,
        const double[::1] expected,
        const int[::1] text_block,
        const int[::1] first_text,
        const int[::1] end_text,
        const int[::1] depth,
    ) except *
