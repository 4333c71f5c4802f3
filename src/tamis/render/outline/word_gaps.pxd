# C types of word_gaps.py.

cimport cython

cdef int _TOGETHER
cdef bytes _IS_LETTER

@cython.locals(
    source=bytes, flags="const int[::1]", blocks="const int[::1]", starts="const int[::1]",
    ends="const int[::1]", numbers="const int[::1]", place=Py_ssize_t, before=Py_ssize_t,
    text=Py_ssize_t, first=int, last=Py_ssize_t,
)
cdef list _find_joined_words(object page, object texts)
