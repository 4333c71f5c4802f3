# C types of surrounding_features.py.

cimport cython

from tamis.model.features.columns cimport BatchColumns, Span

ctypedef const int[::1] Measures

cdef const int[::1] NEAR_MEASURES, FAR_MEASURES, FIRST_OF

# Columns of measures, then of the table.
cdef int HELD_WORDS, HELD_SHARE, HELD_LINK_DENSITY, HELD_BLOCKS, HELD_WORDS_PER_BLOCK
cdef int HELD_LONG_SHARE, HELD_HEADINGS, HELD_GOOD_SHARE, HELD_HIDDEN, HELD_WORDS_PER_NODE
cdef int HELD_KINDS
cdef int SAME_BLOCKS, SAME_WORDS, SAME_SHARE, SAME_LINK_DENSITY, SAME_PUNCTUATION, SAME_SUMS
cdef int NEAR_LEVELS
cdef int CONTAINER_ANCESTOR_1, CONTAINER_ANCESTOR_2, CONTAINER_HIGHEST, CONTAINER_INSIDE
cdef int CONTAINER_SIDE, CONTAINER_LEVELS_AWAY
cdef int SAME_PATH, SAME_CLASS_PATH
cdef int SIBLINGS, OWN_LINK_DENSITY, SIBLING_WORDS, SIBLING_SHARE, SIBLING_LINK_DENSITY
cdef int SIBLING_WORDS_EACH

cpdef object prepare(BatchColumns columns)
cpdef object write(BatchColumns columns, Span span, float[:, ::1] out)
@cython.locals(chosen=Measures)
cdef void write_ancestors(BatchColumns columns, Span span, float[:, ::1] out) except *
cdef void write_containers(BatchColumns columns, Span span, float[:, ::1] out) except *
cdef void write_same_paths(BatchColumns columns, Span span, float[:, ::1] out) except *
cdef void write_siblings(BatchColumns columns, Span span, float[:, ::1] out) except *
cdef int find_measures(BatchColumns columns, Py_ssize_t page, Py_ssize_t node) except -1
cdef void measure_element(
    BatchColumns columns, Py_ssize_t page, Py_ssize_t node, float[:, ::1] out, Py_ssize_t row
) except *
cdef void find_containers(BatchColumns columns) except *
cdef void write_path_group(
    double[:, ::1] sums, int group, double total, float[:, ::1] out, Py_ssize_t row, int place
) except *
cdef void find_same_paths(BatchColumns columns) except *
cdef object sum_path_groups(BatchColumns columns, int kind, int groups)
cdef void find_siblings(BatchColumns columns) except *
