# C types of columns.py.

cimport cython

from tamis.model.features.element_hashes cimport number_equal

cdef int LINE, KIND_COUNT, NEAR_LEVELS, FAR_LEVELS, LONG_BLOCK, MOST_GOOD_WORDS, HIDDEN
cdef const int[::1] KIND_OF_TAG, LEVEL_OF_TAG

cpdef object allocate_columns(Py_ssize_t columns, Py_ssize_t rows)

@cython.final
cdef class Span:
    cdef Py_ssize_t page, first, end, start

@cython.final
cdef class BatchColumns:
    cdef readonly tuple pages
    # Of pages; the first two have the end, too.
    cdef const long long[::1] first_node, first_block
    cdef const double[::1] nodes, bytes, words_median
    cdef const double[::1] title_words, description_words, data_words, is_article, has_article

    # Of nodes.
    cdef const int[::1] tag, parent, depth, last
    cdef const unsigned long long[::1] path, class_path
    cdef const unsigned long long[::1] sibling_key  # the same for siblings that look the same
    cdef readonly int[::1] first, end  # the first block at or below the node, and one past the last
    cdef readonly int[::1] up  # the nearest ancestor that holds more blocks, or the root
    cdef readonly int[::1] level  # how often the number of blocks changes from the root down
    cdef int[:, ::1] kinds  # nodes of each kind before the node; one row more

    # Of texts.
    cdef const int[::1] tags_before

    # Of blocks.
    cdef const int[::1] node, first_text, end_text, flags
    cdef const int[::1] chars, words, link_words, punctuation, capitals, digits, unspaced
    cdef const int[::1] lines, line_words
    cdef const int[::1] first_character, last_character
    cdef int[::1] heading_level  # 0 if the block is no heading
    cdef readonly int[:, ::1] around  # ancestors, see `find_levels`
    # Beside what the page declares: words, words of the title; pairs of words, of them in the
    # description and in the data. Hashed words, so their number may differ from `words`.
    cdef const double[::1] compared, in_title, pairs, in_description, in_data
    cdef int[::1] text_group  # the same for blocks of the page with the same words
    cdef int[::1] text_count  # of those groups, how many blocks they have
    # Prefix sums, with one row more. Long: words outside of links in long blocks. Good: words in
    # blocks with few links and some punctuation. Mass: punctuation, and the words outside of links
    # of blocks that are not mostly links and have punctuation.
    cdef double[::1] word_sum, link_word_sum, punctuation_sum, long_sum, heading_sum
    cdef double[::1] good_sum, hidden_sum, mass_sum
    cdef double[::1] weight  # words, at least 1

    # What `prepare` of the passes leaves for all steps, see there.
    cdef double[::1] ratio  # blocks
    cdef int[::1] heading, section, section_end  # blocks
    cdef int[::1] first_h1  # pages
    cdef double[::1] longest  # pages
    cdef float[:, ::1] measures  # elements that were measured
    cdef int[::1] measured  # nodes
    cdef Py_ssize_t measured_count
    cdef double[::1] container, highest_container  # nodes
    cdef int[::1] shared_level  # nodes
    cdef int[::1] best_container  # pages
    cdef int[:, ::1] path_group  # blocks
    cdef int path_groups, class_path_groups, sibling_groups  # how many, -1 if not yet numbered
    cdef double[:, ::1] path_sums, class_path_sums  # groups
    cdef int[::1] sibling_group, repeated  # nodes
    cdef double[::1] repeated_count  # nodes
    cdef double[::1] sibling_words, sibling_links  # groups
    cdef double[:, ::1] page_row  # pages
    cdef double[::1] described, in_data_share  # pages

    cdef double[:, ::1] sums  # groups of a kind, see `group_features.sum_groups`
    cdef int[::1] summed  # the same groups
    cdef int passes

    cdef void make_room(self, Py_ssize_t nodes, Py_ssize_t blocks) except *
    cdef void group_texts(self, const unsigned long long[::1] keys) except *
    cdef void sum_up(self, Py_ssize_t blocks) except *
    cdef void find_blocks(
        self, const int[::1] first_text, const int[::1] end_text, const int[::1] text_block
    ) except *
    cdef void find_levels(self, Py_ssize_t nodes, Py_ssize_t blocks) except *
    cdef void count_kinds(self, Py_ssize_t nodes) except *
    cdef void group_paths(self) except *
    cdef void group_siblings(self) except *
    cdef int begin_sums(self, int numbers) except -1
