# C types of builder.py.

cimport cython

from tamis.page.addresses cimport Base
from tamis.page.attributes cimport Attributes, value_of
from tamis.page.text.strings cimport Buffer, Strings
from tamis.render.outline.events cimport LinkedLeaves, is_linked
from tamis.render.outline.listings cimport Listings
from tamis.render.outline.pictures cimport read_image

cdef int CODE, CONTAINER, FORMULA, HEADING, IMAGE, LINK, MARK, RULE
cdef Py_ssize_t _FAR
cdef int HIDDEN, IN_PRE
cdef int _DEEPEST, _LEVELS, _MANY, _OFTEN
cdef int _SUP, _STRONG, _B, _OL, _TH, _IMG, _INPUT, _DL, _DD, _HREF, _START, _COLSPAN, _ROWSPAN, _CLASS, _END_OF_TAG, _LONGEST_TAG, _NEAR_TAGS
cdef bytes _IS_BLOCK
cdef dict _CONTAINERS, _MARKS, _HEADING_LEVELS
cdef list _NO_SPANS

@cython.final
cdef class _Builder:
    cdef object page, value, chosen
    cdef bytes source
    cdef Base base
    cdef list events, spans, stack, containers
    cdef str kind
    cdef Py_ssize_t around, last, end, atom_place, place, steps, next, first_text, last_text, length
    cdef tuple marks
    cdef LinkedLeaves linked
    cdef bint led_by_image, links, images
    cdef const int[::1] nodes, roles, firsts, ends, tags, lasts, parents
    cdef const int[::1] flags, starts, first_texts
    cdef Attributes attributes
    cdef Listings listings
    cdef dict hrefs, references, holders, note_blocks, carriers, places, margin, callouts, cuts, languages
    cdef set labels, back, unmarked
    cdef Py_ssize_t layout_end, line, atom_end
    cdef list outside, beside

    @cython.locals(place=Py_ssize_t, node=Py_ssize_t, raw=bytes)
    cdef dict _read_hrefs(self)
    cdef int _step(self) except -1
    cdef object _count_address(self, str address)
    @cython.locals(href=str)
    cdef dict _find_fragments(self)
    @cython.locals(place=Py_ssize_t, tag=int, is_any=bint)
    cdef list _find_raised(self)
    @cython.locals(
        texts=Strings, out=Buffer, numbers="const int[::1]", blocks="const int[::1]",
        around="const int[::1]", begins=bytearray, separator=str, count=Py_ssize_t,
        begin=Py_ssize_t, end=Py_ssize_t, block=Py_ssize_t, block_before=Py_ssize_t, is_new=bint,
    )
    cdef object build(self, set spaced)
    @cython.locals(place=Py_ssize_t)
    cdef bytearray _find_begins(self, object texts, set own)
    cdef str _begin_block(self, Py_ssize_t block, Py_ssize_t around, str separator)
    @cython.locals(names=bytes)
    cdef object _read_picture(self, Py_ssize_t node)
    cdef bint _repeats_image(self, object read_image) except -1
    cdef object _add_task(self, Py_ssize_t node)
    cdef bint _is_drawn(self, Py_ssize_t node) except -1
    @cython.locals(place=Py_ssize_t, begin=Py_ssize_t, tag=Py_ssize_t, white=bint)
    cdef str _find_white_after(self, Py_ssize_t text)
    cdef object _add_text(self, Py_ssize_t text, str separator, str content)
    @cython.locals(place=Py_ssize_t, node=Py_ssize_t, role=int)
    cdef object _enter(self, Py_ssize_t number)
    cdef object _push(self, Py_ssize_t place, str container)
    cdef object _leave(self)
    cdef object _flush(self)
    cdef object _add_cell(self, tuple leaf)
    @cython.locals(tag=int, kind=str, above=Py_ssize_t, is_list=bint, only_indents=bint)
    cdef object _open_by_role(self, Py_ssize_t place, Py_ssize_t node)
    cdef bint _is_layout(self, Py_ssize_t node) except -1
    cdef object _open_margin(self, Py_ssize_t place, Py_ssize_t node)
    cdef object _leave_margin(self)
    @cython.locals(href=str)
    cdef object _open_link(self, Py_ssize_t place, Py_ssize_t node)
    cdef object _open_leaf(self, Py_ssize_t place, Py_ssize_t node, int role)
    @cython.locals(tag=int)
    cdef object _open_container(self, Py_ssize_t place, Py_ssize_t node, str kind)
    @cython.locals(raw=bytes)
    cdef object _read_number(self, Py_ssize_t node, int attribute)
    @cython.locals(place=Py_ssize_t, start=Py_ssize_t, hidden=int, spaced=bint, around=Py_ssize_t)
    cdef object _add_atom(self, Py_ssize_t node, int role)
    @cython.locals(tag=int)
    cdef Py_ssize_t _block_around(self, Py_ssize_t node) except -2

cdef str _name_without_size(str src)
