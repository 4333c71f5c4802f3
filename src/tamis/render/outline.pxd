# C types of outline.py.

cimport cython

from tamis.page.addresses cimport Base
from tamis.page.attributes cimport Attributes, value_of
from tamis.page.buffer cimport Buffer
from tamis.page.strings cimport Strings
from tamis.render.listings cimport Listings
from tamis.render.pictures cimport image

cdef int CODE, CONTAINER, FORMULA, HEADING, IMAGE, LINK, MARK, RULE
cdef Py_ssize_t _FAR
cdef int HIDDEN, IN_PRE
cdef int _DEEPEST, _LEVELS, _MANY, _OFTEN
cdef int _SUP, _STRONG, _B, _OL, _TH, _IMG, _INPUT, _DL, _DD, _HREF, _START, _COLSPAN, _ROWSPAN, _CLASS, _END_OF_TAG, _LONGEST_TAG, _NEAR_TAGS
cdef bytes _IS_BLOCK
cdef dict _CONTAINERS, _MARKS, _HEADING_LEVELS
cdef list _NO_SPANS

@cython.final
cdef class _Walk:
    cdef object page, value, chosen
    cdef bytes source
    cdef Base base
    cdef list events, spans, stack, containers, cards
    cdef str kind
    cdef Py_ssize_t around, last, end, atom_place, place, steps, next, first_text, last_text, length
    cdef tuple marks, link, leaf_before
    cdef bint led_by_image, links, images
    cdef const int[::1] nodes, roles, firsts, ends, tags, lasts, parents
    cdef const int[::1] flags, starts, first_texts
    cdef Attributes attributes
    cdef Listings listings
    cdef list hrefs
    cdef dict references, holders, note_blocks, carriers, places, margin, callouts, cuts, languages
    cdef set labels, back, unmarked
    cdef Py_ssize_t layout_end, line, atom_end
    cdef list outside, beside

    @cython.locals(place=Py_ssize_t, raw=bytes)
    cdef list _hrefs(self)
    cdef int _step(self) except -1
    cdef object _count(self, str address)
    @cython.locals(place=Py_ssize_t, href=str)
    cdef dict _fragments(self)
    cdef object _add_rows(self, object rows)
    @cython.locals(place=Py_ssize_t, tag=int, is_any=bint)
    cdef list _raised(self)
    @cython.locals(
        texts=Strings, out=Buffer, numbers="const int[::1]", blocks="const int[::1]",
        around="const int[::1]", begins=bytearray, separator=str, count=Py_ssize_t,
        begin=Py_ssize_t, end=Py_ssize_t, block=Py_ssize_t, block_before=Py_ssize_t, is_new=bint,
    )
    cdef object run(self, set spaced)
    @cython.locals(place=Py_ssize_t)
    cdef bytearray _begins(self, object texts, set own)
    cdef str _new_block(self, Py_ssize_t block, Py_ssize_t around, str separator)
    @cython.locals(names=bytes)
    cdef object _picture(self, Py_ssize_t node)
    cdef bint _is_again(self, object image) except -1
    cdef object _task(self, Py_ssize_t node)
    cdef bint _is_drawn(self, Py_ssize_t node) except -1
    @cython.locals(place=Py_ssize_t, begin=Py_ssize_t, tag=Py_ssize_t, white=bint)
    cdef str _after_atom(self, Py_ssize_t text)
    cdef object _add(self, Py_ssize_t text, str separator, str content)
    @cython.locals(place=Py_ssize_t, node=Py_ssize_t, role=int)
    cdef object _enter(self, Py_ssize_t number)
    cdef object _push(self, Py_ssize_t place, str container)
    cdef object _leave(self)
    cdef object _flush(self)
    @cython.locals(link=tuple, mark=tuple)
    cdef object _follow_link(self, tuple leaf)
    cdef object _add_cell(self, tuple leaf)
    @cython.locals(tag=int, kind=str, above=Py_ssize_t, is_list=bint, only_indents=bint)
    cdef object _open_box(self, Py_ssize_t place, Py_ssize_t node)
    @cython.locals(names=bytes)
    cdef bint _is_layout(self, Py_ssize_t node) except -1
    cdef object _open_margin(self, Py_ssize_t place, Py_ssize_t node)
    cdef object _leave_margin(self)
    @cython.locals(href=str)
    cdef object _open_link(self, Py_ssize_t place, Py_ssize_t node)
    cdef object _open_leaf(self, Py_ssize_t place, Py_ssize_t node, int role)
    @cython.locals(tag=int)
    cdef object _open_container(self, Py_ssize_t place, Py_ssize_t node, str kind)
    @cython.locals(raw=bytes)
    cdef object _number(self, Py_ssize_t node, int attribute)
    @cython.locals(place=Py_ssize_t, start=Py_ssize_t, hidden=int, spaced=bint, around=Py_ssize_t)
    cdef object _atom(self, Py_ssize_t node, int role)
    @cython.locals(tag=int)
    cdef Py_ssize_t _block_around(self, Py_ssize_t node) except -2

@cython.locals(marks=tuple)
cdef bint _has_mark(list spans, tuple mark) except -1
cdef str _stem(str src)
cdef bint _is_sign(str content, tuple marks) except -1
@cython.locals(mark=tuple)
cdef bint _is_linked(tuple marks) except -1
