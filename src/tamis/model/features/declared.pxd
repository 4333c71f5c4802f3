# C types of declared.py.

cdef int TITLE, META, SCRIPT, NAME, PROPERTY, TYPE, CONTENT, FOREIGN
cdef int LONGEST_NAME, SHORTEST_TYPE, LONGEST_TYPE
cdef bytes IS_LENGTH

cpdef tuple declaring(
    const int[::1] tag, const int[::1] flags, const int[::1] first_row, const int[:, :] rows
)
