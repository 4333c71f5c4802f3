# C types of cohesion.py.

cimport cython

from tamis.model.features.vocabulary cimport Vocabulary

cdef int TITLE, KNOWN, FAMILY, UNIT, SECTION, UNIT_TITLE, FAMILY_TITLE, FAMILY_OPEN, PAGE_KNOWN
cdef double NO_WORDS

@cython.locals(known=double, tokens=double, weight=double, weighted=double)
cpdef object write_page(
    Vocabulary vocabulary,
    const int[::1] unit,
    const int[::1] family,
    const int[::1] section,
    const double[::1] chances,
    float[:, :] out,
)
@cython.locals(
    in_title=double, opened=double, tokens=double, known=double, start=Py_ssize_t, end=Py_ssize_t,
    block=Py_ssize_t,
)
cdef int write_groups(
    Vocabulary vocabulary,
    const int[::1] numbers,
    const double[::1] chances,
    const double[::1] likely,
    double[::1] own,
    int[::1] marks,
    int mark,
    float[:, :] out,
    int known_row,
    int title_row,
) except -1
