# C types of lex.py.

cdef int NOTHING, TEXT, START, END, COMMENT, DOCTYPE, CDATA
cdef unsigned long long FACTOR, MASK
cdef int SLOTS

cdef class Lexer:
    cdef bytes source
    cdef const unsigned char[::1] src
    cdef size_t size
    cdef const unsigned char[::1] tag_bytes
    cdef const unsigned long long[::1] keys  # of tag names and attribute names
    cdef const int[::1] tag_numbers
    cdef const int[::1] attribute_numbers
    cdef dict names                          # numbers of the tags that are not in tags.NAMES
    cdef int foreign                         # inside svg or math

    # The token: its kind, its tag, where its name and (of a comment) its data are.
    cdef int kind
    cdef int tag
    cdef int self_closing
    cdef size_t name_start
    cdef size_t name_end
    cdef size_t value_start
    cdef size_t value_end

    # Its attributes: rows first_attribute..n_attributes; `seen` has a bit for each.
    cdef unsigned long long seen
    cdef object attribute_rows
    cdef int[:, ::1] attributes
    cdef int first_attribute
    cdef int n_attributes

    # The attribute, or the character reference, that was read last.
    cdef int attribute
    cdef size_t attribute_start
    cdef size_t attribute_end
    cdef size_t reference_end

    # Where the next "-->" is. Kept, since "--!>" closes a comment too: looking for "-->" again
    # from each of many such comments would take quadratic time.
    cdef size_t comment_end
    cdef int plain_scripts                   # "<!--" in a script is nothing special

    cdef size_t token(self, size_t i) except? -1
    cdef size_t read_until_bracket(self, int kind, size_t i) except? -1
    cdef size_t read_comment(self, size_t i) except? -1
    cdef size_t read_tag(self, int kind, size_t i) except? -1
    cdef size_t read_attribute(self, size_t i) except? -1
    cdef size_t find_byte(self, unsigned int byte, size_t i) except? -1
    cdef size_t find_bytes(self, bytes needle, size_t i, size_t end) except? -1
    cdef int unknown_tag(self) except? -1
    cpdef size_t end_of_raw_text(self, size_t i, bytes name, size_t end) except? -1
    cdef int is_name(self, size_t i, bytes name) except? -1
    cdef int read_reference(self, size_t i) except? -1
