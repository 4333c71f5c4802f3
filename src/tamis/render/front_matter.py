"""YAML in front of Markdown, the same for every parser of it and harmless to those without."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

# What means something to YAML inside quotes, or to a renderer of Markdown that knows no YAML and
# takes the lines for a heading: tags, links, code, references, attribute lists, formulas.
_SPECIAL = frozenset("\\<>&[]{}`$")
# They join letters in Persian, in Indic scripts and in emoji.
_JOINERS = "\u200c\u200d"


def front_matter(values: Mapping[str, str | int | Sequence[str]]) -> str:
    """The values between lines of hyphens, without those that are empty."""
    lines = ["---"]
    for name, value in values.items():
        if isinstance(value, int):
            lines.append(f"{name}: {value}")
        elif isinstance(value, str):
            lines += [f"{name}: {quote(value)}"] if value else []
        elif value:
            lines += [f"{name}:", *(f"  - {quote(text)}" for text in value)]
    return "\n".join((*lines, "---", ""))


def quote(text: str) -> str:
    r"""A string of YAML 1.1 and 1.2, on one line.

    >>> print(quote('No: a "<b>"'))
    "No: a \"\x3cb\x3e\""
    """
    return '"' + "".join(map(_escape_sign, text)) + '"'


def _escape_sign(sign: str) -> str:
    if sign == '"':
        return '\\"'
    if sign not in _SPECIAL and (sign.isprintable() or sign in _JOINERS):
        return sign
    code = ord(sign)
    if code < 0x100:
        return f"\\x{code:02x}"
    return f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"
