# C types of decision.py.

cdef const double[::1] CUTS, WORLDS
cdef double LEAST, AS_GOOD, LOWEST_OF_EQUALS

cpdef tuple best_count(
    const double[::1] probabilities, const double[::1] words, const Py_ssize_t[::1] order,
    double beta,
)
cdef double sum_from_cuts(
    const double[::1] probabilities, const double[::1] words, const Py_ssize_t[::1] order,
    Py_ssize_t[::1] counts, double[::1] kept, double[::1] content,
) except? -1
cdef void sum_in_worlds(
    const double[::1] probabilities, const double[::1] words, const Py_ssize_t[::1] order,
    double[::1] gold,
) except *
cdef double mean_f(double kept, const double[::1] gold, double square) except? -1
cdef double pair_f(
    double kept, const double[::1] gold, Py_ssize_t world, double square
) except? -1
cdef double world_f(double kept, double gold, double square) noexcept
