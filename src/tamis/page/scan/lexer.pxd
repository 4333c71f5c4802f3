# C types of lexer.py.

cimport cython

cdef int NOTHING, TEXT, START, END, COMMENT, DOCTYPE, CDATA
cdef bint COMPILED
cdef unsigned long long PRIME, ALL
cdef int SLOTS, A_NAME, A_START, A_END
cdef bytes TAG_BYTES
cdef const unsigned long long[::1] KEYS     # of tag names and attribute names
cdef const int[::1] TAG_NUMBERS, ATTRIBUTE_NUMBERS

cdef class Lexer:
    cdef bytes source
    cdef const unsigned char *src            # its bytes, to be read below `size` alone
    cdef size_t size
    cdef const unsigned char *tag_bytes
    cdef dict names                          # numbers of the tags that are not in tags.NAMES
    cdef int foreign                         # inside svg or math

    # The token: its kind, its tag, where its name and (of a comment) its data are.
    cdef int kind
    cdef int tag
    cdef int self_closing
    cdef size_t name_start
    cdef size_t name_end
    cdef int slot                            # of the name that was read last, in KEYS
    cdef size_t value_start
    cdef size_t value_end

    # Its attributes: rows first_attribute..n_attributes; `seen` has a bit for each.
    cdef unsigned long long seen
    cdef object attribute_rows
    cdef int[:, ::1] attributes
    cdef int first_attribute
    cdef int n_attributes

    # The attribute that was read last.
    cdef int attribute
    cdef size_t attribute_start
    cdef size_t attribute_end

    cdef int plain_scripts                   # "<!--" in a script is nothing special

    cdef size_t read_token(self, size_t i) except? -1
    cdef size_t read_until_bracket(self, int kind, size_t i) except? -1
    cdef size_t read_comment(self, size_t i) except? -1
    cdef size_t read_tag(self, int kind, size_t i) except? -1
    cdef size_t read_attribute(self, size_t i) except? -1
    @cython.final
    cdef inline size_t read_name(self, size_t i, int last) noexcept
    cdef size_t end_of_cdata(self, size_t i) except? -1
    cdef size_t find_byte(self, int byte, size_t i) noexcept
    cdef int unknown_tag(self) except? -1
    cpdef size_t end_of_raw_text(self, size_t i, bytes name, size_t end) except? -1
    @cython.locals(place=Py_ssize_t)
    cdef int is_name(self, size_t i, bytes name) except? -1
