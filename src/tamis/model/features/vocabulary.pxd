# C types of vocabulary.py.

cimport cython

from tamis.model.features.word_hashes cimport character_at

cdef unsigned long long ALL, GOLDEN, PRIME, START
cdef int BREAK, DIGIT, HAN, HIDDEN, IGNORED, LOWER, SEA, SYMBOL, UPPER
cdef int IN_TITLE, LETTERS, SHORT_SCRIPTS, LONG_SCRIPTS, FIRST_SYLLABLE, LAST_SYLLABLE
cdef const unsigned char[::1] FOLDED
cdef unsigned long long CODE, OF_KIND
cdef int CODE_BITS, KIND_BITS
cdef const unsigned short[::1] LOWER_CASE

@cython.final
cdef class Vocabulary:
    cdef int bits
    cdef readonly int count, title_count, description_count
    cdef unsigned long long[::1] keys
    cdef int[::1] numbers
    cdef readonly int[::1] words, first_word
    cdef readonly unsigned char[::1] declared, ends_open

    cpdef object read_blocks(
        self,
        const unsigned char[::1] source,
        const int[::1] start,
        const int[::1] end,
        const int[::1] block,
        const int[::1] flags,
        const int[::1] block_flags,
    )
    cdef Py_ssize_t read(
        self, const unsigned char[::1] source, Py_ssize_t i, Py_ssize_t stop, Py_ssize_t count
    ) except -1
    cdef Py_ssize_t add(self, unsigned long long key, Py_ssize_t count) except -1

cdef bint is_open(const unsigned char[::1] source, Py_ssize_t i, Py_ssize_t stop) except -1

cdef int KNOWN, FAMILY, UNIT, SECTION, UNIT_TITLE, FAMILY_TITLE, FAMILY_OPEN, PAGE_KNOWN
cdef double NO_WORDS

@cython.locals(known=double, tokens=double, weight=double, weighted=double)
cpdef object write_cohesion(
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
cdef int write_group_cohesion(
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
