"""Values of attributes byte by byte: which are the same, and what addresses may lead to.

Part of the hot path, see `tamis.page.lex`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from tamis.compiled import view
from tamis.model.features.walk import number_equal

if TYPE_CHECKING:
    from typing import TypeAlias

    import cython
    import numpy.typing as npt

    Hashes: TypeAlias = npt.NDArray[np.uint64]
    Utf8: TypeAlias = bytes
    Offsets: TypeAlias = npt.NDArray[np.intc]

COMPILED = not __file__.endswith(".py")

ALL = 2**64 - 1
# FNV-1a.
START = 0xCBF29CE484222325
PRIME = 0x100000001B3

TO_PROFILE, TO_POST = 1, 2
"""What an address may lead to: a word of it speaks of a person; it looks like a permalink."""

LONGEST_ADDRESS = 150  # characters at the end of an address that are looked at


def hashes(source: Utf8, starts: Offsets, ends: Offsets) -> Hashes:
    """A hash of each value."""
    row: cython.Py_ssize_t
    i: cython.Py_ssize_t
    value: cython.ulonglong
    made = np.empty(starts.shape[0], np.uint64)
    out: cython.ulonglong[::1] = made.data
    for row in range(starts.shape[0]):
        value = START
        for i in range(starts[row], ends[row]):
            value = (value ^ source[i]) * PRIME & ALL
        out[row] = value
    return made


def groups(keys: Hashes) -> tuple[Offsets, npt.NDArray[np.intp]]:
    """The number of the group of each row, those with the same key, and the first row of each."""
    numbers = np.empty(keys.shape[0], np.intc)
    firsts = np.zeros(number_equal(keys, numbers), np.intp)
    firsts[numbers[::-1]] = np.arange(keys.shape[0] - 1, -1, -1)
    return numbers, firsts


def leads(
    source: Utf8, starts: Offsets, ends: Offsets, people: Hashes
) -> npt.NDArray[np.uint8]:
    """What each address may lead to, by the `hashes` of words for people."""
    row: cython.Py_ssize_t
    made = np.zeros(starts.shape[0], np.uint8)
    out: cython.uchar[::1] = made.data
    to_profile: cython.uchar = TO_PROFILE
    to_post: cython.uchar = TO_POST
    if not COMPILED:
        people = view(people)
    for row in range(starts.shape[0]):
        if may_be_permalink(source, starts[row], ends[row]):
            out[row] = to_post
        if speaks_of_people(source, starts[row], ends[row], people):
            out[row] |= to_profile
    return made


def may_be_permalink(
    source: Utf8, start: cython.Py_ssize_t, end: cython.Py_ssize_t
) -> cython.bint:
    """Whether an address has a number, and a sign before which or a step in which it may be."""
    i: cython.Py_ssize_t
    has_number: cython.bint = False
    has_sign: cython.bint = False
    for i in range(start, end):
        c: cython.uchar = source[i]
        if 48 <= c <= 57 or c >= 128:
            has_number = True
        elif c == 35 or c == 63 or c == 38 or c == 59:  # # ? & ;
            has_sign = True
        elif c == 47 and i + 1 < end and (source[i + 1] == 112 or source[i + 1] == 99):  # /p /c
            has_sign = True
    return has_number and has_sign


def speaks_of_people(
    source: Utf8, start: cython.Py_ssize_t, end: cython.Py_ssize_t, people: Hashes
) -> cython.bint:
    """Whether a word at the end of an address is one for people: `/user/7`, `?memberId=7`."""
    i: cython.Py_ssize_t = end
    word: cython.Py_ssize_t
    count: cython.int = 0
    while i > start and count < LONGEST_ADDRESS:
        i -= 1
        count += source[i] & 0xC0 != 0x80
    while i < end:
        c: cython.uchar = source[i]
        i += 1
        if not 97 <= (c | 32) <= 122:
            continue
        value: cython.ulonglong = (START ^ (c | 32)) * PRIME & ALL
        # A capital and what is small after it, or capitals alone.
        capitals: cython.bint = c < 97 and not (i < end and 97 <= source[i] <= 122)
        while i < end and (65 <= source[i] <= 90 if capitals else 97 <= source[i] <= 122):
            value = (value ^ (source[i] | 32)) * PRIME & ALL
            i += 1
        for word in range(people.shape[0]):
            if people[word] == value:
                return True
    return False
