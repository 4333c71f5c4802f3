# cython: annotation_typing=False, wraparound=True
r"""Text of a page in Markdown so that it means itself, whatever renders it.

Dialects differ in what a backslash escapes, in whether there are fences and formulas, in what they
take out of a text before they read it. What could become an element, an attribute or an address in
any of them is written so that it is text in all
(docs/explanation/decisions/015-harmless-markdown.md):
character references for `<` and `&`, code that is indented if a dialect without fences would read
markup in it, formulas only if they are harmless as text, too.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TypeAlias

from tamis._runtime import limits
from tamis.page.tags import ID

# Signs that may be markup; and those that may be beside brackets that are not escaped.
_SPECIAL, _BESIDE = 1, 2
_KIND = bytes(
    _SPECIAL
    if chr(code) in "\\`*[{<&_~" or code == 0x7F or (code < 0x20 and chr(code) not in "\t\n")
    else _BESIDE * (chr(code) in "]$")
    for code in range(0x80)
)
# Where dollars are escaped.
_NOWHERE, _BEFORE_NAMES, _EVERYWHERE = 0, 1, 2
# After a less-than sign they say that no tag begins.
_NO_TAG = " =<0123456789"
# Control characters, and those that some take for line breaks.
_CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f\x85\u2028\u2029]")
_WHITE = "\t\n\x0b\x0c\r\x1c\x1d\x1e\x1f\x85\u2028\u2029"
_LINE_START = re.compile(
    r"^(?:#{1,6}(?=\s|$)|>|[+-](?=\s|$)|[-=:| ]+$|--|~~~|!!!|:::|\.\.(?=\s)"
    r"|(\d{1,9})(?=[.)](?:\s|$)))",
    re.MULTILINE,
)
_Replacement: TypeAlias = Callable[[re.Match[str]], str]
# Characters of a text from which on the limits are checked inside it.
_LONG = 20_000


# Text


class Formulas:
    """Whether there are formulas in a document: dollars and brackets in its text may be theirs."""

    def __init__(self, near: bool) -> None:
        self.near = near
        self.met = False
        """Whether one was written, or code that might end one."""


def escape_text(text: str, in_link: bool, formulas: Formulas) -> str:
    """Escape a text so that it means itself, except for formulas in TeX."""
    first = _find_special(text)
    if first < 0:
        return text
    near = _EVERYWHERE if formulas.near else _NOWHERE
    if "$" not in text and "\\" not in text:
        return _escape_markup(text, first, in_link, near)
    if near == _NOWHERE and text.count("$") > 1:
        near = _BEFORE_NAMES
    pieces: list[str] = []
    end = 0
    for match, written in _find_formulas(text):
        if not (in_link and _BRACKET.search(_BRACKETS.sub("", written))):
            pieces += (_escape_markup(text[end : match.start()], 0, in_link, near), written)
            end = match.end()
            formulas.met = True
    return "".join((*pieces, _escape_markup(text[end:], 0, in_link, near)))


def _find_special(text: str) -> int:
    """Where the first sign is that may be markup, -1 if there is none."""
    # Compiled, a loop takes a tenth of the time of `any`.
    for place, character in enumerate(text):
        if character < "\x80":
            if _KIND[ord(character)]:
                return place
        elif character == "\x85" or character == "\u2028" or character == "\u2029":
            return place
    return -1


def _escape_markup(text: str, first: int, in_link: bool, near: int) -> str:
    """Escape a text without formulas; no sign before `first` is special."""
    pieces: list[str] = []
    end = 0
    for place in range(first, len(text)):
        character = text[place]
        written = ""
        if character < "\x80":
            kind = _KIND[ord(character)]
            if kind == 0:
                continue
            if kind == _SPECIAL:
                written = _escape_sign(text, place, character)
            elif near == _EVERYWHERE or (in_link and character == "]"):
                written = "\\" + character
            elif near and character == "$" and text[place + 1 : place + 2].isalpha():
                written = "\\$"  # as in `$a + $b`, not in prices
        elif character == "\x85" or character == "\u2028" or character == "\u2029":
            written = " "
        if written:
            pieces.append(text[end:place])
            pieces.append(written)
            end = place + 1
            if len(pieces) % _LONG == 0:
                limits.check()
    if not end:
        return text
    pieces.append(text[end:])
    return "".join(pieces)


def _escape_sign(text: str, place: int, character: str) -> str:
    """What stands for a sign that may be markup; nothing if it is none here."""
    after = text[place + 1] if place + 1 < len(text) else ""
    if character == "<":
        return "" if after and after in _NO_TAG else "&lt;"
    if character == "&":
        return "&amp;" if _may_be_reference(text, place + 1) else ""
    if character == "\\":
        # Before code or a formula some would take it for an escape.
        return "\\\\" if after else "&#92;"
    if character == "_" or character == "~":
        before = text[place - 1] if place else ""
        if character == "~":
            special = not after or after == "~" or (before and not before.isspace())
        else:
            special = not (after.isalnum() and before.isalnum())
        return "\\" + character if special else ""
    if character == "`":
        return "&#96;"  # some would pair an escaped one with those around code
    if character < " " or character == "\x7f":
        return " " if character in _WHITE else "\ufffd"
    return "\\" + character


def _may_be_reference(text: str, place: int) -> bool:
    """Whether an ampersand before this place, with what follows, may be a reference."""
    start = place
    if place < len(text) and text[place] == "#":
        place += 1
    while place < len(text) and text[place].isalnum():
        place += 1
    return place == len(text) or (place > start and text[place] == ";")


def escape_starts(text: str) -> str:
    """Escape lines that begin like a heading, a list, a rule ..."""
    if "\n" in text:
        return _replace(_LINE_START, _keep_plain, text)
    if text and text[0] in "#>+-=:| ~!.0123456789":
        match = _LINE_START.match(text)
        return _keep_plain(match) + text[match.end() :] if match else text
    return text


def _keep_plain(match: re.Match[str]) -> str:
    return f"{match[1]}\\" if match[1] else "\\" + match[0]


def _replace(pattern: re.Pattern[str], replacement: _Replacement, text: str) -> str:
    """Like `re.sub`, which knows no deadline: in a long text match by match."""
    if len(text) < _LONG:
        return pattern.sub(replacement, text)
    pieces: list[str] = []
    end = 0
    for match in limits.check_each(pattern.finditer(text)):
        pieces += (text[end : match.start()], replacement(match))
        end = match.end()
    return "".join((*pieces, text[end:]))


def escape_note(text: str) -> str:
    """The first line of a footnote, which must not define where a link leads.

    Without footnotes `[^1]: javascript:...` is such a definition, unless more than an address
    and a title follows.
    """
    first = text.split(maxsplit=1)[0] if text else ""
    if text.startswith(("http://", "https://", "[")) or not _MAY_BE_ADDRESS.search(first):
        return text
    return f"{first} &#8203;{text[len(first) :]}"


_MAY_BE_ADDRESS = re.compile(r"[:&%\\]")


# Addresses and alternative texts


def escape_address(address: str) -> str:
    """Escape what would be a character reference in an address."""
    if "&" not in address or ";" not in address:
        return address
    return _REFERENCE.sub("&amp;", address)


_REFERENCE = re.compile(r"&(?=#?\w+;)")
_ALT_SIGNS = '\\[]`<&*_"$'
_ALT_ESCAPES = str.maketrans(
    {sign: "\\" + sign for sign in _ALT_SIGNS}
    | {"<": "&lt;", "&": "&amp;", '"': "&quot;", "`": "&#96;"}
)


def escape_alt(text: str) -> str:
    """Escape what an image shows. `translate` takes long to see that there is nothing to escape."""
    for character in text:
        if character in _ALT_SIGNS or character < " " or "\x7f" <= character <= "\x85":
            return _CONTROL.sub(_show_control, text).translate(_ALT_ESCAPES)
    return text


def _show_control(match: re.Match[str]) -> str:
    return " " if match[0] in _WHITE else "\ufffd"


# Code

_BACKTICKS = re.compile(r"`+")
_TAG_NAME = re.compile(r"</?([A-Za-z][^\s/>]*)")
# Not a tag, but some parsers read it as markup.
_MARKUP_IN_CODE = re.compile(
    r"<[!?]|<(?:https?|ftp|mailto):|<[^<>\s]+@|\]\(|^[^\S\n]*\[[^\]\n]*\]:",
    re.MULTILINE | re.IGNORECASE,
)
_HANDLER = re.compile(r"\bon\w*\s*=|\bstyle\s*=", re.IGNORECASE)
# What markdown2 takes for the end of code that is not its own.
_ENDS_CODE = re.compile(r"(?:[^<]|</?span)*</code")
_HANDLER_IN_BRACES = re.compile(r"\{[^{}\n]*\b(?:on\w*|style)\s*=", re.IGNORECASE)
# What an extension reads even in code: content of such elements, spoilers, definitions.
_READ_ANYWAY = re.compile(r"\smarkdown\s*=|^[^\S\n]*[!:~]", re.IGNORECASE | re.MULTILINE)
# With `markdown-in-html` markdown2 reads what begins a line of code so, and all up to its end. Most
# of it does nothing, and is left as code.
_BEGINS_BLOCK = re.compile(
    r"^[^\S\n]*</?(?:address|article|aside|blockquote|body|canvas|d[dlt]|del|div|fieldset|fig|foot"
    r"|form|h[1-6]|head|hr|html|iframe|ins|li|main|math|nav|noscript|ol|p|pre|script|section|style|table"
    r"|tfoot|ul|video)",
    re.IGNORECASE | re.MULTILINE,
)
_RUNS = re.compile(
    r"\bon\w*\s*=|\bstyle\b|script|<(?:iframe|object|embed|form|input|button|link|meta|base|svg|math)\b"
    r"|\bdata:|&#",
    re.IGNORECASE,
)


def write_code_span(text: str) -> str:
    """Write code between more backticks than it has; as text if some would not see it as code."""
    if not text:
        return ""
    text = text.replace("\n", " ")
    if _CONTROL.search(text):
        text = _CONTROL.sub(_show_control, text)
    if "<" in text and (_ENDS_CODE.match(text) or ("~~" in text and is_markup(text))):
        return _escape_markup(text, 0, True, _EVERYWHERE)
    if "`" not in text:
        # Some would take a backslash before the last one for an escape.
        return f"` {text} `" if text[-1] == "\\" else f"`{text}`"
    signs = "`" * (max(map(len, _BACKTICKS.findall(text))) + 1)
    padding = " " if text[0] == "`" or text[-1] in "`\\" else ""
    return f"{signs}{padding}{text}{padding}{signs}"


def clean_code(text: str) -> str:
    """Leave line feeds as the only line breaks of a listing."""
    text = text.strip("\n").rstrip()
    if _CONTROL.search(text):
        text = _CONTROL.sub("\ufffd", "\n".join(text.splitlines())).strip("\n")
    return text


def is_markup(code: str) -> bool:
    """Whether a dialect without fences, or with none in lists, would find live markup in code.

    Elements that browsers do not know, without handlers, do nothing: `List<String>`.
    """
    if "<" in code:
        has_tag = False
        for match in limits.check_each(_TAG_NAME.finditer(code)):
            name = match[1].lower()
            if name in ID or "-" in name:
                return True
            has_tag = True
        if has_tag and _HANDLER.search(code):
            return True
    elif "](" not in code and "]:" not in code and "{" not in code:
        return False
    return bool(_MARKUP_IN_CODE.search(code) or _HANDLER_IN_BRACES.search(code))


def fence_code(code: str, language: str) -> str:
    """Write code between fences that are longer than any in it."""
    longest = max(map(len, _BACKTICKS.findall(code))) if "`" in code else 0
    fence = "`" * max(3, longest + 1)
    return f"{fence}{language}\n{code}\n{fence}"


def indent_code(code: str, line_by_line: bool) -> str:
    """Write code that all dialects take for code, without a language."""
    runs = _BEGINS_BLOCK.search(code) and _RUNS.search(code)
    if line_by_line or runs or _READ_ANYWAY.search(code) or _ENDS_CODE.match(code):
        return "  \n".join(
            [
                escape_starts(write_code_span(line.strip()))
                for line in code.split("\n")
                if line.strip()
            ]
        )
    return "\n".join([f"    {line}" if line.strip() else "" for line in code.split("\n")])


# Formulas

# TeX that scripts of the page would draw: between \( and \), \[ and \], dollars.
_TEX = re.compile(
    r"\\\((?P<a>(?:[^$\n\\]|\\(?![()]))+)\\\)"
    r"|\\\[(?P<b>(?:[^$\n\\]|\\(?![\[\]]))+)\\\]"
    r"|\$\$(?P<c>[^$\n]+)\$\$"
    r"|(?<![\w$\\])\$(?P<d>[^\s$](?:[^$\n]*[^\s$\\])?)\$(?![\w$])"
)
_DISPLAYED = re.compile(r"\$\$([^$]+)\$\$|\\\[([^$]+)\\\]")
_LOOKS_LIKE_TEX = re.compile(r"[\\^_{}=<>]|^\d*[A-Za-z]'?$")
# What a text with TeX between dollars has; prices have it seldom.
_MAY_HAVE_TEX = re.compile(r"[\\^_{}=<>]|\$\$|\$\d*[A-Za-z]'?\$")
# A space between two signs of TeX changes nothing. Stars may be read as emphasis, which must not
# join the words on both sides.
_GLUED = re.compile(r"<(?=[A-Za-z/!?])|&(?=#?\w+;)|\](?=[(\[:])|\{(?=:)|(?:\*|~~)(?=\w)")
# What is code, a handler or a link to some, however it is written.
_NOT_AS_TEX = re.compile(
    r"`|~~~|(?<!\\)\$|\bon\w*\s*=|\bstyle\s*="
    r"|\\(?:href|url|html|class|cssid|style|data|includegraphics|require|csname|unicode)",
    re.IGNORECASE,
)
# A pair of brackets with none inside, and a single one.
_BRACKETS = re.compile(r"\[[^\[\]]*\]")
_BRACKET = re.compile(r"[\[\]]")


def _find_formulas(text: str) -> list[tuple[re.Match[str], str]]:
    dollars = text.count("$") > 1 and _MAY_HAVE_TEX.search(text)
    if not dollars and "\\(" not in text and "\\[" not in text:
        return []
    made = []
    for match in limits.check_each(_TEX.finditer(text)):
        tex = match["a"] or match["b"] or match["c"] or match["d"]
        if match["d"] and not _LOOKS_LIKE_TEX.search(tex):
            continue
        written = write_formula(tex)
        if written:
            made.append((match, written))
    return made


def write_formula(tex: str) -> str:
    """Write TeX between dollars; nothing if it is harmful where dollars mean nothing."""
    line = _write_line(tex)
    return f"${line}$" if line else ""


def write_display(tex: str) -> str:
    """Write TeX on a line of its own; nothing if it is harmful."""
    line = _write_line(tex)
    return f"$$\n{line}\n$$" if line else ""


def read_displayed(text: str) -> str:
    """The TeX of a text that is one displayed formula; nothing if it is not."""
    match = _DISPLAYED.fullmatch(text) if text and text[0] in "$\\" else None
    return match[1] or match[2] if match else ""


def _write_line(tex: str) -> str:
    tex = " ".join(tex.split())
    if _NOT_AS_TEX.search(tex):
        return ""
    if _CONTROL.search(tex):
        tex = _CONTROL.sub(_show_control, tex)
    if tex.endswith("\\"):
        tex += " "
    return _GLUED.sub(r"\g<0> ", tex)
