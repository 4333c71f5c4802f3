"""Bytes of unknown encoding to UTF-8, by the HTML standard's "determining the character encoding".

The first of these that answers decides, and `Decoded.origin` names it:

1. `str`: the page came decoded.
2. `bom`: a byte order mark (UTF-8, UTF-16).
3. `transport`: the charset of the Content-Type header.
4. `meta`: a `<meta>` or an XML declaration in the first 1,024 bytes, by the standard's prescan.
5. `detected`: UTF-16 without a mark or ISO-2022-JP; NUL bytes and escapes give them away.
6. `utf-8`: the bytes are valid UTF-8 (ASCII is), or all but a few of them are.
7. `meta` again: a declaration further down. A browser finds it while parsing and starts over;
   about one in five of the legacy pages we looked at declares itself that late.
8. `detected`: the statistics of the bytes, see docs/decisions/003-encoding-detection.md.
9. `fallback`: windows-1252, as the standard has it.

Labels mean what the WHATWG Encoding standard says: `iso-8859-1` is windows-1252, `tis-620` is
windows-874, `gb2312` is GBK. An unknown label counts as none.
"""

from __future__ import annotations

import codecs
import re
from dataclasses import dataclass
from functools import lru_cache

from tamis.errors import InputError
from tamis.page.sniff import utf16_without_mark

_BOMS = ((b"\xef\xbb\xbf", "utf-8"), (b"\xfe\xff", "utf-16be"), (b"\xff\xfe", "utf-16le"))
_UTF16_XML = {b"<\0?\0x\0": "utf-16le", b"\0<\0?\0x": "utf-16be"}
# What the standard reads instead when a page that was legible as ASCII declares one of these.
_DECLARED_AS = {"utf-16le": "utf-8", "utf-16be": "utf-8", "x-user-defined": "windows-1252"}

_PRESCAN_BYTES = 1024
# The late legacy declarations of the data sets stand in the first 64 kB.
_LATE_PRESCAN_BYTES = 1 << 16
# A bound for what is looked at, whatever the size of the page.
_WINDOW_BYTES = 1 << 20
_SAMPLE_BYTES = 1 << 16
# That many continuation bytes in their places, and none elsewhere, are no accident.
_ENOUGH = 2000

# "Get an attribute" of the prescan. Every part that could run out of bytes demands the byte that
# ends it, so a tag cut off by the window matches nothing, which is how the standard aborts.
_ATTRIBUTE = (
    rb"[\t\n\f\r /]*+([^\t\n\f\r />][^\t\n\f\r />=]*+)(?=[\t\n\f\r />=])"
    rb"(?:[\t\n\f\r ]*+=[\t\n\f\r ]*+"
    rb"(?:\"([^\"]*+)\"|'([^']*+)'|(?=>)|([^\t\n\f\r >\"'][^\t\n\f\r >]*+)(?=[\t\n\f\r >]))"
    rb"|(?![\t\n\f\r ]*+=))"
)
_ATTRIBUTES = re.compile(_ATTRIBUTE)
_NEXT_META = re.compile(
    rb"(?:[^<]++"
    rb"|<!(?=--)(?s:.*?)-->"
    rb"|<(?!meta[\t\n\f\r /])/?[a-z][^\t\n\f\r >]*+(?:" + _ATTRIBUTE + rb")*+[\t\n\f\r /]*+>"
    rb"|<(?:!(?!--)|\?|/(?![a-z]))[^>]*+>"
    rb"|<(?![!?/a-z]))*+"
    rb"<meta(?=[\t\n\f\r /])(?P<attributes>(?:" + _ATTRIBUTE + rb")*+[\t\n\f\r /]*+>)",
    re.IGNORECASE,
)
# The last, empty alternative stands for an unclosed quote: the standard then finds no charset.
_CHARSET = re.compile(
    rb"charset[\t\n\f\r ]*=[\t\n\f\r ]*"
    rb"(?:\"([^\"]*)\"|'([^']*)'|([^\t\n\f\r ;\"'][^\t\n\f\r ;]*)|)",
    re.IGNORECASE,
)
_XML_ENCODING = re.compile(
    rb"<\?xml(?=[^>]*>)(?:(?!encoding)[^>])*+encoding[\0- ]*=[\0- ]*"
    rb"(?:\"([^\"\0- ]*)\"|'([^'\0- ]*)')"
)
_ASCII_RUN = re.compile(rb"([\0-\x7f]{16})[\0-\x7f]{17,}+(?<=([\0-\x7f]{16}))")


