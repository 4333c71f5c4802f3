"""Character references (`&amp;`, `&#233;`): their table, and text with them resolved."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html.entities import html5
from typing import Final

from tamis._runtime import limits

REFERENCES: Final = {name.encode(): ord(text[0]) for name, text in html5.items()}
"""Name as it stands in the source, with its semicolon if it needs one, to the first code point."""

IN_UTF8: Final = {name.encode(): text.encode() for name, text in html5.items()}
"""Name as it stands in the source to all that it stands for."""

LONGEST: Final = max(map(len, html5))
"""Letters of a name."""

LONGEST_WITHOUT_SEMICOLON: Final = max(len(name) for name in html5 if not name.endswith(";"))
"""Letters of a name that needs no semicolon."""

WINDOWS_1252: Final = tuple(
    ord(bytes((byte,)).decode("cp1252", "replace"))
    if byte not in (129, 141, 143, 144, 157)
    else byte
    for byte in range(0x80, 0xA0)
)
"""What a numeric reference to 0x80-0x9F means, by the standard."""

# Characters of a long text that are read at once, from one look at the limits to the next.
_PIECE = 50_000
_REFERENCE = re.compile(r"&(?:#[xX]([0-9a-fA-F]+);?|#([0-9]+);?|([0-9a-zA-Z]+;?))")


def code_point(number: int) -> int:
    """The code point that a numeric reference stands for."""
    if 0x80 <= number < 0xA0:
        return WINDOWS_1252[number - 0x80]
    if number == 0 or number > 0x10FFFF or 0xD800 <= number < 0xE000:
        return 0xFFFD
    return number


def resolve(text: str, *, attribute: bool = False) -> str:
    """`text` with its character references resolved as the HTML standard says.

    In an attribute value a reference without a semicolon does not count before `=` or an
    alphanumeric character, so that `?a=1&copy=2` stays what its author meant.
    """
    if "&" not in text:
        return text
    if len(text) <= _PIECE:
        return _resolved(text, attribute)
    return "".join([_resolved(piece, attribute) for piece in limits.checked(_pieces(text), 1)])


def _pieces(text: str) -> Iterator[str]:
    """The text in pieces that begin with a reference, but for the first."""
    start = 0
    while start < len(text):
        end = text.find("&", start + _PIECE)
        end = len(text) if end < 0 else end
        yield text[start:end]
        start = end


def _resolved(text: str, attribute: bool) -> str:
    def character(match: re.Match[str]) -> str:
        hexadecimal, decimal, name = match.groups()
        if hexadecimal or decimal:
            # More digits than this are beyond Unicode whatever they say.
            digits = (hexadecimal or decimal).lstrip("0")
            number = int(digits or "0", 16 if hexadecimal else 10) if len(digits) < 9 else -1
            return chr(code_point(number if number >= 0 else 0x110000))
        if name in html5:
            rest = ""
        else:
            for length in range(min(len(name), LONGEST_WITHOUT_SEMICOLON), 1, -1):
                if name[:length] in html5:
                    name, rest = name[:length], name[length:]
                    break
            else:
                return match[0]
        if attribute and not name.endswith(";"):
            after = rest or text[match.end() : match.end() + 1]
            if after == "=" or (after.isascii() and after[:1].isalnum()):
                return match[0]
        return html5[name] + rest

    return _REFERENCE.sub(character, text)
