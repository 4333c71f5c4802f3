# cython: annotation_typing=False, wraparound=True
"""Images: where they are and what they show."""

from __future__ import annotations

from typing import NamedTuple

from tamis.page import tags
from tamis.page.addresses import Base
from tamis.page.attributes import Attributes, value_of
from tamis.page.table import Page
from tamis.render.decoration import is_address_of_decoration, is_decoration


class Image(NamedTuple):
    """An image."""

    src: str
    alt: str


_ALT, _SRC, _DATA_SRC, _SRCSET = (
    tags.ATTRIBUTE_ID[name] for name in ("alt", "src", "data-src", "srcset")
)
# Bytes of an address or a srcset that are read.
_LONGEST = 10_000


def image(page: Page, attributes: Attributes, node: int, base: Base) -> Image | None:
    """What an img shows; None for what only decorates and what is not on the web."""
    in_figure = page.nodes.flags[node] & tags.IN_FIGURE != 0
    if is_decoration(attributes, node, in_figure):
        return None
    src = (
        _loaded(attributes.raw(node, _DATA_SRC), base)
        or _loaded(attributes.raw(node, _SRC), base)
        or _loaded(_largest(attributes.raw(node, _SRCSET) or b""), base)
        or _loaded_late(page, node, base)
    )
    if not src or (not in_figure and is_address_of_decoration(src)):
        return None
    alt = attributes.raw(node, _ALT)
    # In a quarter of the time of `Image(src, alt)`.
    return tuple.__new__(Image, (src, " ".join(value_of(alt).split()) if alt else ""))


def _loaded(address: bytes | None, base: Base) -> str | None:
    if not address or len(address) > _LONGEST:
        return None
    if address[0] in b"dD" and address[:5].lower() == b"data:":
        return None
    return base.image(value_of(address))


def _loaded_late(page: Page, node: int, base: Base) -> str | None:
    """Where scripts that load images late have the address."""
    late = page.attributes(node)
    for name in ("data-original", "data-lazy-src"):
        src = _loaded(late.get(name, "").encode(), base)
        if src:
            return src
    return _loaded(_largest(late.get("data-srcset", "").encode()), base)


def _largest(candidates: bytes) -> bytes:
    """The image with the highest resolution in a srcset."""
    best, size = b"", -1.0
    for candidate in candidates[:_LONGEST].split(b", "):
        words = candidate.split()
        if words:
            number = words[1][:-1] if len(words) > 1 else b"1"
            own = float(number) if number.replace(b".", b"", 1).isdigit() else 0.0
            if own > size:
                best, size = words[0].rstrip(b","), own
    return best