@dataclass(frozen=True, slots=True)
class Decoded:
    """A page as UTF-8, and how it came to be read so."""

    source: bytes
    """UTF-8 without a byte order mark."""
    encoding: str
    """The WHATWG name of the encoding that the page was in, lower case."""
    origin: str
    """Where that came from: str, bom, transport, meta, utf-8, detected or fallback."""


def decode(page: str | bytes | bytearray | memoryview, content_type: str | None = None) -> Decoded:
    """Return `page` as UTF-8; `content_type` is the HTTP header, if there was one.

    Never fails on what is in the page: bytes without a meaning become U+FFFD, and so do lone
    surrogates in a `str`. Bytes that are read as UTF-8 are passed on AS THEY ARE, uncopied but for
    a mark and, when declared, unchecked: whoever decodes the text replaces what is invalid there.
    """
    if isinstance(page, str):
        return Decoded(_from_str(page), "utf-8", "str")
    if isinstance(page, bytearray | memoryview):
        page = bytes(page)
    elif not isinstance(page, bytes):
        raise InputError(
            "a page is HTML as str or bytes, a pathlib.Path or an open file, not"
            f" {type(page).__name__}; of a response give its bytes"
        )
    for bom, encoding in _BOMS:
        if page.startswith(bom):
            return _decoded(page[len(bom) :], encoding, "bom")
    if content_type and (declared := _transport_encoding(content_type)):
        return _decoded(page, declared, "transport")
    if declared := _prescan(page[:_PRESCAN_BYTES]):
        return _decoded(page, declared, "meta")
    return _undeclared(page)


def _from_str(page: str) -> bytes:
    page = page.removeprefix("\ufeff")
    try:
        return page.encode()
    except UnicodeEncodeError:
        # Through UTF-16: there a pair of surrogates is one character, a lone surrogate an error.
        units = page.encode("utf-16-le", "surrogatepass")
        return units.decode("utf-16-le", "replace").encode()


def _decoded(page: bytes, name: str, origin: str) -> Decoded:
    if name == "utf-8":
        return Decoded(page, name, origin)
    import turbohtml.detect  # noqa: F401  registers the whatwg-* codecs; 30 ms that few pages need

    return Decoded(page.decode(f"whatwg-{name}", "replace").encode(), name, origin)


def _resolve(label: bytes) -> str | None:
    label = label.strip(b"\t\n\f\r ").lower()
    if label in (b"utf-8", b"utf8"):
        return "utf-8"
    return _whatwg_name(label.decode("latin-1")) if label else None


@lru_cache(maxsize=256)
def _whatwg_name(label: str) -> str | None:
    import turbohtml

    # The codec registry would do, but Python rewrites "_" and ":" in names before it looks them
    # up, and labels such as ks_c_5601-1987 are lost.
    try:
        name = turbohtml.parse(b"", encoding=label).encoding
    except LookupError:
        return None
    return name.lower() if name else None


@lru_cache(maxsize=256)
def _transport_encoding(content_type: str) -> str | None:
    return _resolve(_charset_parameter(content_type.encode("latin-1", "replace")))


def _charset_parameter(content: bytes) -> bytes:
    match = _CHARSET.search(content)
    return b"".join(match.groups(b"")) if match else b""


def _prescan(head: bytes) -> str | None:
    if name := _UTF16_XML.get(head[:6]):
        return name
    position = 0
    while tag := _NEXT_META.match(head, position):
        position = tag.end()
        if name := _meta_encoding(tag["attributes"]):
            return _DECLARED_AS.get(name, name)
    if (declaration := _XML_ENCODING.match(head)) and (
        name := _resolve(b"".join(declaration.groups(b"")))
    ):
        return _DECLARED_AS.get(name, name)
    return None


