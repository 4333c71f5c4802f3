# C types of scanner.py.

cimport cython

from tamis.page.scan.runs cimport Runs

cdef const int[::1] TRAITS, CONTEXTS        # of all numbers of tags

cdef int CDATA, DOCTYPE, END, START, TEXT
cdef int ARIA_HIDDEN, ATTRIBUTE_HIDDEN, BLOCK, BREAKOUT, CLOSED_EARLY, CLOSES_P, FOREIGN
cdef int FORMATTING, HEADING, IMPLIED, IN_LINK, INTEGRATION, IS_LINK, ITEM_STOP, METADATA, RAW, RCDATA
cdef int SCOPE, SKIPPED, SPECIAL, STYLE_HIDDEN, TABLE_PART, UNMATCHED_END, VOID
cdef int N_TAG, N_PARENT, N_DEPTH, N_LAST, N_START, N_CLOSE, N_ATTRIBUTES, N_FLAGS
cdef int N_FIRST_TEXT, N_END_TEXT
cdef int S_NODE, S_SPECIAL, S_SCOPE, S_ITEM, S_BLOCK, S_FLAGS
cdef int CHECK_EVERY, A_NAME, A_START, A_END
cdef int A, BODY, BR, BUTTON, CAPTION, COL, COLGROUP, DD, DIALOG, DT, FORM, FRAMESET, H1, HEAD
cdef int HTML, IMAGE, IMG, LI, NOBR, NOSCRIPT, OL, OPTGROUP, OPTION, P, PLAINTEXT, RP, RT, SCRIPT, STYLE
cdef int SELECT, TABLE, TBODY, TD, TEMPLATE, TFOOT, TH, THEAD, TITLE, TR, UL, XMP
cdef int AT_ARIA_HIDDEN, AT_HIDDEN, AT_HREF, AT_ONCLICK, AT_OPEN, AT_ROLE, AT_SRC, AT_STYLE

@cython.final
cdef class Scanner(Runs):
    cdef int max_nodes
    cdef int max_depth
    cdef object deadline
    cdef object node_rows
    cdef int[:, ::1] nodes
    cdef int n_nodes

    # The open elements, and for each tag the deepest open element (0: none). While an element is
    # open, its `last` column holds the next one of its tag further up.
    cdef object stack_rows
    cdef int[:, ::1] stack
    cdef int depth
    cdef int[::1] top

    cdef size_t start                        # of the token
    cdef size_t after                        # the token, and the raw text that belongs to it
    cdef int head_seen
    cdef int quirks
    cdef int form                            # the form whose end tag has not been read
    cdef int ended                           # the node whose own end tag is being read
    cdef size_t noscript_end                 # where the next "</noscript" is, as `comment_end`
    cdef set endless                         # raw text elements whose end tag does not come any more

    cdef int check_clock(self) except? -1
    cdef int open_node(self, int tag, int own) except? -1
    cdef int close_from(self, int node) except? -1
    cdef int close_one(self) except? -1
    cdef int follow_stack(self) except? -1
    cdef int close_early(self, int node) except? -1
    cdef int end_formatting(self, int tag) except? -1
    cdef int end_node(self, int node) except? -1
    cdef int open_implied(self, int tag) except? -1
    cdef int find_scope(self) except? -1
    cdef int current_tag(self) except? -1
    cdef int enter_body(self) except? -1
    cdef int start_before_body(self, int tag, int traits) except? -1
    cdef int drop(self) except? -1
    cdef int start_tag(self) except? -1
    cdef int start_block(self, int tag, int traits) except? -1
    cdef int close_paragraph(self) except? -1
    cdef int start_table_part(self, int tag) except? -1
    cdef int read_raw_text(self, int tag, int traits) except? -1
    cdef size_t end_without_tag(self, int tag) except? -1
    cdef size_t end_of_noscript(self) except? -1
    cdef int end_here(self) except? -1
    cdef int own_flags(self, int tag) except? -1
    cdef int row_of(self, int attribute) except? -1
    cdef bytes value_of(self, int attribute)
    cdef int is_true(self, int row) except? -1
    cdef int may_hide(self, int row) except? -1
    cdef int end_tag(self) except? -1
