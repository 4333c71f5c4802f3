"""Values of attributes byte by byte: which are the same, and what addresses may lead to.

Part of the hot path, see `tamis.page.lex`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from tamis._runtime.compiled import view
from tamis.model.features.walk import number_equal
from tamis.page.hashes import ALL, PRIME, START

if TYPE_CHECKING:
    from typing import TypeAlias

    import cython
    import numpy.typing as npt

    from tamis.page.arrays import Hashes, Ints

    Utf8: TypeAlias = bytes

COMPILED = not __file__.endswith(".py")


TO_PROFILE, TO_POST = 1, 2
"""What an address may lead to: a word of it speaks of a person; it looks like a permalink."""

LONGEST_ADDRESS = 150  # characters at the end of an address that are looked at


def hashes(source: Utf8, starts: Ints, ends: Ints) -> Hashes:
    """A hash of each value."""
    row: cython.Py_ssize_t
    i: cython.Py_ssize_t
    value: cython.ulonglong
    made = np.empty(starts.shape[0], np.uint64)
    out: cython.ulonglong[::1] = made
    for row in range(starts.shape[0]):
        value = START
        for i in range(starts[row], ends[row]):
            value = (value ^ source[i]) * PRIME & ALL
        out[row] = value
    return made


def groups(keys: Hashes) -> tuple[Ints, npt.NDArray[np.intp]]:
    """The number of the group of each row, those with the same key, and the first row of each."""
    numbers = np.empty(keys.shape[0], np.intc)
    firsts = np.zeros(number_equal(keys, numbers), np.intp)
    firsts[numbers[::-1]] = np.arange(keys.shape[0] - 1, -1, -1)
    return numbers, firsts


def leads(source: Utf8, starts: Ints, ends: Ints, people: Hashes) -> npt.NDArray[np.uint8]:
    """What each address may lead to, by the `hashes` of words for people."""
    row: cython.Py_ssize_t
    made = np.zeros(starts.shape[0], np.uint8)
    out: cython.uchar[::1] = made
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


def words_of(source: Utf8, starts: Ints, ends: Ints) -> tuple[Ints, Hashes, Ints, Ints]:
    """The words in values: the row of each, its hash, begin and end.

    A word is a run of small letters with a capital before it or not, or of capitals.
    """
    row: cython.Py_ssize_t
    i: cython.Py_ssize_t
    count: cython.Py_ssize_t = 0
    room: cython.Py_ssize_t = int(np.subtract(ends, starts).sum())
    columns = (
        np.empty(room, np.intc),
        np.empty(room, np.uint64),
        np.empty(room, np.intc),
        np.empty(room, np.intc),
    )
    rows: cython.int[::1] = columns[0]
    made: cython.ulonglong[::1] = columns[1]
    begins: cython.int[::1] = columns[2]
    stops: cython.int[::1] = columns[3]
    for row in range(starts.shape[0]):
        i = starts[row]
        while i < ends[row]:
            if not is_letter(source[i]):
                i += 1
                continue
            rows[count] = row
            begins[count] = i
            end: cython.Py_ssize_t = word_end(source, i, ends[row])
            stops[count] = end
            made[count] = word_hash(source, i, end)
            i = end
            count += 1
    return columns[0][:count], columns[1][:count], columns[2][:count], columns[3][:count]


def names_of(
    source: Utf8, starts: Ints, ends: Ints, most: cython.int
) -> tuple[Ints, Hashes, Ints, Ints, npt.NDArray[np.bool_]]:
    """The names in values, up to `most` in each: row, hash, begin and end.

    Names that differ in their numbers alone have the same hash; the last column says which have
    any.
    """
    row: cython.Py_ssize_t
    i: cython.Py_ssize_t
    count: cython.Py_ssize_t = 0
    room: cython.Py_ssize_t = int(np.minimum(np.subtract(ends, starts) // 2 + 1, most).sum())
    columns = (
        np.empty(room, np.intc),
        np.empty(room, np.uint64),
        np.empty(room, np.intc),
        np.empty(room, np.intc),
        np.zeros(room, bool),
    )
    rows: cython.int[::1] = columns[0]
    made: cython.ulonglong[::1] = columns[1]
    begins: cython.int[::1] = columns[2]
    stops: cython.int[::1] = columns[3]
    numbered: cython.uchar[::1] = columns[4].view(np.uint8)
    for row in range(starts.shape[0]):
        names: cython.int = 0
        i = starts[row]
        while i < ends[row] and names < most:
            if is_white(source[i]):
                i += 1
                continue
            rows[count] = row
            begins[count] = i
            value: cython.ulonglong = START
            in_number: cython.bint = False
            while i < ends[row] and not is_white(source[i]):
                is_digit: cython.bint = 48 <= source[i] <= 57
                if not is_digit:
                    value = (value ^ source[i]) * PRIME & ALL
                elif not in_number:
                    value = (value ^ 48) * PRIME & ALL
                    numbered[count] = True
                in_number = is_digit
                i += 1
            made[count] = value
            stops[count] = i
            count += 1
            names += 1
    rows_made, hashes_made, begins_made, stops_made, numbered_made = columns
    return (
        rows_made[:count],
        hashes_made[:count],
        begins_made[:count],
        stops_made[:count],
        numbered_made[:count],
    )


def declaring(source: Utf8, starts: Ints, ends: Ints) -> npt.NDArray[np.bool_]:
    """Whether a tag may have an attribute for a moment: `datetime`, `title` or `data-`."""
    row: cython.Py_ssize_t
    i: cython.Py_ssize_t
    made = np.zeros(starts.shape[0], bool)
    out: cython.uchar[::1] = made.view(np.uint8)
    for row in range(starts.shape[0]):
        for i in range(starts[row], ends[row] - 4):
            first: cython.uchar = source[i] | 32
            if first != 100 and first != 116:  # d, t
                continue
            second: cython.uchar = source[i + 1] | 32
            third: cython.uchar = source[i + 2] | 32
            if (first == 116 and second == 105 and third == 116) or (
                first == 100 and second == 97 and third == 116  # tit, dat
            ):
                out[row] = True
                break
    return made


def holding(source: Utf8, starts: Ints, ends: Ints, word: Utf8) -> npt.NDArray[np.bool_]:
    """Whether each value holds a word."""
    row: cython.Py_ssize_t
    i: cython.Py_ssize_t
    same: cython.Py_ssize_t
    length: cython.Py_ssize_t = len(word)
    made = np.zeros(starts.shape[0], bool)
    out: cython.uchar[::1] = made.view(np.uint8)
    for row in range(starts.shape[0]):
        for i in range(starts[row], ends[row] - length + 1):
            same = 0
            while same < length and source[i + same] == word[same]:
                same += 1
            if same == length:
                out[row] = True
                break
    return made


def is_letter(c: cython.uchar) -> cython.bint:
    """Whether a byte is an ASCII letter."""
    return 97 <= (c | 32) <= 122


def is_white(c: cython.uchar) -> cython.bint:
    """Whether a byte is ASCII white space."""
    return c <= 32 and (c >= 28 or 9 <= c <= 13)


def word_end(source: Utf8, start: cython.Py_ssize_t, end: cython.Py_ssize_t) -> cython.Py_ssize_t:
    """Where the word ends that begins with the letter at `start`."""
    i: cython.Py_ssize_t = start + 1
    # A capital and what is small after it, or capitals alone.
    capitals: cython.bint = source[start] < 97 and not (i < end and 97 <= source[i] <= 122)
    while i < end and (65 <= source[i] <= 90 if capitals else 97 <= source[i] <= 122):
        i += 1
    return i


def word_hash(source: Utf8, start: cython.Py_ssize_t, end: cython.Py_ssize_t) -> cython.ulonglong:
    """The hash of a word in small letters."""
    i: cython.Py_ssize_t
    value: cython.ulonglong = START
    for i in range(start, end):
        value = (value ^ (source[i] | 32)) * PRIME & ALL
    return value


def may_be_permalink(source: Utf8, start: cython.Py_ssize_t, end: cython.Py_ssize_t) -> cython.bint:
    """Whether an address has a number, and a sign before which or a step in which it may be."""
    i: cython.Py_ssize_t
    has_number: cython.bint = False
    has_sign: cython.bint = False
    for i in range(start, end):
        c: cython.uchar = source[i]
        if 48 <= c <= 57 or c >= 128:
            has_number = True
        elif c == 47:  # /p /c
            has_sign |= i + 1 < end and (source[i + 1] == 112 or source[i + 1] == 99)
        else:
            has_sign |= c == 35 or c == 63 or c == 38 or c == 59  # # ? & ;
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
        if not is_letter(source[i]):
            i += 1
            continue
        stop: cython.Py_ssize_t = word_end(source, i, end)
        value: cython.ulonglong = word_hash(source, i, stop)
        i = stop
        for word in range(people.shape[0]):
            if people[word] == value:
                return True
    return False
