# cython: annotation_typing=False, wraparound=True
"""Addresses in a page: absolute where the page's own address is known, and safe.

The only resolver: of links and images, of what a page declares, of the entries of an overview page.
Part of the hot path, see `tamis.page.scan.lexer`.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from tamis.page import tags
from tamis.page.text.references import resolve_references

if TYPE_CHECKING:
    from tamis.page.table import Page

# Characters of an address; longer ones are no addresses but data.
_LONGEST = 10_000
_BASE = tags.ID["base"]
# Of a base address, which stands before all relative ones. The longest of our 6,447 pages has 454.
_LONGEST_BASE = 2_000
_SCHEME = re.compile(r"([a-zA-Z][a-zA-Z0-9+.-]*):")
_LINKED = frozenset(("http", "https", "mailto", "tel"))
_WEB = frozenset(("http", "https"))
# What a browser takes off the ends of an address and out of it before it reads the scheme.
_AT_ENDS = "".join(map(chr, range(33)))
_INSIDE = re.compile("[\t\n\r]")
_PLAIN_RELATIVE = re.compile(r"\w[\w\-/%+~.]*(?:\?[\w\-/&=%+~.]+)?(?:#[\w\-/=%+~.]+)?", re.ASCII)
# Stands for white space and for what would end an address in Markdown or HTML.
_ESCAPED = re.compile(r"[\s<>()\"'`\\|{}^$\x00-\x1f\x7f]+")
# What no scheme has: a renderer may drop it, or read it as a separator.
_NO_SCHEME = re.compile(r"[^!-\[\]-~]+")
_PERCENT = re.compile("%([0-9a-fA-F]{2})")
# How often an address may have been escaped.
_MOST_DECODINGS = 5
_PARTS = re.compile(r"(?://([^/?#]*))?([^?#]*)(\?[^#]*)?(#.*)?", re.DOTALL)
_HOST = re.compile(r"\w[\w.-]*")
_PLAIN_HOST = re.compile(r"[a-z0-9_-]{1,63}(?:\.[a-z0-9_-]{1,63})*")

LONGEST_HOST = 200
"""Letters of a host, which names files: these may have 255 bytes and get more."""


class Base:
    """What relative addresses of a page are relative to."""

    def __init__(self, page: Page, url: str | None) -> None:
        declared = _first_base(page.nodes.tag.data)
        href = _strip(page.attribute(declared, "href") or "") if declared >= 0 else ""
        self.url = _as_base(url or "")
        if not self.url and not _as_base(href):
            self.url = _find_canonical(page)
        self.page = self.url.partition("#")[0]
        if href and len(href) <= _LONGEST_BASE:
            self.url = _as_base(_join(self.url, href)) or self.url
        self._origin = "/".join(self.url.split("/", 3)[:3])
        self._directory: str | None = None
        self._keeps_fragments = self.url.startswith(self.page)

    def is_page(self, address: str) -> bool:
        """Whether an address, without its fragment, is that of the page itself."""
        return bool(self.page) and self.link(address) == self.page

    def link(self, href: str) -> str | None:
        """Where a link leads; None for scripts, data and anything that is not an address."""
        return self._safe(href, _LINKED)

    def image(self, src: str) -> str | None:
        """Where an image is loaded from; None unless it is from the web."""
        return self._safe(src, _WEB)

    def web(self, address: str) -> str | None:
        """An address of the web as it is written, nothing escaped; None for any other."""
        if len(address) > _LONGEST:
            return None
        address = _strip(address)
        scheme = _SCHEME.match(address)
        if scheme:
            if scheme[1].lower() not in _WEB:
                return None
            # "https:/a" on a page of https is relative.
            if address[scheme.end() :][:2] != "//" and self.url.lower().startswith(
                scheme[0].lower()
            ):
                address = address[scheme.end() :]
        absolute = _join(self.url, address)
        host = absolute.partition("://")[2].partition("/")[0]
        # Half a pair of brackets is no address of a host.
        return absolute if absolute and ("[" in host) == ("]" in host) else None

    def _safe(self, address: str, schemes: frozenset[str]) -> str | None:
        if len(address) > _LONGEST:
            return None
        if _is_plain(address):
            if address[0] == "/":
                return self._origin + address
            if address[0] != "#" or self._keeps_fragments:
                return address
        elif _is_plain_relative(address) and (self.url or "%" not in address):
            if self._directory is None:
                self._directory = _join(self.url, "x")[:-1]
            return self._directory + address
        address = _strip(address)
        scheme = _SCHEME.match(address)
        if scheme:
            if scheme[1].lower() not in schemes:
                return None
        elif self.url and not (address.startswith("#") and self._keeps_fragments):
            if address[:1] == "/" and address[1:2] not in ("/", "\\") and "/." not in address:
                address = self._origin + address
            else:
                address = _join(self.url, address)
        elif not _is_relative(address):
            return None
        return _ESCAPED.sub(_escape, address) or None


def _first_base(tag: memoryview) -> int:
    for node in range(len(tag)):
        if tag[node] == _BASE:
            return node
    return -1


def _is_plain(address: str) -> bool:
    """Whether nothing of an address is to be dropped, escaped or resolved, as with most."""
    first = 0
    if address.startswith("http"):
        first = 5 if address.startswith("s", 4) else 4
        if not address.startswith("://", first):
            return False
    elif not address or not (address[0] == "#" or address[0] == "/") or address[:2] == "//":
        return False
    before = " "
    for character in address[first:] if first else address:
        if not (
            "a" <= character <= "z"
            or "-" <= character <= ";"
            or "?" <= character <= "Z"
            or character in "_=%&#+,~!*"
        ):
            return False
        if before == "." and (character == "." or character == "/"):
            return False
        before = character
    return True


def _is_plain_relative(address: str) -> bool:
    if not address or "./" in address or ".." in address:
        return False
    if "//" in address or "/." in address:
        return False
    return bool(_PLAIN_RELATIVE.fullmatch(address))


def find_host(address: str) -> str:
    """The host of a web address without `www.`, empty if it has none.

    >>> find_host("https://www.example.org:8080/a")
    'example.org'
    """
    address = address.strip()
    scheme = _SCHEME.match(address)
    if not scheme or scheme[1].lower() not in _WEB:
        return ""
    authority = _split(address[scheme.end() :])[0]
    host = authority.rpartition("@")[2].partition(":")[0].lower()
    if not _PLAIN_HOST.fullmatch(host):
        try:
            host = host.encode("idna").decode()
        except ValueError:  # no name of a host
            return ""
    host = host.removeprefix("www.")
    return host if len(host) <= LONGEST_HOST and _HOST.fullmatch(host) else ""


def _strip(address: str) -> str:
    address = address.strip(_AT_ENDS)
    has_any = "\t" in address or "\n" in address or "\r" in address
    return _INSIDE.sub("", address) if has_any else address


def _as_base(url: str) -> str:
    """A base address with nothing special in it; empty if it is not one of the web."""
    if len(url) > _LONGEST_BASE or not url.lower().startswith(("http://", "https://")):
        return ""
    return _ESCAPED.sub(_escape, url)


def _find_canonical(page: Page) -> str:
    declared = page.declared
    addresses = (*declared.canonical, *declared.contents("og:url"))
    return next(filter(None, map(_as_base, map(_strip, addresses))), "")


def _is_relative(address: str) -> bool:
    """Whether an address without a scheme has none either once all in it is decoded."""
    for _ in range(_MOST_DECODINGS):
        decoded = _PERCENT.sub(_decode_percent, resolve_references(address, attribute=False))
        decoded = _NO_SCHEME.sub("", decoded)
        if decoded == address:
            return True
        if _SCHEME.match(decoded):
            return False
        address = decoded
    return False


def _decode_percent(match: re.Match[str]) -> str:
    return chr(int(match[1], 16))


def _split(address: str) -> tuple[str, ...]:
    """Host, path, query and fragment of what stands after a scheme."""
    match = _PARTS.match(address)  # any text matches
    return match.groups("") if match else ()


def _join(base: str, address: str) -> str:
    """An address made absolute, in time linear in its length; as it is if it has a scheme."""
    if not base or _SCHEME.match(address):
        return address
    if not address:
        return base
    scheme, _, rest = base.partition(":")
    base_host, base_path, base_query, _ = _split(rest)
    host, path, query, fragment = _split(address)
    # A sign with nothing after it says nothing.
    path = path.removesuffix(";")
    query, fragment = query if query != "?" else "", fragment if fragment != "#" else ""
    if not host:
        host = base_host
        if path:
            path = _resolve_path(path, base_path)
        else:
            path, query = base_path, query or base_query
    return f"{scheme.lower()}://{host}{path}{query}{fragment}"


def _resolve_path(path: str, base_path: str) -> str:
    *steps, last = path.split("/")
    if path[0] == "/":
        del steps[0]
    else:
        # As other libraries do, nothing between two slashes is no step of a relative address.
        steps = [step for step in (*base_path.split("/")[:-1], *steps) if step]
    left: list[str] = []
    for step in (*steps, last):
        if step == "..":
            del left[-1:]
        elif step != ".":
            left.append(step)
    if last in (".", ".."):
        left.append("")
    return "/" + "/".join(left)


def _escape(match: re.Match[str]) -> str:
    return "".join(f"%{byte:02X}" for byte in match[0].encode("utf-8", "replace"))
