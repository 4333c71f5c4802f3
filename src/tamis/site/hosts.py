"""Whose page it is: the host by its address, or by what it says of its own."""

from __future__ import annotations

import re
from urllib.parse import urlsplit

from tamis.page.table import Page

# Letters of a host in the name of a file, which may have 255 bytes and gets more.
LONGEST = 200


def host_of(address: str) -> str:
    """The host of a web address without `www.`, empty if it has none that can name a file."""
    try:
        parts = urlsplit(address.strip())
        host = (parts.hostname or "").encode("idna").decode().removeprefix("www.")
    except ValueError:
        return ""
    named = parts.scheme in ("http", "https") and len(host) <= LONGEST
    return host if named and re.fullmatch(r"\w[\w.-]*", host) else ""


def declared_host(page: Page) -> str:
    """The host by what the page says of its own address, empty if it says nothing."""
    from tamis.describe.structured import structured

    said = structured(page, frozenset([b"og:url"]))
    links = [page.attribute(node, "href") or "" for node in said.canonical[:5]]
    return next(filter(None, map(host_of, [*links, *said.meta.get("og:url", ())])), "")
