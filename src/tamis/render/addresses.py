# cython: annotation_typing=False, wraparound=True
"""Addresses of links and images: absolute where the page's own address is known, and safe.

Part of the hot path, see `tamis.render.outline`.
"""

from __future__ import annotations

import re
from urllib.parse import urljoin

import numpy as np

from tamis.page import tags
from tamis.page.references import resolve
from tamis.page.table import Page

# Characters of an address; longer ones are no addresses but data.
_LONGEST = 10_000
_SCHEME = re.compile(r"([a-zA-Z][a-zA-Z0-9+.-]*):")
_LINKED = frozenset(("http", "https", "mailto", "tel"))
_LOADED = frozenset(("http", "https"))
# What a browser takes out of an address before it reads the scheme.
_DROPPED = re.compile("[\t\n\r]|^[\0- ]+|[\0- ]+$")
# Most addresses: nothing to drop, to escape or to resolve.
_PLAIN = re.compile(r"(?:https?://|/(?!/)|#)[\w\-/?&=%#:;,+~!@*.]*", re.ASCII)
_PLAIN_RELATIVE = re.compile(r"\w[\w\-/%+~.]*(?:\?[\w\-/&=%+~.]+)?(?:#[\w\-/=%+~.]+)?", re.ASCII)
# Stands for white space and for what would end an address in Markdown or HTML.
_ESCAPED = re.compile(r"[\s<>()\"'`\\|{}^$\x00-\x1f\x7f]")


class Attributes:
    """The attributes of elements, as far as they are in `tags.ATTRIBUTES`."""

    def __init__(self, page: Page) -> None:
        self.source = page.source
        self.firsts = page.nodes.attributes.data
        self.names = page.attribute_rows[0].data
        self.starts = page.attribute_rows[1].data
        self.ends = page.attribute_rows[2].data

    def raw(self, node: int, number: int) -> bytes | None:
        """A value as it stands in the source, None if the attribute is not there."""
        end = self.firsts[node + 1] if node + 1 < len(self.firsts) else len(self.names)
        for row in range(self.firsts[node], end):
            if self.names[row] == number:
                return self.source[self.starts[row] : self.ends[row]]
        return None


def value_of(raw: bytes) -> str:
    """The value of an attribute, from how it stands in the source."""
    value = raw.decode("utf-8", "replace")
    if "&" not in value and "\0" not in value:
        return value
    value = value.replace("\0", "\ufffd")
    if value.count("&") == value.count("&amp;"):
        return value.replace("&amp;", "&")
    return resolve(value, attribute=True)


class Base:
    """What relative addresses of a page are relative to."""

    def __init__(self, page: Page, url: str | None) -> None:
        self.url = url if url and url.lower().startswith(("http://", "https://")) else ""
        self.page = self.url.partition("#")[0]
        declared = np.flatnonzero(page.nodes.tag == tags.ID["base"])[:1]
        href = page.attribute(int(declared[0]), "href") if len(declared) else None
        if href:
            joined = _joined(self.url, _DROPPED.sub("", href))
            if joined.lower().startswith(("http://", "https://")):
                self.url = joined
        self._origin = "/".join(self.url.split("/", 3)[:3])
        self._directory: str | None = None
        self._keeps_fragments = self.url.startswith(self.page)

    def is_page(self, address: str) -> bool:
        """Whether an address, without its fragment, is that of the page itself."""
        return bool(self.page) and self.link(address) == self.page

    def link(self, href: str) -> str | None:
        """Where a link leads; None for scripts, data and what is no address."""
        return self._safe(href, _LINKED)

    def image(self, src: str) -> str | None:
        """Where an image is loaded from; None unless it is from the web."""
        return self._safe(src, _LOADED)

    def _safe(self, address: str, schemes: frozenset[str]) -> str | None:
        if len(address) > _LONGEST:
            return None
        if "./" not in address and ".." not in address:
            if _PLAIN.fullmatch(address):
                if address[0] == "/":
                    return self._origin + address
                if address[0] != "#" or self._keeps_fragments:
                    return address
            elif _PLAIN_RELATIVE.fullmatch(address) and "//" not in address and "/." not in address:
                if self._directory is None:
                    self._directory = _joined(self.url, "x")[:-1]
                return self._directory + address
        address = _DROPPED.sub("", address)
        scheme = _SCHEME.match(address)
        if scheme:
            if scheme[1].lower() not in schemes:
                return None
        elif self.url and not (address.startswith("#") and self._keeps_fragments):
            if address[:1] == "/" and address[1:2] not in ("/", "\\") and "/." not in address:
                address = self._origin + address
            else:
                address = _joined(self.url, address)
        return _ESCAPED.sub(_percent, address) or None


def _joined(base: str, address: str) -> str:
    try:
        return urljoin(base, address)
    except ValueError:  # a host in brackets that is no IPv6 address
        return address


def _percent(match: re.Match[str]) -> str:
    return "".join(f"%{byte:02X}" for byte in match[0].encode("utf-8", "replace"))
