"""Searches through the values of attributes, byte by byte.

They find equal values, the words and names in a value, hints at authors, and where an address may
lead. Part of the hot path, see `tamis.page.scan.lexer`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from tamis._runtime.compiled import view_numbers
from tamis.model.features.element_hashes import number_equal
from tamis.page.arrays import ALL, PRIME, START

if TYPE_CHECKING:
    from typing import TypeAlias

    import cython

    from tamis.page.arrays import Bytes, Flags, Hashes, Indexes, Ints

    Utf8: TypeAlias = bytes
    Hints: TypeAlias = list[bytes]

COMPILED = not __file__.endswith(".py")


TO_PROFILE, TO_POST = 1, 2
"""Where an address may lead: one of its words speaks of a person; it looks like a permalink."""

LONGEST_ADDRESS = 150  # characters at the end of an address that are read
LOWER_CASE = view_numbers(np.frombuffer(bytes(range(256)).lower(), np.uint8).copy())


def hash_values(source: Utf8, starts: Ints, ends: Ints) -> Hashes:
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


def number_equal_keys(keys: Hashes) -> tuple[Ints, Indexes]:
    """Number the groups of rows with the same key; return these numbers and each first row."""
    numbers = np.empty(keys.shape[0], np.intc)
    firsts = np.zeros(number_equal(keys, numbers), np.intp)
    firsts[numbers[::-1]] = np.arange(keys.shape[0] - 1, -1, -1)
    return numbers, firsts


def classify_addresses(source: Utf8, starts: Ints, ends: Ints, people: Hashes) -> Bytes:
    """Tell where each address may lead, as bits; `people` are the hashes of words for people."""
    row: cython.Py_ssize_t
    made = np.zeros(starts.shape[0], np.uint8)
    out: cython.uchar[::1] = made
    to_profile: cython.uchar = TO_PROFILE
    to_post: cython.uchar = TO_POST
    if not COMPILED:
        people = view_numbers(people)
    for row in range(starts.shape[0]):
        if may_be_permalink(source, starts[row], ends[row]):
            out[row] = to_post
        if speaks_of_people(source, starts[row], ends[row], people):
            out[row] |= to_profile
    return made


def split_words(source: Utf8, starts: Ints, ends: Ints) -> tuple[Ints, Hashes, Ints, Ints]:
    """Split values into words; return the row of each word, its hash, begin and end.

    A word is a run of small letters, with or without a capital before it, or a run of capitals.
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
            end: cython.Py_ssize_t = find_word_end(source, i, ends[row])
            stops[count] = end
            made[count] = hash_word(source, i, end)
            i = end
            count += 1
    return columns[0][:count], columns[1][:count], columns[2][:count], columns[3][:count]


def split_names(
    source: Utf8, starts: Ints, ends: Ints, most: cython.int
) -> tuple[Ints, Hashes, Ints, Ints, Flags]:
    """Split values into names, at most `most` each; return row, hash, begin and end of each name.

    Names that only differ in their numbers have the same hash; the last column says which names
    have a number.
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
    return (
        columns[0][:count],
        columns[1][:count],
        columns[2][:count],
        columns[3][:count],
        columns[4][:count],
    )


def mark_dated_tags(source: Utf8, starts: Ints, ends: Ints) -> Flags:
    """Mark the tags that may have an attribute with a date: `datetime`, `title` or `data-`."""
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


def mark_containing(source: Utf8, starts: Ints, ends: Ints, word: Utf8) -> Flags:
    """Mark the values that contain a word."""
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


def find_hints(
    source: Utf8, starts: Ints, ends: Ints, is_read: Bytes, hints: Hints
) -> list[tuple[int, int]]:
    """Find hints in any case in the values to be read; return the number and row of each, in order.

    Hints have at least two bytes, and hints with the same first byte have the same second byte.
    """
    row: cython.Py_ssize_t
    i: cython.Py_ssize_t
    number: cython.Py_ssize_t
    count: cython.Py_ssize_t = len(hints)
    second: cython.uchar[::1] = np.zeros(256, np.uint8).data  # by first bytes
    for hint in hints:
        second[hint[0]] = hint[1]
    found = []
    for row in range(starts.shape[0]):
        if not is_read[row]:
            continue
        seen: cython.ulonglong = 0
        wanted: cython.uint = 0
        for i in range(starts[row], ends[row]):
            c: cython.uint = LOWER_CASE[source[i]]
            if c == wanted and wanted:
                for number in range(count):
                    if not seen >> number & 1 and has_hint(source, i - 1, ends[row], hints[number]):
                        seen |= 1 << number
                        found.append((number, row))
            wanted = second[c]
    found.sort()
    return found


def has_hint(
    source: Utf8, i: cython.Py_ssize_t, end: cython.Py_ssize_t, hint: bytes
) -> cython.bint:
    size: cython.Py_ssize_t = len(hint)
    place: cython.Py_ssize_t = 0
    while place < size and i + place < end and LOWER_CASE[source[i + place]] == hint[place]:
        place += 1
    return place == size


def is_letter(c: cython.uchar) -> cython.bint:
    return 97 <= (c | 32) <= 122


def is_white(c: cython.uchar) -> cython.bint:
    return c <= 32 and (c >= 28 or 9 <= c <= 13)


def find_word_end(
    source: Utf8, start: cython.Py_ssize_t, end: cython.Py_ssize_t
) -> cython.Py_ssize_t:
    i: cython.Py_ssize_t = start + 1
    # A capital and the small letters after it, or capitals alone.
    capitals: cython.bint = source[start] < 97 and not (i < end and 97 <= source[i] <= 122)
    while i < end and (65 <= source[i] <= 90 if capitals else 97 <= source[i] <= 122):
        i += 1
    return i


def hash_word(source: Utf8, start: cython.Py_ssize_t, end: cython.Py_ssize_t) -> cython.ulonglong:
    i: cython.Py_ssize_t
    value: cython.ulonglong = START
    for i in range(start, end):
        value = (value ^ (source[i] | 32)) * PRIME & ALL
    return value


def may_be_permalink(source: Utf8, start: cython.Py_ssize_t, end: cython.Py_ssize_t) -> cython.bint:
    """Whether an address has a number, and a sign or a step of a path that it may belong to."""
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
        stop: cython.Py_ssize_t = find_word_end(source, i, end)
        value: cython.ulonglong = hash_word(source, i, stop)
        i = stop
        for word in range(people.shape[0]):
            if people[word] == value:
                return True
    return False
