"""Which kind of character a code point is, for the scanner's counts.

Scripts without spaces between words are counted by code points. `words` of such a text is its
code points divided by a constant, the mean length of a word: `HAN_WORD` for Chinese and
Japanese, `SEA_WORD` for Thai, Lao, Khmer, Burmese and their neighbours (measured in
`benchmarks/word_lengths.py`). No segmenter is involved.
"""

from __future__ import annotations

import unicodedata
from typing import Final

LOWER: Final = 0  # a letter or combining mark that is not a capital
SPACE: Final = 1
UPPER: Final = 2
DIGIT: Final = 3
PUNCTUATION: Final = 4
SYMBOL: Final = 5
IGNORED: Final = 6  # soft hyphens, joiners, controls: neither a character nor a break
HAN: Final = 7  # Chinese characters and Japanese kana
SEA: Final = 8  # South-East Asian scripts without spaces
MARKUP: Final = 9  # "<"
REFERENCE: Final = 10  # "&"
MULTIBYTE: Final = 11  # first byte of a character beyond ASCII

HAN_WORD: Final = 2
SEA_WORD: Final = 4

# A character as one number: its code point, above that its kind, above that its bytes in UTF-8.
CODE_BITS: Final = 32
KIND_BITS: Final = 8
CODE: Final = (1 << CODE_BITS) - 1
OF_KIND: Final = (1 << KIND_BITS) - 1

# By general category of Unicode, else by its first letter.
_KINDS = {"Lu": UPPER, "Lt": UPPER, "N": DIGIT, "Cc": IGNORED, "Cf": IGNORED, "C": SYMBOL,
          "Z": SPACE, "P": PUNCTUATION, "S": SYMBOL}  # fmt: skip

_HAN = ((0x3005, 0x3007), (0x3021, 0x3029), (0x3031, 0x3035), (0x3041, 0x3096), (0x309D, 0x309F),
        (0x30A1, 0x30FA), (0x30FC, 0x312F), (0x31A0, 0x31BF), (0x31F0, 0x31FF), (0x3400, 0x4DBF),
        (0x4E00, 0x9FFF), (0xA000, 0xA48C), (0xF900, 0xFAFF), (0xFF66, 0xFF9D))  # fmt: skip
_SEA = ((0x0E01, 0x0E3A), (0x0E40, 0x0E4E), (0x0E81, 0x0ECE), (0x0EDC, 0x0EDF), (0x0F00, 0x0F0B),
        (0x0F40, 0x0FBC), (0x1000, 0x103F), (0x1050, 0x108F), (0x1780, 0x17D3), (0x1950, 0x19DA),
        (0x1A20, 0x1A7C), (0x1B00, 0x1B4C), (0xA980, 0xA9C0), (0xA9E0, 0xA9EF), (0xAA60, 0xAA7F),
        (0xAA80, 0xAADF))  # fmt: skip
_SPACES = (0x09, 0x0A, 0x0B, 0x0C, 0x0D, 0x1C, 0x1D, 0x1E, 0x1F, 0x85)


def _code_point_kinds() -> bytes:
    kinds = bytearray(0x10000)
    for first, last in _HAN:
        kinds[first : last + 1] = bytes((HAN,)) * (last + 1 - first)
    category = unicodedata.category
    for number in (*range(0x3400), *range(0xA48D, 0xAC00), *range(0xD7A4, 0x10000)):
        if kinds[number] != HAN:
            name = category(chr(number))
            kinds[number] = _KINDS.get(name) or _KINDS.get(name[0], LOWER)
    for first, last in _SEA:
        for number in range(first, last + 1):
            if kinds[number] == LOWER:
                kinds[number] = SEA
    for number in _SPACES:
        kinds[number] = SPACE
    return bytes(kinds)


CODE_POINT_KINDS: Final = _code_point_kinds()
"""Kind of each code point of the Basic Multilingual Plane."""

BYTE_KINDS: Final = bytes(
    {ord("<"): MARKUP, ord("&"): REFERENCE}.get(byte, CODE_POINT_KINDS[byte])
    for byte in range(0x80)
) + bytes((MULTIBYTE,) * 0x80)
"""Kind of each byte of UTF-8 text."""
