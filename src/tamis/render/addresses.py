"""Addresses of links and images: absolute where the page's own address is known, and safe."""

from __future__ import annotations

import re
from urllib.parse import urljoin

import numpy as np
import numpy.typing as npt

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
_PLAIN = re.compile(r"(?:https?://|/(?!/))(?:[\w\-/?&=%#:;,+~!@*]|\.(?![./]))*", re.ASCII)
# Stands for white space and for what would end an address in Markdown or HTML.
_ESCAPED = re.compile(r"[\s<>()\"'`\\|{}^$\x00-\x1f\x7f]")


def values(page: Page, nodes: npt.NDArray[np.intp], name: str) -> list[str | None]:
    """One of the attributes in `tags.ATTRIBUTES` of many elements at once."""
    rows = np.flatnonzero(page.attribute_rows[0] == tags.ATTRIBUTE_ID[name])
    if not len(rows) or not len(nodes):
        return [None] * len(nodes)
    first = page.nodes.attributes[nodes]
    ends = np.append(page.nodes.attributes[1:], page.attribute_rows.shape[1])[nodes]
    found = rows[np.minimum(np.searchsorted(rows, first), len(rows) - 1)]
    there = (found >= first) & (found < ends)
    spans = page.attribute_rows[1:, found]
    return [
        value_of(page.source[start:end]) if has else None
        for has, start, end in zip(
            there.tolist(), spans[0].tolist(), spans[1].tolist(), strict=True
        )
    ]


def value_of(raw: bytes) -> str:
    """The value of an attribute, from how it stands in the source."""
    return resolve(raw.decode("utf-8", "replace").replace("\0", "\ufffd"), attribute=True)


class Base:
    """What relative addresses of a page are relative to."""

    def __init__(self, page: Page, url: str | None) -> None:
        self.url = url if url and url.lower().startswith(("http://", "https://")) else ""
        self.page = self.url.partition("#")[0]
        declared = np.flatnonzero(page.nodes.tag == tags.ID["base"])[:1]
        href = values(page, declared, "href")[0] if len(declared) else None
        if href:
            joined = _joined(self.url, _DROPPED.sub("", href))
            if joined.lower().startswith(("http://", "https://")):
                self.url = joined
        self._origin = "/".join(self.url.split("/", 3)[:3])

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
        if _PLAIN.fullmatch(address):
            return address if address[0] != "/" else self._origin + address
        address = _DROPPED.sub("", address)
        scheme = _SCHEME.match(address)
        if scheme:
            if scheme[1].lower() not in schemes:
                return None
        elif self.url and not (address.startswith("#") and self.url.startswith(self.page)):
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
