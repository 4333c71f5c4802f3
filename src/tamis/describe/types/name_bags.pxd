# C types of name_bags.py.

cimport cython

from tamis.describe.types.page_numbers cimport PageColumns

cdef unsigned long long ALL, START, PRIME
cdef unsigned long long OG_TYPE, GENERATOR, CANONICAL, OG_URL, JSON_LD
cdef int MOST_DECLARED, MOST_SCRIPTS, MOST_DATA, LONGEST_TYPE, LONGEST_VALUE, LONGEST_NAME
cdef int MOST_DISTINCT, ROOM, SLOTS, MOST_OF_ROOT
cdef int META, RELATION, ITEM, DATA
cdef int BODY, ITEMTYPE, PROPERTY, NAME, REL, TYPE
cdef int DECLARED, ADDRESS, ROOT
cdef int KNOWN, ADDRESS_STEPS, LENGTH, QUERY_LENGTH, HYPHENS, DIGITS, SLASH, SUFFIX, LAST_LENGTH
cdef unsigned int PATH, HOST, QUERY, STEPS, FIRST, LAST
cdef const unsigned int[::1] CRC
cdef const unsigned char[::1] NAMING

cdef unsigned long long hash_value(
    const unsigned char[::1] source, Py_ssize_t start, Py_ssize_t stop, unsigned long long seed
) noexcept
cpdef tuple read_element_names(PageColumns page, bytes source)
cdef void choose(PageColumns page, Py_ssize_t row, int[:, ::1] chosen, Py_ssize_t count) noexcept
cdef Py_ssize_t choose_root(PageColumns page, int[:, ::1] chosen, Py_ssize_t count) noexcept
cdef object find_places(const int[::1] part, const unsigned long long[::1] tokens)

@cython.final
cdef class OwnNames:
    cdef const unsigned char[::1] source
    cdef const int[:, ::1] rows
    cdef object made
    cdef int[::1] places
    cdef Py_ssize_t count
    cdef readonly Py_ssize_t address_start, address_end

    cdef void read(self, Py_ssize_t head) except *
    cpdef object list_places(self)
    cdef void add(self, unsigned long long value, int kind) except *
    cdef void read_declaration(self, Py_ssize_t row, unsigned long long value) except *
    cdef void read_data_types(self, Py_ssize_t i) except *
    cdef void add_name(
        self, const unsigned char* text, Py_ssize_t i, Py_ssize_t stop, unsigned int seed
    ) noexcept
    cdef void add_words(
        self, const unsigned char* text, Py_ssize_t size, unsigned int seed
    ) noexcept
    @cython.locals(step=str, part=bytes)
    cpdef void read_address(
        self, PageColumns page, str host, str path, str query, bint known
    ) except *

@cython.final
cdef class NameWeights:
    cdef const int[::1] row_of
    cdef const float[:, ::1] weights
    cdef const unsigned char[::1] known

    cpdef void weigh(self, const int[::1] places, float[::1] out) except *