def _meta_encoding(attributes: bytes) -> str | None:
    if b"charset" not in attributes.lower():
        return None
    values: dict[bytes, bytes] = {}
    for name, *value in _ATTRIBUTES.findall(attributes):
        values.setdefault(name.lower(), b"".join(value))
    if b"charset" in values:
        return _resolve(values[b"charset"])
    if values.get(b"http-equiv", b"").lower() == b"content-type":
        return _resolve(_charset_parameter(values.get(b"content", b"")))
    return None


def _undeclared(page: bytes) -> Decoded:
    if name := utf16_without_mark(page[:4096]):
        return _decoded(page, name, "detected")
    # ISO-2022-JP writes Japanese in ASCII bytes, after an escape sequence.
    if page.isascii() and (b"\x1b$B" in page or b"\x1b$@" in page):
        return _decoded(page, "iso-2022-jp", "detected")
    first_invalid = _first_invalid(page)
    if first_invalid is None:
        return Decoded(page, "utf-8", "utf-8")
    if name := _prescan(page[:_LATE_PRESCAN_BYTES]):
        return _decoded(page, name, "meta")
    from turbohtml.detect import detect

    guess = detect(_sample(page, first_invalid))
    if guess.encoding is None or guess.confidence == 0.0:
        return _decoded(page, "windows-1252", "fallback")
    return _decoded(page, guess.encoding.lower(), "detected")


def _first_invalid(page: bytes) -> int | None:
    """Where `page` stops being UTF-8; None if it is all UTF-8, or nearly.

    UTF-8 that was cut off or has the odd stray byte is still UTF-8. Counted are continuation bytes
    that fit against bytes that do not: the pages that benchmarks/encoding_detection.py re-encodes
    have at most 1.7 to 1 by accident (12 to 1 on a page that was mis-decoded UTF-8 already); we ask
    20 to 1.
    """
    if _begins_as_utf8(page):
        return None
    try:
        page.decode()
    except UnicodeDecodeError as error:
        half = _WINDOW_BYTES // 2
        window = page[max(0, error.start - half) : error.start + half]
        text = window.decode("utf-8", "replace")
        fitting = len(window) - len(text)
        strays = text.count("\ufffd") - (error.reason == "unexpected end of data")
        return None if 0 < fitting >= 20 * strays else error.start
    return None


def _begins_as_utf8(page: bytes) -> bool:
    """Whether a page is UTF-8 as far as it takes to be sure: to its end, or `_ENOUGH` bytes.

    Only the windows with other bytes than ASCII are decoded, which is five times as fast as
    decoding it all.
    """
    decoder = codecs.getincrementaldecoder("utf-8")()
    fitting = 0
    unfinished = False
    for start in range(0, len(page), 4096):
        window = page[start : start + 4096]
        if window.isascii() and not unfinished:
            continue
        try:
            fitting += len(window) - len(decoder.decode(window))
        except UnicodeDecodeError:
            return False
        if fitting > _ENOUGH:
            return True
        unfinished = bool(decoder.getstate()[0])
    return not unfinished


def _sample(page: bytes, first_invalid: int) -> bytes:
    """The part of a page that says most about its encoding: what is not ASCII, and its neighbours.

    Long stretches of markup are shortened, not removed, since scripts and attributes hold text
    too. It starts and, where it can, ends at an ASCII byte that no encoding has inside a character:
    half a character at the end makes the detector rule the right answer out. "<" is blanked, or
    the detector would take a `<meta>` in a comment or script for a declaration.
    """
    start = max(0, page.rfind(b"<", 0, first_invalid))
    dense = _ASCII_RUN.sub(rb"\1 \2", page[start : start + _WINDOW_BYTES])[:_SAMPLE_BYTES]
    whole = dense[: 1 + max(map(dense.rfind, (b"<", b">", b" ", b"\n")))]
    return (dense if whole.isascii() else whole).replace(b"<", b" ")
