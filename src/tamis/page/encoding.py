"""Bytes of unknown encoding to UTF-8, by the HTML standard's "determining the character encoding".

The standard believes what is declared. Here a declaration has to be borne out by the bytes, since
pages are saved, proxied and served under declarations that were once those of other bytes. The
first of these that answers decides, and `Decoded.origin` names it:

1. `str`: the page came decoded.
2. `bom`: a byte order mark (UTF-8, UTF-16).
3. `detected`: UTF-16 without a mark or ISO-2022-JP; NUL bytes and escapes give them away.
4. `utf-8`: the bytes are valid UTF-8 with other characters than ASCII, or all but a few of them
   are, whatever is declared; ASCII is UTF-8 if nothing is declared.
5. `transport`: the charset of the Content-Type header.
6. `meta`: a `<meta>` or an XML declaration in the first 1,024 bytes, by the standard's prescan, or
   further down. A browser finds it while parsing and starts over; about one in five of the legacy
   pages we looked at declares itself that late.
7. `detected`: the statistics of the bytes, see
   docs/explanation/decisions/003-encoding-detection.md.
8. `fallback`: windows-1252, as the standard has it.

A declaration under which bytes have no meaning, or that makes words which detection reads far
better, is passed over in 5 and 6. What is declared UTF-8 and is has the origin of its declaration.

Labels mean what the WHATWG Encoding standard says: `iso-8859-1` is windows-1252, `tis-620` is
windows-874, `gb2312` is GBK. An unknown label counts as none.
"""

from __future__ import annotations

import codecs
import re
from dataclasses import dataclass
from functools import lru_cache

from tamis.errors import InputError

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
# That many continuation bytes in their places, and none elsewhere, are not an accident.
_ENOUGH = 2000
_ENOUGH_DECLARED = 50
_UTF16 = ("utf-16le", "utf-16be")
_BEYOND_ASCII = bytes(range(128, 256))
# The detector knows no other western encoding. ISO-8859-15 has the euro where windows-1252 has ¤,
# which nobody writes, the œ where ½ is, and no quotes; in macintosh all letters are elsewhere.
_WESTERN, _WITH_EURO, _MACINTOSH = "windows-1252", "iso-8859-15", "macintosh"
_EURO = re.compile(rb"\xa4|[A-Za-z][\xbc\xbd][a-z]")
_QUOTES = re.compile(rb"[\x80-\x9f]")
# The letters of other Latin alphabets, and the confidence of the detector, from which on it is
# right where a server says windows-1252. What it takes for them in English are signs, one or two.
_LETTERS = 3
_SURE = 0.3
_END_OF_LATIN = "\u0250"
# Bytes beyond ASCII that say too little against a declaration.
_FEW = 12
# The share of odd characters from which on a declaration is doubted, and the most that detection
# may have instead. Of pages that are read right nine in ten have less than 0.045 (Turkish: 0.22);
# of Greek, Arabic, Thai and Chinese ones read as windows-1252 nine in ten have more than 0.4.
_ODD = 0.05
_CLEAN = 0.15

# "Get an attribute" of the prescan. Every part that could run out of bytes demands the byte that
# ends it, so a tag cut off by the window matches nothing, which is how the standard aborts. For
# the same reason no part can match in two ways, and a failing match costs linear time. Possessive
# quantifiers would say so shorter, but Python 3.11.0 to 3.11.4 evaluates them wrongly.
_ATTRIBUTE = (
    rb"[\t\n\f\r /]*([^\t\n\f\r />][^\t\n\f\r />=]*)(?=[\t\n\f\r />=])"
    rb"(?:[\t\n\f\r ]*=[\t\n\f\r ]*"
    rb"(?:\"([^\"]*)\"|'([^']*)'|(?=>)|([^\t\n\f\r >\"'][^\t\n\f\r >]*)(?=[\t\n\f\r >]))"
    rb"|(?![\t\n\f\r ]*=))"
)
_ATTRIBUTES = re.compile(_ATTRIBUTE)
_NEXT_META = re.compile(
    rb"(?:[^<]+(?=<)"
    rb"|<!(?=--)(?s:(?!-->).)*-->"
    rb"|<(?!meta[\t\n\f\r /])/?[a-z][^\t\n\f\r >]*(?=[\t\n\f\r >])"
    rb"(?:" + _ATTRIBUTE + rb")*[\t\n\f\r /]*>"
    rb"|<(?:!(?!--)|\?|/(?![a-z]))[^>]*>"
    rb"|<(?![!?/a-z]))*"
    rb"<meta(?=[\t\n\f\r /])(?P<attributes>(?:" + _ATTRIBUTE + rb")*[\t\n\f\r /]*>)",
    re.IGNORECASE,
)
# The last, empty alternative stands for an unclosed quote: the standard then finds no charset.
_CHARSET = re.compile(
    rb"charset[\t\n\f\r ]*=[\t\n\f\r ]*"
    rb"(?:\"([^\"]*)\"|'([^']*)'|([^\t\n\f\r ;\"'][^\t\n\f\r ;]*)|)",
    re.IGNORECASE,
)
_XML_ENCODING = re.compile(
    rb"<\?xml(?=[^>]*>)(?:(?!encoding)[^>])*encoding[\0- ]*=[\0- ]*"
    rb"(?:\"([^\"\0- ]*)\"|'([^'\0- ]*)')"
)
_ASCII_RUN = re.compile(rb"([\0-\x7f]{16})[\0-\x7f]{17,}(?<=([\0-\x7f]{16}))")


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
    a mark: the caller replaces what is invalid there.
    """
    if isinstance(page, str):
        return Decoded(_encode_text(page), "utf-8", "str")
    if isinstance(page, bytearray | memoryview):
        page = bytes(page)
    elif not isinstance(page, bytes):
        raise InputError(
            "a page is HTML as str or bytes, a pathlib.Path or an open file, not"
            f" {type(page).__name__}; of a response give its bytes"
        )
    for bom, encoding in _BOMS:
        if page.startswith(bom):
            return _decode_as(page[len(bom) :], encoding, "bom")
    transport = _read_transport(content_type) if content_type else None
    if transport == "utf-8" and _is_plain_utf8(page):
        return Decoded(page, transport, "transport")
    meta = _prescan(page[:_PRESCAN_BYTES])
    if meta == "utf-8" and not transport and _is_plain_utf8(page):
        return Decoded(page, meta, "meta")
    declared = {transport: "transport"} if transport else {}
    if meta:
        declared.setdefault(meta, "meta")
    return _read_as(page, declared)


def _encode_text(page: str) -> bytes:
    page = page.removeprefix("\ufeff")
    try:
        return page.encode()
    except UnicodeEncodeError:
        # Through UTF-16: there a pair of surrogates is one character, a lone surrogate an error.
        units = page.encode("utf-16-le", "surrogatepass")
        return units.decode("utf-16-le", "replace").encode()


def _decode_as(page: bytes, name: str, origin: str) -> Decoded:
    if name == "utf-8":
        return Decoded(page, name, origin)
    import turbohtml.detect  # noqa: F401  registers the whatwg-* codecs; 30 ms that few pages need

    return Decoded(page.decode(f"whatwg-{name}", "replace").encode(), name, origin)


def _resolve_label(label: bytes) -> str | None:
    label = label.strip(b"\t\n\f\r ").lower()
    if label in (b"utf-8", b"utf8"):
        return "utf-8"
    return _find_whatwg_name(label.decode("latin-1")) if label else None


@lru_cache(maxsize=256)
def _find_whatwg_name(label: str) -> str | None:
    import turbohtml

    # The codec registry would do, but Python rewrites "_" and ":" in names before it looks them
    # up, and labels such as ks_c_5601-1987 are lost.
    try:
        name = turbohtml.parse(b"", encoding=label).encoding
    except LookupError:
        return None
    return name.lower() if name else None


@lru_cache(maxsize=256)
def _read_transport(content_type: str) -> str | None:
    return _resolve_label(_find_charset(content_type.encode("latin-1", "replace")))


def _find_charset(content: bytes) -> bytes:
    match = _CHARSET.search(content)
    return b"".join(match.groups(b"")) if match else b""


def _prescan(head: bytes) -> str | None:
    if name := _UTF16_XML.get(head[:6]):
        return name
    position = 0
    while tag := _NEXT_META.match(head, position):
        position = tag.end()
        if name := _read_meta(tag["attributes"]):
            return _DECLARED_AS.get(name, name)
    if (declaration := _XML_ENCODING.match(head)) and (
        name := _resolve_label(b"".join(declaration.groups(b"")))
    ):
        return _DECLARED_AS.get(name, name)
    return None


def _read_meta(attributes: bytes) -> str | None:
    if b"charset" not in attributes.lower():
        return None
    values: dict[bytes, bytes] = {}
    for name, *value in _ATTRIBUTES.findall(attributes):
        values.setdefault(name.lower(), b"".join(value))
    if b"charset" in values:
        return _resolve_label(values[b"charset"])
    if values.get(b"http-equiv", b"").lower() == b"content-type":
        return _resolve_label(_find_charset(values.get(b"content", b"")))
    return None


def _read_as(page: bytes, declared: dict[str, str]) -> Decoded:
    """A page by its bytes and by what is declared, with the origin of each, the best first."""
    head = page[:4096]
    declared_utf16 = next(filter(_UTF16.__contains__, declared), None) if b"\0" in head else None
    if name := find_utf16(head) or declared_utf16:
        return _decode_as(page, name, declared.get(name, "detected"))
    if page.isascii():
        # ISO-2022-JP writes Japanese in ASCII bytes, after an escape sequence.
        if b"\x1b$B" in page or b"\x1b$@" in page:
            return _decode_as(page, "iso-2022-jp", declared.get("iso-2022-jp", "detected"))
        name = next((name for name in declared if name not in _UTF16), "utf-8")
        return _decode_as(page, name, declared.get(name, "utf-8"))
    first_invalid = _find_invalid(page, "utf-8" in declared)
    if first_invalid is None:
        return Decoded(page, "utf-8", declared.get("utf-8", "utf-8"))
    if late := _prescan(page[:_LATE_PRESCAN_BYTES]):
        declared = {**declared, late: declared.get(late, "meta")}
    sample = _condense(page, first_invalid)
    beyond_ascii = len(sample) - len(sample.translate(None, _BEYOND_ASCII))
    detected, confidence = _detect(sample)
    for name in _order_declared(sample, declared, detected):
        by_server = name == _WESTERN and declared[name] == "transport" and confidence >= _SURE
        if beyond_ascii < _FEW or _is_plausible(sample, name, detected, by_server):
            return _decode_as(page, name, declared[name])
    return _decode_as(page, detected or _WESTERN, "detected" if detected else "fallback")


def _detect(sample: bytes) -> tuple[str | None, float]:
    """The encoding that the bytes speak for, if any, and how clearly their statistics do."""
    from turbohtml.detect import detect

    guess = detect(sample)
    name = guess.encoding.lower() if guess.encoding and guess.confidence else None
    if name is None or name == _WESTERN:
        if _EURO.search(sample) and not _QUOTES.search(sample):
            name = _WITH_EURO
        elif (
            3 * _oddness(_decode_sample(sample, _MACINTOSH))
            < max(_ODD, _oddness(_decode_sample(sample, _WESTERN))) - _ODD
        ):
            name = _MACINTOSH
    return name, guess.confidence


def _order_declared(sample: bytes, declared: dict[str, str], detected: str | None) -> list[str]:
    """The declarations to be tried, those of the page after that of its header.

    But servers send ISO-8859-1 with everything: a page that says otherwise knows better, unless its
    reading is the odder one.
    """
    names = [name for name in declared if name != "utf-8" and name not in _UTF16]
    if len(names) > 1 and names[0] == _WESTERN:
        of_server, of_page = _decode_sample(sample, names[0]), _decode_sample(sample, names[1])
        if _oddness(of_page) <= _oddness(of_server) or (
            detected and _decode_sample(sample, detected) == of_page
        ):
            names[:2] = reversed(names[:2])
    return names


def _is_plausible(sample: bytes, name: str, detected: str | None, by_server: bool) -> bool:
    """Whether a page is in the encoding that it declares, if it is not the detected one.

    Detection errs more often than declarations do, so it has to read far better; or no worse and as
    another Latin alphabet, where the declaration is only what servers send with everything.
    """
    if detected == name or name == "replacement":
        return True
    text = _decode_sample(sample, name)
    if detected is None:
        return text.count("\ufffd") * 20 <= len(text)
    read = _decode_sample(sample, detected)
    other = _oddness(read)
    if by_server and _oddness(text) >= other and len(read) == len(text):
        changed = {new for old, new in zip(text, read, strict=True) if old != new}
        letters = sum(new.isalpha() and new < _END_OF_LATIN for new in changed)
        if letters >= _LETTERS or detected == _WITH_EURO:
            return other > 2 * _CLEAN
    return other > _CLEAN or _oddness(text) < max(_ODD, 3 * other)


def _oddness(text: str) -> float:
    from tamis.page.mojibake import measure_oddness  # 8 ms that few pages need

    return measure_oddness(text)


def _decode_sample(sample: bytes, name: str) -> str:
    return sample.decode(f"whatwg-{name}", "replace")


def _find_invalid(page: bytes, declared: bool) -> int | None:
    """Where `page` stops being UTF-8; None if it is all UTF-8, or nearly.

    UTF-8 that was cut off or has the odd stray byte is still UTF-8. Counted are continuation bytes
    that fit against bytes that do not: the pages that benchmarks/encoding_detection.py re-encodes
    have at most 1.7 to 1 by accident (12 to 1 on a page that was mis-decoded UTF-8 already); we ask
    20 to 1, or 2 to 1 where UTF-8 is declared.
    """
    if _is_utf8(page):
        return None
    try:
        page.decode()
    except UnicodeDecodeError as error:
        half = _WINDOW_BYTES // 2
        window = page[max(0, error.start - half) : error.start + half]
        text = window.decode("utf-8", "replace")
        fitting = len(window) - len(text)
        strays = text.count("\ufffd") - (error.reason == "unexpected end of data")
        enough = fitting >= (2 if declared else 20) * strays
        return None if enough and (fitting or declared) else error.start
    return None


def _is_plain_utf8(page: bytes) -> bool:
    """Whether what is declared UTF-8 is, and not one of those that are written in ASCII bytes."""
    if page.isascii():
        return b"\x1b" not in page and b"\0" not in page[:64]
    return _is_utf8(page, _ENOUGH_DECLARED) and b"\0" not in page[:64]


def _is_utf8(page: bytes, enough: int = _ENOUGH) -> bool:
    """Whether a page is UTF-8 as far as it takes to be sure: to its end, or `enough` bytes.

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
        if fitting > enough:
            return True
        unfinished = bool(decoder.getstate()[0])
    return not unfinished


def _condense(page: bytes, first_invalid: int) -> bytes:
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


def find_utf16(head: bytes) -> str | None:
    """UTF-16 markup is ASCII with a NUL on one side; an eighth is far more than chance puts there.

    On the other side there are few: U+4E00, the commonest Chinese character, is one of them.
    """
    even, odd, pairs = head[::2].count(0), head[1::2].count(0), len(head) // 2
    if odd * 8 > pairs and even * 4 < odd:
        return "utf-16le"
    if even * 8 > pairs and odd * 4 < even:
        return "utf-16be"
    return None
